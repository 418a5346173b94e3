import type { output } from 'zod/v4/core';
import { flag, inputObject, optional, text } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import { askHost } from '../../ports/ask-host.js';
import { dependenciesOf } from '../support/dependencies.js';
import type { TeamDependencies } from './team-create.js';

const input = lazily(() => inputObject({ team_name: text(), force: optional(flag('End members that still run')) }));

/** Ends a team. */
export function teamDeleteTool(dependencies: TeamDependencies): Tool<output<ReturnType<typeof input>>> {
  const { teams, timeoutMs } = dependenciesOf('teamDeleteTool', dependencies, 'teams', 'limits', 'timeoutMs');
  return Tool.define('TeamDelete', {
    description: 'End the team, once its members have ended or with force.',
    input: input(),
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
