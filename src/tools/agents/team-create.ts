import type { output } from 'zod/v4/core';
import type { Limits } from '../../core/limits.js';
import { planningNumbers } from '../../core/numbers.js';
import { inputObject, list, optional, text, withRule, words } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { TeamCoordinator, TeamStatus } from '../../ports/agents/teams.js';
import { askHost } from '../../ports/ask-host.js';
import { dependenciesOf } from '../support/dependencies.js';

const nameForm = /^[a-z0-9-]{1,40}$/;
const named = (about: string) =>
  withRule(text(about), (name) => nameForm.test(name), 'expected 1 to 40 of the characters a-z 0-9 -');

const input = lazily(() =>
  inputObject({
    team_name: named('a-z, 0-9 and -'),
    description: optional(words(planningNumbers.maxTextChars)),
    members: list(
      inputObject({
        name: named('As team_name'),
        subagent_type: optional(text()),
        prompt: text('Its whole task', { minLength: 1 }),
        model: optional(text()),
      }),
      undefined,
      { minItems: 1, maxItems: 8 },
    ),
  }),
);

/** The dependencies of the tools of teams. */
export interface TeamDependencies {
  readonly teams: () => Promise<TeamCoordinator>;
  /** Of `limits.subagents`. */
  readonly limits: Pick<Limits['subagents'], 'maxMessageChars'>;
  /** How long the host may take; 0 = no limit. */
  readonly timeoutMs: number;
}

/** Starts a team of subagents that talk to each other. */
export function teamCreateTool(dependencies: TeamDependencies): Tool<output<ReturnType<typeof input>>> {
  const { teams, timeoutMs } = dependenciesOf('teamCreateTool', dependencies, 'teams', 'limits', 'timeoutMs');
  return Tool.define('TeamCreate', {
    description:
      'Start agents that work side by side and talk by SendMessage. You lead the team; end it with TeamDelete.',
    input: input(),
    sideEffect: 'spawns',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    targets: ({ members }) =>
      members.map((member) => ({ kind: 'agent', type: member.subagent_type ?? 'general-purpose' })),
    title: ({ team_name: name, members }) => `TeamCreate ${name}: ${members.map((member) => member.name).join(', ')}`,
    preview: ({ members }) => members.map(({ name, prompt }) => `${name}: ${prompt}`).join('\n\n'),
    async execute({ team_name: name, description, members }, context): Promise<ToolResult> {
      const wanted = members.map(({ subagent_type: subagentType, ...member }) => ({ ...member, subagentType }));
      const team = await askHost({ option: 'teams', timeoutMs, isUsable }, context, async (scope) =>
        (await teams()).create({ name, description, members: wanted }, scope),
      );
      const started = team.members.map((member) => `${member.name} (${member.agentId})`).join(', ');
      const output = `Team ${name} works: ${started}.\nWhat they tell you, and how they end, comes with later results.`;
      return { output, metadata: { team } };
    },
  });
}

function isUsable(team: TeamStatus): boolean {
  return Array.isArray(team?.members);
}
