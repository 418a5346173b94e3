import type { Caller } from '../core/context.js';
import { defaultLimits } from '../core/limits.js';
import type { Tool } from '../core/tool.js';
import { builtinTool, splitWords } from '../core/tool-names.js';
import type { Policy } from '../ports/policy.js';
import {
  type CompleteLayers,
  completeLayers,
  type Gate,
  type PolicyLayers,
  type PolicyStepName,
  readPolicy,
} from './parse-policy.js';
import type { PolicyConfig } from './policy-config.js';
import { subjectOf, type ToolCatalogue } from './policy-list.js';

/** One step of the decision of a policy about a tool. */
export interface PolicyStep {
  readonly step: PolicyStepName;
  /** Whether the tool is offered after this step. */
  readonly kept: boolean;
  /**
   * The entry and the list that name the tool, or that the list does not: `group:fs in profile coding`, `not in the
   * deny list`.
   */
  readonly why: string;
}

/** A policy made from a config. */
export interface ConfiguredPolicy extends Policy {
  /** The depth at which agents may not start subagents. */
  readonly maxDepth: number;
  /** The names of tools in the lists of the config, and the groups `group:mcp:{server}`. */
  readonly names: readonly string[];
  /** All steps of the config for this caller, in order; the last one has the result of {@link Policy.offers}. */
  steps(tool: Tool, caller: Caller): readonly PolicyStep[];
  /**
   * The same policy with the aliases and groups of a registry, and with a depth, unless `createPolicy` was given its
   * own. A toolkit calls it, so that a policy decides there as its config would.
   */
  withDefaults(defaults: PolicyDefaults): ConfiguredPolicy;
}

/** Defaults for a policy whose config does not set them. */
export interface PolicyDefaults {
  /**
   * The aliases and groups of tools, as a registry has them. Default: those of the registry that the policy is used
   * with, or else the aliases of the built-in tools.
   */
  readonly catalogue?: ToolCatalogue | undefined;
  /** Default of `subagents.maxDepth`. */
  readonly maxDepth?: number | undefined;
}

/**
 * Makes a policy from a config. It offers the tools that the profile and every allow list cover: the lists for all
 * callers, for the caller's provider, agent, agent with that provider, and channel. Then the deny lists remove tools,
 * `alsoAllow` restores tools that were left out but not denied, and the denies for subagents apply. Pure and
 * synchronous; an unknown provider, agent or channel has no lists. Throws a TypeError, with similar names, for an
 * unknown key, profile or group, and for an invalid entry.
 */
export function createPolicy(config: PolicyConfig = {}, defaults: PolicyDefaults = {}): ConfiguredPolicy {
  return new LayeredPolicy(readPolicy(config), defaults);
}

/**
 * The policy of an option that takes a config or a policy. A policy made by `createPolicy` gets the defaults. Throws a
 * TypeError for any other value.
 */
export function resolvePolicy(policy: PolicyConfig | Policy, defaults: PolicyDefaults): Policy {
  if (LayeredPolicy.isOne(policy)) return policy.withDefaults(defaults);
  if (!isPolicy(policy)) return createPolicy(policy, defaults);
  if (typeof policy.explain === 'function') return policy;
  throw new TypeError('policy must be a config, or have the methods offers(tool, caller) and explain(tool, caller)');
}

/** Its methods are own properties, so that a host can copy the policy and change a method. */
class LayeredPolicy implements ConfiguredPolicy {
  readonly maxDepth: number;
  readonly names: readonly string[];
  readonly #read: PolicyLayers;
  readonly #given: PolicyDefaults;
  readonly #layers: CompleteLayers;
  readonly #catalogue: ToolCatalogue;
  /** This policy with each registry, since every turn asks for it. */
  readonly #bound = new WeakMap<ToolCatalogue, LayeredPolicy>();

  constructor(read: PolicyLayers, given: PolicyDefaults) {
    this.#read = read;
    this.names = read.names;
    this.#given = given;
    this.#layers = completeLayers(read, given.maxDepth ?? defaultLimits.subagents.maxDepth);
    this.maxDepth = this.#layers.maxDepth;
    this.#catalogue = given.catalogue ?? builtinCatalogue;
    Object.freeze(this);
  }

  static isOne(value: unknown): value is LayeredPolicy {
    return typeof value === 'object' && value !== null && #read in value;
  }

  readonly offers = (tool: Tool, caller: Caller): boolean => {
    const gates = gatesFor(this.#layers, caller);
    return gates.length === 0 || standingAfter(this.#hits(tool, gates)).isOffered;
  };

  readonly explain = (tool: Tool, caller: Caller): string =>
    explained(this.#hits(tool, gatesFor(this.#layers, caller)));

  readonly steps = (tool: Tool, caller: Caller): readonly PolicyStep[] =>
    this.#hits(tool, gatesFor(this.#layers, caller)).map((hit, index, hits) => ({
      step: hit.gate.step,
      kept: standingAfter(hits.slice(0, index + 1)).isOffered,
      why: hit.entry === undefined ? `not in ${hit.gate.source}` : written(hit),
    }));

  readonly withDefaults = (defaults: PolicyDefaults): LayeredPolicy => {
    const { catalogue = defaults.catalogue, maxDepth = defaults.maxDepth } = this.#given;
    const known = catalogue === this.#given.catalogue ? this : catalogue && this.#bound.get(catalogue);
    if (known !== undefined && known.#given.maxDepth === maxDepth) return known;
    const bound = new LayeredPolicy(this.#read, { catalogue, maxDepth });
    if (catalogue !== undefined) this.#bound.set(catalogue, bound);
    return bound;
  };

  #hits(tool: Tool, gates: readonly Gate[]): readonly Hit[] {
    const subject = subjectOf(tool, this.#catalogue);
    return gates.map((gate) => ({ gate, entry: gate.list.match(subject) }));
  }
}

function isPolicy(policy: PolicyConfig | Policy): policy is Policy {
  return typeof policy === 'object' && policy !== null && 'offers' in policy && typeof policy.offers === 'function';
}

/** The aliases of the built-in tools, without a registry. */
const builtinCatalogue: ToolCatalogue = {
  aliasesOf: (name) => splitWords(builtinTool(name)?.aliases),
  groupsOf: () => [],
};

/** The lists that apply to a caller, in order. The profile of a provider replaces the general one. */
function gatesFor(layers: CompleteLayers, { provider, agentId, channel, depth }: Caller): readonly Gate[] {
  const { everybody, providers, agents, channels, isOpen, maxDepth } = layers;
  const level = levelOf(depth);
  if (isOpen && level === 0 && maxDepth > 0) return [];
  const agent = find(agents, agentId);
  const byProvider = find(providers, provider);
  const order = [everybody, byProvider, agent, agent && find(agent.byProvider, provider), find(channels, channel)];
  return [
    byProvider?.profile ?? everybody.profile,
    ...gateKinds.flatMap((kind) => order.map((layer) => layer?.[kind])),
    level > 0 ? layers.subagentDeny : undefined,
    level >= maxDepth ? layers.leafDeny : undefined,
  ].filter((gate) => gate !== undefined);
}

const gateKinds = ['allow', 'deny', 'alsoAllow'] as const;

/** An invalid depth counts as the greatest, which has the fewest tools. */
function levelOf(depth: unknown): number {
  if (depth === undefined) return 0;
  return typeof depth === 'number' && Number.isInteger(depth) && depth >= 0 ? depth : Number.POSITIVE_INFINITY;
}

function find<Value>(map: ReadonlyMap<string, Value>, name: string | undefined): Value | undefined {
  return name === undefined ? undefined : map.get(name);
}

/** A list that a tool has passed, and the entry of it that names the tool. */
interface Hit {
  readonly gate: Gate;
  readonly entry: string | undefined;
}

/**
 * The state of a tool after some lists: the first list that denied it, left it out or restored it. A denied tool stays
 * denied; a tool that was left out can be restored.
 */
function standingAfter(hits: readonly Hit[]) {
  const first = (kind: Gate['kind'], isNamed: boolean) =>
    hits.find(({ gate, entry }) => gate.kind === kind && (entry !== undefined) === isNamed);
  const [denied, leftOut, restored] = [first('deny', true), first('allow', false), first('alsoAllow', true)];
  const isOffered = denied === undefined && (leftOut === undefined || restored !== undefined);
  return { denied, leftOut, restored, isOffered };
}

/** Names the list that decided, in half a sentence for people. */
function explained(hits: readonly Hit[]): string {
  const { denied, leftOut, restored } = standingAfter(hits);
  if (denied !== undefined) return `denied by ${written(denied)}`;
  if (leftOut === undefined) return 'kept by every list and denied by none';
  const by = `left out by ${leftOut.gate.source}`;
  return restored === undefined ? by : `${by}, given back by ${written(restored)}`;
}

function written({ entry, gate }: Hit): string {
  return `${entry} in ${gate.source}`;
}
