import { builtinName, isMcpName } from '../core/names.js';
import { lintRestriction, lintRule } from '../text/command/lint-command-rule.js';
import type { RuleChanges } from './permission-rules.js';
import { parseRule, type Rule } from './rule.js';

/** A rule that means something else than it looks. */
export interface RuleWarning {
  readonly list: 'allow' | 'ask' | 'deny';
  readonly rule: string;
  /** What it means in truth, in one line for whoever wrote it. */
  readonly message: string;
}

/**
 * Warns of `Bash` rules that mean something else than they look: allow rules that in truth allow any code (`Bash(node *)`, `Bash(npx *)`, `Bash(find *)`,
 * a bare `Bash`), and ask or deny rules that cover a command only without operands; and of patterns for tools that act on nothing a pattern could mean.
 * An empty list means that all is well.
 * Throws a TypeError for what is no rule.
 */
export function lintRules({ allow = [], ask = [], deny = [] }: RuleChanges): readonly RuleWarning[] {
  return [
    ...warningsOf('allow', allow, lintRule),
    ...warningsOf('ask', ask, lintRestriction),
    ...warningsOf('deny', deny, lintRestriction),
  ];
}

function warningsOf(list: RuleWarning['list'], rules: readonly string[], lint: (pattern: string) => string | undefined): RuleWarning[] {
  return rules.flatMap((rule) => {
    const parsed = parseRule(rule);
    const { tool, pattern = '*' } = parsed;
    const message = tool === 'Bash' || tool === '*' ? lint(pattern) : lintPattern(parsed);
    return message === undefined ? [] : [{ list, rule, message }];
  });
}

const withTargets: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'Write', 'Edit', 'NotebookEdit', 'Bash', 'WebFetch', 'Agent']);

function lintPattern({ tool, pattern = '*' }: Rule): string | undefined {
  const name = isMcpName(tool) ? tool : builtinName(tool);
  if (pattern === '*' || name === undefined || withTargets.has(name)) return undefined;
  return `It covers no call, since calls of ${tool} have nothing that a pattern is compared with. Write ${tool} for all of them.`;
}
