import { ToolError } from '../../core/error.js';
import type { Tool } from '../../core/tool.js';
import { isOffered } from '../../ports/policy.js';
import type { Run } from './run.js';
import { scrubLine } from './scrub-result.js';

/** The longest unknown name and the longest reason of the resolver in an error message. */
const maxNameChars = 100;
const maxReasonChars = 1_000;

/**
 * The tool of a call: by name, by alias, or by name in another letter case; undefined if the run does not know it yet.
 */
export function knownTool(name: string, run: Run): Tool | undefined {
  return run.settings.registry.find(name, run.tools) ?? run.resolved?.get(name);
}

/**
 * The tool of a call; runs its init function or the resolver if necessary. Throws `unknown_tool` with similar names.
 */
export async function findTool(name: string, run: Run): Promise<Tool> {
  const known = knownTool(name, run);
  if (known !== undefined) return known.init === undefined ? known : await makeTool(known, run);
  if (run.settings.toolResolver === undefined) throw unknownTool(name, run);
  return await resolveTool(name, run);
}

/**
 * Runs the init function of a tool again. Resolves with the tool, or with its stand-in, which tells the reason, if it
 * failed again.
 */
async function makeTool(standIn: Tool, run: Run): Promise<Tool> {
  await run.makeReady(standIn.name);
  return run.settings.registry.get(standIn.name) ?? standIn;
}

async function resolveTool(name: string, run: Run): Promise<Tool> {
  const { registry, toolResolver, limits } = run.settings;
  const outcome = await run.consult('The tool resolver', limits.resolver.timeoutMs, (scope) =>
    toolResolver?.(name, scope),
  );
  if (outcome.kind === 'stopped') {
    if (outcome.error.code === 'cancelled') throw outcome.error;
    throw unknownTool(name, run, outcome.error.message);
  }
  if (outcome.kind === 'thrown') {
    // A tool that is disabled, or that a retry may find, is not unknown.
    if (ToolError.is(outcome.thrown) && (outcome.thrown.retryable || outcome.thrown.code === 'not_allowed'))
      throw outcome.thrown;
    throw unknownTool(name, run, ToolError.from(outcome.thrown).message);
  }
  if (outcome.value === undefined || outcome.value === null) throw unknownTool(name, run);
  try {
    const { name: own } = outcome.value;
    if (own !== name && registry.get(own) !== undefined)
      throw new TypeError(`the resolver answered with ${own}, which is there already`);
    // Another turn may have registered it meanwhile.
    if (registry.get(own) === undefined) registry.register(outcome.value);
  } catch (thrown) {
    throw unknownTool(name, run, ToolError.from(thrown).message);
  }
  if (registry.hasPending) await run.makeReady();
  const tool = registry.get(outcome.value.name) ?? outcome.value;
  run.resolved = new Map([...(run.resolved ?? []), [name, tool]]);
  return tool;
}

function unknownTool(name: string, run: Run, reason?: string): ToolError {
  const near = run.settings.registry.near(name).filter((candidate) => isKnown(candidate, run));
  const hint =
    near.length > 0
      ? ` Did you mean ${near.map((candidate) => JSON.stringify(candidate)).join(' or ')}?`
      : ' Use one of the tools you were given.';
  // The model may have invented the name, so it is scrubbed.
  const why = reason === undefined ? '.' : ` (${scrubLine(reason, run, maxReasonChars)}).`;
  return new ToolError('unknown_tool', `unknown tool: ${scrubLine(name, run, maxNameChars)}${why}${hint}`);
}

/** Only tools that this caller may use are suggested. */
function isKnown(name: string, run: Run): boolean {
  const { registry, policy } = run.settings;
  const tool = registry.get(name);
  return tool !== undefined && isOffered(policy, tool, run.caller);
}
