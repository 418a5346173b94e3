import { kindOf, type OptionKind, type OptionKinds } from '../core/support/check-values.js';
import { builtinsThat, splitWords } from '../core/tool-names.js';
import { builtinGroups } from './builtin-groups.js';

/** The lists of one part of a policy. An entry is a tool name, an alias, a name with `*`, `group:name`, or `*`. */
export interface PolicyLists {
  /** Offer only these tools; an empty list offers none. Default: all. */
  readonly allow?: readonly string[] | undefined;
  /** Never offer these tools, even if another list names them. Default none. */
  readonly deny?: readonly string[] | undefined;
  /** Offer tools that a profile or an allow list leaves out; denied tools stay denied. Default none. */
  readonly alsoAllow?: readonly string[] | undefined;
}

/** The policy for callers of one provider. */
export interface ProviderPolicy extends PolicyLists {
  /** Replaces the profile of the policy. Default: no replacement. */
  readonly profile?: string | undefined;
}

/** The policy for one agent. */
export interface AgentPolicy extends PolicyLists {
  /** Lists for this agent with a provider, by `caller.provider`. Default none. */
  readonly byProvider?: Readonly<Record<string, PolicyLists>> | undefined;
}

/** Deny lists for subagents, applied after all other lists. */
export interface SubagentPolicy {
  /**
   * The maximum depth of agents: an agent at this depth is not offered the tools of `leafDeny`. 0 means the main agent.
   * A toolkit also refuses to start a subagent for such an agent. Default `limits.subagents.maxDepth`.
   */
  readonly maxDepth?: number | undefined;
  /**
   * The tools that are denied from depth 1 on. Default: AskUserQuestion, the tools of plan mode, Config, sessions_send,
   * session_status, `group:memory`, `group:automation`, and optional tools such as `gateway` and `cron`.
   */
  readonly deny?: readonly string[] | undefined;
  /**
   * The tools that are denied from `maxDepth` on. Default `group:sessions` without SendMessage, which members of a team
   * need.
   */
  readonly leafDeny?: readonly string[] | undefined;
}

/**
 * The tools that are offered to each caller. All fields are optional. An empty config offers all tools to the main
 * agent, and to subagents all tools except those that are denied to them by default.
 */
export interface PolicyConfig extends PolicyLists {
  /** The tools to start from: `full`, `coding`, `messaging`, `minimal`, or one of `profiles`. Default `full`. */
  readonly profile?: string | undefined;
  /** Additional lists by `caller.provider`. Default none. */
  readonly byProvider?: Readonly<Record<string, ProviderPolicy>> | undefined;
  /** Additional lists by `caller.agentId`. Default none. */
  readonly byAgent?: Readonly<Record<string, AgentPolicy>> | undefined;
  /** Additional lists by `caller.channel`, the chat group or the kind of conversation. Default none. */
  readonly byChannel?: Readonly<Record<string, PolicyLists>> | undefined;
  /** Profiles of your own, by name. Default none. */
  readonly profiles?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Groups of your own, by name; a group may contain other groups. Default none. */
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Deny lists for subagents, and their maximum depth. Default: see {@link SubagentPolicy}. */
  readonly subagents?: SubagentPolicy | undefined;
}

const { anything, record } = kindOf;
const list: OptionKind = { takes: 'a list of names', holds: Array.isArray };
const lists: OptionKinds<PolicyLists> = { allow: list, deny: list, alsoAllow: list };
const listsByName: OptionKind = {
  takes: 'an object of lists of names',
  holds: (value) => record.holds(value) && Object.values(value as object).every(Array.isArray),
};

/** For each part of a policy config, the kind of each field. */
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
 * The profiles that every policy knows. `full` contains all tools. `coding` contains the tools for files, commands,
 * sessions and subagents, memory, planning and images, but not the tools for the web or MCP. `messaging` contains the
 * tools that write to people and sessions. `minimal` contains only the tool that shows the status of the session.
 */
export const builtinProfiles: Readonly<Record<string, readonly string[]>> = Object.freeze({
  full: ['*'],
  coding: ['group:fs', 'group:runtime', 'group:sessions', 'group:memory', 'group:planning', 'image'],
  messaging: ['group:messaging', ...inProfile('messaging')],
  minimal: inProfile('minimal'),
});

/**
 * The tools that subagents are denied by default. These tools speak for the main agent to its user or to others, change
 * settings of the whole session, or outlive the task. Some of these names are not tools of this package, but names that
 * host programs often use.
 */
export const subagentDenies: readonly string[] = Object.freeze([
  ...builtinsThat(({ isForMainAgent }) => isForMainAgent),
  ...['group:memory', 'group:automation', 'gateway', 'agents_list', 'whatsapp_login', 'cron'],
  ...['memory_search', 'memory_get'],
]);

/** The tools that an agent at the maximum depth is denied by default: the tools for subagents, teams and sessions. */
export const leafDenies: readonly string[] = Object.freeze(['group:sessions']);

/** Tools that an agent keeps at every depth, because members of a team send messages to each other. */
export const leafKept: readonly string[] = builtinGroups.messaging ?? [];
