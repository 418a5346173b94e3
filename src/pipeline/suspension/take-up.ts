import { ToolError } from '../../core/error.js';
import { findTool } from '../run/find-tool.js';
import type { Run } from '../run/run.js';
import type { CallClaims, Claimed } from './call-claims.js';
import { revivedResult } from './plain-result.js';
import { claimKey, type TurnCall } from './turn-call.js';

/**
 * Claims a call of a resumed turn. Answers the call as an earlier resume left it, where there was one; undefined where
 * it is to go on now. Throws `interrupted` for one that was begun, may have acted and was never settled.
 */
export async function takeUp(
  { call, waiting }: TurnCall,
  index: number,
  claims: CallClaims,
  run: Run,
): Promise<TurnCall | undefined> {
  run.assertLive();
  const claimed = await claims.claim(claimKey(call, index, waiting?.round ?? 0), run);
  if (claimed === 'new') return undefined;
  if (claimed === 'claimed') return await assertHarmless(call.name, run);
  return settledAs(claimed, { call });
}

function settledAs(claimed: Exclude<Claimed, string>, { call }: TurnCall): TurnCall {
  return 'callId' in claimed
    ? { call, result: revivedResult(claimed) }
    : { call, waiting: claimed.waits as NonNullable<TurnCall['waiting']> };
}

/** What has no effect may run twice. */
async function assertHarmless(name: string, run: Run): Promise<undefined> {
  const { sideEffect } = await findTool(name, run);
  if (sideEffect === 'none' || sideEffect === 'readonly') return undefined;
  throw new ToolError(
    'interrupted',
    'The call was begun and its program ended before there was a result: it may have run. Look before you repeat it.',
  );
}
