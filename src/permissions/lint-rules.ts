import { ruleNames } from '../core/builtin-tool-facts.js';
import { builtinName, isMcpName } from '../core/tool-names.js';
import { lintRestriction, lintRule } from '../shell/assess/lint-command-rule.js';
import { type RuleNames, slipOf } from './misspelt-names.js';
import { checkChanges, parseRule, type Rule, type RuleChanges, toolsWithTargets } from './rule.js';

/** A rule that does not mean what it seems to mean. */
export interface RuleWarning {
  readonly list: 'allow' | 'ask' | 'deny';
  readonly rule: string;
  /** The actual meaning, in one line for the author of the rule. */
  readonly message: string;
}

/**
 * Warns about rules that do not mean what they seem to mean: allow rules that allow any code or any deletion
 * (`Bash(node *)`, `Bash(npm run *)`, `Bash(rm *)`, a bare `Bash`); ask and deny rules such as `Bash(rm)`, which do not
 * match `rm file`; patterns for tools without targets; unknown tool names. Without a registry, only likely misspellings
 * of a known name count as unknown. Throws a TypeError for an invalid rule, and if the argument is not an object with
 * the lists allow, ask and deny.
 */
export function lintRules(rules: RuleChanges, registry?: RuleNames): readonly RuleWarning[] {
  if (Array.isArray(rules))
    throw new TypeError(
      'lintRules takes an object with the lists allow, ask and deny, not one list: write { allow: rules }',
    );
  const { allow = [], ask = [], deny = [] } = checkChanges('lintRules', rules);
  const warningsOf = (
    list: RuleWarning['list'],
    rules: readonly string[],
    lint: (pattern: string) => string | undefined,
  ) =>
    rules.flatMap((text): RuleWarning[] => {
      const rule = parseRule(text);
      const { tool, pattern = '*' } = rule;
      const isOfCommands = tool === ruleNames.command || tool === '*';
      const message = lintName(tool, registry) ?? (isOfCommands ? lint(pattern) : lintPattern(rule, list));
      return message === undefined ? [] : [{ list, rule: text, message }];
    });
  return [
    ...warningsOf('allow', allow, lintRule),
    ...warningsOf('ask', ask, lintRestriction),
    ...warningsOf('deny', deny, lintRestriction),
  ];
}

// These names are never reported as unknown, because rules with them also apply to other tools: `Read(…)` to every tool
// that reads files.
const sharedRuleNames = new Set<string>(Object.values(ruleNames));

function lintName(tool: string, registry: RuleNames | undefined): string | undefined {
  const meant = slipOf(tool, registry === undefined ? [] : [registry]);
  if (meant !== undefined) return `It covers no call, since no tool is called ${tool}. Write ${meant}.`;
  if (registry === undefined || isMcpName(tool) || sharedRuleNames.has(builtinName(tool) ?? '')) return undefined;
  const form = new RegExp(`^${tool.replaceAll('*', '.*')}$`, 'i');
  const isKnown = [...registry.names(), ...registry.aliases().keys()].some((name) => form.test(name));
  return isKnown
    ? undefined
    : `It covers no call, since no tool is called ${tool}. Write a name that the registry lists.`;
}

function lintPattern({ tool, pattern = '*' }: Rule, list: RuleWarning['list']): string | undefined {
  const name = isMcpName(tool) ? tool : builtinName(tool);
  if (pattern === '*' || name === undefined || toolsWithTargets.includes(name)) return undefined;
  const what = list === 'allow' ? 'covers no call' : 'asks about every call';
  return `It ${what}, since ${tool} has no path, command, host or type that a pattern could match. Write ${tool} alone, which covers every call of the tool.`;
}
