import type { output } from 'zod/v4/core';
import { inputObject, integer, optional, text } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { SessionMessage } from '../../ports/agents/sessions.js';
import { dependenciesOf } from '../support/dependencies.js';
import { askForSession, ownSession, type SessionDependencies } from './session-dependencies.js';

const defaultMessages = 20;
const maxMessages = 200;
/** The length of a tool result in the history; the model can repeat the call to see all of it. */
const maxToolChars = 500;

const input = lazily(() =>
  inputObject({
    session_key: optional(text('Default: yours')),
    limit: optional(integer(undefined, { minimum: 1, maximum: maxMessages })),
    before: optional(text('Id of a message')),
  }),
);

/** Shows the last messages of a session. */
export function sessionsHistoryTool(dependencies: SessionDependencies): Tool<output<ReturnType<typeof input>>> {
  dependenciesOf('sessionsHistoryTool', dependencies, 'sessions', 'timeoutMs');
  return Tool.define('sessions_history', {
    description: 'Show the last messages of a session, or those before one.',
    input: input(),
    sideEffect: 'readonly',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    async execute({ session_key: key, limit = defaultMessages, before }, context): Promise<ToolResult> {
      const id = key ?? ownSession(context);
      const areMessages = (all: readonly SessionMessage[]) => Array.isArray(all) && all.every(isMessage);
      const found = await askForSession(
        dependencies,
        id,
        context,
        (directory, scope) => directory.history({ id, limit, before }, scope),
        areMessages,
      );
      const messages = found.slice(-limit).map((message) => ({ ...message, text: shortText(message) }));
      const lines = messages.map((message) => `[${message.id}] ${message.role}: ${message.text}`);
      return { output: lines.join('\n') || 'No messages', metadata: { session: id, messages } };
    },
  });
}

function isMessage(one: SessionMessage): boolean {
  return [one?.id, one?.role, one?.text].every((part) => typeof part === 'string');
}

function shortText({ role, text: whole }: SessionMessage): string {
  return role === 'tool' && whole.length > maxToolChars
    ? `${whole.slice(0, maxToolChars)} [${whole.length - maxToolChars} more characters]`
    : whole;
}
