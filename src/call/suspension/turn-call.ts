import type { PlainCallResult, ToolCall, ToolCallResult } from '../../core/call.js';
import { ToolError, type ToolErrorOptions } from '../../core/error.js';
import type { Footprint } from '../../core/tool.js';
import type { CallStage } from '../run/prepared-call.js';

/** A call that waits for an answer, or for one before it that does. Plain data. */
export interface WaitingCall {
  readonly stage: CallStage;
  readonly footprint: Footprint;
  /** What hooks have said so far. */
  readonly context: readonly string[];
  /** How often it has been taken up; see {@link claimKey}. */
  readonly round: number;
}

/** A call of a turn: as it came, as it was left waiting, or done. */
export interface TurnCall {
  readonly call: ToolCall;
  readonly waiting?: WaitingCall | undefined;
  readonly result?: ToolCallResult | undefined;
}

/** What became of a turn: every call has its result, or is left waiting. */
export interface TurnEnd {
  readonly calls: readonly TurnCall[];
  readonly interrupted: boolean;
}

/** The same call when it is taken up the next time. */
export function nextRound(waiting: WaitingCall): WaitingCall {
  return { ...waiting, round: waiting.round + 1 };
}

/** What a call is claimed by. Ids may repeat in a turn, and a call that waits again is another one to claim. */
export function claimKey(call: ToolCall, index: number, round: number): string {
  return `${index}.${round}.${call.id}`;
}

/** A result as plain data, with all that {@link revivedResult} makes the same result of again. */
export function keptResult(result: ToolCallResult): PlainCallResult {
  if (result.ok) return result;
  const { interrupt, partialOutput, metadata, retryAfterMs } = result.error;
  const error = { ...result.error.toJSON(), interrupt, partialOutput, metadata, retryAfterMs };
  return { ...result, error };
}

/** A result that was kept as plain data. */
export function revivedResult(plain: PlainCallResult): ToolCallResult {
  if (plain.ok) return plain;
  const { code, message, retryable: _, ...kept } = plain.error;
  // JSON has null for numbers that are not finite.
  const options = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null));
  return { ...plain, error: new ToolError(code, message, options satisfies ToolErrorOptions) };
}
