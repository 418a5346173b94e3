import type { CallScope } from '../core/context.js';

/** One command line. */
export interface ShellRequest {
  /** Text for a POSIX shell (bash where there is one). */
  readonly command: string;
  /** Absolute working directory. Default: the root. */
  readonly cwd?: string | undefined;
  /** Added to the allowlisted environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** After it the whole process group is ended. Default and maximum by `limits.bash`. */
  readonly timeoutMs?: number | undefined;
  /** Gets the tail of the output while the command runs. What it throws is swallowed. */
  readonly onOutput?: ((tail: string) => void) | undefined;
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
  /** stdout and stderr in the order they were written: head and tail where it was too long, with a line that says how much is missing and where the rest is. */
  readonly output: string;
  /** Absolute path of the file with everything. */
  readonly outputFile: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** What the command left running. */
  readonly survivors: readonly Survivor[];
}

/**
 * Runs commands. Rejects with a ToolError: `command_denied`, `interrupted` (with partial output) when the signal aborts,
 * `sandbox_unavailable`, `execution_failed` when the shell cannot be started. Resolves when the shell has exited, whoever still holds its output.
 */
export interface Shell {
  run(request: ShellRequest, scope: CallScope): Promise<ShellOutcome>;
}
