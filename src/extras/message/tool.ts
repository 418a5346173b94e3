import { basename } from 'node:path';
import type { output } from 'zod/v4/core';
import type { ToolContext } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Toolkit } from '../../core/registry/toolkit.js';
import { inputObject, list, optional, text, words } from '../../core/schema/fields.js';
import { assertMethods, isRecord } from '../../core/support/check-values.js';
import { noSuch } from '../../core/support/near-names.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { askHost } from '../../ports/ask-host.js';
import type { MessageChannel, Messenger, SentMessage } from './messenger.js';

const port = { port: 'the messenger', timeoutMs: 60_000 };
const maxTextChars = 10_000;
const maxAttachments = 10;

const input = lazily(() =>
  inputObject({
    channel: words(200),
    text: words(maxTextChars),
    reply_to: optional(words(200, 'Id of a message')),
    attachments: optional(list(text(), 'Paths of files', { maxItems: maxAttachments })),
  }),
);
type MessageInput = output<ReturnType<typeof input>>;

/**
 * The tool `message`: sends a message to a channel. The risk is high. The permission question shows the channel, the
 * whole text and the files. Credentials in the text are removed. Attachments are read through the toolkit, so rules for
 * `Read` apply. Throws a TypeError for invalid arguments.
 */
export function messageTool(messenger: Messenger, toolkit: Pick<Toolkit, 'scrub' | 'files'>): Tool<MessageInput> {
  const write = 'messageTool(messenger, toolkit)';
  assertMethods('messageTool takes a messenger', messenger, ['channels', 'send'], write);
  assertMethods('messageTool takes a toolkit last', toolkit, ['scrub'], write);
  return Tool.define('message', {
    description:
      'Send a message to a channel, which people or other programs read. If the channel is unknown, the error lists the known channels.',
    input: input(),
    examples: [{ channel: 'team', text: 'The build is done.' }],
    sideEffect: 'network',
    groups: ['messaging'],
    title: ({ channel, text: said }) => `Send to ${channel}: ${said}`,
    preview: ({ channel, text: said, reply_to, attachments = [] }) =>
      [
        `To ${channel}${reply_to === undefined ? '' : `, as an answer to ${reply_to}`}:`,
        toolkit.scrub(said),
        ...attachments.map((path) => `With the file ${path}`),
      ].join('\n'),
    risk: () => 'high',
    async execute({ channel, text: said, reply_to: replyTo, attachments: paths = [] }, context): Promise<ToolResult> {
      const attachments = [];
      for (const path of paths) {
        const content = await toolkit.files.read(path, { caller: context.caller, signal: context.signal });
        attachments.push({ ...content, name: basename(path) });
      }
      const message = { channel, text: toolkit.scrub(said), replyTo, attachments };
      const sent = await askHost({ ...port, isUsable: isSent }, context, (scope) => messenger.send(message, scope));
      if (sent === undefined) throw await unknownChannel(messenger, channel, context);
      const { id, answer } = sent;
      return {
        output: `Sent to ${channel}${id === undefined ? '' : `, as message ${id}`}${answer === undefined ? '' : `. The answer:\n${answer}`}`,
        metadata: { channel, ...(id === undefined ? {} : { id }), answered: answer !== undefined },
      };
    },
  });
}

async function unknownChannel(messenger: Messenger, channel: string, context: ToolContext): Promise<ToolError> {
  const asked = { ...port, isUsable: isListOfChannels };
  const channels = await askHost(asked, context, (scope) => messenger.channels(scope));
  const known = channels.map(({ name }) => name);
  const shown = channels.map(({ name, about }) => (about === undefined ? name : `${name} (${about})`));
  return new ToolError('invalid_input', `channel: ${noSuch('channel', channel, known, shown)}`);
}

function isSent(sent: SentMessage | undefined): boolean {
  return sent === undefined || (isRecord(sent) && isTextOrNone(sent.id) && isTextOrNone(sent.answer));
}

function isListOfChannels(channels: readonly MessageChannel[]): boolean {
  return Array.isArray(channels) && channels.every((one) => typeof one?.name === 'string' && isTextOrNone(one.about));
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
