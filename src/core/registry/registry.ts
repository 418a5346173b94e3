import { assertCategories, type PermissionCategory } from '../permission-category.js';
import { assertArgument, assertOptions, kindOf } from '../support/check-values.js';
import { Listeners } from '../support/listeners.js';
import { didYouMean, nearNames } from '../support/near-names.js';
import type { Tool } from '../tool.js';
import { ToolAliases } from '../tool-names.js';
import { assertTool, isSameMcpTool } from './assert-tool.js';
import { definitionReader, type ToolDefinitionJson } from './tool-definitions.js';
import { isDeferred, PendingTool, PendingTools, type ReadyOptions, type UnreadyTool } from './tools-with-init.js';

/** An event of a registry. */
export interface RegistryEvent {
  readonly type: 'tool-register' | 'tool-unregister';
  readonly name: string;
}

/** Options of a registry. */
export interface RegistryOptions {
  /** Aliases of tools. Default: the other names that models use for the built-in tools. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The working directory for init functions. Default: the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Tools that the registry starts with; a tool that replaces one of them needs `replace: true`. */
  readonly builtin?: Iterable<Tool>;
}

const kinds = { aliases: kindOf.textsByName, cwd: kindOf.text, builtin: kindOf.iterable };

/** The tools of a registry at one moment, for one run of calls; later changes do not affect the snapshot. */
export type ToolSnapshot = ReadonlyMap<string, Tool>;

/**
 * The tools in the order of registration, with two marks: allowed (runs without a question) and disabled (neither
 * listed nor run). A registry does not execute tools and does not read policies or permissions.
 */
export class ToolRegistry {
  #tools = new Map<string, Tool>();
  #isShared = false;
  #revision = 0;
  readonly #aliases: ToolAliases;
  readonly #allowed = new Set<string>();
  readonly #disabled = new Set<string>();
  readonly #builtin: ReadonlySet<Tool>;
  readonly #groups = new Map<string, readonly string[]>();
  readonly #pending: PendingTools;
  readonly #definitionOf = definitionReader();
  readonly #listeners = new Listeners<RegistryEvent>();

  constructor(options: RegistryOptions = {}) {
    assertOptions('ToolRegistry', options, kinds);
    this.#aliases = new ToolAliases(options.aliases);
    this.#pending = new PendingTools(options.cwd, (made) => this.#place(made));
    this.#builtin = new Set(options.builtin);
    this.#builtin.forEach(assertTool);
    for (const tool of this.#builtin) this.#add(tool);
  }

  /** Grows with each change of tools, marks, aliases or groups, so that caches of derived data can detect changes. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Adds tools at the end; a tool with `replace: true` replaces another tool of the same name. A tool that is made on
   * first use is listed when it is ready, and is then announced to listeners a second time. Throws a TypeError, before
   * adding any tool, for a value that is not a tool and for a name that another tool has.
   */
  register(...tools: readonly Tool[]): this {
    const names = new Map<string, Tool>();
    for (const tool of tools) {
      assertTool(tool);
      const known = names.get(tool.name) ?? this.#pending.originOf(this.#tools.get(tool.name));
      names.set(tool.name, tool);
      if (known === undefined || known === tool || tool.replace === true || isSameMcpTool(known, tool)) continue;
      const what = this.#builtin.has(known) ? 'a built-in tool' : 'registered already';
      const next = 'pass replace: true to Tool.define to replace it, or choose another name';
      throw new TypeError(`${tool.name} is ${what}: ${next}`);
    }
    for (const tool of tools) {
      const known = this.#pending.originOf(this.#tools.get(tool.name));
      // The mark `allowed` belongs to the replaced tool, not to its name. A tool with an init function is made once.
      if (known !== tool) this.#allowed.delete(tool.name);
      if (known !== tool || !isDeferred(tool)) this.#add(tool);
    }
    return this;
  }

  /**
   * Makes all tools that are made on first use. Parallel calls share one try of each tool; failed tools are tried
   * again. Resolves with the tools that are still not made and the reason for each. Never rejects.
   */
  ready(options: ReadyOptions = {}): Promise<readonly UnreadyTool[]> {
    return this.#pending.ready(options);
  }

  /** Whether a tool that is made on first use is neither made nor failed. A tool that exceeds its time has failed. */
  get hasPending(): boolean {
    return this.#pending.size > 0 && this.#pending.isAnyPending;
  }

  /** Removes a tool and its marks; false when there was none. */
  unregister(name: string): boolean {
    if (!this.#tools.has(name)) return false;
    this.#own().delete(name);
    this.#revision += 1;
    for (const marks of [this.#pending, this.#allowed, this.#disabled]) marks.delete(name);
    this.#listeners.tell({ type: 'tool-unregister', name });
    return true;
  }

  /** Removes every tool whose name begins with `prefix` and returns their number. */
  unregisterPrefix(prefix: string): number {
    assertArgument('unregisterPrefix takes a text', prefix, kindOf.anyText, "unregisterPrefix('mcp__')");
    return this.names().filter((name) => name.startsWith(prefix) && this.unregister(name)).length;
  }

  /** The tool of exactly this name. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** All names, in the order of registration. */
  names(): string[] {
    return [...this.#tools.keys()];
  }

  /** Makes `alias` an alias of the tool `name`. A tool with the name `alias` takes precedence. */
  alias(alias: string, name: string): this {
    assertArgument('alias takes the name of a tool second', name, kindOf.text, "alias('cat', 'Read')");
    this.#aliases.set(alias, name);
    this.#revision += 1;
    return this;
  }

  /** The aliases that lead to a registered tool. */
  aliases(): ReadonlyMap<string, string> {
    return this.#aliases.leadingTo(this.#tools);
  }

  /** The other names that lead to a tool. */
  aliasesOf(name: string): readonly string[] {
    return this.#aliases.of(name, this.#tools);
  }

  /** The groups that {@link setGroup} has put a tool into. */
  groupsOf(name: string): readonly string[] {
    return [...this.#groups.keys()].filter((group) => this.#groups.get(group)?.includes(name));
  }

  /** Finds a tool by its name, then by an alias, then by its name in another letter case if only one tool has it. */
  find(name: string, tools: ToolSnapshot = this.#tools): Tool | undefined {
    assertArgument('The name of a tool must be a text', name, kindOf.anyText, 'each name as a separate argument');
    return this.#aliases.find(name, tools);
  }

  /** Up to three listed names that are similar to `name`. */
  near(name: string): string[] {
    const names = this.#listed().map((tool) => tool.name);
    return nearNames(name, names);
  }

  /** Marks tools as allowed: they run without a question unless a deny or ask rule matches. */
  allow(...names: readonly string[]): this {
    for (const name of names) this.#allowed.add(this.find(name)?.name ?? name);
    this.#revision += 1;
    return this;
  }

  /**
   * Disables tools: they are not listed, and a call fails with `not_allowed`. The name of a missing tool applies to a
   * tool that is registered later; the process emits a warning if a registered tool has a similar name.
   */
  disable(...names: readonly string[]): this {
    for (const name of names) {
      const tool = this.find(name);
      const near = tool === undefined ? didYouMean(name, this.#tools.keys()) : '';
      if (near !== '') process.emitWarning(`disable: there is no tool ${name}.${near}`, { code: 'TOOLWRIGHT_RULE' });
      this.#disabled.add(tool?.name ?? name);
    }
    this.#revision += 1;
    return this;
  }

  /** Enables disabled tools again. */
  enable(...names: readonly string[]): this {
    for (const name of names) this.#disabled.delete(this.find(name)?.name ?? name);
    this.#revision += 1;
    return this;
  }

  /** Whether {@link allow} names the tool. */
  isAllowed(name: string): boolean {
    return this.#allowed.has(name);
  }

  /** Whether {@link disable} names the tool. */
  isDisabled(name: string): boolean {
    return this.#disabled.has(name);
  }

  /** Defines a group of tools, for policies (`group:name`). */
  setGroup(group: string, names: readonly string[]): this {
    assertArgument('setGroup takes a list of names second', names, kindOf.texts, `setGroup('${group}', ['Read'])`);
    this.#groups.set(group, [...names]);
    this.#revision += 1;
    return this;
  }

  /** Every group with its members, from {@link setGroup} and from the tools' own declarations. */
  groups(): ReadonlyMap<string, readonly string[]> {
    const groups = new Map<string, string[]>();
    for (const tool of this.#tools.values()) {
      for (const group of tool.groups) groups.set(group, [...(groups.get(group) ?? []), tool.name]);
    }
    for (const [group, names] of this.#groups)
      groups.set(group, [...new Set([...(groups.get(group) ?? []), ...names])]);
    return groups;
  }

  /**
   * The tools whose required permissions are all granted, in order, without disabled tools. A tool that is not ready
   * requires the permissions that it was registered with, or all four if it was registered without permissions.
   */
  enabled(granted: Iterable<PermissionCategory>): readonly Tool[] {
    const set = new Set(granted);
    assertCategories('enabled', [...set]);
    const isGranted = ({ name, permissions }: Tool) =>
      !this.#disabled.has(name) && permissions.required.every((category) => set.has(category));
    return [...this.#tools.values()].filter(isGranted);
  }

  /**
   * The definitions for the model, in order, without disabled tools, tools that are not ready, and tools whose schema
   * cannot be described. Each call returns a new copy, since frameworks modify it.
   */
  definitions(select: (tool: Tool) => boolean = () => true): ToolDefinitionJson[] {
    assertArgument('definitions takes a function of a tool', select, kindOf.callback, 'definitions((tool) => …)');
    return this.#listed().flatMap((tool) => (select(tool) ? (this.#definitionOf(tool) ?? []) : []));
  }

  /** The current tools; later changes do not affect the snapshot. */
  snapshot(): ToolSnapshot {
    this.#isShared = true;
    return this.#tools;
  }

  /**
   * An independent registry with the same tools, aliases, marks and groups, without listeners. A tool that is not made
   * yet is made once for both registries.
   */
  clone(): this {
    const aliases = Object.fromEntries(this.#aliases.entries());
    const options = { aliases, cwd: this.#pending.cwd, builtin: this.#builtin };
    const copy = new (this.constructor as new (given: RegistryOptions) => this)(options);
    copy.#own().clear();
    copy.#pending.startClone(this.#pending);
    for (const [name, tool] of this.#tools) copy.#place(tool, this.#pending.get(name));
    // The marks are copied as they are: allow() and disable() would look the names up again, and repeat warnings.
    for (const name of this.#allowed) copy.#allowed.add(name);
    for (const name of this.#disabled) copy.#disabled.add(name);
    for (const [group, names] of this.#groups) copy.setGroup(group, names);
    return copy;
  }

  /** Calls `listener` at each register and unregister, and ignores its errors. The returned function unsubscribes. */
  subscribe(listener: (event: RegistryEvent) => void): () => void {
    assertArgument('subscribe takes a function', listener, kindOf.callback, 'subscribe((event) => …)');
    return this.#listeners.add(listener);
  }

  #listed(): Tool[] {
    return [...this.#tools.values()].filter(({ name }) => !this.#disabled.has(name) && !this.#pending.has(name));
  }

  #add(tool: Tool): void {
    const pending = isDeferred(tool) ? new PendingTool(tool) : undefined;
    this.#place(pending?.standIn ?? tool, pending);
  }

  #place(tool: Tool, pending?: PendingTool): void {
    if (pending === undefined) this.#pending.delete(tool.name);
    else this.#pending.set(tool.name, pending);
    this.#own().set(tool.name, tool);
    for (const name of this.#disabled)
      if (name !== tool.name && this.find(name) === tool && this.#disabled.delete(name)) this.#disabled.add(tool.name);
    this.#revision += 1;
    this.#listeners.tell({ type: 'tool-register', name: tool.name });
  }

  // Copy on write: a returned snapshot never changes.
  #own(): Map<string, Tool> {
    if (this.#isShared) this.#tools = new Map(this.#tools);
    this.#isShared = false;
    return this.#tools;
  }
}
