import type { PlainCallResult, ToolCallResult } from '../core/call.js';
import type { Attachment } from '../core/tool.js';

type AnyResult = ToolCallResult | PlainCallResult;

/** What a model reads of a call that had nothing to say; some providers refuse an empty text. */
export const noOutput = '(no output)';

/**
 * The text of a result: on failure with `Error: ` in front exactly once. Empty when there is nothing but white space.
 */
export function resultText({ ok, output }: AnyResult): string {
  const text = ok ? output : output.replace(/^(?:Error: )*/, 'Error: ');
  return text.trim() === '' ? '' : wellFormed(text);
}

/** What hooks added for the model; empty when they added nothing but white space. */
export function contextText({ additionalContext = '' }: AnyResult): string {
  return additionalContext.trim() === '' ? '' : wellFormed(additionalContext);
}

/** All text of a result: what it says, the attachments that are `unseen`, then what hooks added. */
export function plainText(result: AnyResult, unseen: readonly Attachment[] = []): string {
  const body = [resultText(result), ...unseen.map(attachmentNote)].filter((text) => text !== '').join('\n');
  return [body, contextText(result)].filter((text) => text !== '').join('\n\n');
}

/** The attachments of a result; a failure has none. */
export function attachmentsOf(result: AnyResult): readonly Attachment[] {
  return result.ok ? (result.attachments ?? []) : [];
}

/** One line in place of an attachment that a wire format cannot carry. */
export function attachmentNote({ mediaType, data, name }: Attachment): string {
  const size = `${Math.ceil((data.length * 3) / 4 / 1000)} KB`;
  return wellFormed(`[Attachment not shown: ${name === undefined ? '' : `${name}, `}${mediaType}, ${size}]`);
}

// A lone surrogate is legal in a JavaScript string and makes a provider refuse the whole request.
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}
