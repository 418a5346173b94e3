import type { Caller } from '../context.js';
import type { ToolEventListener } from '../event.js';
import type { Answers } from '../permission-question.js';

/** Options of a turn. */
export interface TurnOptions {
  /** The calling agent. Default `{ sessionId: 'default' }`. */
  readonly caller?: Caller | undefined;
  /** Ends the turn when it aborts: running calls fail with `interrupted`, the others with `cancelled`. Default none. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the events of the turn. Default none. */
  readonly onEvent?: ToolEventListener | undefined;
  /**
   * Time limit of each call of the turn from the start of its execution, in milliseconds; 0 for no further limit. The
   * limit of the tool, or else `limits.call.timeoutMs`, still applies if it is shorter. Default 0.
   */
  readonly timeoutMs?: number | undefined;
}

/** Options of a turn whose questions may be answered in advance or elsewhere. */
export interface ExecuteTurnOptions extends TurnOptions {
  /**
   * `suspend`: the turn does not wait for a person. Calls without a question run; if questions are open, the turn
   * returns the questions in place of the missing results, for `Toolkit.resume`. Default: questions go to
   * `permissions.onAsk`.
   */
  readonly approvals?: 'suspend' | undefined;
  /**
   * Answers that a framework has collected, by call id; an id that matches no call of this turn causes a TypeError. An
   * answer applies to the input as the model sent it, replaces `onAsk`, and never overrides a denial. Default none.
   */
  readonly answers?: Answers | undefined;
}

/** Options of a single call. */
export interface CallOptions extends Omit<ExecuteTurnOptions, 'approvals'> {
  /** The id of the call in results, events and answers. Default: a new id. */
  readonly id?: string | undefined;
}
