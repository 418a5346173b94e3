import type { CallScope } from '../core/context.js';
import type { ProcessSignal } from '../core/registry/toolkit-processes.js';

/** One command line. */
export interface ShellRequest {
  /** A command line for a POSIX shell (bash if it is installed). */
  readonly command: string;
  /** Absolute working directory. Default: the root. */
  readonly cwd?: string | undefined;
  /** Variables that are added to the allowlisted environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until the command is ended. Default `limits.bash.timeoutMs`, or the limit of the sandbox. */
  readonly timeoutMs?: number | undefined;
  /** True for a background command, which does not change the working directory of its session. */
  readonly isBackground?: boolean | undefined;
  /**
   * Called when the command ends. False if the command went to the background; the session then does not take over its
   * working directory. Default true.
   */
  readonly isAwaited?: (() => boolean) | undefined;
  /** Absolute paths of files outside the roots that the command may write to, even in a sandbox on this machine. */
  readonly files?: readonly string[] | undefined;
  /** Asks to run outside the sandbox. Applies only if the embedding program permits that. */
  readonly withoutSandbox?: boolean | undefined;
  /** Asks for a terminal for typed input; the output is then the current screen. Shells may ignore this. */
  readonly isInteractive?: boolean | undefined;
  /**
   * Called when a command on a terminal had no output for a minute and waits for input (`yes`), or may wait
   * (`unknown`). Errors that the function throws are ignored.
   */
  readonly onSilence?: ((wait: 'yes' | 'unknown') => void) | undefined;
  /** Called once, before the command starts, by shells that keep the output in a file. */
  readonly onStart?: ((output: ShellOutput) => void) | undefined;
  /**
   * Receives the tail of the output and, from shells that support chunks, each new `chunk`, plain and scrubbed. The
   * joined chunks equal the output of the outcome, unless that output is cut. Errors of the function are ignored.
   */
  readonly onOutput?: ((tail: string, chunk?: string) => void) | undefined;
  /** Whether chunks are needed. Default false. */
  readonly wantsChunks?: boolean | undefined;
}

/** Output that can be read while the command still writes. */
export interface ShellOutput {
  /** Absolute path of the output file. */
  readonly outputFile: string;
  /** A new reader that starts at the beginning. */
  open(): OutputReader;
  /** Ends the processes of the command. Resolves with the processes that cannot be ended. */
  end?(): Promise<readonly Survivor[]>;
  /** Sends a signal to all processes of the command. */
  signal?(signal: ProcessSignal): void;
  /** Types a text into the terminal of the command; present only if the command has a terminal. */
  type?(text: string): void;
}

/** Reads growing output piece by piece. Each piece is plain, scrubbed and limited in length. */
export interface OutputReader {
  /**
   * Output since the last call. An unfinished end, such as half an escape sequence, is returned only with `isComplete`,
   * when no more output follows.
   */
  read(isComplete: boolean): Promise<string> | string;
}

/** A process that is still running after its command. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/** The outcome of a command. A command that has ended by itself is not an error, even if its exit code is not 0. */
export interface ShellOutcome {
  /** Undefined when a signal ended the command. */
  readonly exitCode: number | undefined;
  /** Such as `SIGKILL`. */
  readonly signal: string | undefined;
  /**
   * stdout and stderr in the order of writing, or stdout first if they are kept separate. Long output is cut to head
   * and tail, with a line about the missing part and its file.
   */
  readonly output: string;
  /** Absolute path of the file with all output, or with stdout if the two are kept separate. */
  readonly outputFile: string;
  /** Standard output, if stdout and stderr are kept separate; `stderr` is then set too. */
  readonly stdout?: string;
  readonly stderr?: string;
  /** Absolute path of the file with stderr, if the two are kept separate. */
  readonly errorFile?: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** The time limit of the command in milliseconds. */
  readonly timeLimitMs?: number;
  /** Leftover processes of the command; after a time limit, processes that could not be ended. */
  readonly survivors: readonly Survivor[];
  /** The name of the sandbox, if the command ran in a sandbox. */
  readonly sandbox?: string;
  /** A further line for the model. */
  readonly note?: string;
}

/**
 * Runs commands. Resolves when the shell has exited, even if other processes keep its output open; after a time limit,
 * when all its processes have ended. Rejects with a ToolError: `command_denied`, `invalid_input`, `path_outside_root`,
 * `sandbox_unavailable`, `execution_failed` if the shell cannot be started, `cancelled` for an abort before the command
 * runs, and `interrupted` with the partial output for an abort while it runs.
 */
export interface Shell {
  run(request: ShellRequest, scope: CallScope): Promise<ShellOutcome>;
}
