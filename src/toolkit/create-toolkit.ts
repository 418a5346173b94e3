import type { Toolkit } from '../core/registry/toolkit.js';
import { isOffered } from '../permissions/policy/policy.js';
import { lendResources } from '../tools/toolkit-resources.js';
import { makeResources } from './make-resources.js';
import { makeTools } from './make-tools.js';
import { makeTurns } from './make-turns.js';
import { toolkitOf } from './toolkit-of.js';
import { checkToolkitOptions, type ToolkitOptions } from './toolkit-options.js';
import { optionsIn, type WiredAgents } from './wire-agents.js';

/**
 * Wires the built-in tools to a workspace, in three stages: resources from the options, tools from the resources, turns
 * from both. Throws a TypeError for a mistake in the options: a root that is not absolute or does not exist, an unknown
 * key, mode or limit.
 */
export function createToolkit(options: ToolkitOptions): Toolkit {
  return wireToolkit(options);
}

/** The toolkit of `options`; one that was opened from another shares the agents of that. */
function wireToolkit(options: ToolkitOptions, shared?: WiredAgents): Toolkit {
  checkToolkitOptions(options);
  const resources = makeResources(options, shared);
  const tools = makeTools(resources);
  const turns = makeTurns(resources, tools);
  const { agents, mcp } = resources;
  const toolkit = toolkitOf(resources, tools, turns, (folder) =>
    agents.keep(wireToolkit(optionsIn(folder, options), agents)),
  );
  // What the host gave is told of the toolkit when there is one.
  lendResources(toolkit, tools.lent);
  turns.registries.connect(toolkit);
  if (shared === undefined) agents.connect(toolkit);
  mcp?.start({
    registry: tools.registry,
    offers: (tool, caller) => isOffered(turns.settings.policy, tool, caller),
  });
  return toolkit;
}
