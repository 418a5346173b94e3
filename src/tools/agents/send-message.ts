import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { choice, flag, inputObject, optional, text, words } from '../../core/schema/input-object.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import { askHost } from '../../ports/ask-host.js';
import { dependenciesOf } from '../support/dependencies.js';
import type { TeamDependencies } from './team-create.js';

const types = ['message', 'broadcast', 'shutdown_request', 'shutdown_response'] as const;

const input = (maxChars: number) =>
  inputObject({
    to: text('A member, lead, or * for all', { minLength: 1 }),
    message: words(maxChars),
    type: optional(choice(types)),
    request_id: optional(text('Id of the shutdown_request you answer')),
    approve: optional(flag('For shutdown_response')),
  });

/** Puts a message into the mailbox of a member of the team. */
export function sendMessageTool(dependencies: TeamDependencies): Tool<output<ReturnType<typeof input>>> {
  const { teams, limits, timeoutMs } = dependenciesOf('sendMessageTool', dependencies, 'teams', 'limits', 'timeoutMs');
  return Tool.define('SendMessage', {
    description:
      'Send a message to your team; the recipient reads it before its next turn. Ask a member to end with shutdown_request.',
    input: input(limits.maxMessageChars),
    sideEffect: 'readonly',
    idempotent: false,
    groups: ['messaging'],
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    risk: ({ to, type }) => (to === '*' || type === 'broadcast' ? 'high' : 'low'),
    title: ({ to, message }) => `SendMessage to ${to}: ${message}`,
    async execute({ to, message, type, request_id: requestId, approve }, context): Promise<ToolResult> {
      if (to === '*' && type?.startsWith('shutdown') === true)
        throw new ToolError('invalid_input', `to: ${type} is for one. Name a member, or end all by TeamDelete.`);
      const isToAll = to === '*' || type === 'broadcast';
      const sent = {
        ...(isToAll ? { to: '*', type: 'broadcast' as const } : { to, type: type ?? 'message' }),
        ...{ text: message, requestId, approve },
      };
      const { delivered } = await askHost({ option: 'teams', timeoutMs, isUsable }, context, async (scope) =>
        (await teams()).send(sent, scope),
      );
      return { output: `Delivered to ${delivered.join(', ') || 'no agent: they have ended'}`, metadata: { delivered } };
    },
  });
}

function isUsable(sent: { readonly delivered: readonly string[] }): boolean {
  return Array.isArray(sent?.delivered);
}
