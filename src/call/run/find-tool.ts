import { ToolError } from '../../core/error.js';
import type { Tool } from '../../core/tool.js';
import { isOffered } from '../../ports/is-offered.js';
import type { Run } from './run.js';
import { scrubLine } from './scrub-result.js';

/** Of a name that no tool has, and of what the resolver says of it, in the answer. */
const maxNameChars = 100;
const maxReasonChars = 1_000;

/** The tool that a call means by name, alias or letter case; undefined if the run does not know it yet. */
export function knownTool(name: string, run: Run): Tool | undefined {
  return run.settings.registry.find(name, run.tools) ?? run.resolved?.get(name);
}

/** The tool that a call means, made or resolved where that is needed. Throws `unknown_tool` with near names. */
export async function findTool(name: string, run: Run): Promise<Tool> {
  const known = knownTool(name, run);
  if (known !== undefined) return known.init === undefined ? known : await makeTool(known, run);
  if (run.settings.toolResolver === undefined) throw unknownTool(name, run);
  return await resolveTool(name, run);
}

/**
 * The tool in whose place a stand-in was found, made once more where that failed before; the stand-in, which says why,
 * where it fails again.
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
    // What may be there later, or is disabled, is not unknown.
    if (ToolError.is(outcome.thrown) && (outcome.thrown.retryable || outcome.thrown.code === 'not_allowed'))
      throw outcome.thrown;
    throw unknownTool(name, run, ToolError.from(outcome.thrown).message);
  }
  if (outcome.value === undefined || outcome.value === null) throw unknownTool(name, run);
  try {
    const { name: own } = outcome.value;
    if (own !== name && registry.get(own) !== undefined)
      throw new TypeError(`the resolver answered with ${own}, which is there already`);
    // Another turn may have resolved it meanwhile.
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
  // A name that the model made up is text like any other.
  const why = reason === undefined ? '.' : ` (${scrubLine(reason, run, maxReasonChars)}).`;
  return new ToolError('unknown_tool', `unknown tool: ${scrubLine(name, run, maxNameChars)}${why}${hint}`);
}

/** Names that this caller may not use are not suggested either. */
function isKnown(name: string, run: Run): boolean {
  const { registry, policy } = run.settings;
  const tool = registry.get(name);
  return tool !== undefined && isOffered(policy, tool, run.caller);
}
