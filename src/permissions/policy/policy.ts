import type { Caller } from '../../core/context.js';
import { defaultLimits } from '../../core/limits.js';
import type { Tool } from '../../core/tool.js';
import { builtinTool, splitWords } from '../../core/tool-names.js';
import type { Policy } from '../../ports/policy.js';
import type { PolicyConfig } from './config.js';
import { subjectOf, type ToolCatalogue } from './list.js';
import {
  type CompleteLayers,
  completeLayers,
  type Gate,
  type PolicyLayers,
  type PolicyStepName,
  readPolicy,
} from './reader.js';

/** One step of a policy over one tool. */
export interface PolicyStep {
  readonly step: PolicyStepName;
  /** Whether the tool is still, or again, in after this step. */
  readonly kept: boolean;
  /**
   * Which entry of which list names the tool, or that none does: `group:fs in profile coding`, `not in the deny list`.
   */
  readonly why: string;
}

/** A policy made from a config. */
export interface ConfiguredPolicy extends Policy {
  /** The depth at which agents start no further ones. */
  readonly maxDepth: number;
  /** The names of tools in the lists of the config, and the groups `group:mcp:{server}`. */
  readonly names: readonly string[];
  /** Every step that the config has for this caller, in order; the last one says what {@link Policy.offers} says. */
  steps(tool: Tool, caller: Caller): readonly PolicyStep[];
  /**
   * The same policy over a registry, whose aliases and groups it knows then, and with a depth; what was given to
   * `createPolicy` stays. What runs calls does this itself: the policy that is handed to a toolkit decides as its
   * config would.
   */
  withDefaults(defaults: PolicyDefaults): ConfiguredPolicy;
}

/** What a config leaves to whoever makes the policy. */
export interface PolicyDefaults {
  /**
   * Other names and further groups of tools, such as a registry knows. Default: those of the registry it is used with;
   * before that, the aliases of the built-in tools.
   */
  readonly catalogue?: ToolCatalogue | undefined;
  /** Default of `subagents.maxDepth`. */
  readonly maxDepth?: number | undefined;
}

/**
 * Makes a policy from a config. A tool is offered that the profile and every allow list cover: those for everybody, for
 * the caller's provider, agent, agent with that provider, and channel. Then the deny lists take away, `alsoAllow` gives
 * back what was left out but not denied, and subagents are denied what is not for them. Pure and synchronous; what is
 * unknown in a caller counts as not named. Throws a TypeError, with near names, for an unknown key, profile or group,
 * and for what is no entry of a list.
 */
export function createPolicy(config: PolicyConfig = {}, defaults: PolicyDefaults = {}): ConfiguredPolicy {
  return new LayeredPolicy(readPolicy(config), defaults);
}

/**
 * The policy of an option that takes a config or a policy; one that `createPolicy` made takes on the defaults. Throws a
 * TypeError for what is neither.
 */
export function resolvePolicy(policy: PolicyConfig | Policy, defaults: PolicyDefaults): Policy {
  if (LayeredPolicy.isOne(policy)) return policy.withDefaults(defaults);
  if (!isPolicy(policy)) return createPolicy(policy, defaults);
  if (typeof policy.explain === 'function') return policy;
  throw new TypeError('policy must be a config, or have the methods offers(tool, caller) and explain(tool, caller)');
}

/** Its methods are its own, so that a copy with one of them changed is a policy of the host's. */
class LayeredPolicy implements ConfiguredPolicy {
  readonly maxDepth: number;
  readonly names: readonly string[];
  readonly #read: PolicyLayers;
  readonly #given: PolicyDefaults;
  readonly #layers: CompleteLayers;
  readonly #catalogue: ToolCatalogue;
  /** The same over registries: each turn of one asks for it again. */
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

/** What is known without a registry. */
const builtinCatalogue: ToolCatalogue = {
  aliasesOf: (name) => splitWords(builtinTool(name)?.aliases),
  groupsOf: () => [],
};

/** The lists that hold for a caller, in order. The profile of a provider takes the place of the one for everybody. */
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

/** What is no depth is taken for the deepest. */
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
 * How a tool stands after some lists: the first that denies it, leaves it out or gives it back. A deny is never undone;
 * what was left out is in again once it is given back.
 */
function standingAfter(hits: readonly Hit[]) {
  const first = (kind: Gate['kind'], isNamed: boolean) =>
    hits.find(({ gate, entry }) => gate.kind === kind && (entry !== undefined) === isNamed);
  const [denied, leftOut, restored] = [first('deny', true), first('allow', false), first('alsoAllow', true)];
  const isOffered = denied === undefined && (leftOut === undefined || restored !== undefined);
  return { denied, leftOut, restored, isOffered };
}

/** The list that decided, in half a sentence for people. */
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
