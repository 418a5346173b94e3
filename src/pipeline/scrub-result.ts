import { isUtf8 } from 'node:buffer';
import { ToolError } from '../core/error.js';
import type { Attachment, ToolMetadata, ToolResult } from '../core/tool.js';
import { cutMiddle } from '../text/cut-middle.js';
import { escapeLine } from '../text/display.js';
import { jsonSafe } from '../text/json-safe.js';
import type { Run } from './run.js';
import { isThenable } from './supervisor.js';

/** What stands for a text on which the scrubber failed. */
export const withheldText = '[withheld: the scrubber failed on this text]';

/** A text without credentials; a text on which the scrubber fails is withheld whole. */
export function scrubText(text: string, run: Run): string {
  const { scrubber } = run.settings;
  if (scrubber === undefined) return text;
  try {
    const scrubbed: unknown = scrubber.text(text);
    if (typeof scrubbed === 'string') return scrubbed;
    // A scrubber that answers later has not answered, but what it throws then must not go unheard.
    if (isThenable(scrubbed)) Promise.resolve(scrubbed).catch(() => {});
  } catch {
    // Withheld, like what it did not answer for.
  }
  return withheldText;
}

/** Any value as JSON can hold it, without credentials in its texts. */
export function scrubValue(value: unknown, run: Run): unknown {
  const { maxMetadataChars, maxInputDepth } = run.settings.limits.call;
  const copy = jsonSafe(value, (text) => scrubText(text, run), { maxChars: maxMetadataChars, maxDepth: maxInputDepth });
  return copy === undefined && value !== undefined ? { omitted: `more than ${maxMetadataChars} characters` } : copy;
}

/** Metadata without credentials. */
export function scrubMetadata(metadata: ToolMetadata, run: Run): ToolMetadata {
  return scrubValue(metadata, run) as ToolMetadata;
}

/** Output, title, metadata and attachments without credentials, as far as these are text: nobody after this stage sees what the tool really said. */
export function scrubResult(result: ToolResult, run: Run): ToolResult {
  const { output, title, metadata, attachments } = result;
  if (title === undefined && metadata === undefined && attachments === undefined) return { output: scrubText(output, run) };
  return {
    output: scrubText(output, run),
    ...(typeof title === 'string' ? { title: escapeLine(scrubText(title, run), run.settings.limits.approval.maxTitleChars) } : {}),
    ...(typeof metadata === 'object' && metadata !== null ? { metadata: scrubMetadata(metadata, run) } : {}),
    ...(attachments !== undefined && attachments.length > 0 ? { attachments: attachments.map((one) => scrubAttachment(one, run)) } : {}),
  };
}

function scrubAttachment({ mediaType, data, name }: Attachment, run: Run): Attachment {
  return {
    mediaType,
    data: scrubData(data, run),
    ...(name === undefined ? {} : { name: scrubText(name, run) }),
  };
}

/** What is text says its bytes, whatever its type is called. Pictures and the like show at once that they are none. */
function scrubData(data: string, run: Run): string {
  if (run.settings.scrubber === undefined || !beginsAsText(data)) return data;
  const bytes = Buffer.from(data, 'base64');
  if (!isUtf8(bytes)) return data;
  const text = bytes.toString('utf8');
  const scrubbed = scrubText(text, run);
  return scrubbed === text ? data : Buffer.from(scrubbed, 'utf8').toString('base64');
}

const beginningChars = 4_096;

/** Whether the first bytes are UTF-8, but for a character that is cut at their end. */
function beginsAsText(data: string): boolean {
  const bytes = Buffer.from(data.slice(0, beginningChars), 'base64');
  return [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)));
}

/** The same for an error: its message, its partial output and its metadata. The cause stays behind, since it may hold what was removed. */
export function scrubError(error: ToolError, run: Run): ToolError {
  const { partialOutput, metadata, retryAfterMs, interrupt } = error;
  return new ToolError(error.code, bound(scrubText(error.message, run), run), {
    interrupt,
    ...(partialOutput === undefined ? {} : { partialOutput: bound(scrubText(partialOutput, run), run) }),
    ...(metadata === undefined ? {} : { metadata: scrubMetadata(metadata, run) }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Errors are kept by programs, and sent on, like results. */
function bound(text: string, run: Run): string {
  const cut = cutMiddle(text, run.settings.limits.output.maxChars);
  return cut === undefined ? text : `${cut.head}\n[${cut.omitted} characters omitted]\n${cut.tail}`;
}
