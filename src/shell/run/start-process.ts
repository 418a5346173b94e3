import { spawn } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { ifPossible } from '../../core/support/check-values.js';
import { isInside } from '../../core/text/path-names.js';

/** A program to run, and the descriptors for its output. The two descriptors may be the same. */
export interface ProcessRequest {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdout: number;
  readonly stderr: number;
}

/** The end of a process: an exit code, or the name of a signal. */
export interface ProcessEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

/** A running process that leads its own group. */
export interface StartedProcess {
  readonly pid: number;
  readonly ended: Promise<ProcessEnd>;
}

/**
 * Starts a program in its own session and group, without input. Rejects with `execution_failed` if the system does not
 * start the program.
 */
export async function startProcess(request: ProcessRequest): Promise<StartedProcess> {
  const { file, arguments: words, cwd, env, stdout, stderr } = request;
  try {
    const child = spawn(file, words, {
      cwd,
      env,
      stdio: ['ignore', stdout, stderr],
      detached: true,
      windowsHide: true,
    });
    const { pid } = child;
    if (pid === undefined) return await new Promise<never>((_, reject) => child.once('error', reject));
    const ended = new Promise<ProcessEnd>((resolve) => {
      child.once('exit', (code, signal) => resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }));
    });
    return { pid, ended };
  } catch (cause) {
    throw refusedStart(cause);
  }
}

/** The error for a program that did not start. */
export function refusedStart(cause: unknown): ToolError {
  return new ToolError('execution_failed', `The shell could not be started: ${reasonOf(cause)}`, { cause });
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'E2BIG') return 'the command is too long for one command line; write it to a file and run that.';
  if (code === 'EAGAIN') return 'no more processes are allowed; end some running processes.';
  return message ?? String(cause);
}

/**
 * The real path of the working directory of a command. `cwd` must be a folder whose real path is inside one of `roots`.
 * Default: the first root.
 */
export function workingDirectory(cwd: string | undefined, roots: readonly string[]): string {
  const [root = '/'] = roots;
  const wanted = cwd ?? root;
  const real = canonical(wanted);
  if (real === undefined) {
    throw new ToolError(
      'execution_failed',
      `The working directory ${wanted} does not exist or is not a folder; the command was not run. ${advice(wanted, root)}`,
    );
  }
  // The root is allowed by definition.
  if (wanted === root || isAllowed(real, roots)) return real;
  throw new ToolError(
    'path_outside_root',
    `The working directory ${wanted} is outside the workspace ${root}. Use a folder inside it.`,
  );
}

/** Whether `path` is a folder whose real path is inside one of `roots`. */
export function isAllowedDirectory(path: string, roots: readonly string[]): boolean {
  const real = canonical(path);
  return real !== undefined && isAllowed(real, roots);
}

function isAllowed(real: string, roots: readonly string[]): boolean {
  return isInside(
    real,
    roots.flatMap((root) => canonical(root) ?? []),
  );
}

function canonical(path: string): string | undefined {
  return ifPossible(() => {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  });
}

function advice(wanted: string, root: string): string {
  return wanted === root ? 'Tell the user that the workspace is missing.' : `Create the folder again or use ${root}.`;
}
