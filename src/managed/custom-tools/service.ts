import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { ToolRegistry } from '../../core/registry/registry.js';
import type { Toolkit } from '../../core/registry/toolkit.js';
import { assertOptions, having, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { systemTimers, type Timers, unrefTimer } from '../../core/support/timers.js';
import { askHost } from '../../ports/ask-host.js';
import type { CustomToolStore, StoredCustomTool } from '../../ports/custom-tool-store.js';
import type { ChangeBus } from '../database/change-bus.js';
import { customTool } from './define-tool.js';
import { exchangeTools, type MadeTool } from './replace-tools.js';
import { customToolsChannel } from './store.js';

/** Options of {@link customTools}. */
export interface CustomToolsOptions {
  readonly store: CustomToolStore;
  /** Reports changes on `cache:custom_tools`. If a notification is lost, the change is found within 5 seconds. */
  readonly bus: ChangeBus;
  /** Called for each tool that cannot be created and is therefore left out. Default: `process.emitWarning`. */
  readonly onProblem?: ((name: string, reason: string) => void) | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** Adds custom tools to the tool registries of callers. */
export interface CustomTools extends AsyncDisposable {
  /** Registers the tools that all agents have, and updates them until this object or the toolkit is disposed. */
  loadGlobal(registry: ToolRegistry, toolkit: Toolkit): Promise<void>;
  /** Returns a clone of the registry with the agent's own tools; the registry itself if the agent has none. */
  loadForAgent<Registry extends ToolRegistry>(registry: Registry, agentId: string, toolkit: Toolkit): Promise<Registry>;
  /** Reloads the tools that all agents have, replaces them in every registry, and drops all clones. */
  reloadGlobal(): Promise<void>;
  /**
   * For the option `registryFor` of `createToolkit`: loads the tools that all agents have, and the tools that only the
   * caller's agent has. Rejects if the store fails. If the store does not answer, only the first call waits for it.
   */
  readonly registryFor: <Registry extends ToolRegistry>(
    registry: Registry,
    scope: CallScope,
    toolkit: Toolkit,
  ) => Promise<Registry>;
}

const optionKinds: OptionKinds<CustomToolsOptions> = {
  store: having('a store of custom tools', 'list', 'get', 'version'),
  bus: having('a change bus', 'publish', 'subscribe'),
  onProblem: kindOf.callback,
  timers: timersKind,
};

/** Interval at which the version of the store is read, since notifications can be lost. */
const pollMs = 5_000;
/** Time limit for an answer of the store. */
const storeTimeoutMs = 5_000;

/** The tools that were loaded for a registry. */
interface Loaded {
  readonly toolkit: Toolkit;
  /** The registered tools that all agents have. */
  made: readonly MadeTool[];
  /**
   * The tools of single agents, by agent id. A change replaces the map, so that a pending read writes its old tools
   * only to the old map.
   */
  agents: Map<string, AgentTools>;
}

/** The tools of one agent alone, and the registry that contains them. */
interface AgentTools {
  readonly made: Promise<readonly MadeTool[]>;
  clone?: { readonly registry: ToolRegistry; readonly revision: number };
}

/**
 * Loads the custom tools of a store into the registries of a toolkit: `createToolkit({ registryFor: tools.registryFor
 * })`. A change applies from the next turn; a running turn keeps its tools. If the store fails or does not answer
 * within 5 seconds, the loaded tools stay, with a new attempt every 5 seconds. Throws a TypeError for invalid options.
 * The methods of the result reject if the store fails.
 */
export function customTools(options: CustomToolsOptions): CustomTools {
  assertOptions('customTools', options, optionKinds, 'store', 'bus');
  const { store, bus, timers = systemTimers, onProblem = warn } = options;
  const registries = new Map<ToolRegistry, Loaded>();
  /** Problems reported since the last change. */
  const reported = new Set<string>();
  let seen: string | undefined;
  /** Whether to read the store even if its version is unchanged. */
  let isStale = false;
  let failure: ToolError | undefined;
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let subscribed: Promise<() => Promise<void>> | undefined;
  let timer: unknown;
  let isOver = false;

  const report = (name: string, reason: string) => {
    if (reported.size < reported.add(JSON.stringify([name, reason])).size) onProblem(name, reason);
  };

  const askStore = <Answer>(question: () => Promise<Answer>): Promise<Answer> =>
    askHost({ port: 'The store of custom tools', timeoutMs: storeTimeoutMs, timers }, noCaller, question);

  /** Creates tools; reuses existing tools. */
  const make = (stored: readonly StoredCustomTool[], { toolkit, made }: Omit<Loaded, 'agents'>): readonly MadeTool[] =>
    stored.flatMap(({ id, version, definition, problem }) => {
      const key = JSON.stringify([id, version, problem]);
      const known = made.find((one) => one.key === key);
      if (known !== undefined) return known;
      try {
        if (problem !== undefined) report(definition.name, problem);
        return { key, tool: customTool(definition, toolkit) };
      } catch (thrown) {
        report(definition.name, ToolError.from(thrown).message);
        return [];
      }
    });

  const read = async (): Promise<void> => {
    if (registries.size === 0) return;
    const isForced = isStale;
    isStale = false;
    try {
      const change = await askStore(async () => {
        const version = await store.version();
        return isForced || version !== seen ? { version, stored: await store.list({}) } : undefined;
      });
      failure = undefined;
      if (change === undefined) return;
      seen = change.version;
      reported.clear();
      for (const [registry, loaded] of registries) {
        loaded.agents = new Map();
        loaded.made = exchangeTools(registry, loaded.made, make(change.stored, loaded), report);
      }
    } catch (thrown) {
      isStale = true;
      failure = ToolError.from(thrown);
      throw failure;
    }
  };

  /** Reads changes. If a read is queued and has not started, further calls wait for that read. */
  const reload = (): Promise<void> => {
    if (next !== undefined) return next;
    const begin = () => {
      next = undefined;
      return read();
    };
    next = last = last.then(begin, begin);
    last.catch(ignoreError);
    return last;
  };

  const reloadAll = (): Promise<void> => {
    isStale = true;
    return reload();
  };

  const listen = () => {
    if (subscribed !== undefined) return;
    subscribed = (async () => await bus.subscribe(customToolsChannel, () => void reloadAll().catch(ignoreError)))();
    const failed = () => {
      subscribed = undefined;
    };
    // Reading the version detects changes from before the subscription.
    subscribed.then(reload, failed).catch(ignoreError);
  };

  const poll = () => {
    const check = () => {
      timer = undefined;
      listen();
      void reload()
        .catch(ignoreError)
        .then(() => registries.size > 0 && poll());
    };
    timer ??= unrefTimer(timers.set(check, pollMs));
  };

  const stopPolling = () => {
    timers.clear(timer);
    timer = undefined;
  };

  /** Starts to update the tools of a registry, once. */
  const adopt = (registry: ToolRegistry, toolkit: Toolkit): void => {
    if (isOver) throw new ToolError('cancelled', 'The custom tools were disposed. Go on without them.');
    if (registries.has(registry)) return;
    registries.set(registry, { toolkit, made: [], agents: new Map() });
    const drop = () => {
      registries.delete(registry);
      if (registries.size === 0) stopPolling();
    };
    listen();
    poll();
    reloadAll().catch(ignoreError);
    toolkit.attach({ dispose: drop });
  };

  /** Waits for the active read. Retries a failed read; after a timeout, retries without waiting. */
  const ready = async (): Promise<void> => {
    const before = failure;
    const now = before === undefined ? last : reload();
    if (before?.code === 'timeout') throw before;
    await now;
  };

  const agentTools = ({ agents, ...loaded }: Loaded, agentId: string): AgentTools => {
    const known = agents.get(agentId);
    if (known !== undefined) return known;
    const own = { made: askStore(() => store.list({ agentId })).then((stored) => make(stored, loaded)) };
    own.made.catch((thrown: ToolError) => {
      // The next turn tries again. After a timeout, turns try again only after a successful read of the store.
      if (thrown.code === 'timeout') isStale = true;
      else agents.delete(agentId);
    });
    agents.set(agentId, own);
    return own;
  };

  const self: CustomTools = {
    async loadGlobal(registry, toolkit) {
      adopt(registry, toolkit);
      await reloadAll();
    },
    async loadForAgent(registry, agentId, toolkit) {
      const kept = registries.get(registry);
      if (kept !== undefined) await ready();
      const loaded = kept ?? { toolkit, made: [], agents: new Map() };
      const own = agentTools(loaded, agentId);
      const made = await own.made;
      if (made.length === 0) return registry;
      const { revision } = registry;
      if (own.clone?.revision === revision) return own.clone.registry as typeof registry;
      const clone = registry.clone();
      // A tool of this agent replaces a tool of the same name that all agents have.
      const hidden = loaded.made.filter((all) => made.some(({ tool }) => tool.name === all.tool.name));
      exchangeTools(clone, hidden, made, report);
      own.clone = { registry: clone, revision };
      return clone;
    },
    reloadGlobal: reloadAll,
    async registryFor(registry, { caller }, toolkit) {
      adopt(registry, toolkit);
      await ready();
      return caller.agentId === undefined ? registry : await self.loadForAgent(registry, caller.agentId, toolkit);
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      registries.clear();
      stopPolling();
      await (await subscribed?.catch(() => undefined))?.();
    },
  };
  return self;
}

/** The call scope of store requests that concern all callers. */
export const noCaller: CallScope = { caller: { sessionId: '' }, signal: new AbortController().signal };

function warn(name: string, reason: string): void {
  process.emitWarning(`The custom tool ${name} cannot be used: ${reason}`, { code: 'TOOLWRIGHT_CUSTOM_TOOL' });
}

/** For a promise whose failure other callers handle. */
function ignoreError(): void {}
