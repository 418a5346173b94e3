import { slipsOf } from '../core/support/near-names.js';
import { builtinName, isMcpName, knownNames, toolAliases } from '../core/tool-names.js';
import { builtinGroups } from './builtin-groups.js';
import { calledTool, coversName } from './rule.js';

/** The tool names, aliases and groups of a registry. Names in rules are compared with them. */
export interface RuleNames {
  names(): readonly string[];
  aliases(): ReadonlyMap<string, string>;
  aliasesOf(name: string): readonly string[];
  groups(): ReadonlyMap<string, readonly string[]>;
}

const builtin: readonly string[] = [...knownNames, ...Object.keys(toolAliases), ...Object.keys(builtinGroups)];

/** Finds a known name within one edit of an unknown name, or within two edits of a name of 8 letters or more. */
export function slipOf(
  name: string,
  tools: readonly RuleNames[],
  isMeant: (known: string) => boolean = () => true,
): string | undefined {
  if (name.includes('*') || isMcpName(name) || name.startsWith('sessions_')) return undefined;
  const known = [
    ...builtin,
    ...tools.flatMap((one) => [...one.names(), ...one.aliases().keys(), ...one.groups().keys()]),
  ];
  if (known.some((one) => one.toLowerCase() === name.toLowerCase())) return undefined;
  return slipsOf(name, known, name.length < 8 ? 1 : 2).find(isMeant);
}

/**
 * Finds the known name if the given name is certainly a misspelling of it. In such a misspelling, two letters are
 * swapped, a letter is doubled, or an inner letter is missing. In names of tools and groups of five letters or more,
 * one letter inside the name may also be wrong or added. Other near names (`Tasks`, `Dash`, `Lint`) are not reported,
 * since a tool with that name may be registered later.
 */
function typoOf(name: string, tools: readonly RuleNames[]): string | undefined {
  const written = name.toLowerCase();
  const letters = (text: string) => [...text.replaceAll(/(.)\1+/g, '$1')].sort().join('');
  const ends = (text: string) => `${text[0]}${text.at(-1)}`;
  return slipOf(name, tools, (known) => {
    const meant = known.toLowerCase();
    if (meant.length < 4 || letters(meant) === letters(written)) return meant.length > 3;
    if (ends(meant) !== ends(written) || slipsOf(name, [known], 1).length === 0) return false;
    // Aliases are common words, so other tools may have similar names: `Spell` is not a misspelling of `shell`.
    const isTool = meant.length > 4 && !Object.hasOwn(toolAliases, known);
    return isTool || (written.length < meant.length && /^[a-z]+$/.test(meant));
  });
}

/**
 * Throws a TypeError for a name that is certainly a misspelling; `next` tells the host what to do if it has a tool with
 * this name.
 */
export function assertNames(what: string, names: readonly string[], tools: readonly RuleNames[], next: string): void {
  for (const name of names) {
    const meant = typoOf(name, tools);
    if (meant === undefined) continue;
    const help = `If ${name} is a tool of yours, ${next}, or rename it.`;
    throw new TypeError(`${what} names ${name}, which is not a tool. Did you mean ${JSON.stringify(meant)}? ${help}`);
  }
}

/**
 * Whether a deny rule with this name matches a known tool: a registered tool, a built-in tool that is switched off, or
 * a tool that a known MCP server may add.
 */
export function namesKnownTool(name: string, tools: RuleNames, servers: readonly string[]): boolean {
  const rule = { text: name, tool: name, pattern: undefined };
  const denies = (tool: string) =>
    coversName(rule, calledTool({ tool, aliases: tools.aliasesOf(tool) }, 'folded'), 'folded');
  // A rule for all servers is never reported, even if no server is connected.
  if (/^mcp__\*/i.test(name) || tools.names().some(denies)) return true;
  const builtin = builtinName(name);
  if (builtin !== undefined) return !tools.names().includes(builtin);
  const fold = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9*]/g, '');
  const isOfServer = servers.some((server) => fold(name).startsWith(fold(`mcp__${server}`)));
  return isOfServer && mcpSlipOf(name, tools, []) === undefined;
}

/** Finds the MCP tool, or else the MCP server, that a misspelt name probably means. */
export function mcpSlipOf(name: string, tools: RuleNames, servers: readonly string[]): string | undefined {
  const [, server = '', tool = '*'] = /^mcp__(.+?)(?:__(.*))?$/i.exec(name) ?? [];
  const [near] = tool.includes('*') ? [] : slipsOf(name, tools.names().filter(isMcpName), 1);
  return near ?? slipsOf(server, servers, server.length < 5 ? 1 : 2).map((known) => `mcp__${known}`)[0];
}
