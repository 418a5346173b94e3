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
  /** The variables in `env` that this machine set. Their values, such as paths, may be invalid inside the sandbox. */
  readonly inherited: ReadonlySet<string>;
  /** Identifies the host process, so that a later process can end its sandboxes, see {@link Sandbox.reap}. */
  readonly owner?: string | undefined;
  /** Whether the program runs with a controlling terminal of its own. */
  readonly isInteractive?: boolean | undefined;
  /** Further files that the command may write to, as paths on this machine. */
  readonly files?: readonly string[] | undefined;
}

/** A program on this machine that runs the command inside a sandbox. */
export interface SandboxLaunch {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Ends the processes inside after a time limit or an abort, if ending the program does not. */
  end?(): Promise<void>;
  /** Does the same as `end` without waiting; called when this process exits. */
  kill?(): void;
}

/** Runs commands isolated from this machine. */
export interface Sandbox {
  /** The name, such as `bubblewrap`; results include this name. */
  readonly name: string;
  /** True when all processes of a command end with the command, including background servers. */
  readonly endsWithCommand: boolean;
  /** Default time limit of a command, milliseconds. */
  readonly timeoutMs: number;
  /** The reason why the sandbox cannot be used on this machine, as a sentence; undefined if it can be used. */
  obstacle(scope: CallScope): Promise<string | undefined>;
  /** The program that runs a command inside the sandbox. */
  launch(program: SandboxProgram): SandboxLaunch;
  /** The path on this machine of a path in the sandbox, if mount points differ; undefined if there is none. */
  hostPath?(path: string, roots: readonly string[]): string | undefined;
  /** Ends the sandboxes of killed host processes: those for which `isAbandoned(owner)` returns true. */
  reap?(isAbandoned: (owner: string) => boolean): Promise<void>;
}
