import { kindOf, type OptionKinds } from '../core/support/option-kinds.js';

/** Parts that are off unless they are asked for. */
export interface Features {
  /** The tools UndoFile and UndoTurn. */
  readonly undo?: boolean | undefined;
  /** The tools TodoRead, TaskCreate, TaskGet, TaskUpdate and TaskList. */
  readonly tasks?: boolean | undefined;
  /**
   * The tools TeamCreate, SendMessage and TeamDelete. Default: whether the environment variable
   * `CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS` is set to anything but 0 and false.
   */
  readonly teams?: boolean | undefined;
  /** The tools sessions_list, sessions_history, sessions_send and session_status. */
  readonly sessions?: boolean | undefined;
  /** The tool ApplyPatch. */
  readonly applyPatch?: boolean | undefined;
  /** The tools ApplyPatch, View and RestartShell, which calls of the native tool types of providers need. */
  readonly native?: boolean | undefined;
  /** The built-in tools whose host is missing, such as WebSearch without `hosts.search`, are in the definitions too. */
  readonly offerAll?: boolean | undefined;
}

/** What each of them takes. */
export const featureKinds: OptionKinds<Features> = {
  undo: kindOf.flag,
  tasks: kindOf.flag,
  teams: kindOf.flag,
  sessions: kindOf.flag,
  applyPatch: kindOf.flag,
  native: kindOf.flag,
  offerAll: kindOf.flag,
};
