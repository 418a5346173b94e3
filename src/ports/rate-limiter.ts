import type { CallScope } from '../core/context.js';

/** What one call costs whom. */
export interface RateRequest {
  /** Who pays: the session of the caller. */
  readonly key: string;
  readonly tool: string;
  /** Default 1. */
  readonly cost?: number;
}

/** Granted, or refused until `retryAfterMs` from now. */
export type RateAnswer =
  | { readonly ok: true; readonly remaining: number }
  | { readonly ok: false; readonly retryAfterMs: number };

/** Counts calls. Checking and taking are one step. A limiter that throws or does not answer refuses the call. */
export interface RateLimiter {
  take(request: RateRequest, scope: CallScope): Promise<RateAnswer> | RateAnswer;
  /** The tools that have a limit or a cost of their own; of names that mean none the process is warned. */
  readonly names?: readonly string[] | undefined;
}
