import type { ToolCallResult } from '../../core/call.js';
import type { CallScope } from '../../core/context.js';

/** A session as others see it. */
export interface SessionSummary {
  readonly id: string;
  /** What it is about, in a line. */
  readonly title?: string | undefined;
  /** When something last happened there (ISO 8601). */
  readonly activeAt: string;
  /** Set for the session of a subagent. */
  readonly parentId?: string | undefined;
}

/** One message of a session. */
export interface SessionMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
}

/** What is known of a session. */
export interface SessionStatus extends SessionSummary {
  readonly model?: string | undefined;
  readonly turns?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly tasks?: number | undefined;
  readonly todos?: number | undefined;
}

/**
 * The sessions that a caller may see: its own and those that it started, unless the host shows more. What a caller may
 * not see is `undefined`, as what is not there.
 */
export interface SessionDirectory {
  /** Latest first. */
  list(
    filter: { readonly limit: number; readonly activeWithinMs?: number | undefined },
    scope: CallScope,
  ): Promise<readonly SessionSummary[]> | readonly SessionSummary[];
  /** The messages before one, or the last, oldest first. */
  history(
    request: { readonly id: string; readonly limit: number; readonly before?: string | undefined },
    scope: CallScope,
  ): Promise<readonly SessionMessage[] | undefined> | readonly SessionMessage[] | undefined;
  /** Puts a message into a session. The answer is waited for as long as the call says; the session goes on after that. */
  send(
    request: { readonly id: string; readonly message: string },
    scope: CallScope,
  ): Promise<{ readonly answer?: string | undefined } | undefined>;
  status(
    request: { readonly id: string },
    scope: CallScope,
  ): Promise<SessionStatus | undefined> | SessionStatus | undefined;
  /** Told of the results of each turn of `scope.caller`, as its model gets them. */
  record?(results: readonly ToolCallResult[], scope: CallScope): void | Promise<void>;
  /** Forgets a session that has ended, and those that it started. */
  endSession?(sessionId: string): void;
}
