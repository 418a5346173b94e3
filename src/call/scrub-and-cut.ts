import type { ToolCallResult } from '../core/call.js';
import { ToolError } from '../core/error.js';
import { turnShareChars } from '../core/result-share.js';
import { withHandledRejection } from '../core/support/check-values.js';
import { cutMiddle, cutTo } from '../core/text/cut.js';
import { escapeLine } from '../core/text/escape-for-people.js';
import { jsonSafe } from '../core/text/json-safe.js';
import type { Tool } from '../core/tool.js';
import type { Attachment, ToolResult } from '../core/tool-result.js';
import { decodeText, detectEncoding, encodeText } from '../editing/encodings/codecs.js';
import type { TurnCall } from './turn-call.js';
import type { CutOutput, Run } from './turn-run.js';

/** Replaces a text on which the scrubber failed. */
const withheldText = '[withheld: the scrubber failed on this text]';

/**
 * A text without credentials. If the scrubber fails on it, the whole text is withheld. Half of a surrogate pair is
 * replaced, because providers reject requests that contain one.
 */
export function scrubText(text: string, run: Run): string {
  const { scrubber } = run.settings;
  if (scrubber === undefined) return text.toWellFormed();
  try {
    const scrubbed: unknown = withHandledRejection(scrubber.text(text));
    if (typeof scrubbed === 'string') return scrubbed.toWellFormed();
  } catch {
    // The text is withheld, as after an invalid answer.
  }
  return withheldText;
}

/** One line that is safe to show: without credentials, and with deceptive characters escaped. */
export function scrubLine(text: string, run: Run, maxChars = Number.POSITIVE_INFINITY): string {
  return escapeLine(scrubText(text, run), maxChars);
}

/** {@link scrubLine} with the length limit of titles. */
export function scrubTitle(title: string, run: Run): string {
  return scrubLine(title, run, run.settings.limits.approval.maxTitleChars);
}

/** A copy of a value as JSON can represent it, within the limits of metadata and without credentials in its texts. */
export function scrubValue<Value>(value: Value, run: Run): Value {
  const {
    maxMetadataChars: maxChars,
    maxMetadataItems: maxItems,
    maxMetadataDepth: maxDepth,
  } = run.settings.limits.output;
  return jsonSafe(value, (text) => scrubText(text, run), { maxChars, maxItems, maxDepth }).copy as Value;
}

/** A result without credentials in its output, title, metadata and text attachments. All later stages get this copy. */
export function scrubResult(result: ToolResult, run: Run): ToolResult {
  const { output, title, metadata, attachments } = result;
  if (title === undefined && metadata === undefined && attachments === undefined)
    return { output: scrubText(output, run) };
  return {
    output: scrubText(output, run),
    ...(typeof title === 'string' ? { title: scrubTitle(title, run) } : {}),
    ...(typeof metadata === 'object' && metadata !== null ? { metadata: scrubValue(metadata, run) } : {}),
    ...(attachments !== undefined && attachments.length > 0
      ? { attachments: attachments.map((one) => scrubAttachment(one, run)) }
      : {}),
  };
}

function scrubAttachment({ mediaType, data, name }: Attachment, run: Run): Attachment {
  return {
    // A media type that scrubbing changes is not valid any more.
    mediaType: scrubText(mediaType, run) === mediaType ? mediaType : 'application/octet-stream',
    data: scrubData(mediaType, data, run),
    ...(name === undefined ? {} : { name: scrubText(name, run) }),
  };
}

const textual = /^text\/|[/+](?:json|xml|yaml)(?:;|$)/i;

/**
 * Scrubs an attachment that is text: valid UTF-8 with any media type, other encodings only with a textual media type.
 */
function scrubData(mediaType: string, data: string, run: Run): string {
  if (run.settings.scrubber === undefined) return data;
  const start = Buffer.from(data.slice(0, sampleChars), 'base64');
  const encoding = detectEncoding(start, data.length <= sampleChars);
  if (encoding === undefined) return data;
  const isPlain = encoding.name === 'utf-8' && !encoding.isDamaged;
  if (!isPlain && !textual.test(mediaType)) return data;
  const bytes = Buffer.from(data, 'base64');
  const text = decodeText(bytes.subarray(encoding.markBytes), encoding.name);
  const scrubbed = scrubText(text, run);
  if (scrubbed === text) return data;
  const stored = encodeText(scrubbed, encoding.name) ?? Buffer.from(scrubbed, 'utf8');
  return Buffer.concat([bytes.subarray(0, encoding.markBytes), stored]).toString('base64');
}

const sampleChars = 65_536;

/**
 * An error without credentials in its message, partial output and metadata. The cause is dropped, because it may
 * contain the removed credentials.
 */
export function scrubError(error: ToolError, run: Run): ToolError {
  const { partialOutput, metadata, retryAfterMs, interrupt } = error;
  // Programs store and forward errors like results, so errors have the same length limit.
  const bound = (text: string) => cutTo(run.settings.limits.output.maxChars, scrubText(text, run));
  return new ToolError(error.code, bound(error.message), {
    interrupt,
    partialOutput: partialOutput === undefined ? undefined : bound(partialOutput),
    metadata: metadata === undefined ? undefined : scrubValue(metadata, run),
    retryAfterMs,
  });
}

/**
 * Cuts the middle out of a text that exceeds the limit of the tool, and saves the whole text to a file that the model
 * can read. A line between head and tail names the file.
 */
export async function boundOutput(text: string, tool: Tool, run: Run): Promise<string> {
  const cut = cutMiddle(text, tool.maxOutputChars ?? run.settings.limits.output.maxChars);
  if (cut === undefined) return text;
  const { head, tail } = cut;
  const output: CutOutput = { head, tail, chars: text.length, path: await spill(text, run) };
  const shown = joined(output, omission(output));
  run.cuts ??= new Map();
  run.cuts.set(shown, output);
  return shown;
}

/** Saves a text to a file that the model can read. Resolves with its path; undefined if it could not be saved. */
async function spill(text: string, run: Run): Promise<string | undefined> {
  const { outputStore, limits } = run.settings;
  if (outputStore === undefined) return undefined;
  const outcome = await run.consult('The output store', limits.resolver.timeoutMs, (scope) =>
    outputStore.save(text, scope),
  );
  // If saving fails, as on a full disk, only the middle of the output is lost.
  return outcome.kind === 'value' && typeof outcome.value === 'string' ? outcome.value : undefined;
}

/** The kept head and tail of an output, with a notice between them. */
function joined({ head, tail }: Pick<CutOutput, 'head' | 'tail'>, notice: string): string {
  return `${head}${head.endsWith('\n') ? '' : '\n'}${notice}\n${tail}`;
}

/** The line that says how much was omitted, and where the full output is. */
function omission({ head, tail, chars, path }: CutOutput): string {
  const omitted = chars - head.length - tail.length;
  return path === undefined
    ? `[${omitted} characters omitted]`
    : `[${omitted} characters omitted; full output: ${path}]`;
}

/**
 * Shortens the results of a turn until their total length fits the limit of a turn. Long results are cut from the last
 * to the first, each only as far as necessary and to no less than {@link turnShareChars}. The full text is saved to a
 * file. The order of the results stays the same.
 */
export async function fitTurn(calls: readonly TurnCall[], run: Run): Promise<readonly TurnCall[]> {
  const { maxTurnChars } = run.settings.limits.output;
  let over = -maxTurnChars;
  for (const { result } of calls) over += result?.output.length ?? 0;
  if (over <= 0 || maxTurnChars === 0) return calls;
  const keptChars = turnShareChars(maxTurnChars, calls.filter(({ result }) => result !== undefined).length);
  const fitted = [...calls];
  for (const [index, { call, result }] of [...calls.entries()].reverse()) {
    if (over <= 0) break;
    const { length } = result?.output ?? '';
    if (result === undefined || length <= keptChars) continue;
    const output = await shorten(result, Math.max(keptChars, length - over), run);
    if (output.length >= length) continue;
    over -= length - output.length;
    fitted[index] = { call, result: { ...result, output } };
  }
  return fitted;
}

async function shorten({ ok, output }: ToolCallResult, maxChars: number, run: Run): Promise<string> {
  const prefix = ok ? '' : 'Error: ';
  const text = output.slice(prefix.length);
  const whole = run.cuts?.get(text) ?? { head: text, tail: '', chars: text.length, path: await spill(text, run) };
  // The notice is longest if nothing is kept; one line break stands before it and one after it.
  const noticeChars = noticeOf({ ...whole, head: '', tail: '' }, run).length + 2;
  const cut = cutMiddle(whole.head + whole.tail, Math.max(0, maxChars - prefix.length - noticeChars));
  return cut === undefined ? output : prefix + joined(cut, noticeOf({ ...whole, ...cut }, run));
}

function noticeOf(cut: CutOutput, run: Run): string {
  const reason = `The results of this turn together exceed ${run.settings.limits.output.maxTurnChars} characters`;
  const next =
    cut.path === undefined
      ? 'make this call again by itself to see the rest'
      : 'use Read or Grep on that file for the rest';
  return `${omission(cut)}\n[${reason}: ${next}.]`;
}
