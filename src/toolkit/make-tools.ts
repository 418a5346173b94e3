import { builtinsThat } from '../core/tool-names.js';
import { hasRules } from '../permissions/create-permissions.js';
import { type BuiltinDependencies, builtinTools } from '../tools/builtin.js';
import { syntaxChecker } from '../tools/content/syntax-check.js';
import type { Resources } from './make-resources.js';
import { ToolRegistry } from './tool-registry.js';

export type Tools = ReturnType<typeof makeTools>;

/** The second stage of a toolkit: creates the built-in tools from the resources. */
export function makeTools(resources: Resources) {
  const { options, hosts, scrubber, listeners, files, shell, permissions, agents, mcp, hasAgents } = resources;
  const { features = {}, files: settings = {}, shell: commands = {}, timers } = options;
  const lent: BuiltinDependencies = {
    ...resources,
    timers,
    files: files.plain,
    tracked: files.tracked,
    changes: files.changes,
    syntax: settings.syntaxCheck === true ? syntaxChecker() : undefined,
    documents: hosts.documents,
    images: hosts.images,
    search: hosts.search,
    summarizer: hosts.summarizer,
    namesUnchanged: settings.namesUnchanged ?? false,
    readBeforeWrite: settings.readBeforeWrite ?? false,
    shell: files.noting(resources.guarded),
    deadline: shell.deadline,
    autoBackground: commands.autoBackground ?? false,
    interactive: commands.interactive ?? false,
    keepsFolder: commands.cwdPersists ?? false,
    planMode: resources.plan,
    userInput: hosts.userInput,
    learn: scrubber === false ? undefined : (secret) => scrubber.learn?.([secret]),
    tell: (event, owner) => listeners.tell(event, owner),
    onTodos: (written, { sessionId, agentId }) => {
      const owner = { sessionId, ...(agentId === undefined ? {} : { agentId }) };
      listeners.tell({ type: 'todo-update', todos: written, ...owner }, owner);
    },
    agents: agents.manager,
    hasTeamAgents: hasAgents || hosts.teams !== undefined,
    teams: agents.notifications.teams,
    sessions: agents.notifications.sessions,
    mcp: { client: hosts.mcp, saveBytes: resources.saveBytes, catalogue: mcp && (() => mcp.catalogue) },
    applyPatch: features.applyPatch === true || features.native === true,
    native: features.native === true ? { endSession: (id) => shell.endSession(id) } : undefined,
    shown: options.relativePaths === 'resolve' ? withoutRoot(files.root) : undefined,
    secretOf: scrubber === false ? undefined : scrubber.secretOf,
    scrub: scrubber !== false && resources.scrub,
  };
  const registry = new ToolRegistry({ cwd: files.root, builtin: builtinTools(lent) });
  registry.allow(...builtinsThat(({ isAutoAllowed }) => isAutoAllowed));
  // Rules are shared with a toolkit that `openIn` creates, and may name tools that only the opening toolkit has.
  if (!resources.isOpened && hasRules(permissions)) permissions.checkNames?.(registry);
  return { registry, /** The dependencies of the built-in tools. */ lent };
}

/** Removes the root from a path below it, or from a line that begins with such a path. */
export function withoutRoot(root: string): (text: string) => string {
  const start = root.endsWith('/') || root.endsWith('\\') ? root.length : root.length + 1;
  return (text) => (text.startsWith(root) && /[\\/]/.test(text.charAt(start - 1)) ? text.slice(start) : text);
}
