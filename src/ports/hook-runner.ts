import type { CallScope } from '../core/context.js';

/** A hook that is a program: a shell line, and what it reads on standard input. */
export interface HookCommand {
  readonly command: string;
  readonly input: string;
}

/** How the program ended. */
export interface HookCommandOutcome {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs hooks that are programs. It ends them when the signal aborts, and rejects when one cannot be started. */
export interface HookRunner {
  run(hook: HookCommand, scope: CallScope): Promise<HookCommandOutcome>;
}
