import { type RunSettings, resolveSettings } from '../call/run/run-options.js';
import { SuspendedTurns } from '../call/suspension/suspended-turns.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import type { HostFiles } from '../files/host-files.js';
import { hasRules } from '../permissions/create-permissions.js';
import { checkRules } from '../permissions/rules/rule-warnings.js';
import type { Permissions } from '../ports/permissions.js';
import { memorySuspensions } from '../sessions/suspensions/memory-suspensions.js';
import { shellHookRunner } from '../shell/run/hook-runner.js';
import { CallerRegistries } from './caller-registries.js';
import type { Resources } from './make-resources.js';
import type { Tools } from './make-tools.js';
import { ToolkitTurns } from './toolkit-turns.js';

/** The parts that run the tools of a toolkit. */
export type TurnParts = ReturnType<typeof makeTurns>;

/** The third stage of a toolkit: creates the turns from its resources and tools. */
export function makeTurns(resources: Resources, { registry }: Tools) {
  const { options, hosts, limits, scrubber, listeners, spill, sessions, planMode, permissions } = resources;
  const { policy, files, shell, agents, hasAgents, mcp, roots, isOpened } = resources;
  const { hooks, rateLimiter, retry, deadLetters, toolResolver, registryFor, concurrency, timers, onEvent } = options;
  const named = () => [options.root, ...(options.additionalRoots ?? []), ...roots()];
  const resolved = resolveSettings({
    ...{ registry, permissions, hooks, policy, planMode, rateLimiter, scrubber, retry, deadLetters, concurrency },
    ...{ limits, timers, outputStore: spill, places: files.plain, turns: sessions.turns },
    hookPrograms: { runner: shellHookRunner(shell.own, spill), cwd: files.root },
    toolResolver: mcp?.resolver(toolResolver) ?? toolResolver,
  });
  const granted = mcp?.policy(resolved.policy) ?? resolved.policy;
  const settings: RunSettings = { ...resolved, policy: hasAgents ? agents.policy(granted) : granted };
  const registries = new CallerRegistries({
    ...{ registry, registryFor, timers, timeoutMs: limits.resolver.timeoutMs },
    ownerOf: (caller) => agents.manager.lineOf(caller).at(-1)?.parent ?? caller,
    tell: (event, owner) => listeners.tell(event, owner),
  });
  /** The version of the rules at the last check; null before the first turn. */
  let checked: string | undefined | null = null;
  const check = (own: ToolRegistry) => {
    // A toolkit opened for another folder lacks the tools that the host registered here, so rules may name unknown
    // tools.
    if (isOpened || permissions.version === checked) return own;
    checked = permissions.version;
    const mayCome = toolResolver !== undefined || registryFor !== undefined;
    const known = { registry: own, mcp: hosts.mcp, mayCome, roots: named() };
    checkRules(resolved, known, (warning) => listeners.tellAll(warning));
    return own;
  };
  const turns = new ToolkitTurns({
    ...{ settings, sessions, onEvent, talk: agents.talk },
    registryOf: registryFor && (async (scope) => check(await registries.of(scope))),
    suspended: new SuspendedTurns({
      secret: options.suspensionSecret,
      ttlMs: options.suspensionTtlMs,
      store: hosts.suspensions ?? memorySuspensions(),
      root: files.root,
    }),
    begins: (caller, heard) => {
      if (heard !== undefined) listeners.set(caller, heard);
      if (files.disk !== undefined) addDirectories(permissions, files.disk);
      files.changes?.beginTurn(caller);
      if (registryFor === undefined) check(registry);
    },
  });
  sessions.keep(turns);
  return { settings, registries, turns };
}

/** Serves folders that were added to the permissions since the last turn. A folder that no longer exists is skipped. */
function addDirectories(permissions: Permissions, disk: HostFiles): void {
  if (!hasRules(permissions)) return;
  for (const directory of permissions.takeDirectories()) {
    try {
      disk.addRoot(directory);
    } catch {
      // The first call that uses the folder reports the error.
    }
  }
}
