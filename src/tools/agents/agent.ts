import type { output } from 'zod/v4/core';
import { agentModes } from '../../agents/check-subagent-start.js';
import type { SubagentManager } from '../../agents/subagent-manager.js';
import type { ToolContext } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { choice, flag, inputObject, integer, optional, text, words } from '../../core/schema/fields.js';
import type { SubagentOutcome, SubagentTask } from '../../core/subagent.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { dependenciesOf } from '../support/factory-arguments.js';

const input = () =>
  inputObject({
    description: words(200, 'Three to five words'),
    prompt: text('The whole task; the subagent knows nothing else', { minLength: 1 }),
    subagent_type: optional(text()),
    model: optional(text()),
    resume: optional(text('Id of an ended subagent to continue')),
    run_in_background: optional(flag()),
    max_turns: optional(integer()),
    name: optional(words(40)),
    team_name: optional(words(40)),
    mode: optional(choice(agentModes, 'Used only if stricter than yours')),
    isolation: optional(choice(['worktree'], 'A git worktree of its own')),
  });

/** Aliases of Agent whose calls run in the background unless the input sets `run_in_background`. */
const inBackground: ReadonlySet<unknown> = new Set(['sessions_spawn', 'spawn']);

/** The dependencies of Agent. */
export interface AgentDependencies {
  readonly agents: SubagentManager;
}

/** Starts a subagent. The call waits for the subagent to end unless the subagent runs in the background. */
export function agentTool(dependencies: AgentDependencies): Tool<output<ReturnType<typeof input>>> {
  const { agents } = dependenciesOf('agentTool', dependencies, 'agents');
  const tool = Tool.define('Agent', {
    description: '',
    input: input(),
    sideEffect: 'spawns',
    // The subagent has its own time limit.
    timeoutMs: 0,
    // The subagent's own calls declare the files that they read and write.
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ description }) => `Agent: ${description}`,
    preview: ({ prompt }) => prompt,
    targets: ({ subagent_type, resume = '' }) => {
      return [{ kind: 'agent', type: subagent_type ?? agents.view(resume)?.type ?? 'general-purpose' }];
    },
    async execute(given, context): Promise<ToolResult> {
      const {
        subagent_type: type,
        run_in_background = inBackground.has(context.calledAs),
        max_turns: maxTurns,
        team_name: teamName,
        ...rest
      } = given;
      const task: SubagentTask = { ...rest, type, maxTurns, teamName };
      return run_in_background ? started(agents, task, context) : await ran(agents, task, context);
    },
  });
  // A getter, because a host may define its agent types after it has created the toolkit.
  const description = { get: () => describe(agents), enumerable: true };
  return Object.freeze(Object.defineProperty({ ...tool }, 'description', description));
}

function describe({ types }: SubagentManager): string {
  const lines = Object.entries(types).map(([name, purpose]) => `${name}: ${purpose}`);
  return `Have a subagent do a task by itself and report. Types: ${lines.join('; ')}.`;
}

function started(agents: SubagentManager, task: SubagentTask, { caller }: ToolContext): ToolResult {
  const { id: agentId, taskId } = agents.start(task, caller);
  return { output: `Task started: ${taskId}\nAgent: ${agentId}`, metadata: { taskId, agentId, state: 'running' } };
}

async function ran(agents: SubagentManager, task: SubagentTask, context: ToolContext): Promise<ToolResult> {
  const outcome = await agents.run(task, context, ({ text, turn }, agentId) =>
    context.metadata({ title: `Agent: ${task.description}`, metadata: { agentId, turn, text } }),
  );
  const { output, error } = outcome;
  const metadata = factsOf(outcome);
  if (error === undefined) return { output, metadata };
  const { code, message } = error;
  const partial = output === message ? {} : { partialOutput: output };
  const text = outcome.state === 'cancelled' ? message : `The subagent ${outcome.agentId} failed: ${message}`;
  throw new ToolError(code, text, { cause: error, metadata, ...partial });
}

function factsOf({ agentId, state, usage, durationMs, worktree }: SubagentOutcome) {
  const { turns = 0, toolCalls = 0 } = usage;
  return { agentId, state, turns, toolCalls, usage, durationMs, ...(worktree === undefined ? {} : { worktree }) };
}
