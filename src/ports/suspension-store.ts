import type { PlainCallResult } from '../core/call.js';
import type { CallScope } from '../core/context.js';

/** What became of a call that was claimed, as plain data: its result, or where it waits for another answer. */
export type SettledCall = PlainCallResult | { readonly waits: unknown };

/**
 * Sees to it that each call of a suspended turn runs once, however often and in however many processes the turn is
 * resumed. `memorySuspensions()` serves one process, `fileSuspensions(folder)` several on one machine.
 */
export interface SuspensionStore {
  /** Milliseconds for which turns are known at least; a toolkit that suspends for longer refuses the store. */
  readonly keepMs?: number | undefined;
  /**
   * Takes a call, in one step: `new` for the first who asks; for every other what was settled, or `claimed` where
   * nothing was and whoever took it is gone. While they are still at work, it may wait for them. `id` is that of the
   * turn; `callId` is unique in it.
   */
  claim(id: string, callId: string, scope: CallScope): Promise<'new' | 'claimed' | SettledCall>;
  /** Keeps what became of a call that was claimed. */
  settle(id: string, callId: string, settled: SettledCall, scope: CallScope): Promise<void>;
}
