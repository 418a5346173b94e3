import type { CallScope } from '../core/context.js';

/** A program to run inside a sandbox. */
export interface SandboxProgram {
  /** A POSIX shell command line. */
  readonly command: string;
  /** Canonical folders the command may write to; the first is the workspace. */
  readonly roots: readonly string[];
  /** Canonical folder inside one of the roots. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names in `env` that were inherited from this machine; their values, such as paths, may be invalid inside. */
  readonly inherited: ReadonlySet<string>;
  /** Identifies the host that starts it, so that a later host can end its leftovers, see {@link Sandbox.reap}. */
  readonly owner?: string | undefined;
  /** Whether it runs on its own terminal, which is its controlling terminal. */
  readonly isInteractive?: boolean | undefined;
  /** Further files that the command may write to, by their path on this machine. */
  readonly files?: readonly string[] | undefined;
}

/** A program of this machine that runs the command inside a sandbox. */
export interface SandboxLaunch {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Ends the processes inside, if ending the program itself does not. Called after a time limit or an abort. */
  end?(): Promise<void>;
  /** The same without waiting, for the exit of this process. */
  kill?(): void;
}

/** Runs commands isolated from this machine. */
export interface Sandbox {
  /** Such as `bubblewrap`; results include it. */
  readonly name: string;
  /** True when all processes of a command end with it, including background servers. */
  readonly endsWithCommand: boolean;
  /** Default time limit of a command, milliseconds. */
  readonly timeoutMs: number;
  /** The reason why it cannot be used here, as a sentence; undefined if it can. */
  obstacle(scope: CallScope): Promise<string | undefined>;
  /** The program that runs a command inside. */
  launch(program: SandboxProgram): SandboxLaunch;
  /**
   * Maps a path inside to a path of this machine, for sandboxes with other mount points; undefined for a path that
   * exists only inside.
   */
  hostPath?(path: string, roots: readonly string[]): string | undefined;
  /**
   * Ends sandboxes that hosts left running when they were killed: those with an owner for which `isAbandoned` is true.
   */
  reap?(isAbandoned: (owner: string) => boolean): Promise<void>;
}
