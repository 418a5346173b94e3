import type { CallScope } from '../../core/context.js';
import type { FileContent } from '../../core/registry/toolkit.js';

/** Where messages can be sent. */
export interface MessageChannel {
  readonly name: string;
  /** Who reads it, in a line. */
  readonly about?: string | undefined;
}

/** A file that goes along. */
export interface MessageAttachment extends FileContent {
  /** Without its folder. */
  readonly name: string;
}

/** What is sent. */
export interface OutgoingMessage {
  readonly channel: string;
  /** Scrubbed. */
  readonly text: string;
  /** The id of the message that it answers, as an earlier one came back with. */
  readonly replyTo?: string | undefined;
  readonly attachments: readonly MessageAttachment[];
}

/** What came of a message. */
export interface SentMessage {
  /** For `replyTo` of another one. Default: it has none. */
  readonly id?: string | undefined;
  /** What was answered at once. Default: nothing. */
  readonly answer?: string | undefined;
}

/** Brings messages to people, to other programs or to sessions. */
export interface Messenger {
  /** Those that the caller may send to. */
  channels(scope: CallScope): Promise<readonly MessageChannel[]> | readonly MessageChannel[];
  /** Undefined where the caller has no channel of that name. What it cannot carry is a ToolError. */
  send(message: OutgoingMessage, scope: CallScope): Promise<SentMessage | undefined> | SentMessage | undefined;
}
