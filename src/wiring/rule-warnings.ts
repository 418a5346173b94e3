import { type UnboundName, unboundNames, type WrittenName } from '../access/rules/rule-names.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import { isMcpName } from '../core/tool-names.js';
import type { McpClient } from '../host/mcp-client.js';
import type { Permissions } from '../host/permissions.js';
import { unmetMatchers } from '../pipeline/hooks/unmet-matchers.js';
import type { RunSettings } from '../pipeline/run/settings.js';

/** Where names of tools are written down. */
export interface RuleWarningParts {
  readonly registry: ToolRegistry;
  readonly permissions: Permissions & { readonly restrictions?: (() => readonly WrittenName[]) | undefined };
  /** As the host passed it, before grants are laid over it. */
  readonly settings: Pick<RunSettings, 'policy' | 'hooks'>;
  readonly mcp: McpClient | undefined;
  /** Whether the host itself finds tools when they are called. */
  readonly mayCome: boolean;
}

/**
 * Warns of deny and ask rules, entries of the policy and matchers of hooks that mean no tool, each once: what was to be
 * kept from running runs.
 */
export function warnOfRules(
  { registry, permissions, settings: { policy, hooks }, mcp, mayCome }: RuleWarningParts,
  tell: (unbound: UnboundName) => void,
): void {
  const { written } = policy as { readonly written?: () => readonly WrittenName[] };
  const names = [...(permissions.restrictions?.() ?? []), ...(written?.() ?? [])];
  const servers = mcp?.servers().map(({ name }) => name) ?? [];
  const unbound = [
    ...unboundNames(names, registry, { servers, mayCome }),
    ...unmetMatchers(hooks, registry, (matcher) => mayCome || (servers.length > 0 && isMcpName(matcher))),
  ];
  for (const one of unbound) {
    const meant = one.near === undefined ? '' : ` Did you mean ${JSON.stringify(one.near)}?`;
    process.emitWarning(`${one.rule}: ${one.reason}${meant}`, { code: 'TOOLWRIGHT_RULE' });
    tell(one);
  }
}
