import { type BuiltinTool, builtinTools, type ToolTraits } from './builtin-tools.js';

const rows: readonly (readonly [name: string, says: BuiltinTool])[] = Object.entries(builtinTools);

/**
 * Every name that a tool of this library has in some configuration or version, so that a rule for one that is not there
 * is no slip.
 */
export const knownNames: readonly string[] = Object.keys(builtinTools);

/**
 * Other names under which models know the built-in tools. An alias counts only where no tool has that name itself, and
 * leads to a tool in one step.
 */
export const toolAliases: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries(rows.flatMap(([name, { aliases }]) => wordsOf(aliases).map((alias) => [alias, name]))),
);

/** Where an MCP tool comes from, as the server names itself and its tool: what rules and groups go by, not its name. */
export interface McpOrigin {
  readonly server: string;
  readonly tool: string;
}

/** True for names of the form `mcp__{server}__{tool}`, in any letter case. */
export function isMcpName(name: string): boolean {
  return /^mcp__/i.test(name);
}

const builtinNames: ReadonlyMap<string, string> = new Map(
  [...knownNames.map((name) => [name, name] as const), ...Object.entries(toolAliases)].map(([alias, name]) => [
    alias.toLowerCase(),
    name,
  ]),
);

/** Whether a name means a tool, where nothing but both names is known: in any letter case, and by the usual aliases. */
export function meansTool(name: string, tool: string): boolean {
  return name.toLowerCase() === tool.toLowerCase() || builtinName(name) === tool;
}

/** The built-in tool that a name means, by the usual aliases and in any letter case. */
export function builtinName(name: string): string | undefined {
  return builtinNames.get(name.toLowerCase());
}

/** What a built-in tool states of itself; undefined for a name that none has. */
export function builtinTool(name: string): BuiltinTool | undefined {
  return Object.hasOwn(builtinTools, name) ? builtinTools[name] : undefined;
}

/** What a tool states, or else the built-in one of its name. */
export function traitsOf({
  tool,
  traits,
}: {
  readonly tool: string;
  readonly traits?: ToolTraits | undefined;
}): ToolTraits {
  return traits ?? builtinTool(tool) ?? {};
}

/** The names of the built-in tools that state something. */
export function builtinsThat(states: (tool: BuiltinTool) => unknown): readonly string[] {
  return rows.flatMap(([name, tool]) => (states(tool) ? [name] : []));
}

/** The words of a text, which has one blank between two. */
export function wordsOf(text = ''): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
