import { assertOptions, type OptionKinds } from '../core/support/check-values.js';
import { didYouMean } from '../core/support/near-names.js';
import { builtinGroups, serverGroup } from './groups.js';
import {
  builtinProfiles,
  leafDenies,
  leafKept,
  type PolicyConfig,
  type PolicyLists,
  policyKinds,
  type SubagentPolicy,
  subagentDenies,
} from './policy-config.js';
import { type OwnGroups, PolicyList } from './policy-list.js';

/** The owner of a list: all callers, or the caller's provider, agent, agent with that provider, or channel. */
export type PolicyScope = '' | 'provider ' | 'agent ' | 'agent and provider ' | 'channel ';

/** The steps of a policy, such as `agent allow`, `deny`, `channel alsoAllow`. */
export type PolicyStepName =
  | 'profile'
  | 'provider profile'
  | `${PolicyScope}${'allow' | 'deny' | 'alsoAllow'}`
  | 'subagent deny'
  | 'leaf deny';

/** One list of a policy as a step of a decision. */
export interface Gate {
  readonly step: PolicyStepName;
  /**
   * An allow list drops all tools that it does not name, a deny list drops those that it names, and `alsoAllow`
   * restores them.
   */
  readonly kind: 'allow' | 'deny' | 'alsoAllow';
  /** For people: `the deny list of agent "reviewer"`. */
  readonly source: string;
  readonly list: PolicyList;
}

/** The steps of one part of a config. */
interface PolicyLayer {
  readonly profile: Gate | undefined;
  readonly allow: Gate | undefined;
  readonly deny: Gate | undefined;
  readonly alsoAllow: Gate | undefined;
}

/** The steps for one agent. */
interface AgentLayer extends PolicyLayer {
  readonly byProvider: ReadonlyMap<string, PolicyLayer>;
}

/** A parsed config. */
export interface PolicyLayers {
  readonly everybody: PolicyLayer;
  readonly providers: ReadonlyMap<string, PolicyLayer>;
  readonly agents: ReadonlyMap<string, AgentLayer>;
  readonly channels: ReadonlyMap<string, PolicyLayer>;
  /** Undefined if the config does not set it. */
  readonly maxDepth: number | undefined;
  readonly subagentDeny: Gate;
  readonly leafDeny: PolicyList;
  readonly names: readonly string[];
}

/** Layers with a depth. */
export interface CompleteLayers extends Omit<PolicyLayers, 'leafDeny'> {
  readonly maxDepth: number;
  readonly leafDeny: Gate;
  /** True if the config has no lists except those for subagents. */
  readonly isOpen: boolean;
}

type NamedLists = Readonly<Record<string, readonly string[]>>;

/**
 * Reads and checks a whole config; later changes of the config have no effect. Throws a TypeError, with similar names,
 * for any mistake in it.
 */
export function readPolicy(config: PolicyConfig): PolicyLayers {
  assertOptions('policy', config, policyKinds.config);
  const groups = readOwn('groups', config.groups, builtinGroups);
  const profiles = readOwn('profiles', config.profiles, builtinProfiles);
  const reader = new PolicyReader(groups, profiles);
  for (const group of groups.keys()) reader.list('policy.groups', [`group:${group}`], 'exact');
  for (const [profile, entries] of profiles) reader.list(`policy.profiles.${profile}`, entries, 'exact');

  return {
    everybody: reader.layer('policy', '', '', config),
    providers: mapOf('policy.byProvider', config.byProvider, policyKinds.provider, (where, provider, part) =>
      reader.layer(where, 'provider ', ` of provider ${JSON.stringify(provider)}`, part),
    ),
    agents: mapOf('policy.byAgent', config.byAgent, policyKinds.agent, (where, agent, part) => {
      const owner = ` of agent ${JSON.stringify(agent)}`;
      const byProvider = mapOf(`${where}.byProvider`, part.byProvider, policyKinds.lists, (place, provider, lists) => {
        const both = `${owner} with provider ${JSON.stringify(provider)}`;
        return reader.layer(place, 'agent and provider ', both, lists);
      });
      return { ...reader.layer(where, 'agent ', owner, part), byProvider };
    }),
    channels: mapOf('policy.byChannel', config.byChannel, policyKinds.lists, (where, channel, part) =>
      reader.layer(where, 'channel ', ` of channel ${JSON.stringify(channel)}`, part),
    ),
    ...readSubagents(reader, config.subagents ?? {}),
    names: namesIn(config),
  };
}

function namesIn(part: unknown): string[] {
  if (typeof part === 'string') return part.startsWith('group:') && !part.startsWith(serverGroup) ? [] : [part];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, inner]) => (key === 'profile' ? [] : namesIn(inner)));
}

class PolicyReader {
  readonly #groups: OwnGroups;
  readonly #profiles: OwnGroups;

  constructor(groups: OwnGroups, profiles: OwnGroups) {
    this.#groups = groups;
    this.#profiles = profiles;
  }

  list(where: string, entries: readonly string[], letterCase: 'exact' | 'folded'): PolicyList {
    try {
      return new PolicyList(where, entries, letterCase, this.#groups);
    } catch (mistake) {
      // A stack trace has ten frames; without this, internal frames would displace the call of the host.
      Error.captureStackTrace(mistake as Error, PolicyReader.prototype.list);
      throw mistake;
    }
  }

  layer(
    where: string,
    scope: PolicyScope,
    owner: string,
    part: PolicyLists & { readonly profile?: string | undefined },
  ): PolicyLayer {
    const gate = (kind: keyof PolicyLists): Gate | undefined => {
      const entries = part[kind];
      if (entries === undefined) return undefined;
      const list = this.list(`${where}.${kind}`, entries, kind === 'deny' ? 'folded' : 'exact');
      return { step: `${scope}${kind}`, kind, source: `the ${kind} list${owner}`, list };
    };
    const profile = part.profile === undefined ? undefined : this.#profile(where, scope, owner, part.profile);
    return { profile, allow: gate('allow'), deny: gate('deny'), alsoAllow: gate('alsoAllow') };
  }

  #profile(where: string, scope: PolicyScope, owner: string, name: string): Gate {
    const entries =
      this.#profiles.get(name) ?? (Object.hasOwn(builtinProfiles, name) ? builtinProfiles[name] : undefined);
    if (entries === undefined) {
      const known = [...Object.keys(builtinProfiles), ...this.#profiles.keys()];
      throw new TypeError(`${where}.profile: ${JSON.stringify(name)} is no profile.${didYouMean(String(name), known)}`);
    }
    const step = scope === 'provider ' ? 'provider profile' : 'profile';
    return {
      step,
      kind: 'allow',
      source: `profile ${name}${owner}`,
      list: this.list(`${where}.profile`, entries, 'exact'),
    };
  }
}

function readSubagents(
  reader: PolicyReader,
  part: SubagentPolicy,
): Pick<PolicyLayers, 'maxDepth' | 'subagentDeny' | 'leafDeny'> {
  const where = 'policy.subagents';
  assertOptions(where, part, policyKinds.subagents);
  const { maxDepth, deny = subagentDenies, leafDeny } = part;
  if (maxDepth !== undefined) assertDepth(maxDepth);
  return {
    maxDepth,
    subagentDeny: {
      step: 'subagent deny',
      kind: 'deny',
      source: 'the deny list for subagents',
      list: reader.list(`${where}.deny`, deny, 'folded'),
    },
    leafDeny:
      leafDeny === undefined
        ? reader.list(`${where}.leafDeny`, leafDenies, 'folded').without(leafKept)
        : reader.list(`${where}.leafDeny`, leafDeny, 'folded'),
  };
}

const ownNameForm = /^[A-Za-z0-9_-]{1,64}$/;

function readOwn(kind: 'groups' | 'profiles', lists: NamedLists = {}, builtin: NamedLists): OwnGroups {
  for (const name of Object.keys(lists)) {
    const where = `policy.${kind}.${name}`;
    if (!ownNameForm.test(name)) throw new TypeError(`${where}: a name has 1 to 64 of the characters A-Z a-z 0-9 _ -`);
    // A built-in group without members may be defined by the host.
    if (Object.hasOwn(builtin, name) && builtin[name]?.length !== 0)
      throw new TypeError(`${where}: ${name} is built in. Take another name.`);
  }
  return new Map(Object.entries(lists));
}

/** Checks and compiles each part of a record. */
function mapOf<Part, Compiled>(
  where: string,
  record: Readonly<Record<string, Part>> = {},
  kinds: OptionKinds<Part>,
  compile: (where: string, name: string, part: Part) => Compiled,
): ReadonlyMap<string, Compiled> {
  const entries = Object.entries(record).map(([name, part]) => {
    assertOptions(`${where}.${name}`, part, kinds);
    return [name, compile(`${where}.${name}`, name, part)] as const;
  });
  return new Map(entries);
}

/** Adds the depth from which `leafDeny` applies. Throws a TypeError for an invalid depth. */
export function completeLayers(layers: PolicyLayers, defaultMaxDepth: number): CompleteLayers {
  const { everybody, providers, agents, channels, maxDepth = defaultMaxDepth } = layers;
  assertDepth(maxDepth);
  const source = `the deny list for agents at depth ${maxDepth}, the deepest`;
  const isOpen =
    Object.values(everybody).every((gate) => gate === undefined) && providers.size + agents.size + channels.size === 0;
  return { ...layers, maxDepth, leafDeny: { step: 'leaf deny', kind: 'deny', source, list: layers.leafDeny }, isOpen };
}

/** Throws a TypeError if the depth is neither a whole number from 0 up nor Infinity. */
export function assertDepth(maxDepth: number): void {
  if ((Number.isInteger(maxDepth) && maxDepth >= 0) || maxDepth === Number.POSITIVE_INFINITY) return;
  throw new TypeError(`policy.subagents.maxDepth must be a whole number from 0 up, not ${String(maxDepth)}`);
}
