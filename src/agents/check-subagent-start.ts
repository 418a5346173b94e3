import type { Caller } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import type { SubagentTask } from '../core/subagent.js';
import { didYouMean } from '../core/support/near-names.js';
import type { SubagentSpawner } from '../ports/agents/subagents.js';
import type { Subagent } from './subagent.js';

/** The permission modes of subagents. */
export const agentModes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

interface TaskContext {
  readonly spawner: SubagentSpawner;
  readonly types: Readonly<Record<string, string>>;
  readonly parent: Caller;
  readonly running: ReadonlySet<Subagent>;
}

/** Throws `invalid_input` for an invalid task, an unknown type or model, or the name of a running subagent. */
export function assertTask(
  { description, prompt, type, model, name, maxTurns, mode, isolation }: SubagentTask,
  { spawner, types, parent, running }: TaskContext,
  { maxTurns: most }: Limits['subagents'],
): void {
  for (const [field, value] of Object.entries({ description, prompt }))
    if (typeof value !== 'string' || value === '')
      throw new ToolError('invalid_input', `${field}: expected text that is not empty.`);
  assertKnown('mode', mode, agentModes);
  assertKnown('isolation', isolation, ['worktree']);
  assertKnown('subagent_type', type, Object.keys(types));
  if (spawner.models?.length) assertKnown('model', model, spawner.models);
  if (maxTurns !== undefined && !(Number.isInteger(maxTurns) && maxTurns >= 1 && maxTurns <= most))
    throw new ToolError('invalid_input', `max_turns: expected a whole number from 1 to ${most}.`);
  const isTaken = ({ task, caller }: Subagent) => caller.sessionId === parent.sessionId && task.name === name;
  if (name !== undefined && [...running].some(isTaken))
    throw new ToolError('invalid_input', `name: ${JSON.stringify(name)} is taken. Use another one.`);
}

/** Throws `limit_reached`, with the name of the limit, if a limit forbids `parent` to start a subagent. */
export function assertRoom(
  parent: Caller,
  { running, total }: { readonly running: ReadonlySet<Subagent>; readonly total: number },
  limits: Limits['subagents'],
): void {
  const { maxDepth, maxChildren, maxTotal, maxConcurrent } = limits;
  const { depth = 0 } = parent;
  const children = [...running].filter((child) => child.isChildOf(parent)).length;
  // An invalid depth counts as the maximum depth.
  if (!(depth >= 0 && depth < maxDepth)) throw limitReached('maxDepth', maxDepth, `this agent is at depth ${depth}`);
  if (children >= maxChildren)
    throw limitReached('maxChildren', maxChildren, `${children} of your subagents are running`);
  if (total >= maxTotal) throw limitReached('maxTotal', maxTotal, `this session has started ${total} subagents`);
  if (running.size >= maxConcurrent)
    throw limitReached('maxConcurrent', maxConcurrent, `${running.size} subagents are running`);
}

function assertKnown(field: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  const near = didYouMean(value, known);
  throw new ToolError(
    'invalid_input',
    `${field}: there is no ${JSON.stringify(value)}.${near} Use one of: ${known.join(', ')}.`,
  );
}

function limitReached(limit: keyof Limits['subagents'], max: number, why: string): ToolError {
  return new ToolError(
    'limit_reached',
    `limits.subagents.${limit} is ${max}, and ${why}. Do the work yourself with your own tools.`,
    { metadata: { limit, max } },
  );
}

/** The error of a toolkit without `hosts.subagents`. The metadata contains the task, so that the host can run it. */
export function noSpawner(request: SubagentTask): ToolError {
  return new ToolError(
    'not_configured',
    'The program that runs this agent passed no hosts.subagents. Do the work yourself.',
    { metadata: { error: 'LLM_ASSIST_REQUIRED', request: { ...request } } },
  );
}
