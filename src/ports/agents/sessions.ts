import type { ToolCallResult } from '../../core/call.js';
import type { CallScope } from '../../core/context.js';

/** A session in a list. */
export interface SessionSummary {
  readonly id: string;
  /** The subject of the session, in one line. */
  readonly title?: string | undefined;
  /** The time of the last activity, ISO 8601. */
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

/** The status of a session. */
export interface SessionStatus extends SessionSummary {
  readonly model?: string | undefined;
  readonly turns?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly tasks?: number | undefined;
  readonly todos?: number | undefined;
}

/**
 * The sessions that a caller may see: its own session and the sessions that the caller started, unless the host shows
 * more. For a hidden or unknown session, the methods return `undefined`.
 */
export interface SessionDirectory {
  /** Latest first. */
  list(
    filter: { readonly limit: number; readonly activeWithinMs?: number | undefined },
    scope: CallScope,
  ): Promise<readonly SessionSummary[]> | readonly SessionSummary[];
  /** The last messages; with `before`, the messages before the message with this id. Oldest first. */
  history(
    request: { readonly id: string; readonly limit: number; readonly before?: string | undefined },
    scope: CallScope,
  ): Promise<readonly SessionMessage[] | undefined> | readonly SessionMessage[] | undefined;
  /** Sends a message. The signal of `scope` only limits the wait for the answer; the session continues. */
  send(
    request: { readonly id: string; readonly message: string },
    scope: CallScope,
  ): Promise<{ readonly answer?: string | undefined } | undefined>;
  status(
    request: { readonly id: string },
    scope: CallScope,
  ): Promise<SessionStatus | undefined> | SessionStatus | undefined;
  /** Receives the results of each turn of `scope.caller`, as the model gets them. */
  record?(results: readonly ToolCallResult[], scope: CallScope): void | Promise<void>;
  /** Deletes an ended session and the sessions that it started. */
  endSession?(sessionId: string): void;
}
