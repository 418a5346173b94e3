import type { Caller } from '../core/context.js';
import { stateNumbers } from '../core/numbers.js';
import type { Answers } from '../core/permission-question.js';
import type { Toolkit } from '../core/registry/toolkit.js';

/**
 * Which questions a framework was told to ask about the calls of a toolkit. An approval that comes back is taken for a
 * question that was really asked, about the input that it was asked for, and once.
 */
export class AskedQuestions {
  readonly #toolkit: Toolkit;
  readonly #caller: Caller | undefined;
  /** Question ids by call id, the latest last. */
  readonly #asked = new Map<string, string>();

  private constructor(toolkit: Toolkit, caller: Caller | undefined) {
    this.#toolkit = toolkit;
    this.#caller = caller;
  }

  /** Those of a caller. Lists of tools may be made anew for each request, so they are known by the toolkit. */
  static of(toolkit: Toolkit, caller: Caller | undefined): AskedQuestions {
    const byCaller = known.get(toolkit) ?? new Map<string, AskedQuestions>();
    known.set(toolkit, byCaller);
    const key = JSON.stringify([caller?.sessionId, caller?.agentId]);
    const asked = byCaller.get(key) ?? new AskedQuestions(toolkit, caller);
    byCaller.delete(key);
    byCaller.set(key, asked);
    dropOldest(byCaller);
    return asked;
  }

  /** The id of the question that a call would be asked about; undefined where it runs or is refused unasked. */
  async questionOf(id: string, name: string, input: unknown): Promise<string | undefined> {
    const decision = await this.#toolkit.decide({ id, name, input }, { caller: this.#caller });
    return decision.behavior === 'ask' ? decision.question.id : undefined;
  }

  /** Notes that a question is asked. */
  note(callId: string, questionId: string): void {
    this.#asked.set(callId, questionId);
    dropOldest(this.#asked);
  }

  /** Whether this question was asked about the call. */
  isAsked(callId: string, questionId: string): boolean {
    return this.#asked.get(callId) === questionId;
  }

  /** The yes to what was asked about a call; nothing where nothing was, and nothing the next time. */
  takeApproval(callId: string): Answers {
    const questionId = this.#asked.get(callId);
    this.#asked.delete(callId);
    return questionId === undefined ? {} : { [questionId]: 'allow-once' };
  }
}

const known = new WeakMap<Toolkit, Map<string, AskedQuestions>>();

/** Keeps what is remembered between calls within its bound. */
export function dropOldest(kept: Map<string, unknown>, max: number = stateNumbers.maxDecidedCalls): void {
  const [oldest] = kept.keys();
  if (kept.size > max && oldest !== undefined) kept.delete(oldest);
}
