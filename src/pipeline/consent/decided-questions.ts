import { stateNumbers } from '../../core/numbers.js';
import type { PermissionQuestion } from '../../core/permission-question.js';

/** Which question was put for which call, so that its answer is not taken for the same call with another input. */
export class DecidedQuestions {
  /** By session, question ids by call id, the latest last. */
  readonly #sessions = new Map<string, Map<string, string>>();

  note({ id, callId }: PermissionQuestion, sessionId: string): void {
    const questions = this.#sessions.get(sessionId) ?? new Map<string, string>();
    this.#sessions.set(sessionId, questions);
    questions.delete(callId);
    questions.set(callId, id);
    const [oldest] = questions.keys();
    if (questions.size > stateNumbers.maxDecidedCalls && oldest !== undefined) questions.delete(oldest);
  }

  of(callId: string, sessionId: string): string | undefined {
    return this.#sessions.get(sessionId)?.get(callId);
  }

  endSession(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
