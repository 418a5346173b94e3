import { toolAliases } from './names.js';
import { nearNames } from './near-names.js';
import type { JsonSchemaObject, Tool } from './tool.js';

/** One entry of the list that is sent to a model. */
export interface ToolDefinitionJson {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchemaObject;
}

/** What a registry tells its listeners. */
export interface RegistryEvent {
  readonly type: 'tool-register' | 'tool-unregister';
  readonly name: string;
}

/** A fixed view of the tools of a registry: what one run of calls sees, whatever is registered meanwhile. */
export type ToolSnapshot = ReadonlyMap<string, Tool>;

/**
 * The tools on offer, in prompt order, with marks: allowed (runs without asking) and disabled (not listed, not run).
 * It does not execute, and knows neither policies nor permissions.
 */
export class ToolRegistry {
  #tools = new Map<string, Tool>();
  #isShared = false;
  #list: readonly ToolDefinitionJson[] | undefined;
  readonly #aliases: Map<string, string>;
  readonly #allowed = new Set<string>();
  readonly #disabled = new Set<string>();
  readonly #groups = new Map<string, readonly string[]>();
  readonly #definitions = new WeakMap<Tool, ToolDefinitionJson>();
  readonly #listeners = new Set<(event: RegistryEvent) => void>();

  constructor(options: { readonly aliases?: Readonly<Record<string, string>> } = {}) {
    this.#aliases = new Map(Object.entries(options.aliases ?? toolAliases));
  }

  /** Adds tools at the end; a tool of the same name is replaced in place. Throws a TypeError for what is no tool. */
  register(...tools: readonly Tool[]): this {
    for (const tool of tools) assertTool(tool);
    for (const tool of tools) {
      this.#own().set(tool.name, tool);
      this.#tell({ type: 'tool-register', name: tool.name });
    }
    return this;
  }

  /** Removes a tool; false when there was none. Its marks go with it. */
  unregister(name: string): boolean {
    if (!this.#tools.has(name)) return false;
    this.#own().delete(name);
    this.#allowed.delete(name);
    this.#disabled.delete(name);
    this.#tell({ type: 'tool-unregister', name });
    return true;
  }

  /** Removes every tool whose name begins with `prefix` and says how many there were. */
  unregisterPrefix(prefix: string): number {
    const names = this.names().filter((name) => name.startsWith(prefix));
    for (const name of names) this.unregister(name);
    return names.length;
  }

  /** The tool of exactly this name. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** All names, in the order of registration. */
  names(): string[] {
    return [...this.#tools.keys()];
  }

  /** Lets `alias` stand for `name`. A tool that is itself called `alias` always wins. */
  alias(alias: string, name: string): this {
    this.#aliases.set(alias, name);
    return this;
  }

  /** The aliases that lead to a registered tool. */
  aliases(): ReadonlyMap<string, string> {
    return new Map([...this.#aliases].filter(([alias, name]) => this.#tools.has(name) && !this.#tools.has(alias)));
  }

  /** Finds a tool by name, then by alias, then by the only name that differs in letter case alone. */
  find(name: string, tools: ToolSnapshot = this.#tools): Tool | undefined {
    const exact = tools.get(name);
    if (exact !== undefined) return exact;
    const alias = this.#aliases.get(name);
    const aliased = alias === undefined ? undefined : tools.get(alias);
    if (aliased !== undefined) return aliased;
    const folded = name.toLowerCase();
    const alike = [...tools.values()].filter((tool) => tool.name.toLowerCase() === folded);
    return alike.length === 1 ? alike[0] : undefined;
  }

  /** Up to three listed names that a slip away from `name` would give. */
  near(name: string): string[] {
    return nearNames(
      name,
      this.names().filter((candidate) => !this.#disabled.has(candidate)),
    );
  }

  /** Marks tools that run without asking unless a deny or ask rule says otherwise. */
  allow(...names: readonly string[]): this {
    for (const name of names) this.#allowed.add(name);
    return this;
  }

  /** Takes tools off the list; a call answers `not_allowed`. */
  disable(...names: readonly string[]): this {
    for (const name of names) this.#disabled.add(name);
    this.#list = undefined;
    return this;
  }

  /** Puts disabled tools back. */
  enable(...names: readonly string[]): this {
    for (const name of names) this.#disabled.delete(name);
    this.#list = undefined;
    return this;
  }

  isAllowed(name: string): boolean {
    return this.#allowed.has(name);
  }

  isDisabled(name: string): boolean {
    return this.#disabled.has(name);
  }

  /** Names a group of tools, for policies (`group:name`). */
  setGroup(group: string, names: readonly string[]): this {
    this.#groups.set(group, [...names]);
    return this;
  }

  /** Every group with its members: those named by {@link setGroup} and those the tools themselves declare. */
  groups(): ReadonlyMap<string, readonly string[]> {
    const groups = new Map<string, string[]>();
    for (const tool of this.#tools.values()) {
      for (const group of tool.groups) groups.set(group, [...(groups.get(group) ?? []), tool.name]);
    }
    for (const [group, names] of this.#groups) groups.set(group, [...new Set([...(groups.get(group) ?? []), ...names])]);
    return groups;
  }

  /** What the model is told, in order, without disabled tools. The whole list is made once and kept until the registry changes. */
  definitions(select?: (tool: Tool) => boolean): readonly ToolDefinitionJson[] {
    if (select !== undefined)
      return Object.freeze(
        this.#listed()
          .filter(select)
          .map((tool) => this.#definition(tool)),
      );
    this.#list ??= Object.freeze(this.#listed().map((tool) => this.#definition(tool)));
    return this.#list;
  }

  /** The tools as they stand now; later changes do not reach it. */
  snapshot(): ToolSnapshot {
    this.#isShared = true;
    return this.#tools;
  }

  /** A registry of its own with the same tools, aliases, marks and groups, and no listeners. */
  clone(): ToolRegistry {
    const copy = new ToolRegistry({ aliases: Object.fromEntries(this.#aliases) });
    copy
      .register(...this.#tools.values())
      .allow(...this.#allowed)
      .disable(...this.#disabled);
    for (const [group, names] of this.#groups) copy.setGroup(group, names);
    return copy;
  }

  /** Calls `listener` at each register and unregister until the returned function is called. What it throws is swallowed. */
  subscribe(listener: (event: RegistryEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #listed(): Tool[] {
    return [...this.#tools.values()].filter((tool) => !this.#disabled.has(tool.name));
  }

  #definition(tool: Tool): ToolDefinitionJson {
    let definition = this.#definitions.get(tool);
    if (definition === undefined) {
      definition = Object.freeze({ name: tool.name, description: tool.description, inputSchema: tool.input.json });
      this.#definitions.set(tool, definition);
    }
    return definition;
  }

  // Copy on write: a snapshot that was handed out is never changed.
  #own(): Map<string, Tool> {
    if (this.#isShared) this.#tools = new Map(this.#tools);
    this.#isShared = false;
    this.#list = undefined;
    return this.#tools;
  }

  #tell(event: RegistryEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // Observing a registry never changes it.
      }
    }
  }
}

function assertTool(tool: Tool): void {
  const isTool = typeof tool === 'object' && tool !== null && typeof tool.name === 'string' && typeof tool.execute === 'function';
  if (!isTool || typeof tool.input?.parse !== 'function') throw new TypeError('register takes tools made by Tool.define(name, definition)');
}
