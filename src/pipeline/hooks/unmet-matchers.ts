import { type RuleNames, slipOf, type UnboundName } from '../../access/rules/rule-names.js';
import { builtinName, knownNames } from '../../core/tool-names.js';
import type { CompiledHooks } from './compile-hooks.js';

/**
 * The matchers of hooks that meet no tool, and those with a word, such as `Wirte|Edit`, that is nearly a known name.
 * Where other tools may come when they are called, only the latter.
 */
export function unmetMatchers(
  { before, after, afterFailure }: CompiledHooks,
  tools: RuleNames,
  mayCome: (matcher: string) => boolean,
): readonly UnboundName[] {
  const names = [...tools.names(), ...knownNames];
  const unmet = new Map<string, UnboundName>();
  for (const { matcher = '*', matches } of [...before, ...after, ...afterFailure]) {
    const words = matcher.split('|').filter((word) => /^[\w-]+$/.test(word));
    const slip = words.map((word) => slipOf(word, tools)).find((near) => near !== undefined);
    if (slip === undefined && (mayCome(matcher) || names.some((name) => matches(name)))) continue;
    const near = slip ?? words.map(builtinName).find((name) => name !== undefined);
    const reason = `A hook has the matcher ${matcher}, which ${slip === undefined ? 'meets no tool' : 'names no tool'}.`;
    unmet.set(matcher, { rule: matcher, reason, ...(near === undefined ? {} : { near }) });
  }
  return [...unmet.values()];
}
