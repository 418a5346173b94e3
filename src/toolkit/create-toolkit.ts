import type { Toolkit } from '../core/registry/toolkit.js';
import { isOffered } from '../ports/policy.js';
import { lendResources } from '../tools/toolkit-resources.js';
import { makeResources } from './make-resources.js';
import { makeTools } from './make-tools.js';
import { makeTurns } from './make-turns.js';
import { toolkitOf } from './methods.js';
import { checkToolkitOptions, type ToolkitOptions } from './options.js';
import { optionsIn, type WiredAgents } from './wire-agents.js';

/**
 * Creates a toolkit with the built-in tools for a workspace, in three stages: resources from the options, tools from
 * the resources, turns from both. Throws a TypeError for invalid options, such as a root that is not absolute or does
 * not exist, or an unknown key, mode or limit.
 */
export function createToolkit(options: ToolkitOptions): Toolkit {
  return wireToolkit(options);
}

/** `A toolkit that `openIn` creates gets the agents of the opening toolkit as `shared`. */
function wireToolkit(options: ToolkitOptions, shared?: WiredAgents): Toolkit {
  checkToolkitOptions(options);
  const resources = makeResources(options, shared);
  const tools = makeTools(resources);
  const turns = makeTurns(resources, tools, () => toolkit);
  const { agents, mcp } = resources;
  const toolkit: Toolkit = toolkitOf(resources, tools, turns, (folder) =>
    agents.keep(wireToolkit(optionsIn(folder, options), agents)),
  );
  lendResources(toolkit, tools.lent);
  // Passes the toolkit to the hosts that need it; when the options were read, the toolkit did not exist.
  if (shared === undefined) agents.connect(toolkit);
  mcp?.start({
    registry: tools.registry,
    offers: (tool, caller) => isOffered(turns.settings.policy, tool, caller),
  });
  return toolkit;
}
