import { isRecord } from '../core/support/check-values.js';
import type { Hosts } from '../ports/hosts.js';
import type { McpClient, McpUpdate } from '../ports/mcp-client.js';
import { isOffered, type Policy } from '../ports/policy.js';
import type { Scrubber } from '../ports/scrubber.js';
import type { ToolResolver } from '../ports/tool-resolver.js';
import { type LeftOutTool, McpCatalogue, type McpCatalogueOptions } from '../tools/mcp/catalogue.js';
import { mcpLine } from '../tools/mcp/content-reader.js';

export interface WiredMcpOptions extends Omit<McpCatalogueOptions, 'registry' | 'offers'> {
  readonly hosts: Pick<Hosts, 'mcpSampling' | 'elicitation'>;
  readonly scrubber: Scrubber | false;
  /** The folders that servers may access. */
  readonly roots: () => readonly string[];
  /** Notifies all listeners. */
  readonly tell: (update: McpUpdate) => void;
}

/**
 * The MCP servers of a toolkit: their tools in its registry, notifications of changes, and handlers of their requests.
 */
export class WiredMcp {
  readonly #options: WiredMcpOptions;
  readonly #ends: (() => void)[] = [];
  #catalogue: McpCatalogue | undefined;

  constructor(options: WiredMcpOptions) {
    this.#options = options;
  }

  /** The tools of the servers; available after {@link start}. */
  get catalogue(): McpCatalogue {
    return this.#catalogue as McpCatalogue;
  }

  /** Registers the current tools and subscribes to changes. `offers` tells whether a caller may see a tool. */
  start({ registry, offers }: Pick<McpCatalogueOptions, 'registry' | 'offers'>): void {
    const { client, hosts, roots } = this.#options;
    this.#catalogue = new McpCatalogue({ ...this.#options, registry, offers });
    const { mcpSampling: sampling, elicitation } = hosts;
    const detach = client.attach?.({ sampling, elicitation, roots });
    this.#ends.push(
      client.subscribe((update) => this.#take(update)),
      ...(detach === undefined ? [] : [detach]),
    );
    this.#learn();
    const left = this.catalogue.sync();
    for (const server of new Set(left.map((one) => one.server))) {
      const state = client.servers().find(({ name }) => name === server)?.state ?? 'stopped';
      this.#options.tell(withLeft({ server, state }, left));
    }
  }

  /** A policy that offers tools of servers only to callers with a grant. */
  policy(inner: Policy): Policy {
    const { client } = this.#options;
    const grants: Policy = {
      offers: ({ mcp }, caller) => mcp === undefined || (client.isGranted?.(mcp, caller) ?? true),
      explain: ({ mcp }) => `it is not granted to this caller by the MCP server ${mcpLine(mcp?.server, 100)}`,
    };
    return {
      offers: (tool, caller) => isOffered(grants, tool, caller) && isOffered(inner, tool, caller),
      explain: (tool, caller) => (isOffered(grants, tool, caller) ? inner : grants).explain(tool, caller),
    };
  }

  /**
   * Registers a known tool of a server if the registry lacks the tool; for any other name, asks `other`. If neither
   * finds the tool and the server of the tool is unavailable, throws an error with the state of that server.
   */
  resolver(other: ToolResolver | undefined): ToolResolver {
    return async (name, scope) => {
      const known = this.catalogue.load(name, scope.caller) ?? (await other?.(name, scope));
      const unavailable = known === undefined || known === null ? this.catalogue.unavailable(name) : undefined;
      if (unavailable !== undefined) throw unavailable;
      return known;
    };
  }

  endSession(sessionId: string): void {
    this.#catalogue?.endSession(sessionId);
  }

  /** Unsubscribes. The client belongs to the host and stays connected. */
  dispose(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  /** Clients of other implementations may send invalid updates. */
  #take(update: McpUpdate): void {
    if (!isRecord(update) || typeof update.server !== 'string') return;
    this.#learn();
    this.#options.tell(withLeft(update, this.catalogue.sync(update.server)));
  }

  #learn(): void {
    const { client, scrubber } = this.#options;
    const secrets = secretsOf(client);
    if (scrubber !== false && secrets.length > 0) scrubber.learn?.(secrets);
  }
}

function secretsOf(client: McpClient): readonly string[] {
  const secrets: unknown = client.secrets?.();
  return Array.isArray(secrets) ? secrets.filter((one) => typeof one === 'string') : [];
}

function withLeft(update: McpUpdate, left: readonly LeftOutTool[]): McpUpdate {
  const own = left.filter(({ server }) => server === update.server).map(({ tool, reason }) => ({ tool, reason }));
  return own.length === 0 ? update : { ...update, quarantined: [...(update.quarantined ?? []), ...own] };
}
