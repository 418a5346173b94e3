import type { Caller } from '../core/context.js';
import { defaultLimits } from '../core/limits.js';
import type { Tool } from '../core/tool.js';
import { builtinTool, splitWords } from '../core/tool-names.js';
import type { Policy } from '../ports/policy.js';
import { subjectOf, type ToolCatalogue } from './allow-or-deny-list.js';
import { assertDepth, type Gate, gateKinds, type ParsedPolicy, parsePolicy } from './parse-policy.js';
import type { PolicyConfig } from './policy-config.js';

export interface ConfiguredPolicy extends Policy {
  /** The depth at which agents may not start subagents. */
  readonly maxDepth: number;
  /** The names of tools in the lists of the config, and the groups `group:mcp:{server}`. */
  readonly names: readonly string[];
  /**
   * This policy with the catalogue and depth in `defaults`; values that were passed to `createPolicy` take precedence.
   * A toolkit calls this method, so that `policy: createPolicy(config)` has the same effect as `policy: config`.
   */
  withDefaults(defaults: PolicyDefaults): ConfiguredPolicy;
}

/** Defaults for a policy whose config does not set them. */
export interface PolicyDefaults {
  /**
   * The aliases and groups of tools, as a registry has them. Default: the aliases and groups of the registry that the
   * policy is used with, or else the aliases of the built-in tools.
   */
  readonly catalogue?: ToolCatalogue | undefined;
  /** Default of `subagents.maxDepth`. */
  readonly maxDepth?: number | undefined;
}

/**
 * Makes a policy from a config. A caller gets the lists for all callers, and the lists for its provider, its agent, its
 * agent with its provider, and its channel. The policy offers a tool if the profile and all these allow lists cover the
 * tool, or if an `alsoAllow` list names the tool. A tool that a deny list names is never offered; subagents have
 * additional deny lists. Pure and synchronous; an unknown provider, agent or channel has no lists. Throws a TypeError
 * that suggests similar names for an unknown key, profile or group, and for an invalid entry.
 */
export function createPolicy(config: PolicyConfig = {}, defaults: PolicyDefaults = {}): ConfiguredPolicy {
  return policyOf(parsePolicy(config), defaults);
}

/**
 * The policy for an option that accepts a config or a policy. A policy made by `createPolicy` gets the defaults. Throws
 * a TypeError for any other value.
 */
export function resolvePolicy(policy: PolicyConfig | Policy, defaults: PolicyDefaults): Policy {
  if (isConfigured(policy)) return policy.withDefaults(defaults);
  if (!isPolicy(policy)) return createPolicy(policy, defaults);
  if (typeof policy.explain === 'function') return policy;
  throw new TypeError('policy must be a config, or have the methods offers(tool, caller) and explain(tool, caller)');
}

const configured = new WeakSet<object>();

function isConfigured(policy: PolicyConfig | Policy): policy is ConfiguredPolicy {
  return configured.has(policy);
}

/** The methods are own properties, so that a host can copy a policy with spread and replace a method. */
function policyOf(parsed: ParsedPolicy, given: PolicyDefaults): ConfiguredPolicy {
  const depthOf = (depth: number | undefined) => parsed.maxDepth ?? depth ?? defaultLimits.subagents.maxDepth;
  const maxDepth = depthOf(given.maxDepth);
  assertDepth(maxDepth);
  /** Caches the result of `withDefaults` for each registry, because each turn calls it. */
  const bound = new WeakMap<ToolCatalogue, ConfiguredPolicy>();
  const hitsOf = (tool: Tool, caller: Caller): readonly Hit[] => {
    const gates = gatesFor(parsed, maxDepth, caller);
    if (gates.length === 0) return [];
    const subject = subjectOf(tool, given.catalogue ?? builtinCatalogue);
    return gates.map((gate) => ({ gate, entry: gate.list.match(subject) }));
  };
  const policy: ConfiguredPolicy = Object.freeze({
    maxDepth,
    names: parsed.names,
    offers: (tool, caller) => {
      const hits = hitsOf(tool, caller);
      return hits.length === 0 || standingAfter(hits).isOffered;
    },
    explain: (tool, caller) => explained(hitsOf(tool, caller)),
    withDefaults: (defaults) => {
      const all = { catalogue: given.catalogue ?? defaults.catalogue, maxDepth: given.maxDepth ?? defaults.maxDepth };
      const known = all.catalogue === given.catalogue ? policy : all.catalogue && bound.get(all.catalogue);
      if (known?.maxDepth === depthOf(all.maxDepth)) return known;
      const own = policyOf(parsed, all);
      if (all.catalogue !== undefined) bound.set(all.catalogue, own);
      return own;
    },
  } satisfies ConfiguredPolicy);
  configured.add(policy);
  return policy;
}

function isPolicy(policy: PolicyConfig | Policy): policy is Policy {
  return typeof policy === 'object' && policy !== null && 'offers' in policy && typeof policy.offers === 'function';
}

/** The aliases of the built-in tools, for use without a registry. */
const builtinCatalogue: ToolCatalogue = {
  aliasesOf: (name) => splitWords(builtinTool(name)?.aliases),
  groupsOf: () => [],
};

/** The lists that apply to a caller, in order. The profile of a provider replaces the general profile. */
function gatesFor(parsed: ParsedPolicy, maxDepth: number, caller: Caller): readonly Gate[] {
  const { layers, subagentDeny, leafDeny } = parsed;
  const level = levelOf(caller.depth);
  if (layers.length === 0 && level === 0 && maxDepth > 0) return [];
  const order = layers.filter(
    ({ owner: { provider, agentId, channel } }) =>
      (provider === undefined || provider === caller.provider) &&
      (agentId === undefined || agentId === caller.agentId) &&
      (channel === undefined || channel === caller.channel),
  );
  return [
    order.findLast(({ profile }) => profile !== undefined)?.profile,
    ...gateKinds.flatMap((kind) => order.map((layer) => layer[kind])),
    level > 0 ? subagentDeny : undefined,
    level >= maxDepth ? leafDeny : undefined,
  ].filter((gate) => gate !== undefined);
}

/** An invalid depth counts as the greatest depth, which has the fewest tools. */
function levelOf(depth: unknown): number {
  if (depth === undefined) return 0;
  return typeof depth === 'number' && Number.isInteger(depth) && depth >= 0 ? depth : Number.POSITIVE_INFINITY;
}

/** The result of matching a tool with one list: the list, and its entry that matches the tool, if any. */
interface Hit {
  readonly gate: Gate;
  readonly entry: string | undefined;
}

/**
 * The result of all lists for a tool: the first list that denied it, the first that left it out, and the first that
 * restored it. A denied tool stays denied; a tool that was left out can be restored.
 */
function standingAfter(hits: readonly Hit[]) {
  const first = (kind: Gate['kind'], isNamed: boolean) =>
    hits.find(({ gate, entry }) => gate.kind === kind && (entry !== undefined) === isNamed);
  const [denied, leftOut, restored] = [first('deny', true), first('allow', false), first('alsoAllow', true)];
  const isOffered = denied === undefined && (leftOut === undefined || restored !== undefined);
  return { denied, leftOut, restored, isOffered };
}

/** Describes which list decided, as a phrase for messages. */
function explained(hits: readonly Hit[]): string {
  const { denied, leftOut, restored } = standingAfter(hits);
  if (denied !== undefined) return `denied by ${written(denied)}`;
  if (leftOut === undefined) return 'kept by every list and denied by none';
  const by = `left out by ${leftOut.gate.source}`;
  return restored === undefined ? by : `${by}, restored by ${written(restored)}`;
}

function written({ entry, gate }: Hit): string {
  return `${entry} in ${gate.source}`;
}
