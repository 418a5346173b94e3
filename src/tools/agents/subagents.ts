import type { output } from 'zod/v4/core';
import type { SubagentManager } from '../../agents/subagent-manager.js';
import { ToolError } from '../../core/error.js';
import { choice, inputObject, optional, text } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { escapeLine } from '../../core/text/escape-for-people.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { dependenciesOf } from '../support/factory-arguments.js';

const input = lazily(() =>
  inputObject({
    action: choice(['list', 'cancel', 'steer']),
    id: optional(text('For cancel and steer; cancel also takes "all" or "last"')),
    message: optional(text('For steer')),
  }),
);

/** The dependencies of Subagents. */
export interface SubagentsDependencies {
  readonly agents: SubagentManager;
}

/** Lists, cancels and steers the subagents that the caller started. */
export function subagentsTool(dependencies: SubagentsDependencies): Tool<output<ReturnType<typeof input>>> {
  const { agents } = dependenciesOf('subagentsTool', dependencies, 'agents');
  return Tool.define('Subagents', {
    description: 'List, cancel or steer the subagents that you started.',
    input: input(),
    sideEffect: 'blocking',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ action, id }) => `Subagents ${action} ${id ?? ''}`.trim(),
    async execute({ action, id, message }, { caller }): Promise<ToolResult> {
      if (action === 'list') {
        const subagents = agents.list(caller);
        const lines = subagents.map(
          ({ agentId, state, type, turns, description }) =>
            `${agentId} ${state} (${type}, ${turns} rounds): ${escapeLine(description, 200)}`,
        );
        return { output: lines.join('\n') || 'You have started no subagent.', metadata: { subagents } };
      }
      if (!id)
        throw new ToolError('invalid_input', 'id: is required but missing. Pass an id that the action list shows.');
      if (action === 'cancel') {
        const cancelled = await agents.cancel(id, caller);
        const said = cancelled.length === 0 ? 'No subagent was running.' : `Cancelled: ${cancelled.join(', ')}`;
        return { output: said, metadata: { cancelled } };
      }
      if (!message)
        throw new ToolError('invalid_input', 'message: is required but missing. Say what the subagent must do now.');
      await agents.steer(id, message, caller);
      return { output: `${id} continues with your message.`, metadata: { agentId: id } };
    },
  });
}
