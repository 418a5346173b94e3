import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ToolError } from '../../core/error.js';
import { ChildEnvironments } from './child-environment.js';

/** Options of a program run. */
interface PipeOptions {
  readonly signal: AbortSignal;
  /** Limit of its output. */
  readonly maxBytes: number;
  /** Default: no limit. */
  readonly timeoutMs?: number;
  /** Default: the folder of this process. */
  readonly cwd?: string;
}

/** The failure of a program. */
export interface ProgramFailure {
  /** Its exit code, or why it was not started, such as ENOENT. */
  readonly code?: string | number;
  /** Whether it exceeded its time or output limit. */
  readonly killed?: boolean;
  /** Its standard error. */
  readonly stderr: Buffer;
}

const environments = new ChildEnvironments();

/**
 * Pipes input through a program and returns its output. The program is killed when the signal aborts, which is
 * `interrupted`; every other failure rejects with a {@link ProgramFailure}.
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
  // A program that ends early does not read its input.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (thrown) {
    if (signal.aborted) throw new ToolError('interrupted', 'The call was interrupted.', { cause: thrown });
    throw thrown;
  }
}
