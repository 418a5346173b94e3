import { type ChildProcess, spawn } from 'node:child_process';
import { ToolError } from '../core/error.js';

/** The words of a local program that runs a POSIX shell line on another machine: `(line) => ['ssh', 'host', line]`. */
export type RemoteRun = (line: string) => readonly string[];

/** The outcome of a line. */
interface RemoteAnswer {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Starts the program in its own process group. The caller reads its streams. */
export function startRemote(run: RemoteRun, line: string): ChildProcess {
  const [file = '', ...words] = run(line);
  return spawn(file, words, { stdio: 'pipe', detached: true });
}

/** Ends the local processes of {@link startRemote}. */
export function endRemote(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process group has ended already.
  }
  for (const stream of child.stdio) stream?.destroy();
}

/**
 * Runs a line to its end. Rejects with `cancelled` after an abort, with `file_too_large` for more than `maxBytes` of
 * output, and with `storage_failed` if the program cannot be started.
 */
export function askRemote(
  run: RemoteRun,
  line: string,
  { input, signal, maxBytes }: { readonly input?: Uint8Array; readonly signal: AbortSignal; readonly maxBytes: number },
): Promise<RemoteAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(cancelled());
    const child = startRemote(run, line);
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    const fail = (error: ToolError) => {
      signal.removeEventListener('abort', abort);
      endRemote(child);
      reject(error);
    };
    const abort = () => fail(cancelled());
    signal.addEventListener('abort', abort, { once: true });
    child.once('error', (cause) =>
      fail(
        new ToolError('storage_failed', `The local program for the other machine cannot be started: ${cause.message}`, {
          cause,
        }),
      ),
    );
    // Write errors are ignored, because the exit code of the program gives the reason.
    child.stdin?.on('error', () => {}).end(input);
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      const message = `The output is larger than ${maxBytes} bytes. Read a part of the file with Bash.`;
      if (size > maxBytes) fail(new ToolError('file_too_large', message));
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(0, 2_000);
    });
    child.once('close', (code) => {
      signal.removeEventListener('abort', abort);
      resolve({ code, stdout: Buffer.concat(chunks), stderr });
    });
  });
}

function cancelled(): ToolError {
  return new ToolError('cancelled', 'The call was cancelled.');
}
