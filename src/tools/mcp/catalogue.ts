import type { Caller } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { mcpNumbers } from '../../core/fixed-limits.js';
import type { ToolRegistry } from '../../core/registry/registry.js';
import { ifPossible, isRecord } from '../../core/support/check-values.js';
import { lazily } from '../../core/support/once.js';
import type { Tool } from '../../core/tool.js';
import type { McpOrigin } from '../../core/tool-names.js';
import type { McpClient, McpTool } from '../../ports/mcp-client.js';
import { type McpContentOptions, mcpLine } from './content-reader.js';
import { notUp } from './find-server.js';
import { mcpDescription, mcpTool } from './server-tool.js';
import { mcpNamePrefix, mcpToolName } from './server-tool-name.js';

/** The dependencies of a catalogue. */
export interface McpCatalogueOptions extends McpContentOptions {
  readonly client: McpClient;
  /** See `mcpToolName`. */
  readonly prefix: string | undefined;
  readonly registry: ToolRegistry;
  /** Whether a tool may be listed for a caller. */
  readonly offers: (tool: Tool, caller: Caller) => boolean;
}

/** A tool that cannot be offered, with the reason. */
export interface LeftOutTool {
  readonly server: string;
  readonly tool: string;
  readonly reason: string;
}

/** A tool that a server has listed. The `Tool` itself is made on first use. */
export class KnownMcpTool {
  readonly name: string;
  readonly description: string;
  readonly origin: McpOrigin;
  readonly signature: string;
  /** Whether only ToolSearch lists the tool. */
  isDeferred = false;
  readonly #make: () => Tool;

  constructor(name: string, signature: string, said: McpOrigin & { readonly description?: unknown }, make: () => Tool) {
    this.name = name;
    this.signature = signature;
    this.description = mcpDescription(said.description);
    this.origin = { server: said.server, tool: said.tool };
    this.#make = lazily(make);
  }

  get tool(): Tool {
    return this.#make();
  }
}

/**
 * The tools of all servers of a client. The catalogue registers the offered tools. It registers a deferred tool when a
 * session first finds it. For each session, the catalogue records the deferred tools that the session has found.
 */
export class McpCatalogue {
  readonly #options: McpCatalogueOptions;
  readonly #servers = new Map<string, ReadonlyMap<string, KnownMcpTool>>();
  /** The tools that can be called, by name. */
  #known: ReadonlyMap<string, KnownMcpTool> = new Map();
  readonly #registered = new Map<string, Tool>();
  /** The last known tool names of each server, to tell the model which server a missing tool belongs to. */
  readonly #names = new Map<string, ReadonlySet<string>>();
  readonly #disabled = new Set<string>();
  readonly #found = new Map<string, Set<string>>();

  constructor(options: McpCatalogueOptions) {
    this.#options = options;
    // Checks the prefix now, and not only when the first server connects.
    mcpNamePrefix('', options.prefix);
  }

  /** Rereads the tools of one server or of all servers. Returns the tools that cannot be offered. */
  sync(server?: string): readonly LeftOutTool[] {
    const left: LeftOutTool[] = [];
    for (const name of server === undefined ? this.#serverNames() : [server]) this.#read(name, left);
    this.#known = this.#unambiguous(left);
    this.#register(left);
    return left;
  }

  /** Registers a known tool. A deferred tool is then listed for the caller's session. */
  load(name: string, { sessionId }: Caller): Tool | undefined {
    const known = this.#known.get(name);
    if (known === undefined) return undefined;
    if (known.isDeferred) {
      const found = this.#found.get(sessionId) ?? new Set();
      this.#found.set(sessionId, found.add(name));
    }
    this.#put(known);
    return known.tool;
  }

  /** Why a tool cannot be called: it is withheld, or its server is not connected. Undefined for other names. */
  unavailable(name: string): ToolError | undefined {
    const { client, prefix } = this.#options;
    const servers = client.servers();
    for (const { name: server } of servers)
      for (const { tool, reason } of client.withheld?.(server) ?? [])
        if (mcpToolName(server, tool, prefix) === name)
          return new ToolError('not_allowed', `${name} is disabled: ${mcpLine(reason)}. Go on without it.`);
    const down = servers
      .filter((one) => this.#names.get(one.name)?.has(name) || name.startsWith(mcpNamePrefix(one.name, prefix)))
      .sort((left, right) => right.name.length - left.name.length)
      .find(({ state }) => state !== 'connected');
    return down && notUp(down);
  }

  /**
   * Whether a tool is listed for a caller. A deferred tool is listed once the session has found it; ToolSearch is
   * listed while there are deferred tools.
   */
  isListed({ name, groups }: Tool, caller: Caller): boolean {
    if (name === 'ToolSearch' && groups.includes('mcp')) return this.hasDeferred(caller);
    const { sessionId } = caller;
    return this.#known.get(name)?.isDeferred !== true || this.#found.get(sessionId)?.has(name) === true;
  }

  /** The tools that a caller may use, in a stable order by name: all tools, or only the deferred tools. */
  of(caller: Caller, which: 'all' | 'deferred' = 'all'): readonly KnownMcpTool[] {
    return [...this.#known.values()]
      .filter((known) => (which === 'all' || known.isDeferred) && this.#isFor(known, caller))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** Whether the caller may use a deferred tool. */
  hasDeferred(caller: Caller): boolean {
    for (const known of this.#known.values()) if (known.isDeferred && this.#isFor(known, caller)) return true;
    return false;
  }

  /** A line for each tool that a caller may use: `name: description`. */
  summaries(caller: Caller): string {
    const { maxSummaryChars } = mcpNumbers;
    return this.of(caller)
      .map(({ name, description }) => `${name}: ${mcpLine(description.split('\n', 1)[0], maxSummaryChars)}`)
      .join('\n');
  }

  endSession(sessionId: string): void {
    this.#found.delete(sessionId);
  }

  #isFor(known: KnownMcpTool, caller: Caller): boolean {
    const { registry, offers } = this.#options;
    if (registry.isDisabled(known.name) || this.#disabled.has(known.name)) return false;
    // A tool that cannot be made cannot be listed.
    return ifPossible(() => offers(known.tool, caller)) === true;
  }

  #serverNames(): readonly string[] {
    return [...new Set([...this.#servers.keys(), ...this.#options.client.servers().map(({ name }) => name)])];
  }

  /** Reads the tools of one server. If the client throws, the known tools stay unchanged. */
  #read(server: string, left: LeftOutTool[]): void {
    const { client, limits } = this.#options;
    const read = new Map<string, KnownMcpTool>();
    let chars = 0;
    try {
      const entry = client.servers().find(({ name }) => name === server);
      if (entry === undefined) {
        this.#servers.delete(server);
        this.#names.delete(server);
        return;
      }
      for (const tool of client.tools(server)) {
        const known = this.#know(tool, server, entry.isTrusted === true, left);
        if (known === undefined) continue;
        read.set(known.origin.tool, known);
        chars += known.name.length + known.description.length + known.signature.length;
      }
    } catch {
      return;
    }
    for (const known of read.values()) known.isDeferred = chars > limits.mcp.deferOverChars;
    this.#servers.set(server, read);
    if (read.size > 0) this.#names.set(server, new Set([...read.values()].map(({ name }) => name)));
  }

  #know(given: McpTool, server: string, isTrusted: boolean, left: LeftOutTool[]): KnownMcpTool | undefined {
    try {
      const { name: tool, description, inputSchema, annotations } = given;
      if (typeof tool !== 'string' || !isRecord(inputSchema)) throw new TypeError('it has no name, or no schema');
      const signature = JSON.stringify([inputSchema, description, annotations, isTrusted]);
      const known = this.#servers.get(server)?.get(tool);
      if (known?.signature === signature) return known;
      const { client, limits, images, saveBytes, prefix } = this.#options;
      const said = { server, tool, description, inputSchema, annotations };
      const make = () => mcpTool({ ...said, client, limits, images, saveBytes, prefix });
      return new KnownMcpTool(mcpToolName(server, tool, prefix), signature, said, make);
    } catch (cause) {
      left.push({ server, tool: String(given?.name), reason: ToolError.from(cause).message });
      return undefined;
    }
  }

  /** Leaves out tools that share their name with another tool or an alias, because a call could mean either. */
  #unambiguous(left: LeftOutTool[]): ReadonlyMap<string, KnownMcpTool> {
    const { registry } = this.#options;
    const byName = new Map<string, KnownMcpTool[]>();
    for (const tools of this.#servers.values())
      for (const known of tools.values()) byName.set(known.name, [...(byName.get(known.name) ?? []), known]);
    const aliases = registry.aliases();
    const only = new Map<string, KnownMcpTool>();
    for (const [name, [known, ...others]] of byName) {
      if (known === undefined) continue;
      const holder = registry.get(name);
      const isTaken = (holder !== undefined && holder !== this.#registered.get(name)) || aliases.has(name);
      if (others.length === 0 && !isTaken) only.set(name, known);
      else for (const { origin } of [known, ...others]) left.push({ ...origin, reason: `its name ${name} is taken` });
    }
    return only;
  }

  #register(left: LeftOutTool[]): void {
    for (const name of this.#registered.keys()) if (!this.#known.has(name)) this.#remove(name);
    const found = new Set([...this.#found.values()].flatMap((names) => [...names]));
    for (const known of this.#known.values()) {
      try {
        if (!known.isDeferred || found.has(known.name)) this.#put(known);
        else this.#remove(known.name);
      } catch (cause) {
        this.#remove(known.name);
        left.push({ ...known.origin, reason: ToolError.from(cause).message });
      }
    }
  }

  #put({ name, tool }: KnownMcpTool): void {
    const { registry } = this.#options;
    if (registry.get(name) === tool) return;
    if (this.#registered.get(name)?.mcp?.server !== tool.mcp?.server) this.#remove(name);
    registry.register(tool);
    this.#registered.set(name, tool);
    if (this.#disabled.delete(name)) registry.disable(name);
  }

  #remove(name: string): void {
    const { registry } = this.#options;
    const tool = this.#registered.get(name);
    if (tool === undefined || !this.#registered.delete(name) || registry.get(name) !== tool) return;
    // A tool that the host has disabled stays disabled after its server reconnects.
    if (registry.isDisabled(name)) this.#disabled.add(name);
    registry.unregister(name);
  }
}
