import type { PlainCallResult, ToolCallResult } from '../core/call.js';
import type { Attachment } from '../core/tool-result.js';

type AnyResult = ToolCallResult | PlainCallResult;

/** The text for a result without output; some providers reject an empty text. */
export const noOutput = '(no output)';

/** The text of a result; a failure begins with `Error: ` exactly once. Empty if it has only white space. */
export function resultText({ ok, output }: AnyResult): string {
  const text = ok ? output : output.replace(/^(?:Error: )*/, 'Error: ');
  return text.trim() === '' ? '' : wellFormed(text);
}

/** The text that hooks added for the model; empty if it has only white space. */
export function contextText({ additionalContext = '' }: AnyResult): string {
  return additionalContext.trim() === '' ? '' : wellFormed(additionalContext);
}

/** The whole text of a result: its output, a line for each attachment in `unseen`, then text added by hooks. */
export function wholeText(result: AnyResult, unseen: readonly Attachment[] = []): string {
  const body = [resultText(result), ...unseen.map(attachmentNote)].filter((text) => text !== '').join('\n');
  return [body, contextText(result)].filter((text) => text !== '').join('\n\n');
}

/** The attachments of a result; a failure has no attachments. */
export function attachmentsOf(result: AnyResult): readonly Attachment[] {
  return result.ok ? (result.attachments ?? []) : [];
}

/** A result as its text, or as a list of parts if `partOf` converts any of its attachments. */
export function partsOf<Part>(
  result: AnyResult,
  textPart: (text: string) => Part,
  partOf: (attachment: Attachment) => Part | undefined,
): string | Part[] {
  const made = attachmentsOf(result).map((attachment) => ({ attachment, part: partOf(attachment) }));
  const unseen = made.filter(({ part }) => part === undefined).map(({ attachment }) => attachment);
  const parts = made.flatMap(({ part }) => part ?? []);
  const text = wholeText(result, unseen);
  if (parts.length === 0) return text || noOutput;
  return text === '' ? parts : [textPart(text), ...parts];
}

/** The line that replaces an attachment which a wire format cannot carry. */
export function attachmentNote({ mediaType, data, name }: Attachment): string {
  const size = `${Math.ceil((data.length * 3) / 4 / 1000)} KB`;
  return wellFormed(`[Attachment not shown: ${name === undefined ? '' : `${name}, `}${mediaType}, ${size}]`);
}

// A lone surrogate is legal in a JavaScript string, but a provider rejects a request that contains one.
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}
