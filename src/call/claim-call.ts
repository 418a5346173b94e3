import type { ToolCallResult } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { Tool } from '../core/tool.js';
import type { SettledCall, SuspensionStore } from '../ports/suspension-store.js';
import { findTool } from './prepare-call.js';
import { claimKey, nextRound, revivedResult, type TurnCall, type WaitingCall } from './turn-call.js';
import type { Run } from './turn-run.js';

/** A call of a resumed turn: claimed to run now, still waiting, or with the result of an earlier resume. */
export type ClaimedCall =
  | { readonly claimed: WaitingCall }
  | { readonly waiting: WaitingCall }
  | { readonly result: ToolCallResult };

/**
 * Claims a call of a resumed turn, unless its question is still open. If an earlier resume claimed the call and left it
 * waiting, the claim is for the next round (see {@link claimKey}). Throws `interrupted` for a call with effects that
 * was started and never settled.
 */
export async function claimCall(
  { call, waiting: from }: TurnCall & { readonly waiting: WaitingCall },
  index: number,
  claims: CallClaims,
  run: Run,
): Promise<ClaimedCall> {
  for (let waiting = from; ; ) {
    run.assertLive();
    const { question } = waiting.stage;
    if (question !== undefined && run.approvals?.isAnswered(question) === false) return { waiting };
    const next = nextRound(waiting);
    const claimed = await claims.claim(claimKey(call, index, waiting.round), { waits: next }, run);
    if (claimed === 'claimed') await assertHarmless(call.name, run);
    if (claimed === 'claimed' || claimed === 'new') return { claimed: waiting };
    if ('callId' in claimed) return { result: revivedResult(claimed) };
    waiting = claimed.waits as WaitingCall;
    if (waiting.round !== next.round)
      throw new ToolError(
        'execution_failed',
        'hosts.suspensions returned a state that was never stored, so the call did not run.',
      );
  }
}

/** Whether a call may run twice, because the tool has no effects. */
export function mayRunTwice({ sideEffect }: Tool): boolean {
  return sideEffect === 'none' || sideEffect === 'readonly';
}

async function assertHarmless(name: string, run: Run): Promise<void> {
  if (mayRunTwice(await findTool(name, run))) return;
  throw new ToolError(
    'interrupted',
    'The call was started, but the program ended before the call had a result. The call may have run: check its effects before you repeat it.',
  );
}

/**
 * The state of a call after earlier resumes. `new` means that no earlier resume has started the call in this round.
 * `claimed` means that an earlier resume started the call and its outcome is unknown.
 */
export type Claimed = SettledCall | 'new' | 'claimed';

/**
 * Claims the calls of a suspended turn, so that a call with effects starts only once, however often the turn is
 * resumed.
 */
export class CallClaims {
  readonly #store: SuspensionStore;
  readonly #id: string;

  constructor(store: SuspensionStore, id: string) {
    this.#store = store;
    this.#id = id;
  }

  /**
   * Claims a call in the store. Rejects with `timeout` if the store does not answer, and with `execution_failed` if the
   * store fails; the call then must not run. If the claim succeeds only after the run was stopped, `abandoned` is
   * stored as the outcome of the call.
   */
  async claim(key: string, abandoned: SettledCall, run: Run): Promise<Claimed> {
    // The time limit of calls applies, because the store may wait until another resume has run the call.
    const { timeoutMs } = run.settings.limits.call;
    let asked: Promise<unknown> | undefined;
    const outcome = await run.consult('The store of suspensions', timeoutMs, (scope) => {
      const claim = this.#store.claim(this.#id, key, scope);
      asked = claim;
      return claim;
    });
    if (outcome.kind === 'stopped') {
      void this.#giveBack(asked, key, abandoned, run);
      throw outcome.error;
    }
    const answer: unknown = outcome.kind === 'value' ? outcome.value : undefined;
    if (answer === 'new' || answer === 'claimed') return answer;
    if (typeof answer === 'object' && answer !== null && ('callId' in answer || 'waits' in answer))
      return answer as SettledCall;
    const why = outcome.kind === 'thrown' ? ToolError.from(outcome.thrown).message : 'it gave no usable answer';
    throw new ToolError('execution_failed', `hosts.suspensions failed, so the call did not run: ${why}`);
  }

  /**
   * Stores the outcome of a call. Never rejects, because the call has run. If the store fails, a later resume finds the
   * call `claimed`.
   */
  async settle(key: string, settled: SettledCall, run: Run): Promise<void> {
    const { timeoutMs } = run.settings.limits.resolver;
    await run.consult(
      'The store of suspensions',
      timeoutMs,
      // The signal is new, because the outcome must be stored even if the turn was aborted.
      ({ caller }) => this.#store.settle(this.#id, key, settled, { caller, signal: new AbortController().signal }),
      'after',
    );
  }

  async #giveBack(asked: unknown, key: string, abandoned: SettledCall, { caller }: Run): Promise<void> {
    try {
      const { signal } = new AbortController();
      if ((await asked) === 'new') await this.#store.settle(this.#id, key, abandoned, { caller, signal });
    } catch {
      // A later resume then finds the call `claimed`, although the call has not run.
    }
  }
}
