import type { Caller, CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ToolEvent } from '../core/event.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import type { RunnableRegistry } from '../core/registry/runnable-registry.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { Timers } from '../core/support/timers.js';
import { askHost } from '../tools/support/ask-host.js';

/**
 * The registry that a caller's turn runs over: the one that is given, or a `clone()` of it with more or fewer tools. It
 * has `limits.resolver.timeoutMs`. A turn keeps what it began with.
 */
export type RegistryFor = (
  registry: RunnableRegistry,
  scope: CallScope,
  toolkit: Toolkit,
) => Promise<ToolRegistry> | ToolRegistry;

type RegistryWarning = Extract<ToolEvent, { readonly type: 'registry-warning' }>;

/** What {@link CallerRegistries} works with. */
export interface CallerRegistriesParts {
  readonly registry: RunnableRegistry;
  readonly registryFor: RegistryFor | undefined;
  readonly toolkit: () => Toolkit;
  readonly timeoutMs: number;
  readonly timers: Timers | undefined;
  /** Told why a caller got the registry of the toolkit instead of one of their own. */
  readonly tell: (event: RegistryWarning, owner: Caller) => void;
}

/** The registries of callers, asked for at each turn. */
export class CallerRegistries {
  readonly #parts: CallerRegistriesParts;

  constructor(parts: CallerRegistriesParts) {
    this.#parts = parts;
  }

  /** Never rejects: a host that fails leaves the caller the registry of the toolkit, and a warning. */
  async of(scope: CallScope): Promise<ToolRegistry> {
    const { registry, registryFor, toolkit, timeoutMs, timers, tell } = this.#parts;
    if (registryFor === undefined) return registry;
    try {
      const request = {
        port: 'registryFor',
        timeoutMs,
        timers,
        isUsable: isRegistry,
      };
      return await askHost<ToolRegistry>(request, scope, (inner) => registryFor(registry, inner, toolkit()));
    } catch (thrown) {
      const { sessionId, agentId } = scope.caller;
      const owner = { sessionId, ...(agentId === undefined ? {} : { agentId }) };
      tell({ type: 'registry-warning', reason: ToolError.from(thrown).message, ...owner }, owner);
      return registry;
    }
  }
}

function isRegistry(answer: ToolRegistry | null | undefined): boolean {
  return typeof answer?.snapshot === 'function';
}
