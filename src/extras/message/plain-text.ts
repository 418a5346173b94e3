import { ToolError } from '../../core/error.js';
import type { OutgoingMessage } from './messenger.js';

/** Throws `invalid_input` for what a channel that carries text alone would lose. */
export function assertPlainText({ replyTo, attachments }: OutgoingMessage): void {
  const field = replyTo !== undefined ? 'reply_to' : attachments.length > 0 ? 'attachments' : undefined;
  if (field !== undefined)
    throw new ToolError('invalid_input', `${field}: this channel carries text alone. Leave the field out.`);
}
