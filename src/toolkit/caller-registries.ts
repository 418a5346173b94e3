import type { Caller, CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ToolEvent } from '../core/event.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import type { RunnableRegistry } from '../core/registry/runnable-registry.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { Timers } from '../core/support/timers.js';
import { askHost } from '../ports/ask-host.js';

/**
 * The registry that a caller's turn runs over: the one that is given, or a `clone()` of it with more or fewer tools. It
 * has `limits.resolver.timeoutMs`. The caller is that of the agent itself where a subagent works for it. A turn keeps
 * what it began with.
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
  readonly timeoutMs: number;
  readonly timers: Timers | undefined;
  /** Whose registry a caller has: that of the agent that a subagent works for. */
  readonly ownerOf: (caller: Caller) => Caller;
  /** Told why a caller got the registry of the toolkit instead of one of their own. */
  readonly tell: (event: RegistryWarning, owner: Caller) => void;
}

/** The registries of callers, asked for at each turn. */
export class CallerRegistries {
  readonly #parts: CallerRegistriesParts;
  #toolkit: Toolkit | undefined;

  constructor(parts: CallerRegistriesParts) {
    this.#parts = parts;
  }

  /** Has the host be told of the toolkit whose registry it is asked to change. */
  connect(toolkit: Toolkit): void {
    this.#toolkit = toolkit;
  }

  /**
   * Never rejects: a host that fails leaves the caller the registry of the toolkit, and a warning unless nobody waits
   * any more. Answers at once where there is one registry for all.
   */
  of(scope: CallScope): ToolRegistry | Promise<ToolRegistry> {
    const { registry, registryFor } = this.#parts;
    return registryFor === undefined ? registry : this.#ask(registryFor, scope);
  }

  async #ask(registryFor: RegistryFor, scope: CallScope): Promise<ToolRegistry> {
    const { registry, timeoutMs, timers, ownerOf, tell } = this.#parts;
    try {
      const request = { port: 'registryFor', timeoutMs, timers, isUsable: isRegistry };
      const asked = { caller: ownerOf(scope.caller), signal: scope.signal };
      return await askHost<ToolRegistry>(request, asked, (inner) =>
        registryFor(registry, inner, this.#toolkit as Toolkit),
      );
    } catch (thrown) {
      if (scope.signal.aborted) return registry;
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
