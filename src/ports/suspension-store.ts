import type { PlainCallResult } from '../core/call.js';
import type { CallScope } from '../core/context.js';

/** The state of a claimed call as plain data: its result, or the stage at which the call waits for another answer. */
export type SettledCall = PlainCallResult | { readonly waits: unknown };

/**
 * Ensures that each call of a suspended turn runs once, however often and in however many processes the turn is
 * resumed. `memorySuspensions()` serves one process, `fileSuspensions(folder)` several on one machine.
 */
export interface SuspensionStore {
  /**
   * The minimum time that turns are kept, in milliseconds. A toolkit that suspends turns for longer rejects the store.
   */
  readonly keepMs?: number | undefined;
  /**
   * Claims a call atomically: `new` for the first claim; for any further claim the settled state, or `claimed` if the
   * first claimant ended before the call was settled. The method may wait while the first claimant is still working.
   * `id` is the id of the turn; `callId` is unique in the turn.
   */
  claim(id: string, callId: string, scope: CallScope): Promise<'new' | 'claimed' | SettledCall>;
  /** Stores the state of a claimed call. */
  settle(id: string, callId: string, settled: SettledCall, scope: CallScope): Promise<void>;
}
