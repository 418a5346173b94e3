import { kindOf, type OptionKind, type OptionKinds } from '../../core/support/option-kinds.js';
import { builtinsThat, splitWords } from '../../core/tool-names.js';
import { builtinGroups } from '../rules/groups.js';

/**
 * What one part of a policy says. An entry is a tool name or an alias of one, a name with `*`, `group:name`, or `*`.
 */
export interface PolicyLists {
  /** Only these; an empty list leaves nothing. Default: all. */
  readonly allow?: readonly string[] | undefined;
  /** Never these, whatever another list says. Default none. */
  readonly deny?: readonly string[] | undefined;
  /** Gives back what a profile or an allow list left out; never what is denied. Default none. */
  readonly alsoAllow?: readonly string[] | undefined;
}

/** What holds for callers of one provider. */
export interface ProviderPolicy extends PolicyLists {
  /** Takes the place of the policy's profile. Default: that stays. */
  readonly profile?: string | undefined;
}

/** What holds for one agent. */
export interface AgentPolicy extends PolicyLists {
  /** What holds for this agent with a provider, by `caller.provider`. Default: nothing more. */
  readonly byProvider?: Readonly<Record<string, PolicyLists>> | undefined;
}

/** What callers below the main agent are not offered, after everything else. */
export interface SubagentPolicy {
  /**
   * The depth at which an agent starts no further ones; 0 = not even the main agent. A toolkit starts none beyond it
   * either. Default `limits.subagents.maxDepth`.
   */
  readonly maxDepth?: number | undefined;
  /**
   * Denied from depth 1 on. Default: asking the user, plan mode, Config, sending to sessions, `group:memory`,
   * `group:automation` and what hosts know as `gateway`, `cron` and the like.
   */
  readonly deny?: readonly string[] | undefined;
  /** Denied from `maxDepth` on. Default `group:sessions` without SendMessage, by which members of a team talk. */
  readonly leafDeny?: readonly string[] | undefined;
}

/**
 * Which tools are offered to whom. Everything is optional; an empty config offers all but what subagents are denied.
 */
export interface PolicyConfig extends PolicyLists {
  /** What callers start from: `full`, `coding`, `messaging`, `minimal`, or one of `profiles`. Default `full`. */
  readonly profile?: string | undefined;
  /** What holds besides by `caller.provider`. Default: nothing more. */
  readonly byProvider?: Readonly<Record<string, ProviderPolicy>> | undefined;
  /** What holds besides by `caller.agentId`. Default: nothing more. */
  readonly byAgent?: Readonly<Record<string, AgentPolicy>> | undefined;
  /** The same by `caller.channel`, the chat group or the kind of conversation. Default: nothing more. */
  readonly byChannel?: Readonly<Record<string, PolicyLists>> | undefined;
  /** Profiles of your own, by name. Default none. */
  readonly profiles?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Groups of your own, by name; they may hold other groups. Default none. */
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** What subagents are not offered, and how deep they go. Default: see each. */
  readonly subagents?: SubagentPolicy | undefined;
}

const { anything, record } = kindOf;
const list: OptionKind = { takes: 'a list of names', holds: Array.isArray };
const lists: OptionKinds<PolicyLists> = { allow: list, deny: list, alsoAllow: list };
const listsByName: OptionKind = {
  takes: 'an object of lists of names',
  holds: (value) => record.holds(value) && Object.values(value as object).every(Array.isArray),
};

/** What each part of a config takes. */
export const policyKinds = {
  lists,
  provider: { ...lists, profile: anything } satisfies OptionKinds<ProviderPolicy>,
  agent: { ...lists, byProvider: record } satisfies OptionKinds<AgentPolicy>,
  subagents: { maxDepth: anything, deny: list, leafDeny: list } satisfies OptionKinds<SubagentPolicy>,
  config: {
    ...{ ...lists, profile: anything, byProvider: record, byAgent: record, byChannel: record },
    ...{ profiles: listsByName, groups: listsByName, subagents: record },
  } satisfies OptionKinds<PolicyConfig>,
};

const inProfile = (name: string) => builtinsThat(({ profiles }) => splitWords(profiles).includes(name));

/**
 * The profiles that every policy knows: what a caller starts from. `full` limits nothing; `coding` changes files, runs
 * commands, starts helpers and makes images, but does not reach the web or MCP servers; `messaging` talks to people and sessions;
 * `minimal` only says how the session stands.
 */
export const builtinProfiles: Readonly<Record<string, readonly string[]>> = Object.freeze({
  full: ['*'],
  coding: ['group:fs', 'group:runtime', 'group:sessions', 'group:memory', 'group:planning', 'image'],
  messaging: ['group:messaging', ...inProfile('messaging')],
  minimal: inProfile('minimal'),
});

/**
 * What no subagent is offered by default: what speaks for the main agent to its user or to others, changes settings of
 * the whole session, or outlives the task. Some are tools that hosts may have under these names.
 */
export const subagentDenies: readonly string[] = Object.freeze([
  ...builtinsThat(({ isForMainAgent }) => isForMainAgent),
  ...['group:memory', 'group:automation', 'gateway', 'agents_list', 'whatsapp_login', 'cron'],
  ...['memory_search', 'memory_get'],
]);

/** What an agent at the deepest level is not offered by default: starting agents, and looking at sessions. */
export const leafDenies: readonly string[] = Object.freeze(['group:sessions']);

/** A member of a team talks to the others however deep it is. */
export const leafKept: readonly string[] = builtinGroups.messaging ?? [];
