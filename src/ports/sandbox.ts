import type { CallScope } from '../core/context.js';

/** A program to run inside a sandbox. */
export interface SandboxProgram {
  /** What to run, as a POSIX shell command line. */
  readonly command: string;
  /** Canonical folders the command may write to; the first is the workspace. */
  readonly roots: readonly string[];
  /** Canonical folder inside one of the roots. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names in `env` that came from this machine; their values, such as paths, may mean nothing inside. */
  readonly inherited: ReadonlySet<string>;
  /**
   * Names the program that runs it, so that a later one can tell what an earlier one left: see {@link Sandbox.reap}.
   */
  readonly owner?: string | undefined;
  /** Whether it is started on a terminal of its own, which its processes are to control. */
  readonly isInteractive?: boolean | undefined;
  /** Files besides the roots that the command may write to, by their path on this machine. */
  readonly files?: readonly string[] | undefined;
}

/** A program of this machine that runs another inside. */
export interface SandboxLaunch {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Ends what is inside, where ending the program itself is not enough. Called after a time limit or an abort. */
  end?(): Promise<void>;
  /** The same without waiting, for when this very process ends. */
  kill?(): void;
}

/** A place where commands run apart from this machine. */
export interface Sandbox {
  /** Such as `bubblewrap`; results say it. */
  readonly name: string;
  /** True when everything a command started ends with it, servers in the background included. */
  readonly endsWithCommand: boolean;
  /** Default time limit of a command, milliseconds. */
  readonly timeoutMs: number;
  /** Why it cannot be used here, in one sentence; undefined when it can. */
  obstacle(scope: CallScope): Promise<string | undefined>;
  /** How to run a program inside. */
  launch(program: SandboxProgram): SandboxLaunch;
  /**
   * The path on this machine of one inside, for sandboxes in which folders stand elsewhere; undefined for a path that
   * is not of this machine.
   */
  hostPath?(path: string, roots: readonly string[]): string | undefined;
  /**
   * Ends what earlier programs left running inside because they were killed: whatever has an owner for which
   * `isAbandoned`.
   */
  reap?(isAbandoned: (owner: string) => boolean): Promise<void>;
}
