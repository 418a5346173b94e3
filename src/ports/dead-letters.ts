import type { ToolCall } from '../core/call.js';
import type { CallScope } from '../core/context.js';
import type { AnyErrorCode } from '../core/error.js';

/** A call that started and finally failed. Scrubbed. */
export interface DeadLetter {
  /** Its own: no two dead letters have the same. */
  readonly id: string;
  readonly call: ToolCall;
  /**
   * False where the input is not kept as it was, because it was too large or too deep, held what JSON cannot hold, or
   * held a credential, which is kept nowhere: then the call cannot be run again. A mark that a reversible scrubber put
   * in counts as what it stands for. Default true.
   */
  readonly isWhole?: boolean | undefined;
  readonly error: { readonly code: AnyErrorCode; readonly message: string };
  /** How often it was tried. */
  readonly attempts: number;
  /** When it failed, ISO 8601. */
  readonly at: string;
}

/** Takes calls that finally failed. What it throws is swallowed: keeping a dead letter never changes a result. */
export interface DeadLetters {
  add(deadLetter: DeadLetter, scope: CallScope): Promise<void> | void;
}

/** Dead letters that several processes look at, run again and drop. */
export interface SharedDeadLetters extends DeadLetters {
  /** Oldest first. */
  list(): Promise<readonly DeadLetter[]> | readonly DeadLetter[];
  /**
   * Takes a dead letter out and answers its call, to be executed again; undefined for an unknown id, for one that is
   * not whole, which stays, and for one that another process is taking out.
   */
  redrive(id: string): Promise<ToolCall | undefined> | ToolCall | undefined;
  /** Forgets a dead letter; false for an unknown id. */
  drop(id: string): Promise<boolean> | boolean;
}
