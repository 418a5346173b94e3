import type { ToolCall } from '../core/call.js';
import type { CallScope } from '../core/context.js';
import type { AnyErrorCode } from '../core/error.js';

/** A call that started and failed after its last attempt. Scrubbed. */
export interface DeadLetter {
  readonly id: string;
  readonly call: ToolCall;
  /**
   * False if the stored input is incomplete, so that the call cannot be run again: the input was too large, too deep,
   * not JSON, or contained a credential that cannot be restored. A reversible scrubber can restore credentials.
   * Default true.
   */
  readonly isWhole?: boolean | undefined;
  readonly error: { readonly code: AnyErrorCode; readonly message: string };
  /** The number of attempts. */
  readonly attempts: number;
  /** When the call failed, ISO 8601. */
  readonly at: string;
}

/** Receives calls that failed after their last attempt. Errors of `add` are ignored: they change no result. */
export interface DeadLetters {
  add(deadLetter: DeadLetter, scope: CallScope): Promise<void> | void;
}

/** Dead letters that several processes list, run again and drop. */
export interface SharedDeadLetters extends DeadLetters {
  /** Oldest first. */
  list(): Promise<readonly DeadLetter[]> | readonly DeadLetter[];
  /**
   * Removes a dead letter and returns its call, to be executed again. Undefined for an unknown id, for an incomplete
   * dead letter, which stays, and for a dead letter that another process is removing.
   */
  redrive(id: string): Promise<ToolCall | undefined> | ToolCall | undefined;
  /** Deletes a dead letter; false for an unknown id. */
  drop(id: string): Promise<boolean> | boolean;
}
