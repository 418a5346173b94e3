import { kindOf, type OptionKinds } from '../core/support/option-kinds.js';

/** Parts that are off unless they are asked for. */
export interface Features {
  /** The tools UndoFile and UndoTurn; needed for `onFileChange` and `fileChanges`. Default false. */
  readonly undo?: boolean | undefined;
  /** The tools TodoRead, TaskCreate, TaskGet, TaskUpdate and TaskList. Default false. */
  readonly tasks?: boolean | undefined;
  /**
   * The tools TeamCreate, SendMessage and TeamDelete. Default: whether the environment variable
   * `CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS` is set to anything but 0 and false.
   */
  readonly teams?: boolean | undefined;
  /** The tools sessions_list, sessions_history, sessions_send and session_status. Default false. */
  readonly sessions?: boolean | undefined;
  /** The tool ApplyPatch, which changes several files at once, all or none. Default false. */
  readonly applyPatch?: boolean | undefined;
  /** The tools ApplyPatch, View and RestartShell, for calls of the native tool types of providers. Default false. */
  readonly native?: boolean | undefined;
  /** Offer the tools whose host is missing too, such as WebSearch without `hosts.search`. Default false. */
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
