import type { ToolEvent } from '../core/event.js';
import { accessNumbers } from '../core/fixed-limits.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import { builtinName, knownNames } from '../core/tool-names.js';
import type { McpClient } from '../ports/mcp-client.js';
import type { Permissions } from '../ports/permissions.js';
import type { Policy } from '../ports/policy.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import { serverGroup } from './builtin-groups.js';
import { mcpSlipOf, namesKnownTool, type RuleNames, slipOf } from './misspelt-names.js';
import { pathMistake } from './path-pattern.js';
import { parseRule, type RuleChanges } from './rule.js';

type RuleWarning = Extract<ToolEvent, { readonly type: 'rule-warning' }>;

/** The part of a hook that says for which tools it runs. */
interface HookMatcher {
  /** The matcher as it was written; undefined for all tools. */
  readonly matcher: string | undefined;
  /** The names of tools in the matcher. */
  readonly words: readonly string[];
  matches(tool: string, known: Pick<ToolRegistry, 'aliasesOf'>): boolean;
}

/** The settings of a turn that may name tools. */
export interface NamingSettings {
  readonly registry: ToolRegistry;
  readonly permissions: Permissions;
  readonly policy: Policy;
  readonly rateLimiter?: RateLimiter | undefined;
  readonly hooks: Readonly<Record<'before' | 'after' | 'afterFailure', readonly HookMatcher[]>>;
}

/** Facts about the host that are not in the settings. */
export interface RuleHosts {
  readonly mcp?: McpClient | undefined;
  /**
   * The registry that was selected for the caller of this turn. Default: `settings.registry`. The names that were
   * checked are always stored under `settings.registry`, even if this is a different registry.
   */
  readonly registry?: ToolRegistry | undefined;
  /** Whether tools may exist outside the registry: from a tool resolver, or in the registry of another caller. */
  readonly mayCome: boolean;
  /** The folders of the workspace; if there are none, the paths of rules are not checked. */
  readonly roots: readonly string[];
}

const inLimiter = 'name in the rate limiter';

/** For each registry, the names that were checked in earlier turns, so that each is reported once. */
const checked = new WeakMap<ToolRegistry, Set<string>>();

/**
 * Warns once about each name that matches no tool (in a deny or ask rule, the policy, the rate limiter or a hook
 * matcher). Warns also about each path rule that probably does not match the intended files. Such a setting does not
 * stop the calls that it was written for. If tools may be added later, only names similar to a known name are reported.
 */
export function checkRules(settings: NamingSettings, hosts: RuleHosts, tell: (warning: RuleWarning) => void): void {
  const { hooks } = settings;
  const { tools: ofToolkits } = settings.permissions as { readonly tools?: () => readonly RuleNames[] };
  const { registry = settings.registry } = hosts;
  const registries = new Set([registry, settings.registry]);
  const known = checked.get(settings.registry) ?? new Set();
  checked.set(settings.registry, known);
  if (known.size > accessNumbers.maxCheckedRules) known.clear();
  const isNew = ([what, text]: readonly [string, string]) => known.size < known.add(`${what} ${text}`).size;
  const names = namesIn(settings).filter(isNew);
  const matchers = [...hooks.before, ...hooks.after, ...hooks.afterFailure].filter(
    ({ matcher }) => matcher !== undefined && isNew(['matcher', matcher]),
  );
  if (names.length + matchers.length === 0) return;
  const servers = [
    ...(hosts.mcp?.servers().map(({ name }) => name) ?? []),
    ...[...registry.snapshot().values()].flatMap(({ mcp }) => mcp?.server ?? []),
  ];
  const isKnown = (name: string, of: Iterable<RuleNames> = registries) =>
    [...of].some((one) => namesKnownTool(name, one, servers));
  const slipIn = (name: string) => (isKnown(name) ? undefined : slipOf(name, [registry]));
  const warn = (rule: string, reason: string, near?: string, mayCome = hosts.mayCome) => {
    if (near === undefined && mayCome) return;
    const meant = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
    process.emitWarning(`${rule}: ${reason}${meant}`, { code: 'TOOLWRIGHT_RULE' });
    tell({ type: 'rule-warning', rule, reason, ...(near === undefined ? {} : { near }) });
  };
  const groups = [...registry.groups().keys()].map((group) => `group:${group}`.toLowerCase());
  for (const [what, text] of names) {
    const isRule = what.endsWith('rule');
    const tool = isRule ? parseRule(text).tool : text.replace(serverGroup, 'mcp__');
    // A policy and a limiter always accept the aliases and groups of the built-in tools; a limiter accepts no patterns.
    const isUsual = !isRule && (builtinName(tool) !== undefined || groups.includes(text.toLowerCase()));
    const isPattern = what === inLimiter && tool.includes('*');
    // Other toolkits that share the permissions may have the tools that rules name.
    if (isUsual || (!isPattern && isKnown(tool)) || (isRule && isKnown(tool, ofToolkits?.() ?? []))) {
      const mistake = isRule ? pathMistake(text, hosts.roots) : undefined;
      if (mistake !== undefined) warn(text, mistake, undefined, false);
    } else {
      const near = slipIn(tool) ?? mcpSlipOf(tool, registry, servers);
      warn(text, `This ${what} matches no tool.`, tool === text || isRule ? near : near?.replace('mcp__', serverGroup));
    }
  }
  const tools = [...[...registries].flatMap((one) => one.names()), ...knownNames];
  for (const { matcher = '', words, matches } of matchers) {
    const [slip] = words.flatMap((word) => slipIn(word) ?? []);
    const isMet = tools.some((tool) => matches(tool, registry)) || isKnown(matcher);
    const [alias] = words.flatMap((word) => builtinName(word) ?? []);
    if (slip !== undefined || !isMet) warn(matcher, 'This hook matcher matches no tool.', slip ?? alias);
  }
}

/** The names of tools in the settings, each with the setting that contains the name. */
function namesIn({ permissions, policy, rateLimiter }: NamingSettings): (readonly [what: string, text: string])[] {
  const { restrictions } = permissions as { readonly restrictions?: () => RuleChanges };
  const { deny = [], ask = [] } = restrictions?.() ?? {};
  const { names = [] } = policy as { readonly names?: readonly string[] };
  const as = (what: string, texts: readonly string[]) => texts.map((text) => [what, text] as const);
  return [
    ...as('deny rule', deny),
    ...as('ask rule', ask),
    ...as('name in the policy', names),
    ...as(inLimiter, rateLimiter?.names ?? []),
  ];
}
