import type { Caller, CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { mcpNumbers } from '../../core/numbers.js';
import type { Timers } from '../../core/support/timers.js';

/** Whose questions they are, and when they are moot. */
export interface ServerQuestionsOptions {
  readonly server: string;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}

/**
 * The questions of one server. The protocol does not say which call one belongs to, so it may belong to each that began
 * within the longest time that a call may take, whether it is over or not.
 */
export class ServerQuestions {
  readonly #options: ServerQuestionsOptions;
  readonly #callers = new Map<string, { readonly caller: Caller; readonly until: number }>();
  #open = 0;

  constructor(options: ServerQuestionsOptions) {
    this.#options = options;
  }

  /** Whether the server waits for us. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** From now on a question may belong to a call of this caller. */
  mayComeFrom(caller: Caller, maxCallMs: number): void {
    this.#forget();
    this.#callers.set(caller.sessionId, { caller, until: this.#options.timers.now() + maxCallMs });
  }

  /** Has one answered. Throws at once where too many are open; rejects where more sessions than one may be meant. */
  put<Answer>(work: (scope: CallScope) => Promise<Answer>): Promise<Answer> {
    if (this.#open >= mcpNumbers.maxQuestions)
      throw new ToolError('limit_reached', `Ask at most ${mcpNumbers.maxQuestions} questions at once.`);
    this.#open++;
    return this.#answer(work).finally(() => {
      this.#open--;
    });
  }

  async #answer<Answer>(work: (scope: CallScope) => Promise<Answer>): Promise<Answer> {
    this.#forget();
    const { server, signal } = this.#options;
    const [one, ...others] = this.#callers.values();
    if (others.length > 0) throw new ToolError('not_allowed', 'Several sessions have called this server of late.');
    return await work({ caller: one?.caller ?? { sessionId: `mcp:${server}` }, signal });
  }

  #forget(): void {
    const now = this.#options.timers.now();
    for (const [sessionId, { until }] of this.#callers) if (until <= now) this.#callers.delete(sessionId);
  }
}
