import { ToolError } from '../../core/error.js';
import { withHandledRejection } from '../../core/support/value-tests.js';
import { cutMiddle } from '../../core/text/cut-middle.js';
import { escapeLine } from '../../core/text/display.js';
import { jsonSafe } from '../../core/text/json-safe.js';
import type { Attachment, ToolResult } from '../../core/tool.js';
import { decodeText, detectEncoding, encodeText } from '../../editing/encodings/encoding.js';
import type { Run } from './run.js';

/** Replaces a text on which the scrubber failed. */
const withheldText = '[withheld: the scrubber failed on this text]';

/** A text without credentials. If the scrubber fails on it, the whole text is withheld. */
export function scrubText(text: string, run: Run): string {
  const { scrubber } = run.settings;
  if (scrubber === undefined) return text;
  try {
    const scrubbed: unknown = withHandledRejection(scrubber.text(text));
    if (typeof scrubbed === 'string') return scrubbed;
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

/**
 * A result without credentials in its output, title, metadata and attachments that are text. All later stages get this
 * copy.
 */
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
 * An error without credentials in its message, partial output and metadata. The cause is dropped, since it may contain
 * what was removed.
 */
export function scrubError(error: ToolError, run: Run): ToolError {
  const { partialOutput, metadata, retryAfterMs, interrupt } = error;
  // Programs store and forward errors like results.
  const bound = (text: string) => cutTo(run.settings.limits.output.maxChars, scrubText(text, run));
  return new ToolError(error.code, bound(error.message), {
    interrupt,
    partialOutput: partialOutput === undefined ? undefined : bound(partialOutput),
    metadata: metadata === undefined ? undefined : scrubValue(metadata, run),
    retryAfterMs,
  });
}

/** A text cut to a length: its head and tail, with the number of omitted characters between them. */
export function cutTo(maxChars: number, text: string): string {
  const cut = cutMiddle(text, maxChars);
  return cut === undefined ? text : `${cut.head}\n[${cut.omitted} characters omitted]\n${cut.tail}`;
}
