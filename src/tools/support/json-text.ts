import { ToolError } from '../../core/error.js';
import { ifPossible } from '../../core/support/check-values.js';

/** An answer as indented JSON. Throws `execution_failed` with the sender's name if JSON cannot express it. */
export function jsonText(answer: unknown, who: string): string {
  const text = ifPossible(() => JSON.stringify(answer, null, 2));
  if (text !== undefined) return text;
  throw new ToolError('execution_failed', `${who} gave an answer that cannot be written as JSON. Tell the user.`);
}
