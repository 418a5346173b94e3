import { didYouMean } from '../core/support/near-names.js';
import type { Tool } from '../core/tool.js';
import { builtinName, isMcpName, type McpOrigin } from '../core/tool-names.js';
import { builtinGroups, serverGroupPrefix } from './builtin-groups.js';
import { coversName, originsOf, ruleNameForm } from './rule.js';

/** The groups that a policy defines, by name, each a list of entries. */
export type OwnGroups = ReadonlyMap<string, readonly string[]>;

const groupPrefix = 'group:';

/**
 * A list of a policy. Its entries are tool names, aliases, names with `*`, `group:name`, or `*`. Deny lists are
 * `folded`: letter case is ignored, and an alias of a built-in tool also means that tool.
 */
export class PolicyList {
  readonly #isFolded: boolean;
  // The values of both maps are the entries as the host wrote them, for explanations.
  readonly #labels = new Map<string, string>();
  readonly #patterns = new Map<string, string>();

  /**
   * Throws a TypeError that suggests similar names if an entry is invalid, because an entry that silently never matches
   * gives no protection.
   */
  constructor(where: string, entries: readonly string[], letterCase: 'exact' | 'folded', ownGroups: OwnGroups) {
    this.#isFolded = letterCase === 'folded';
    for (const entry of entries) this.#add(where, entry, entry, ownGroups, []);
  }

  /**
   * Removes the given tool names from the list. A removed tool still matches if it declares a group that is in the
   * list.
   */
  without(names: readonly string[]): void {
    for (const name of names) this.#labels.delete(this.#fold(name));
  }

  /** The entry that matches the tool; undefined if no entry matches. */
  match({ exact, folded, name, mcp }: PolicySubject): string | undefined {
    for (const label of this.#isFolded ? folded : exact) {
      const entry = this.#labels.get(label);
      if (entry !== undefined) return entry;
    }
    const called = { name, mcp, isCalled: never };
    for (const [pattern, entry] of this.#patterns) {
      const rule = { text: entry, tool: pattern, pattern: undefined };
      if (coversName(rule, called, this.#isFolded ? 'folded' : 'exact')) return entry;
    }
    return undefined;
  }

  #add(where: string, entry: unknown, written: string, ownGroups: OwnGroups, trail: readonly string[]): void {
    if (typeof entry !== 'string')
      throw new TypeError(`${where}: ${JSON.stringify(entry)} must be text, such as "Read" or "group:fs"`);
    if (entry.startsWith(groupPrefix))
      this.#addGroup(where, entry.slice(groupPrefix.length), written, ownGroups, trail);
    else this.#addName(where, entry, written);
  }

  #addGroup(where: string, group: string, written: string, ownGroups: OwnGroups, trail: readonly string[]): void {
    if (trail.includes(group))
      throw new TypeError(
        `${where}: the groups contain each other: ${[...trail, group].map((name) => groupPrefix + name).join(', ')}`,
      );
    this.#put(this.#labels, groupPrefix + group, written);
    if (group.startsWith(serverGroupPrefix) && group.length > serverGroupPrefix.length) return;
    const builtin = Object.hasOwn(builtinGroups, group) ? builtinGroups[group] : undefined;
    const own = ownGroups.get(group);
    if (builtin === undefined && own === undefined) throw unknownGroup(where, group, ownGroups);
    for (const member of builtin ?? []) this.#put(this.#labels, member, written);
    for (const member of own ?? [])
      this.#add(`${where}: ${groupPrefix}${group}`, member, written, ownGroups, [...trail, group]);
  }

  #addName(where: string, name: string, written: string): void {
    if (!ruleNameForm.test(name)) {
      throw new TypeError(
        `${where}: ${JSON.stringify(name)} must be the name of a tool, a name with *, or group:name. Put rules with brackets into permissions.`,
      );
    }
    if (Object.hasOwn(builtinGroups, name) && builtinGroups[name]?.length !== 0) {
      throw new TypeError(`${where}: ${name} is a group. Write "${groupPrefix}${name}".`);
    }
    if (name !== '*' && (name.includes('*') || isMcpName(name))) this.#put(this.#patterns, name, written);
    else this.#put(this.#labels, name, written);
    if (!this.#isFolded) return;
    // The built-in tool stays denied even if another tool is registered under the alias later.
    this.#put(this.#labels, builtinName(name) ?? name, written);
  }

  #put(places: Map<string, string>, place: string, written: string): void {
    const key = this.#fold(place);
    if (!places.has(key)) places.set(key, written);
  }

  #fold(text: string): string {
    return this.#isFolded ? text.toLowerCase() : text;
  }
}

function unknownGroup(where: string, group: string, ownGroups: OwnGroups): TypeError {
  const known = [...Object.keys(builtinGroups), ...ownGroups.keys()].map((name) => groupPrefix + name);
  return new TypeError(
    `${where}: ${JSON.stringify(groupPrefix + group)} is not a group.${didYouMean(groupPrefix + group, known)} To define a group of your own, add it to the option groups. Its list may be empty if the tools declare the group.`,
  );
}

// The `isCalled` for entries with a pattern. It is always false, because `match` has already compared the aliases.
function never(): boolean {
  return false;
}

/** The current names and groups of the registered tools, for a policy. */
export interface ToolCatalogue {
  aliasesOf(name: string): readonly string[];
  /** The groups of the tool, besides those that it declares. */
  groupsOf(name: string): readonly string[];
}

/** The properties of a tool that a policy compares: its names, its groups and its MCP server. */
export interface PolicySubject {
  readonly name: string;
  readonly mcp: McpOrigin | undefined;
  /** The entries that would match the tool, besides patterns such as `web_*`: `*`, its name, groups and aliases. */
  readonly exact: readonly string[];
  /** The same in lower case, for deny lists. */
  readonly folded: readonly string[];
}

/** Collects the names and groups of a tool from its definition and from a catalogue. */
export function subjectOf({ name, groups: declared, mcp }: Tool, catalogue: ToolCatalogue): PolicySubject {
  const groups = [...declared, ...catalogue.groupsOf(name)];
  // The servers that the name may mean, if the tool does not declare its server.
  const hasServer = mcp !== undefined || groups.some((group) => group.startsWith(serverGroupPrefix));
  const servers = hasServer ? [] : originsOf({ name, mcp }, false).map(({ server }) => serverGroupPrefix + server);
  const isOfServer = hasServer || isMcpName(name);
  const labels = (of: readonly string[]) => [
    ...['*', name],
    ...[...groups, ...(isOfServer ? ['mcp'] : []), ...of].map((group) => groupPrefix + group),
    ...catalogue.aliasesOf(name),
  ];
  // If the name may mean several servers, a deny list matches each of these servers, and an allow list none.
  return {
    name,
    mcp,
    exact: labels(servers.length === 1 ? servers : []),
    folded: labels(servers).map((l) => l.toLowerCase()),
  };
}
