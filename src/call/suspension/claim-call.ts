import type { ToolCallResult } from '../../core/call.js';
import { ToolError } from '../../core/error.js';
import type { Tool } from '../../core/tool.js';
import { findTool } from '../run/find-tool.js';
import type { Run } from '../run/run.js';
import type { CallClaims } from './call-claims.js';
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
