import type { CallScope } from '../../core/context.js';
import type { AgentMessage } from '../../core/subagent.js';

/** A team to create. */
export interface TeamRequest {
  readonly name: string;
  readonly description?: string | undefined;
  /** One to eight members, with different names. */
  readonly members: readonly TeamMember[];
}

/** One agent of a team. */
export interface TeamMember {
  /** Lower case letters, digits and hyphens, at most 40 characters. */
  readonly name: string;
  /** Default `general-purpose`. */
  readonly subagentType?: string | undefined;
  readonly prompt: string;
  readonly model?: string | undefined;
}

/** The status of a team. */
export interface TeamStatus {
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly agentId: string; readonly state: string }[];
}

/** A message to send. */
export interface TeamMessage extends Omit<AgentMessage, 'from'> {
  /** The name of a member, `lead`, or `*` for all other agents of the team. */
  readonly to: string;
}

/** Runs teams of subagents: at most one in a session at a time. */
export interface TeamCoordinator {
  /** Starts all members. Rejects with `invalid_input` if the session already has a team. */
  create(team: TeamRequest, scope: CallScope): Promise<TeamStatus>;
  /**
   * Delivers a message to the mailboxes of its recipients and resolves with their names. The sender is `scope.caller`.
   * Rejects with `invalid_input` for an unknown member, and with `limit_reached` for a full mailbox.
   */
  send(message: TeamMessage, scope: CallScope): Promise<{ readonly delivered: readonly string[] }>;
  /**
   * Removes and returns the messages for `lead`, oldest first, if `scope.caller` is the lead. One call may return
   * only a part of many messages. If subagents have no `inbox`, this method is called with the names of members too.
   */
  receive(name: string, scope: CallScope): readonly AgentMessage[] | Promise<readonly AgentMessage[]>;
  /**
   * Ends the team. Rejects with `invalid_input` and the names of running members, unless `force` is set. With `force`,
   * members are asked to end, and are cancelled after a short wait.
   */
  remove(name: string, options: { readonly force: boolean }, scope: CallScope): Promise<void>;
  /** The team of the caller's session, for the host itself. Default: unknown. */
  active?(scope: CallScope): TeamStatus | undefined | Promise<TeamStatus | undefined>;
  /** Deletes the team of an ended session. */
  endSession?(sessionId: string): void;
}
