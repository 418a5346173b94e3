import type { ToolCallResult } from '../../core/call.js';
import { ToolError } from '../../core/error.js';
import type { Tool } from '../../core/tool.js';
import type { SettledCall, SuspensionStore } from '../../ports/suspension-store.js';
import { findTool } from '../run/find-tool.js';
import type { Run } from '../run/run.js';
import { claimKey, nextRound, revivedResult, type TurnCall, type WaitingCall } from './turn-call.js';

/** A call of a resumed turn: what is to go on now, what waits on, or what came of it in an earlier resume. */
export type ClaimedCall =
  | { readonly claimed: WaitingCall }
  | { readonly waiting: WaitingCall }
  | { readonly result: ToolCallResult };

/**
 * Claims a call of a resumed turn where its question is answered, at the round that earlier resumes left it at. Throws
 * `interrupted` for one that was begun, may have acted and was never settled.
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
      throw new ToolError('execution_failed', 'hosts.suspensions gave back what was not kept there, so nothing ran.');
  }
}

/** What has no effect may run twice. */
export function mayRunTwice({ sideEffect }: Tool): boolean {
  return sideEffect === 'none' || sideEffect === 'readonly';
}

async function assertHarmless(name: string, run: Run): Promise<void> {
  if (mayRunTwice(await findTool(name, run))) return;
  throw new ToolError(
    'interrupted',
    'The call was begun and its program ended before there was a result: it may have run. Look before you repeat it.',
  );
}

/** What became of a call in an earlier resume; `claimed` where that began it and nobody knows more. */
export type Claimed = SettledCall | 'new' | 'claimed';

/** Has each call of a resumed turn begun once, whoever resumes it how often. */
export class CallClaims {
  readonly #store: SuspensionStore;
  readonly #id: string;

  constructor(store: SuspensionStore, id: string) {
    this.#store = store;
    this.#id = id;
  }

  /**
   * Rejects with `execution_failed` where the store does not answer: nothing may run then. A claim that nobody waits
   * for any more when it is given is settled as `abandoned`.
   */
  async claim(key: string, abandoned: SettledCall, run: Run): Promise<Claimed> {
    // Another resume may have it in hands, which takes as long as the call does.
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
    throw new ToolError('execution_failed', `hosts.suspensions could not be asked, so nothing ran: ${why}`);
  }

  /** Never rejects: what happened stands, and who resumes again hears that it may have. */
  async settle(key: string, settled: SettledCall, run: Run): Promise<void> {
    const { timeoutMs } = run.settings.limits.resolver;
    await run.consult(
      'The store of suspensions',
      timeoutMs,
      (scope) => this.#store.settle(this.#id, key, settled, scope),
      'after',
    );
  }

  async #giveBack(asked: unknown, key: string, abandoned: SettledCall, { caller }: Run): Promise<void> {
    try {
      const { signal } = new AbortController();
      if ((await asked) === 'new') await this.#store.settle(this.#id, key, abandoned, { caller, signal });
    } catch {
      // Who resumes again hears that the call may have run.
    }
  }
}
