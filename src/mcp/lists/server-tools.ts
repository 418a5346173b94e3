import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { didYouMean } from '../../core/support/near-names.js';
import type { McpTool, McpUpdate } from '../../ports/mcp-client.js';
import type { McpFingerprints } from './fingerprint-stores.js';
import type { WholeList } from './pages.js';
import { changedFields, readTool } from './read-tool.js';
import { passesFilter, type ToolFilter } from './tool-filter.js';

/** How a new tool list differs from the previous one. */
export type ToolChanges = Pick<McpUpdate, 'added' | 'removed' | 'changed' | 'quarantined'>;

/** The offered and the withheld tools of one server. */
export class ServerTools {
  /** The offered tools, in the order of the server's list; approved tools come last until the list is read again. */
  tools: readonly McpTool[] = [];
  readonly #server: string;
  readonly #limits: Limits['mcp'];
  readonly #filter: ToolFilter;
  readonly #store: McpFingerprints;
  #offered: ReadonlyMap<string, McpTool> = new Map();
  #withheld: ReadonlyMap<string, string> = new Map();
  #changed: ReadonlyMap<string, { readonly tool: McpTool; readonly print: string }> = new Map();
  #prints: Map<string, string> | undefined;
  #notes: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(server: string, limits: Limits['mcp'], filter: ToolFilter, store: McpFingerprints) {
    this.#server = server;
    this.#limits = limits;
    this.#filter = filter;
    this.#store = store;
  }

  /** The tools whose schemas were repaired, with notes on each repair. */
  get diagnostics(): readonly { readonly tool: string; readonly notes: readonly string[] }[] {
    return [...this.#notes].map(([tool, notes]) => ({ tool, notes }));
  }

  /** The withheld tools, with the reason for each; `*` stands for the whole tool list. */
  get quarantined(): readonly { readonly tool: string; readonly reason: string }[] {
    return [...this.#withheld].map(([tool, reason]) => ({ tool, reason }));
  }

  /** Replaces the tool list. If fingerprints cannot be stored, the old list stays. */
  async adopt({ items, problem }: WholeList): Promise<ToolChanges> {
    const known = this.#prints ?? new Map(await this.#store.get(this.#server));
    const prints = new Map(known);
    const offered = new Map<string, McpTool>();
    const notes = new Map<string, readonly string[]>();
    const withheld = new Map<string, string>(problem === undefined ? [] : [['*', problem]]);
    const changed = new Map<string, { tool: McpTool; print: string; fields: readonly string[] }>();
    for (const item of items) {
      const read = readTool(this.#server, item, this.#limits);
      const { name } = read;
      if (offered.has(name) || changed.has(name)) withheld.set('*', `it lists ${JSON.stringify(name)} twice`);
      else if ('reason' in read) withheld.set(name, read.reason);
      else if (!prints.has(name) && prints.size >= 2 * this.#limits.maxToolsPerServer)
        // Fingerprints are never deleted. Otherwise a changed tool could disappear and come back as a new tool.
        withheld.set('*', `it has listed more than ${prints.size} different tools; tools with new names are left out`);
      else if (passesFilter(name, this.#filter)) {
        const before = prints.get(name) ?? read.print;
        prints.set(name, before);
        if (read.notes.length > 0) notes.set(name, read.notes);
        const fields = changedFields(before, read.print);
        if (fields.length === 0) offered.set(name, read.tool);
        else {
          changed.set(name, { ...read, fields });
          withheld.set(name, `its ${fields.join(' and ')} changed after it was first offered; approve it to use it`);
        }
      }
    }
    if ([...prints].some(([name, print]) => known.get(name) !== print))
      await this.#store.set(this.#server, prints, known);
    const before = { offered: this.#offered, withheld: this.#withheld, changed: this.#changed };
    this.#prints = prints;
    this.#offered = offered;
    this.#withheld = withheld;
    this.#notes = notes;
    this.#changed = changed;
    this.tools = [...offered.values()];
    return changesOf({
      added: [...offered.keys()].filter((name) => !before.offered.has(name)),
      removed: [...before.offered.keys()].filter((name) => !offered.has(name) && !changed.has(name)),
      changed: [...changed]
        .filter(([name, { print }]) => before.changed.get(name)?.print !== print)
        .map(([tool, { fields }]) => ({ tool, fields })),
      quarantined: [...withheld]
        .filter(([name, reason]) => !changed.has(name) && before.withheld.get(name) !== reason)
        .map(([tool, reason]) => ({ tool, reason })),
    });
  }

  /** Offers a changed tool with its current definition. Throws `unknown_tool` if no changed tool has that name. */
  async approve(name: string): Promise<ToolChanges> {
    const waiting = this.#changed.get(name);
    if (waiting === undefined) {
      const near = didYouMean(name, this.#changed.keys());
      const message = `No changed tool of MCP server ${JSON.stringify(this.#server)} is called ${JSON.stringify(name)}.`;
      throw new ToolError('unknown_tool', `${message}${near}`);
    }
    const prints = new Map(this.#prints).set(name, waiting.print);
    await this.#store.set(this.#server, prints, this.#prints);
    this.#prints = prints;
    this.#offered = new Map(this.#offered).set(name, waiting.tool);
    this.#withheld = without(this.#withheld, name);
    this.#changed = without(this.#changed, name);
    this.tools = [...this.#offered.values()];
    return { added: [name] };
  }

  /** Throws `not_allowed` for a withheld tool, and `unknown_tool` for a tool that the server does not list. */
  assertCallable(name: string): void {
    if (this.#offered.has(name)) return;
    const [tool, server] = [JSON.stringify(name), JSON.stringify(this.#server)];
    const reason = this.#withheld.get(name);
    if (reason !== undefined)
      throw new ToolError('not_allowed', `The tool ${tool} of MCP server ${server} is disabled: ${reason}.`);
    if (!passesFilter(name, this.#filter))
      throw new ToolError('not_allowed', `The tool ${tool} of MCP server ${server} is not offered here.`);
    const near = didYouMean(name, this.#offered.keys());
    throw new ToolError('unknown_tool', `MCP server ${server} has no tool ${tool}.${near}`);
  }
}

function without<Value>(map: ReadonlyMap<string, Value>, name: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([key]) => key !== name));
}

function changesOf(changes: Record<keyof ToolChanges, readonly unknown[]>): ToolChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, list]) => list.length > 0));
}
