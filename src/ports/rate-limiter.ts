import type { CallScope } from '../core/context.js';

/** The session, the tool and the cost of a call. */
export interface RateRequest {
  /** The id of the session. */
  readonly key: string;
  readonly tool: string;
  /** Default 1. */
  readonly cost?: number;
}

/** The call is granted, or refused for the next `retryAfterMs` milliseconds. */
export type RateAnswer =
  | { readonly ok: true; readonly remaining: number }
  | { readonly ok: false; readonly retryAfterMs: number };

/** Limits the rate of calls. Checking and counting are one step. An error or a missing answer refuses the call. */
export interface RateLimiter {
  take(request: RateRequest, scope: CallScope): Promise<RateAnswer> | RateAnswer;
  /** The tools with a limit or a cost of their own; a name that matches no tool emits a process warning. */
  readonly names?: readonly string[] | undefined;
}
