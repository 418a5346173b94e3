import type { Caller } from '../core/context.js';
import { assertOptions, type OptionKinds } from '../core/support/check-values.js';
import { didYouMean } from '../core/support/near-names.js';
import { type OwnGroups, PolicyList } from './allow-or-deny-list.js';
import { builtinGroups, serverGroup } from './builtin-groups.js';
import {
  builtinProfiles,
  leafDenies,
  leafKept,
  type PolicyConfig,
  type PolicyLists,
  policyKinds,
  subagentDenies,
} from './policy-config.js';

/** The kinds of lists, in the order in which they apply. */
export const gateKinds = ['allow', 'deny', 'alsoAllow'] as const;

/** One list of a policy, with its kind and its place in the config. */
export interface Gate {
  /**
   * An allow list leaves out all tools that it does not name. A deny list removes the tools that it names. `alsoAllow`
   * restores tools that an allow list left out, unless they are denied.
   */
  readonly kind: (typeof gateKinds)[number];
  /** For people: `the deny list of agent "reviewer"`. */
  readonly source: string;
  readonly list: PolicyList;
}

/**
 * The callers to which lists apply: all callers, or the callers of a provider, an agent, an agent with a provider, or a
 * channel.
 */
type Owner = Partial<Pick<Caller, 'provider' | 'agentId' | 'channel'>>;

/** The lists of one part of a config. */
interface Layer extends Readonly<Partial<Record<'profile' | Gate['kind'], Gate>>> {
  readonly owner: Owner;
}

export interface ParsedPolicy {
  /** The parts that have lists, in the order in which they apply. */
  readonly layers: readonly Layer[];
  /** Undefined if the config does not set it. */
  readonly maxDepth: number | undefined;
  readonly subagentDeny: Gate;
  readonly leafDeny: Gate;
  readonly names: readonly string[];
}

function phraseOf({ provider, agentId, channel }: Owner): string {
  if (channel !== undefined) return ` of channel ${JSON.stringify(channel)}`;
  const named = provider === undefined ? '' : `provider ${JSON.stringify(provider)}`;
  if (agentId === undefined) return named && ` of ${named}`;
  return ` of agent ${JSON.stringify(agentId)}${named && ` with ${named}`}`;
}

type NamedLists = Readonly<Record<string, readonly string[]>>;

/**
 * Parses and checks a whole config; later changes of the config have no effect. Throws a TypeError for any mistake. For
 * an unknown name, the error suggests similar names.
 */
export function parsePolicy(config: PolicyConfig): ParsedPolicy {
  assertOptions('policy', config, policyKinds.config);
  const groups = readOwn('groups', config.groups, builtinGroups);
  const profiles = readOwn('profiles', config.profiles, builtinProfiles);
  const gate = (where: string, kind: Gate['kind'], source: string, entries: readonly string[]): Gate => {
    try {
      return { kind, source, list: new PolicyList(where, entries, kind === 'deny' ? 'folded' : 'exact', groups) };
    } catch (mistake) {
      // Omits internal frames from the stack trace: with them, the ten frames would not reach the call of the host.
      Error.captureStackTrace(mistake as Error, gate);
      throw mistake;
    }
  };
  for (const group of groups.keys()) gate('policy.groups', 'allow', '', [`group:${group}`]);
  for (const [profile, entries] of profiles) gate(`policy.profiles.${profile}`, 'allow', '', entries);

  const layers: Layer[] = [];
  const read = (where: string, owner: Owner, part: PolicyLists & { readonly profile?: string | undefined }) => {
    const phrase = phraseOf(owner);
    const gates: [string, Gate][] = gateKinds.flatMap((kind) => {
      const entries = part[kind];
      return entries === undefined
        ? []
        : [[kind, gate(`${where}.${kind}`, kind, `the ${kind} list${phrase}`, entries)]];
    });
    const { profile } = part;
    if (profile !== undefined) {
      const entries = profileNamed(`${where}.profile`, profile, profiles);
      gates.push(['profile', gate(`${where}.profile`, 'allow', `profile ${profile}${phrase}`, entries)]);
    }
    if (gates.length > 0) layers.push({ owner, ...Object.fromEntries(gates) });
  };
  read('policy', {}, config);
  for (const [where, provider, part] of partsOf('policy.byProvider', config.byProvider, policyKinds.provider))
    read(where, { provider }, part);
  for (const [where, agentId, part] of partsOf('policy.byAgent', config.byAgent, policyKinds.agent)) {
    read(where, { agentId }, part);
    for (const [place, provider, lists] of partsOf(`${where}.byProvider`, part.byProvider, policyKinds.lists))
      read(place, { agentId, provider }, lists);
  }
  for (const [where, channel, lists] of partsOf('policy.byChannel', config.byChannel, policyKinds.lists))
    read(where, { channel }, lists);

  const { subagents = {} } = config;
  const where = 'policy.subagents';
  assertOptions(where, subagents, policyKinds.subagents);
  const { maxDepth, deny = subagentDenies, leafDeny } = subagents;
  if (maxDepth !== undefined) assertDepth(maxDepth);
  const leaf = gate(
    `${where}.leafDeny`,
    'deny',
    'the deny list for agents at the maximum depth',
    leafDeny ?? leafDenies,
  );
  if (leafDeny === undefined) leaf.list.without(leafKept);
  const subagentDeny = gate(`${where}.deny`, 'deny', 'the deny list for subagents', deny);
  return { layers, maxDepth, subagentDeny, leafDeny: leaf, names: namesIn(config) };
}

/** Checks the parts of a record, and yields each with its place and name. */
function* partsOf<Part>(
  where: string,
  record: Readonly<Record<string, Part>> = {},
  kinds: OptionKinds<Part>,
): Generator<[where: string, name: string, part: Part]> {
  for (const [name, part] of Object.entries(record)) {
    assertOptions(`${where}.${name}`, part, kinds);
    yield [`${where}.${name}`, name, part];
  }
}

function profileNamed(where: string, name: string, own: OwnGroups): readonly string[] {
  const entries = own.get(name) ?? (Object.hasOwn(builtinProfiles, name) ? builtinProfiles[name] : undefined);
  if (entries !== undefined) return entries;
  const near = didYouMean(String(name), [...Object.keys(builtinProfiles), ...own.keys()]);
  throw new TypeError(`${where}: ${JSON.stringify(name)} is not a profile.${near}`);
}

function namesIn(part: unknown): string[] {
  if (typeof part === 'string') return part.startsWith('group:') && !part.startsWith(serverGroup) ? [] : [part];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, inner]) => (key === 'profile' ? [] : namesIn(inner)));
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

/** Throws a TypeError if the depth is neither a whole number from 0 up nor Infinity. */
export function assertDepth(maxDepth: number): void {
  if ((Number.isInteger(maxDepth) && maxDepth >= 0) || maxDepth === Number.POSITIVE_INFINITY) return;
  throw new TypeError(`policy.subagents.maxDepth must be a whole number from 0 up, not ${String(maxDepth)}`);
}
