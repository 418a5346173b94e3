import { slipsOf } from '../../core/support/near-names.js';
import { isMcpName, knownNames, toolAliases } from '../../core/tool-names.js';
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
 * The known name that a rule can only mean: letters of it swapped or doubled. `Tasks` or `Dash` may be a tool that
 * comes later.
 */
export function typoOf(name: string, tools: RuleNames): string | undefined {
  const letters = (text: string) => [...text.toLowerCase().replaceAll(/(.)\1+/g, '$1')].sort().join('');
  return slipOf(name, tools, (known) => known.length > 3 && letters(known) === letters(name));
}
