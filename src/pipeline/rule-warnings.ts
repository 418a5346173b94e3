import { parseRule } from '../access/rules/rule.js';
import { isBound, slipOf } from '../access/rules/rule-names.js';
import type { ToolEvent } from '../core/event.js';
import { builtinName, knownNames } from '../core/tool-names.js';
import type { McpClient } from '../host/mcp-client.js';
import type { ToolResolver } from '../host/tool-resolver.js';
import type { RunSettings } from './run/settings.js';

type RuleWarning = Omit<Extract<ToolEvent, { readonly type: 'rule-warning' }>, 'type'>;

/**
 * Warns, once, of deny and ask rules, names in the policy and matchers of hooks that mean no tool: what they were to
 * stop runs. Where a resolver of the host may bring tools, only those count that are near a known name.
 */
export function ruleCheck(
  { registry, permissions, policy, hooks }: RunSettings,
  hosts: { readonly mcp: McpClient | undefined; readonly toolResolver: ToolResolver | undefined },
  tell: (warning: RuleWarning) => void,
): () => void {
  const { names = [] } = policy as { readonly names?: readonly string[] };
  const found = new Map<string, RuleWarning>();
  const add = (rule: string, reason: string, near: string | undefined) => {
    if (near !== undefined) found.set(rule, { rule, reason, near });
    else if (hosts.toolResolver === undefined) found.set(rule, { rule, reason });
  };
  let isChecked = false;
  return () => {
    if (isChecked) return;
    isChecked = true;
    const servers = hosts.mcp?.servers().map(({ name }) => name) ?? [];
    const { restrictions } = permissions as { readonly restrictions?: () => readonly string[] };
    for (const rule of [...(restrictions?.() ?? []), ...names]) {
      const { tool } = parseRule(rule);
      if (!isBound(tool, registry, servers)) add(rule, 'It means no tool.', slipOf(tool, registry));
    }
    const tools = [...registry.names(), ...knownNames];
    for (const { matcher = '*', matches } of [...hooks.before, ...hooks.after, ...hooks.afterFailure]) {
      const words = matcher.split('|').filter((word) => /^[\w-]+$/.test(word));
      const [slip] = words.flatMap((word) => slipOf(word, registry) ?? []);
      const [alias] = words.flatMap((word) => builtinName(word) ?? []);
      const isMet = tools.some(matches) || (alias === undefined && isBound(matcher, registry, servers));
      if (slip !== undefined || !isMet) add(matcher, 'This matcher of a hook means no tool.', slip ?? alias);
    }
    for (const warning of found.values()) {
      const meant = warning.near === undefined ? '' : ` Did you mean ${JSON.stringify(warning.near)}?`;
      process.emitWarning(`${warning.rule}: ${warning.reason}${meant}`, { code: 'TOOLWRIGHT_RULE' });
      tell(warning);
    }
  };
}
