import { toolAliases } from '../tool-names.js';

/** Other names that tools are found by. */
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

  /** Every alias with the name it stands for. */
  entries(): readonly (readonly [alias: string, name: string])[] {
    return [...this.#names];
  }

  /** The aliases that stand for one of the tools and are not the name of another. */
  leadingTo(tools: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
    return new Map([...this.#names].filter(([alias, name]) => tools.has(name) && !tools.has(alias)));
  }

  /** The aliases of a name that are not the name of another tool. */
  of(name: string, tools: ReadonlyMap<string, unknown>): readonly string[] {
    const known = this.#byName.get(name) ?? [...this.#names.keys()].filter((alias) => this.#names.get(alias) === name);
    this.#byName.set(name, known);
    return known.length === 0 ? known : known.filter((alias) => !tools.has(alias));
  }

  /** What stands under a name, then under the one it is an alias of, then under the only one in another letter case. */
  find<Value>(name: string, values: ReadonlyMap<string, Value>): Value | undefined {
    const known = values.get(name) ?? values.get(this.#names.get(name) ?? name);
    if (known !== undefined) return known;
    const folded = name.toLowerCase();
    const alike = [...values].filter(([other]) => other.toLowerCase() === folded);
    return alike.length === 1 ? alike[0]?.[1] : undefined;
  }
}
