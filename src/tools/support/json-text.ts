import { ToolError } from '../../core/error.js';

/**
 * An answer as indented JSON. Throws `execution_failed` with the name of the sender if JSON cannot represent the
 * answer.
 */
export function jsonText(answer: unknown, who: string): string {
  try {
    const text = JSON.stringify(answer, null, 2);
    if (text !== undefined) return text;
  } catch {
    // The answer is circular or holds a bigint.
  }
  throw new ToolError('execution_failed', `${who} gave an answer that JSON cannot hold. Tell the user.`);
}
