import type { Caller } from '../core/context.js';
import type { PolicyList } from './policy-list.js';

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
  readonly maxDepth: number;
  readonly subagentDeny: Gate;
  readonly leafDeny: Gate;
}

/** The lists that hold for a caller, in order. The profile of a provider takes the place of the one for everybody. */
export function gatesFor(layers: PolicyLayers, { provider, agentId, channel, depth }: Caller): readonly Gate[] {
  const { everybody, providers, agents, channels } = layers;
  const agent = find(agents, agentId);
  const byProvider = find(providers, provider);
  const order = [everybody, byProvider, agent, agent && find(agent.byProvider, provider), find(channels, channel)];
  const gates: Gate[] = [];
  const profile = byProvider?.profile ?? everybody.profile;
  if (profile !== undefined) gates.push(profile);
  for (const kind of kinds) {
    for (const layer of order) {
      const gate = layer?.[kind];
      if (gate !== undefined) gates.push(gate);
    }
  }
  const level = levelOf(depth);
  if (level > 0) gates.push(layers.subagentDeny);
  if (level >= layers.maxDepth) gates.push(layers.leafDeny);
  return gates;
}

const kinds: readonly Gate['kind'][] = Object.freeze(['allow', 'deny', 'alsoAllow']);

/** What is no depth is taken for the deepest. */
function levelOf(depth: unknown): number {
  if (depth === undefined) return 0;
  return typeof depth === 'number' && depth >= 0 ? depth : Number.POSITIVE_INFINITY;
}

function find<Value>(map: ReadonlyMap<string, Value>, name: string | undefined): Value | undefined {
  return name === undefined ? undefined : map.get(name);
}
