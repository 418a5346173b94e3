import { ToolError } from '../../core/error.js';

/** A program to run, with the descriptors that take its output; they may be the same. */
export interface ProcessRequest {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdout: number;
  readonly stderr: number;
}

/** How a process ended: a code, or the name of the signal that ended it. */
export interface ProcessEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

/** A running process that leads a group of its own. */
export interface StartedProcess {
  readonly pid: number;
  readonly ended: Promise<ProcessEnd>;
}

/**
 * Starts a program in a session and group of its own, with nothing to read. Rejects with `execution_failed` when the
 * system refuses.
 */
export type StartProcess = (request: ProcessRequest) => Promise<StartedProcess>;

/** Loads what starts processes; keep the answer. */
export async function loadStartProcess(): Promise<StartProcess> {
  const { execa } = await import('execa');
  return async (request) => {
    // The types of execa list descriptors one by one; any is taken.
    const { stdout, stderr } = request as unknown as { readonly stdout: 3; readonly stderr: 3 };
    const child = execa(request.file, request.arguments, {
      cwd: request.cwd,
      env: request.env,
      extendEnv: false,
      stdin: 'ignore',
      stdout,
      stderr,
      buffer: false,
      detached: true,
      cleanup: false,
      reject: false,
      windowsHide: true,
    });
    // The exit itself, ahead of the result that execa draws up.
    const ended = new Promise<ProcessEnd>((resolve) => {
      child.once('exit', (code, signal) => resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }));
    });
    if (child.pid !== undefined) return { pid: child.pid, ended };
    const { cause } = await child;
    throw new ToolError('execution_failed', `The shell could not be started: ${reasonOf(cause)}`, { cause });
  };
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'E2BIG') return 'the command is too long for one command line; write it to a file and run that.';
  if (code === 'EAGAIN') return 'no more processes are allowed; end some that are running.';
  return message ?? String(cause);
}
