import type { Footprint } from '../core/assessment.js';
import type { PlainCallResult, ToolCall, ToolCallResult } from '../core/call.js';
import { ToolError, type ToolErrorOptions } from '../core/error.js';
import type { CallStage } from './prepared-call.js';

/** A call that waits for an answer, or for an earlier call that waits for an answer. Plain data. */
export interface WaitingCall {
  readonly stage: CallStage;
  readonly footprint: Footprint;
  /** The texts for the model that hooks have added so far. */
  readonly context: readonly string[];
  /** How often a resume has claimed the call so far; see {@link claimKey}. */
  readonly round: number;
}

/** A call of a turn: new, waiting or done. */
export interface TurnCall {
  readonly call: ToolCall;
  readonly waiting?: WaitingCall | undefined;
  readonly result?: ToolCallResult | undefined;
}

/** The end of a turn: every call has a result or waits. */
export interface TurnEnd {
  readonly calls: readonly TurnCall[];
  readonly interrupted: boolean;
}

/** The same call in its next round, after this round was claimed. */
export function nextRound(waiting: WaitingCall): WaitingCall {
  return { ...waiting, round: waiting.round + 1 };
}

/**
 * The key of a claim. The key contains the index because ids may repeat in a turn, and the round because a call that
 * waits again is claimed again.
 */
export function claimKey(call: ToolCall, index: number, round: number): string {
  return `${index}.${round}.${call.id}`;
}

/** A result as plain data, from which {@link revivedResult} restores it. */
export function keptResult(result: ToolCallResult): PlainCallResult {
  if (result.ok) return result;
  const { interrupt, partialOutput, metadata, retryAfterMs } = result.error;
  const error = { ...result.error.toJSON(), interrupt, partialOutput, metadata, retryAfterMs };
  return { ...result, error };
}

/** Restores a result from plain data. */
export function revivedResult(plain: PlainCallResult): ToolCallResult {
  if (plain.ok) return plain;
  const { code, message, retryable: _, ...kept } = plain.error;
  // JSON stores numbers that are not finite as null.
  const options = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null));
  return { ...plain, error: new ToolError(code, message, options satisfies ToolErrorOptions) };
}
