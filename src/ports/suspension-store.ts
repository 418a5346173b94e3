import type { PlainCallResult } from '../core/call.js';
import type { CallScope } from '../core/context.js';

/** The state of a claimed call as plain data: its result, or the stage at which the call waits for another answer. */
export type SettledCall = PlainCallResult | { readonly waits: unknown };

/**
 * Ensures that each call of a suspended turn runs once, however often and in however many processes the turn is
 * resumed. `memorySuspensions()` serves one process, `fileSuspensions(folder)` several on one machine.
 */
export interface SuspensionStore {
  /** The minimum milliseconds that turns are kept. A toolkit that suspends turns for longer rejects the store. */
  readonly keepMs?: number | undefined;
  /**
   * Claims a call of the turn `id` atomically: `new` for the first claim, then the settled state, or `claimed` if the
   * first claimant ended and never called `settle`. May wait while the first claimant is still working.
   */
  claim(id: string, callId: string, scope: CallScope): Promise<'new' | 'claimed' | SettledCall>;
  /** Stores the state of a claimed call. */
  settle(id: string, callId: string, settled: SettledCall, scope: CallScope): Promise<void>;
}
