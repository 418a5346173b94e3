import type { CallScope } from '../core/context.js';
import type { ProcessSignal } from '../core/registry/toolkit-processes.js';

/** One command line. */
export interface ShellRequest {
  /** Text for a POSIX shell (bash where there is one). */
  readonly command: string;
  /** Absolute working directory. Default: the root. */
  readonly cwd?: string | undefined;
  /** Added to the allowlisted environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * After it everything the command started is ended. Default `limits.bash.timeoutMs`, in a sandbox the limit of that.
   */
  readonly timeoutMs?: number | undefined;
  /** True when nobody waits for it: such a command does not move the working directory of its session. */
  readonly isBackground?: boolean | undefined;
  /**
   * Asked when it has ended: false when it went on in the background meanwhile, and so no longer moves the working
   * directory. Default: it was awaited.
   */
  readonly isAwaited?: (() => boolean) | undefined;
  /** Absolute files outside the roots that it may write to, in a sandbox of this machine too. */
  readonly files?: readonly string[] | undefined;
  /**
   * Asks for the machine itself where commands run in a sandbox. Honoured only where the embedding program permits it.
   */
  readonly withoutSandbox?: boolean | undefined;
  /**
   * Asks for a terminal of its own that can be typed into. Its output is then the screen as it stands. Shells that have
   * none run it without.
   */
  readonly isInteractive?: boolean | undefined;
  /**
   * Hears of a command on a terminal that has put out nothing for a minute and waits for input, or may do so where that
   * cannot be seen. What it throws is swallowed.
   */
  readonly onSilence?: ((wait: 'yes' | 'unknown') => void) | undefined;
  /** Called once, before the command starts, by shells that keep the output in a file. */
  readonly onStart?: ((output: ShellOutput) => void) | undefined;
  /**
   * Gets the tail of the output while the command runs, and from shells that can all of it: what is new, plain and
   * scrubbed, the last of it before the outcome; joined it is the output of the outcome where that is not cut. What it
   * throws is swallowed.
   */
  readonly onOutput?: ((tail: string, chunk?: string) => void) | undefined;
  /** Whether anybody hears the chunks. Default false. */
  readonly wantsChunks?: boolean | undefined;
}

/** Output that can be read while it grows. */
export interface ShellOutput {
  /** Absolute path of the file that takes it. */
  readonly outputFile: string;
  /** A reader with a position of its own, at the beginning. */
  open(): OutputReader;
  /** Ends the command, and what it left running when it has answered; answers what cannot be ended. */
  end?(): Promise<readonly Survivor[]>;
  /** Sends a signal to everything of the command that lives. */
  signal?(signal: ProcessSignal): void;
  /** Types a text into the terminal of the command; only where it has one. */
  type?(text: string): void;
}

/** Reads growing output piece by piece: plain, scrubbed, each piece bounded. */
export interface OutputReader {
  /** What came since the last call; with `isComplete` nothing is held back for more to come. */
  read(isComplete: boolean): Promise<string> | string;
}

/** A process that outlived its command. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/** How a command ended. A command that ran to its end is no error, whatever its exit code. */
export interface ShellOutcome {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  /** Such as `SIGKILL`. */
  readonly signal: string | undefined;
  /**
   * stdout and stderr in the order they were written: head and tail where it was too long, with a line that says how
   * much is missing and where the rest is. Where they are kept apart, stdout first.
   */
  readonly output: string;
  /** Absolute path of the file with everything; where the two are kept apart, with stdout. */
  readonly outputFile: string;
  /** Where they are kept apart: what stands in `output`, each by itself. */
  readonly stdout?: string;
  readonly stderr?: string;
  /** Where they are kept apart: absolute path of the file with stderr. */
  readonly errorFile?: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** The time limit it had, milliseconds. */
  readonly timeLimitMs?: number;
  /** What the command left running; after a time limit, what could not be ended. */
  readonly survivors: readonly Survivor[];
  /** The sandbox it ran in, where it ran in one. */
  readonly sandbox?: string;
  /** What the model should know besides, one line. */
  readonly note?: string;
}

/**
 * Runs commands. Rejects with a ToolError: `command_denied`, `invalid_input`, `path_outside_root`, `cancelled` and
 * `interrupted` (with partial output) when the signal aborts before and while it runs, `sandbox_unavailable`,
 * `execution_failed` when the shell cannot be started. Resolves when the shell has exited, whoever still holds its
 * output; after a time limit, when everything it started is gone.
 */
export interface Shell {
  run(request: ShellRequest, scope: CallScope): Promise<ShellOutcome>;
}
