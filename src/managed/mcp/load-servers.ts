import { ToolError } from '../../core/error.js';
import type { Timers } from '../../core/support/timers.js';
import type { ToolFilter } from '../../mcp/lists/tool-filter.js';
import type { McpManager } from '../../mcp/manager.js';
import { askHost } from '../../ports/ask-host.js';
import type { McpGrantStore } from '../../ports/mcp-grant-store.js';
import { noCaller } from '../custom-tools/service.js';
import { instanceName } from './server-config.js';

/** Options of {@link loadForAgent}. */
export interface LoadForAgentParts {
  /** The stores that `managedStores` or `memoryStores` returns. */
  readonly stores: { readonly mcp: McpGrantStore };
  readonly manager: McpManager;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** The servers of an agent and a user. */
export interface LoadedMcpServers {
  /**
   * The return value for `grantsFor` of the manager. A server with overrides is named `NAME-` and 8 hexadecimal digits.
   */
  readonly servers: Readonly<Record<string, readonly ToolFilter[]>>;
  /** Servers that cannot be used, with the reason; `*` means all. */
  readonly problems: readonly { readonly server: string; readonly reason: string }[];
}

/** The servers started for a version of the grants. */
interface StartedServers {
  version: string | undefined;
  readonly names: Set<string>;
}

/** Must not exceed the time limit of `registryFor`, after which the toolkit would continue with older grants. */
const storeTimeoutMs = 5_000;

const startedBy = new WeakMap<McpManager, StartedServers>();

/**
 * Starts the servers that are granted to an agent and a user, one for each distinct config, and ends servers without a
 * grant. Never rejects: if the store fails or does not answer within 5 seconds, nothing is granted.
 */
export async function loadForAgent(
  { stores: { mcp }, manager, timers }: LoadForAgentParts,
  agentId: string | undefined,
  userId: string | undefined,
): Promise<LoadedMcpServers> {
  const started = startedBy.get(manager) ?? { version: undefined, names: new Set<string>() };
  startedBy.set(manager, started);
  try {
    const request = { port: 'The store of MCP grants', timeoutMs: storeTimeoutMs, timers };
    const granted = await askHost(request, noCaller, async () => {
      await stopUnwanted(mcp, manager, started);
      return await mcp.listAccessible(agentId, userId);
    });
    const servers: Record<string, readonly ToolFilter[]> = {};
    const problems: { server: string; reason: string }[] = [];
    const start = async ({ name, config, overrides, filters, problem }: (typeof granted)[number]) => {
      const instance = instanceName(name, overrides);
      try {
        if (problem !== undefined) throw new ToolError('storage_failed', problem);
        if (!started.names.has(instance) && manager.servers().some((one) => one.name === instance))
          throw new ToolError('not_allowed', `The manager already has a server ${instance}. Rename the stored server.`);
        started.names.add(instance);
        await manager.ensure(instance, config);
        servers[instance] = filters;
        const { error } = manager.status().find((one) => one.name === instance) ?? {};
        if (error !== undefined) problems.push({ server: name, reason: error });
      } catch (thrown) {
        problems.push({ server: name, reason: ToolError.from(thrown).message });
      }
    };
    await Promise.all(granted.map(start));
    return { servers, problems };
  } catch (thrown) {
    return { servers: {}, problems: [{ server: '*', reason: ToolError.from(thrown).message }] };
  }
}

/** After a change of the grants, ends the servers that no longer have a grant. */
async function stopUnwanted(mcp: McpGrantStore, manager: McpManager, started: StartedServers): Promise<void> {
  const version = await mcp.version();
  if (started.version === version) return;
  // Copied before the store is read, since servers started later may belong to newer grants.
  const names = [...started.names];
  const wanted = names.length === 0 ? new Set() : await wantedNames(mcp);
  for (const name of names) {
    if (wanted.has(name)) continue;
    started.names.delete(name);
    // Not awaited: a server can take seconds to end.
    if (manager.servers().some((one) => one.name === name)) void manager.remove(name).catch(() => {});
  }
  started.version = version;
}

/** The instance names of the enabled servers that at least one enabled grant allows. */
async function wantedNames(mcp: McpGrantStore): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  for await (const { id, definition } of pages((after) => mcp.listServers({ after }))) {
    if (definition.enabled === false) continue;
    for (const scope of ['agent', 'user'] as const)
      for await (const { grant, problem } of pages((after) => mcp.listGrants(id, scope, { after })))
        if (grant.enabled !== false && problem === undefined)
          wanted.add(instanceName(definition.name, grant.configOverrides));
  }
  return wanted;
}

async function* pages<Entry extends { readonly id: string }>(
  read: (after: string | undefined) => Promise<readonly Entry[]>,
) {
  let after: string | undefined;
  do {
    const entries: readonly Entry[] = await read(after);
    yield* entries;
    after = entries.at(-1)?.id;
  } while (after !== undefined);
}
