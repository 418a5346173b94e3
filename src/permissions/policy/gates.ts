import type { PolicyList } from './list.js';

/** Whose list it is: everybody's, or that of the caller's provider, agent, agent with that provider, or channel. */
export type PolicyScope = '' | 'provider ' | 'agent ' | 'agent and provider ' | 'channel ';

/** The steps of a policy, by what they do: `agent allow`, `deny`, `channel alsoAllow`. */
export type PolicyStepName =
  | 'profile'
  | 'provider profile'
  | `${PolicyScope}${'allow' | 'deny' | 'alsoAllow'}`
  | 'subagent deny'
  | 'leaf deny';

/** One list where it stands in the order. */
export interface Gate {
  readonly step: PolicyStepName;
  /** Whether the list leaves out what it does not name, takes away what it names, or gives it back. */
  readonly kind: 'allow' | 'deny' | 'alsoAllow';
  /** For people: `the deny list of agent "reviewer"`. */
  readonly source: string;
  readonly list: PolicyList;
}

/** What one part of a config says. */
export interface PolicyLayer {
  readonly profile: Gate | undefined;
  readonly allow: Gate | undefined;
  readonly deny: Gate | undefined;
  readonly alsoAllow: Gate | undefined;
}

/** What a config says of an agent. */
export interface AgentLayer extends PolicyLayer {
  readonly byProvider: ReadonlyMap<string, PolicyLayer>;
}

/** A config that has been read. */
export interface PolicyLayers {
  readonly everybody: PolicyLayer;
  readonly providers: ReadonlyMap<string, PolicyLayer>;
  readonly agents: ReadonlyMap<string, AgentLayer>;
  readonly channels: ReadonlyMap<string, PolicyLayer>;
  /** Undefined where the config leaves it to whoever makes the policy. */
  readonly maxDepth: number | undefined;
  readonly subagentDeny: Gate;
  readonly leafDeny: PolicyList;
  readonly names: readonly string[];
}

/** The same with a depth. */
export interface CompleteLayers extends Omit<PolicyLayers, 'leafDeny'> {
  readonly maxDepth: number;
  readonly leafDeny: Gate;
  /** True where nothing is said but what holds for subagents. */
  readonly isOpen: boolean;
}

/** Layers with the depth from which on `leafDeny` holds. Throws a TypeError for what is no depth. */
export function completeLayers(layers: PolicyLayers, defaultMaxDepth: number): CompleteLayers {
  const { everybody, providers, agents, channels, maxDepth = defaultMaxDepth } = layers;
  assertDepth(maxDepth);
  const source = `the deny list for agents at depth ${maxDepth}, the deepest`;
  const isOpen =
    Object.values(everybody).every((gate) => gate === undefined) && providers.size + agents.size + channels.size === 0;
  return { ...layers, maxDepth, leafDeny: { step: 'leaf deny', kind: 'deny', source, list: layers.leafDeny }, isOpen };
}

/** Throws a TypeError for what is neither a whole number from 0 up nor without end. */
export function assertDepth(maxDepth: number): void {
  if ((Number.isInteger(maxDepth) && maxDepth >= 0) || maxDepth === Number.POSITIVE_INFINITY) return;
  throw new TypeError(`policy.subagents.maxDepth must be a whole number from 0 up, not ${String(maxDepth)}`);
}
