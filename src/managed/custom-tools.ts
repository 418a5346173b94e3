import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { assertNeeded, assertOptions, having, type OptionKinds, timersKind } from '../core/support/option-kinds.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import type { Tool } from '../core/tool.js';
import type { ChangeBus } from './change-bus.js';
import { customTool } from './custom-tool.js';
import { type CustomToolStore, customToolsChannel } from './custom-tool-store.js';

/** What {@link customTools} works with. */
export interface CustomToolsOptions {
  readonly store: CustomToolStore;
  /** Tells of changes by `cache:custom_tools`. One that is not told of is seen within 5 seconds all the same. */
  readonly bus: ChangeBus;
  /** Told of a tool that cannot be made, which is left out. Default: `process.emitWarning`. */
  readonly onProblem?: ((name: string, reason: string) => void) | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** Custom tools in the registries of callers. */
export interface CustomTools extends AsyncDisposable {
  /** Registers the tools that all agents have, and keeps them as the store has them. */
  loadGlobal(registry: ToolRegistry, toolkit: Toolkit): Promise<void>;
  /** The same registry for an agent without tools of its own, else a clone that has them on top. */
  loadForAgent<Registry extends ToolRegistry>(registry: Registry, agentId: string, toolkit: Toolkit): Promise<Registry>;
  /** Takes the tools of all agents out of every registry they were loaded into, puts in those of now, drops clones. */
  reloadGlobal(): Promise<void>;
  /** For the option `registryFor` of `createToolkit`: loads both, and looks for changes at each turn. */
  readonly registryFor: <Registry extends ToolRegistry>(
    registry: Registry,
    scope: CallScope,
    toolkit: Toolkit,
  ) => Promise<Registry>;
}

const optionKinds: OptionKinds<CustomToolsOptions> = {
  store: having('a store of custom tools', 'list', 'get', 'version'),
  bus: having('a change bus', 'publish', 'subscribe'),
  onProblem: { takes: 'a function', holds: (value) => typeof value === 'function' },
  timers: timersKind,
};

/** Notices can be lost; the version of the store is looked at when a turn begins this long after the last look. */
const maxAgeMs = 5_000;

/** A registry that the tools of all agents were loaded into. */
interface Loaded {
  readonly toolkit: Toolkit;
  readonly names: Set<string>;
  readonly clones: Map<string, ToolRegistry>;
}

/**
 * The custom tools of a store in the registries of a toolkit: `createToolkit({ registryFor: tools.registryFor })`. What
 * has changed is there from the next turn on; a turn that runs keeps what it began with. Throws a TypeError for options
 * that are none; its methods reject where the store does.
 */
export function customTools(options: CustomToolsOptions): CustomTools {
  assertOptions('customTools', options, optionKinds);
  assertNeeded('customTools', options, 'store', 'bus');
  const { store, bus, timers = systemTimers } = options;
  const {
    onProblem = (name, reason) =>
      process.emitWarning(`The custom tool ${name} cannot be used: ${reason}`, { code: 'TOOLWRIGHT_CUSTOM_TOOL' }),
  } = options;
  const registries = new Map<ToolRegistry, Loaded>();
  let seen: { readonly version: string; readonly at: number } | undefined;
  let isStale = false;
  let subscribed: Promise<() => Promise<void>> | undefined;

  const made = async (agentId: string | undefined, toolkit: Toolkit): Promise<readonly Tool[]> =>
    (await store.list({ agentId })).flatMap(({ definition, problem }) => {
      try {
        if (problem !== undefined) onProblem(definition.name, problem);
        return [customTool(definition, toolkit)];
      } catch (thrown) {
        onProblem(definition.name, ToolError.from(thrown).message);
        return [];
      }
    });

  /** Puts tools in; a name that another tool has stays with that. */
  const place = (registry: ToolRegistry, tools: readonly Tool[]): readonly string[] =>
    tools.flatMap((tool) => {
      try {
        registry.register(tool);
        return [tool.name];
      } catch (thrown) {
        onProblem(tool.name, ToolError.from(thrown).message);
        return [];
      }
    });

  const fill = async (registry: ToolRegistry, loaded: Loaded): Promise<void> => {
    // Made first: a store that is away leaves what was there.
    const tools = await made(undefined, loaded.toolkit);
    for (const name of loaded.names) registry.unregister(name);
    loaded.names.clear();
    loaded.clones.clear();
    for (const name of place(registry, tools)) loaded.names.add(name);
  };

  const look = async (): Promise<string> => {
    subscribed ??= bus.subscribe(customToolsChannel, () => {
      isStale = true;
    });
    // Without notices changes are seen by their version.
    await subscribed.catch(() => {
      subscribed = undefined;
    });
    return await store.version();
  };

  const load = async (registry: ToolRegistry, toolkit: Toolkit): Promise<void> => {
    const version = await look();
    const loaded = registries.get(registry) ?? { toolkit, names: new Set(), clones: new Map() };
    await fill(registry, loaded);
    registries.set(registry, loaded);
    seen ??= { version, at: timers.now() };
  };

  const reload = async (): Promise<void> => {
    isStale = false;
    const version = await store.version();
    for (const [registry, loaded] of registries) await fill(registry, loaded);
    seen = { version, at: timers.now() };
  };

  const refresh = async (registry: ToolRegistry, toolkit: Toolkit): Promise<void> => {
    if (!registries.has(registry)) return await load(registry, toolkit);
    if (!isStale && timers.now() - (seen?.at ?? 0) < maxAgeMs) return;
    const version = await look();
    if (isStale || version !== seen?.version) await reload();
    else seen = { version, at: timers.now() };
  };

  // Turns begin at the same time; what they load they load one after the other.
  let last: Promise<void> = Promise.resolve();
  const inOrder = (job: () => Promise<void>): Promise<void> => {
    last = last.then(job, job);
    return last;
  };

  const self: CustomTools = {
    loadGlobal: (registry, toolkit) => inOrder(() => load(registry, toolkit)),
    async loadForAgent(registry, agentId, toolkit) {
      const clones = registries.get(registry)?.clones;
      const known = clones?.get(agentId);
      if (known !== undefined) return known as typeof registry;
      const tools = await made(agentId, toolkit);
      if (tools.length === 0) return registry;
      const clone = registry.clone();
      // Its own come before those that all have.
      for (const { name } of tools) if (registries.get(registry)?.names.has(name)) clone.unregister(name);
      place(clone, tools);
      clones?.set(agentId, clone);
      return clone;
    },
    reloadGlobal: () => inOrder(reload),
    async registryFor(registry, { caller }, toolkit) {
      await inOrder(() => refresh(registry, toolkit));
      return caller.agentId === undefined ? registry : await self.loadForAgent(registry, caller.agentId, toolkit);
    },
    async [Symbol.asyncDispose]() {
      registries.clear();
      await (await subscribed?.catch(() => undefined))?.();
    },
  };
  return self;
}
