import { type BuiltinTool, builtinToolFacts, type ToolTraits } from './builtin-tool-facts.js';

const rows: readonly (readonly [name: string, row: BuiltinTool])[] = Object.entries(builtinToolFacts);

/** The name of each built-in tool, registered or not: a rule with such a name is not a typing error. */
export const knownNames: readonly string[] = Object.keys(builtinToolFacts);

/**
 * Other names that models use for the built-in tools. An alias applies only if no tool has that name, and never leads
 * to another alias.
 */
export const toolAliases: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries(rows.flatMap(([name, { aliases }]) => splitWords(aliases).map((alias) => [alias, name]))),
);

/**
 * The server of an MCP tool, and the name of the tool on that server. Rules and groups match these two names, not the
 * registered name.
 */
export interface McpOrigin {
  readonly server: string;
  readonly tool: string;
}

/** True for names with the prefix `mcp__` of MCP tools (`mcp__{server}__{tool}`), in any letter case. */
export function isMcpName(name: string): boolean {
  return /^mcp__/i.test(name);
}

const builtinNames: ReadonlyMap<string, string> = new Map(
  [...knownNames.map((name) => [name, name] as const), ...Object.entries(toolAliases)].map(([alias, name]) => [
    alias.toLowerCase(),
    name,
  ]),
);

/** Whether two names mean the same tool, in any letter case and through the built-in aliases. */
export function meansTool(name: string, tool: string): boolean {
  return name.toLowerCase() === tool.toLowerCase() || builtinName(name) === tool;
}

/** The built-in tool that a name or alias means, in any letter case. */
export function builtinName(name: string): string | undefined {
  return builtinNames.get(name.toLowerCase());
}

/** The facts about a built-in tool; undefined for any other name. */
export function builtinTool(name: string): BuiltinTool | undefined {
  return Object.hasOwn(builtinToolFacts, name) ? builtinToolFacts[name] : undefined;
}

/** The traits of a tool: its own traits, or else the traits of the built-in tool with the same name. */
export function traitsOf({
  tool,
  traits,
}: {
  readonly tool: string;
  readonly traits?: ToolTraits | undefined;
}): ToolTraits {
  return traits ?? builtinTool(tool) ?? {};
}

/** The names of the built-in tools for which `isWanted` is true. */
export function builtinsThat(isWanted: (tool: BuiltinTool) => unknown): readonly string[] {
  return rows.flatMap(([name, tool]) => (isWanted(tool) ? [name] : []));
}

/** Splits a text at single spaces. */
export function splitWords(text = ''): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

export class ToolAliases {
  readonly #names: Map<string, string>;
  readonly #byName = new Map<string, readonly string[]>();

  constructor(aliases: Readonly<Record<string, string>> = toolAliases) {
    this.#names = new Map(Object.entries(aliases));
  }

  set(alias: string, name: string): void {
    this.#names.set(alias, name);
    this.#byName.clear();
  }

  /** Every alias with its name. */
  entries(): readonly (readonly [alias: string, name: string])[] {
    return [...this.#names];
  }

  /** The aliases of the given tools, without aliases that are the name of another tool. */
  leadingTo(tools: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
    return new Map([...this.#names].filter(([alias, name]) => tools.has(name) && !tools.has(alias)));
  }

  /** The aliases of a tool name, without aliases that are the name of another tool. */
  of(name: string, tools: ReadonlyMap<string, unknown>): readonly string[] {
    let known = this.#byName.get(name);
    if (known === undefined) {
      known = [...this.#names.keys()].filter((alias) => this.#names.get(alias) === name);
      this.#byName.set(name, known);
    }
    return known.length === 0 ? known : known.filter((alias) => !tools.has(alias));
  }

  /**
   * Finds a value by its name, then through an alias, then by its name in another letter case if exactly one value has
   * such a name.
   */
  find<Value>(name: string, values: ReadonlyMap<string, Value>): Value | undefined {
    const known = values.get(name) ?? values.get(this.#names.get(name) ?? name);
    if (known !== undefined) return known;
    const folded = name.toLowerCase();
    const alike = [...values].filter(([other]) => other.toLowerCase() === folded);
    return alike.length === 1 ? alike[0]?.[1] : undefined;
  }
}
