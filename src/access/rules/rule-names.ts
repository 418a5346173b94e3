import { slipsOf } from '../../core/support/near-names.js';
import { builtinName, isMcpName, knownNames, toolAliases } from '../../core/tool-names.js';
import { builtinGroups } from './groups.js';

/** What rules are compared with: the names that a registry knows. */
export interface RuleNames {
  names(): readonly string[];
  aliases(): ReadonlyMap<string, string>;
  groups(): ReadonlyMap<string, readonly string[]>;
}

const builtin: readonly string[] = [...knownNames, ...Object.keys(toolAliases), ...Object.keys(builtinGroups)];

/**
 * The known name that a rule nearly names, by one that nothing has: one slip away, two where the name is long enough
 * that they are no chance.
 */
export function slipOf(
  name: string,
  tools?: RuleNames,
  isMeant: (known: string) => boolean = () => true,
): string | undefined {
  if (name.includes('*') || isMcpName(name) || name.startsWith('sessions_')) return undefined;
  const known = [
    ...builtin,
    ...(tools === undefined ? [] : [...tools.names(), ...tools.aliases().keys(), ...tools.groups().keys()]),
  ];
  if (known.some((one) => one.toLowerCase() === name.toLowerCase())) return undefined;
  return slipsOf(name, known, name.length < 8 ? 1 : 2).find(isMeant);
}

/**
 * The known name that a rule or a policy can only mean: letters of it swapped, doubled or, inside, left out. `Tasks` or
 * `Dash` may be a tool that comes later.
 */
export function typoOf(name: string, tools: RuleNames): string | undefined {
  const written = name.toLowerCase();
  const letters = (text: string) => [...text.replaceAll(/(.)\1+/g, '$1')].sort().join('');
  return slipOf(name, tools, (known) => {
    const meant = known.toLowerCase();
    return meant.length > 3 && (letters(meant) === letters(written) || isShortened(written, meant));
  });
}

/** Whether letters inside of a word were left out. */
function isShortened(written: string, meant: string): boolean {
  if (!/^[a-z]{3,} [a-z]+$/.test(`${written} ${meant}`) || written.at(-1) !== meant.at(-1) || written[0] !== meant[0])
    return false;
  let at = -1;
  return [...written].every((letter) => {
    at = meant.indexOf(letter, at + 1);
    return at !== -1;
  });
}

/** Names that are written down, and where: rules, entries of a policy, matchers of hooks. */
export interface WrittenName {
  /** The whole rule or entry. */
  readonly text: string;
  /** What of it names a tool, in which `*` stands for any characters. */
  readonly name: string;
  readonly where: string;
}

/** A rule, an entry of a policy or a matcher of a hook that means no tool. */
export interface UnboundName {
  readonly rule: string;
  readonly reason: string;
  /** The known name that is nearest to it, if one is near. */
  readonly near?: string;
}

/**
 * The names that mean no tool there is, no tool of this library in another configuration, and no MCP server. Where
 * other tools may come when they are called, only those that are near a known name.
 */
export function unboundNames(
  written: readonly WrittenName[],
  tools: RuleNames,
  { servers, mayCome }: { readonly servers: readonly string[]; readonly mayCome: boolean },
): readonly UnboundName[] {
  const known = [...tools.names(), ...tools.aliases().keys(), ...servers.map((server) => `mcp__${plain(server)}`)];
  return written.flatMap(({ text, name, where }) => {
    if (builtinName(name) !== undefined || /^mcp__\*/i.test(name)) return [];
    const form = new RegExp(`^${name.split('*').map(escaped).join('.*')}${isMcpName(name) ? '(?:__.*)?' : ''}$`, 'i');
    const isMeant = (one: string) => form.test(one) || (isMcpName(one) && isOfServer(name, one));
    if (known.some(isMeant)) return [];
    const near = isMcpName(name) ? slipsOf(name, known, 2)[0] : slipOf(name, tools);
    if (mayCome && near === undefined) return [];
    return [
      { rule: text, reason: `${where} names ${name}, which is no tool.`, ...(near === undefined ? {} : { near }) },
    ];
  });
}

/** Whether a name speaks of a tool of a server, which may not be known yet. */
function isOfServer(name: string, server: string): boolean {
  return plain(name).toLowerCase().startsWith(`${server.toLowerCase()}__`);
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_*-]/g, '_');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&');
}
