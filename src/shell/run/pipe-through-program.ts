import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ToolError } from '../../core/error.js';
import { ChildEnvironments } from './child-environment.js';

/** Options of a program run. */
interface PipeOptions {
  readonly signal: AbortSignal;
  /** Maximum size of the output in bytes. */
  readonly maxBytes: number;
  /** Time limit in milliseconds. Default: no limit. */
  readonly timeoutMs?: number;
  /** Working directory. Default: the working directory of this process. */
  readonly cwd?: string;
}

/** The failure of a program. */
export interface ProgramFailure {
  /** The exit code, or the reason why the program did not start, such as ENOENT. */
  readonly code?: string | number;
  /** Whether the program exceeded its time or output limit. */
  readonly killed?: boolean;
  /** The standard error of the program. */
  readonly stderr: Buffer;
}

const environments = new ChildEnvironments();

/**
 * Pipes input through a program and returns its output. When the signal aborts, the program is killed and the call
 * rejects with `interrupted`. Every other failure rejects with a {@link ProgramFailure}.
 */
export async function pipeThrough(
  file: string,
  words: readonly string[],
  input: string,
  { signal, maxBytes: maxBuffer, timeoutMs: timeout = 0, cwd }: PipeOptions,
): Promise<Buffer> {
  const { env } = environments.make(process.env);
  const ends = { signal, timeout, maxBuffer, killSignal: 'SIGKILL' } as const;
  const running = promisify(execFile)(file, words, { ...ends, env, cwd, encoding: 'buffer', windowsHide: true });
  // If the program ends early, writing its input fails. The result of the program counts, so this error is ignored.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (thrown) {
    if (signal.aborted) throw new ToolError('interrupted', 'The call was interrupted.', { cause: thrown });
    throw thrown;
  }
}
