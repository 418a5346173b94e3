import type { CallScope } from '../core/context.js';

/** A hook that is a program: a shell command line, and its standard input. */
export interface HookCommand {
  readonly command: string;
  readonly input: string;
}

/** The outcome of the program. */
export interface HookCommandOutcome {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs hooks that are programs. Ends a program when the signal aborts; rejects if it cannot be started. */
export interface HookRunner {
  run(hook: HookCommand, scope: CallScope): Promise<HookCommandOutcome>;
}
