import { stateNumbers } from '../../core/numbers.js';
import type { PermissionQuestion } from '../../core/permission-question.js';

/** Which question was put for which call, so that its answer is not taken for the same call with another input. */
export class DecidedQuestions {
  /** Question ids by session and call id, the latest last; several for one call are told apart by nobody. */
  readonly #questions = new Map<string, string>();

  note({ id, callId }: PermissionQuestion, sessionId: string): void {
    const key = keyOf(callId, sessionId);
    const known = this.#questions.get(key);
    this.#questions.delete(key);
    this.#questions.set(key, known === undefined || known === id ? id : ambiguous);
    const [oldest] = this.#questions.keys();
    if (this.#questions.size > stateNumbers.maxDecidedCalls && oldest !== undefined) this.#questions.delete(oldest);
  }

  /** The id of a question, of none where the call was decided with several; undefined where nothing is known. */
  of(callId: string, sessionId: string): string | undefined {
    return this.#questions.get(keyOf(callId, sessionId));
  }

  endSession(sessionId: string): void {
    for (const key of this.#questions.keys())
      if ((JSON.parse(key) as readonly string[])[0] === sessionId) this.#questions.delete(key);
  }
}

/** No question has this id. */
const ambiguous = '';

function keyOf(callId: string, sessionId: string): string {
  return JSON.stringify([sessionId, callId]);
}
