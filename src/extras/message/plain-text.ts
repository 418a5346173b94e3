import { ToolError } from '../../core/error.js';
import type { OutgoingMessage } from './messenger.js';

/** Throws `invalid_input` for fields that a text-only channel cannot send. */
export function assertPlainText({ replyTo, attachments }: OutgoingMessage): void {
  const field = replyTo !== undefined ? 'reply_to' : attachments.length > 0 ? 'attachments' : undefined;
  if (field !== undefined)
    throw new ToolError('invalid_input', `${field}: this channel carries only text. Leave the field out.`);
}
