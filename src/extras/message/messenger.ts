import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { FileContent } from '../../core/registry/toolkit.js';

/** A channel for messages. */
export interface MessageChannel {
  readonly name: string;
  /** Who reads the channel, in one line. */
  readonly about?: string | undefined;
}

/** A file attached to a message. */
export interface MessageAttachment extends FileContent {
  /** The file name without its folder. */
  readonly name: string;
}

/** A message to send. */
export interface OutgoingMessage {
  readonly channel: string;
  /** Credentials are already removed. */
  readonly text: string;
  /** The id of the message that this message replies to, from an earlier {@link SentMessage}. */
  readonly replyTo?: string | undefined;
  readonly attachments: readonly MessageAttachment[];
}

/** The result of sending a message. */
export interface SentMessage {
  /** The id of the message, for `replyTo` of a later message. Undefined if the channel has no ids. */
  readonly id?: string | undefined;
  /** An immediate answer. Default: none. */
  readonly answer?: string | undefined;
}

/** Sends messages to people, other programs or sessions. */
export interface Messenger {
  /** The channels that the caller may use. */
  channels(scope: CallScope): Promise<readonly MessageChannel[]> | readonly MessageChannel[];
  /** Resolves with undefined for an unknown channel. Rejects with a ToolError for a message that it cannot send. */
  send(message: OutgoingMessage, scope: CallScope): Promise<SentMessage | undefined> | SentMessage | undefined;
}

/** Throws `invalid_input` for fields that a text-only channel cannot send. */
export function assertPlainText({ replyTo, attachments }: OutgoingMessage): void {
  const field = replyTo !== undefined ? 'reply_to' : attachments.length > 0 ? 'attachments' : undefined;
  if (field !== undefined)
    throw new ToolError('invalid_input', `${field}: this channel carries only text. Leave the field out.`);
}
