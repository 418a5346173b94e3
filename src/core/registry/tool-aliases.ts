import { toolAliases } from '../tool-names.js';

/** Other names of tools. */
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

  /** The aliases of the given tools, without those that are the name of another tool. */
  leadingTo(tools: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
    return new Map([...this.#names].filter(([alias, name]) => tools.has(name) && !tools.has(alias)));
  }

  /** The aliases of a name that are not the name of another tool. */
  of(name: string, tools: ReadonlyMap<string, unknown>): readonly string[] {
    const known = this.#byName.get(name) ?? [...this.#names.keys()].filter((alias) => this.#names.get(alias) === name);
    this.#byName.set(name, known);
    return known.length === 0 ? known : known.filter((alias) => !tools.has(alias));
  }

  /** Finds a value by its name, then by the name of an alias, then by the only name in another letter case. */
  find<Value>(name: string, values: ReadonlyMap<string, Value>): Value | undefined {
    const known = values.get(name) ?? values.get(this.#names.get(name) ?? name);
    if (known !== undefined) return known;
    const folded = name.toLowerCase();
    const alike = [...values].filter(([other]) => other.toLowerCase() === folded);
    return alike.length === 1 ? alike[0]?.[1] : undefined;
  }
}
