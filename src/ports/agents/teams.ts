import type { CallScope } from '../../core/context.js';
import type { AgentMessage } from '../../core/subagents.js';

/** Who a team consists of. */
export interface TeamRequest {
  readonly name: string;
  readonly description?: string | undefined;
  /** One to eight, with different names. */
  readonly members: readonly TeamMember[];
}

/** One agent of a team. */
export interface TeamMember {
  /** Lower case letters, digits and hyphens, at most 40. */
  readonly name: string;
  /** Default `general-purpose`. */
  readonly subagentType?: string | undefined;
  readonly prompt: string;
  readonly model?: string | undefined;
}

/** A team as it stands. */
export interface TeamStatus {
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly agentId: string; readonly state: string }[];
}

/** A message on its way. */
export interface TeamMessage extends Omit<AgentMessage, 'from'> {
  /** A member, `lead`, or `*` for all others. */
  readonly to: string;
}

/** Runs teams of subagents: at most one in a session at a time. */
export interface TeamCoordinator {
  /** Starts all members. Rejects with `invalid_input` where the session has a team. */
  create(team: TeamRequest, scope: CallScope): Promise<TeamStatus>;
  /**
   * Puts a message into the mailbox of whoever it is for, and answers their names. The sender is `scope.caller`. Rejects
   * with `invalid_input` where there is no such member, and with `limit_reached` where a mailbox is full.
   */
  send(message: TeamMessage, scope: CallScope): Promise<{ readonly delivered: readonly string[] }>;
  /**
   * Takes messages for `lead`, oldest first, where `scope.caller` is that, else none; those that would be too much at
   * once may come later. Where subagents have no `inbox`, members are asked for by their names.
   */
  receive(name: string, scope: CallScope): readonly AgentMessage[] | Promise<readonly AgentMessage[]>;
  /**
   * Ends the team. Rejects with `invalid_input` that names the members still running, unless `force`: then they are asked
   * to end, and after a short wait they are cancelled.
   */
  remove(name: string, options: { readonly force: boolean }, scope: CallScope): Promise<void>;
  /** The team of the caller's session. */
  active(scope: CallScope): TeamStatus | undefined | Promise<TeamStatus | undefined>;
  /** Forgets the team of a session that has ended. */
  endSession?(sessionId: string): void;
}
