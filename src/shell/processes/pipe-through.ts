import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ToolError } from '../../core/error.js';
import { ChildEnvironments } from './child-environment.js';

/** How a program is run. */
interface PipeOptions {
  readonly signal: AbortSignal;
  /** Of its output. */
  readonly maxBytes: number;
  /** Default: as long as it takes. */
  readonly timeoutMs?: number;
  /** Default: the folder of this process. */
  readonly cwd?: string;
}

/** What is known of a program that failed. */
export interface ProgramFailure {
  /** Its exit code, or why it was not started, such as ENOENT. */
  readonly code?: string | number;
  /** Whether it took too long or said too much. */
  readonly killed?: boolean;
  /** What it wrote to its standard error. */
  readonly stderr: Buffer;
}

const environments = new ChildEnvironments();

/**
 * What a program makes of its standard input. It is killed when the signal aborts, which is `interrupted`; every other
 * failure rejects with a {@link ProgramFailure}.
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
  // A program that ends at once does not read.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (thrown) {
    if (signal.aborted) throw new ToolError('interrupted', 'The call was interrupted.', { cause: thrown });
    throw thrown;
  }
}
