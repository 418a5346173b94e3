import type { Caller, CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ToolEvent } from '../core/event.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import type { RunnableRegistry } from '../core/registry/runnable-registry.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { Timers } from '../core/support/timers.js';
import { askHost } from '../ports/ask-host.js';

/**
 * Returns the registry for the turn of a caller: the given registry, or a `clone()` with more or fewer tools. The
 * function must return within `limits.resolver.timeoutMs`. For a subagent at any depth, `scope.caller` is the main
 * agent. A running turn keeps its registry.
 */
export type RegistryFor = (
  registry: RunnableRegistry,
  scope: CallScope,
  toolkit: Toolkit,
) => Promise<ToolRegistry> | ToolRegistry;

type RegistryWarning = Extract<ToolEvent, { readonly type: 'registry-warning' }>;

interface CallerRegistryParts {
  readonly registry: RunnableRegistry;
  readonly registryFor: RegistryFor;
  readonly timeoutMs: number;
  readonly timers: Timers | undefined;
  /** The caller whose registry is selected: for a subagent at any depth, the main agent. */
  readonly ownerOf: (caller: Caller) => Caller;
  /** Called with the reason when a caller gets the toolkit's registry because `registryFor` failed. */
  readonly tell: (event: RegistryWarning, owner: Caller) => void;
  /** Returns the toolkit. It is never called before the toolkit exists. */
  readonly toolkit: () => Toolkit;
}

/**
 * Selects the registry of each turn by its caller. Never rejects: if `registryFor` fails, the toolkit's registry is
 * used, and a warning is sent unless the turn was aborted.
 */
export function callerRegistry(parts: CallerRegistryParts): (scope: CallScope) => Promise<ToolRegistry> {
  const { registry, registryFor, timeoutMs, timers, ownerOf, tell, toolkit } = parts;
  const request = { port: 'registryFor', timeoutMs, timers, isUsable: isRegistry };
  return async ({ caller, signal }) => {
    const asked = { caller: ownerOf(caller), signal };
    try {
      return await askHost<ToolRegistry>(request, asked, (scope) => registryFor(registry, scope, toolkit()));
    } catch (thrown) {
      if (signal.aborted) return registry;
      const { sessionId, agentId } = caller;
      const owner = { sessionId, ...(agentId === undefined ? {} : { agentId }) };
      tell({ type: 'registry-warning', reason: ToolError.from(thrown).message, ...owner }, owner);
      return registry;
    }
  };
}

function isRegistry(answer: ToolRegistry | null | undefined): boolean {
  return typeof answer?.snapshot === 'function';
}
