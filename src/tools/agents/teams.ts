import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { planningNumbers } from '../../core/fixed-limits.js';
import type { Limits } from '../../core/limits.js';
import { choice, flag, inputObject, list, optional, text, withRule, words } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { TeamCoordinator, TeamStatus } from '../../ports/agents/teams.js';
import { askHost } from '../../ports/ask-host.js';
import { dependenciesOf } from '../support/factory-arguments.js';

const nameForm = /^[a-z0-9-]{1,40}$/;
const named = (about: string) =>
  withRule(text(about), (name) => nameForm.test(name), 'expected 1 to 40 of the characters a-z 0-9 -');

const createInput = lazily(() =>
  inputObject({
    team_name: named('a-z, 0-9 and -'),
    description: optional(words(planningNumbers.maxTextChars)),
    members: list(
      inputObject({
        name: named('Same form as team_name'),
        subagent_type: optional(text()),
        prompt: text('Its whole task', { minLength: 1 }),
        model: optional(text()),
      }),
      undefined,
      { minItems: 1, maxItems: 8 },
    ),
  }),
);

/** The dependencies of the team tools. */
export interface TeamDependencies {
  readonly teams: () => Promise<TeamCoordinator>;
  /** The limits of messages, from `limits.subagents`. */
  readonly limits: Pick<Limits['subagents'], 'maxMessageChars'>;
  /** Time limit for an answer of the host, in milliseconds; 0 = no limit. */
  readonly timeoutMs: number;
}

/** Starts a team of subagents that talk to each other. */
export function teamCreateTool(dependencies: TeamDependencies): Tool<output<ReturnType<typeof createInput>>> {
  const { teams, timeoutMs } = dependenciesOf('teamCreateTool', dependencies, 'teams', 'limits', 'timeoutMs');
  return Tool.define('TeamCreate', {
    description:
      'Start agents that work side by side and talk by SendMessage. You lead the team; end it with TeamDelete.',
    input: createInput(),
    sideEffect: 'spawns',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    targets: ({ members }) =>
      members.map((member) => ({ kind: 'agent', type: member.subagent_type ?? 'general-purpose' })),
    title: ({ team_name: name, members }) => `TeamCreate ${name}: ${members.map((member) => member.name).join(', ')}`,
    preview: ({ members }) => members.map(({ name, prompt }) => `${name}: ${prompt}`).join('\n\n'),
    async execute({ team_name: name, description, members }, context): Promise<ToolResult> {
      const wanted = members.map(({ subagent_type: subagentType, ...member }) => ({ ...member, subagentType }));
      const isUsable = (team: TeamStatus) => Array.isArray(team?.members);
      const team = await askHost({ option: 'teams', timeoutMs, isUsable }, context, async (scope) =>
        (await teams()).create({ name, description, members: wanted }, scope),
      );
      const started = team.members.map((member) => `${member.name} (${member.agentId})`).join(', ');
      const output = `Team ${name} works: ${started}.\nLater tool results contain the messages of the members, and report when a member has ended.`;
      return { output, metadata: { team } };
    },
  });
}

const deleteInput = lazily(() =>
  inputObject({ team_name: text(), force: optional(flag('End members that still run')) }),
);

/** Ends a team. */
export function teamDeleteTool(dependencies: TeamDependencies): Tool<output<ReturnType<typeof deleteInput>>> {
  const { teams, timeoutMs } = dependenciesOf('teamDeleteTool', dependencies, 'teams', 'limits', 'timeoutMs');
  return Tool.define('TeamDelete', {
    description: 'End the team when its members have ended, or at once with force.',
    input: deleteInput(),
    sideEffect: 'blocking',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ team_name: name }) => `TeamDelete ${name}`,
    async execute({ team_name: name, force = false }, context) {
      await askHost({ option: 'teams', timeoutMs }, context, async (scope) =>
        (await teams()).remove(name, { force }, scope),
      );
      return `Team ${name} has ended.`;
    },
  });
}

const types = ['message', 'broadcast', 'shutdown_request', 'shutdown_response'] as const;

const messageInput = (maxChars: number) =>
  inputObject({
    to: text('Name of a member, "lead", or "*" for all', { minLength: 1 }),
    message: words(maxChars),
    type: optional(choice(types)),
    request_id: optional(text('Id of the shutdown_request you answer')),
    approve: optional(flag('For shutdown_response')),
  });

/** Sends a message to the mailbox of one member of the team, or of all members. */
export function sendMessageTool(dependencies: TeamDependencies): Tool<output<ReturnType<typeof messageInput>>> {
  const { teams, limits, timeoutMs } = dependenciesOf('sendMessageTool', dependencies, 'teams', 'limits', 'timeoutMs');
  return Tool.define('SendMessage', {
    description:
      'Send a message to your team; the recipient reads it before its next turn. shutdown_request asks a member to end.',
    input: messageInput(limits.maxMessageChars),
    sideEffect: 'readonly',
    idempotent: false,
    groups: ['messaging'],
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    risk: ({ to, type }) => (to === '*' || type === 'broadcast' ? 'high' : 'low'),
    title: ({ to, message }) => `SendMessage to ${to}: ${message}`,
    async execute({ to, message, type, request_id: requestId, approve }, context): Promise<ToolResult> {
      if (to === '*' && type?.startsWith('shutdown') === true)
        throw new ToolError(
          'invalid_input',
          `to: ${type} goes to one member. Name the member, or end all members with TeamDelete.`,
        );
      const isToAll = to === '*' || type === 'broadcast';
      const sent = {
        ...(isToAll ? { to: '*', type: 'broadcast' as const } : { to, type: type ?? 'message' }),
        ...{ text: message, requestId, approve },
      };
      const isUsable = (answer: { readonly delivered: readonly string[] }) => Array.isArray(answer?.delivered);
      const { delivered } = await askHost({ option: 'teams', timeoutMs, isUsable }, context, async (scope) =>
        (await teams()).send(sent, scope),
      );
      return { output: `Delivered to ${delivered.join(', ') || 'no agent: all have ended'}`, metadata: { delivered } };
    },
  });
}
