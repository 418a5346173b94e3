import { spawn } from 'node:child_process';
import type { Timers } from '../../../core/support/timers.js';

export interface RipgrepRequest {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Receives the output piece by piece; returning false ends the program. */
  readonly onOutput: (chunk: Buffer) => boolean;
  /** Receives the error output piece by piece. */
  readonly onErrorOutput: (text: string) => void;
}

/** Why a run ended. `enough` means that `onOutput` needed no more. */
export type RipgrepEnd =
  | { readonly kind: 'exited'; readonly exitCode: number | undefined }
  | { readonly kind: 'enough' | 'timeout' | 'aborted' | 'not_started' };

/**
 * Starts ripgrep and resolves when the process has exited. The promise does not reject if the program fails. If
 * `onOutput` throws, the program is killed and the promise rejects with that error.
 */
export function runRipgrep(request: RipgrepRequest): Promise<RipgrepEnd> {
  return new Promise((resolve, reject) => {
    let stopped: RipgrepEnd | undefined;
    let failure: { readonly thrown: unknown } | undefined;

    const child = start(request);
    if (child === undefined) return resolve({ kind: 'not_started' });
    const end = (kind: 'enough' | 'timeout' | 'aborted') => {
      stopped ??= { kind };
      child.kill('SIGKILL');
    };
    const abort = () => end('aborted');
    const { timeoutMs, timers } = request;
    const timer = Number.isFinite(timeoutMs) ? timers.set(() => end('timeout'), timeoutMs) : undefined;
    const settle = (outcome: RipgrepEnd) => {
      timers.clear(timer);
      request.signal.removeEventListener('abort', abort);
      if (failure === undefined) resolve(outcome);
      else reject(failure.thrown);
    };

    request.signal.addEventListener('abort', abort, { once: true });
    if (request.signal.aborted) abort();
    child.stdout.on('data', (chunk: Buffer) => {
      if (stopped !== undefined) return;
      try {
        if (!request.onOutput(chunk)) end('enough');
      } catch (thrown) {
        failure = { thrown };
        end('enough');
      }
    });
    child.stderr.setEncoding('utf8').on('data', request.onErrorOutput);
    child.on('close', (exitCode) => settle(stopped ?? { kind: 'exited', exitCode: exitCode ?? undefined }));
  });
}

/**
 * Starts the program without a shell, without input and with an empty environment (on Windows with `SystemRoot`).
 * Undefined if it cannot start.
 */
function start({ program, arguments: words, cwd }: RipgrepRequest) {
  const { SystemRoot } = process.env;
  const env = SystemRoot === undefined ? {} : { SystemRoot };
  try {
    const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    // These errors need no handling: a program that did not start has no `pid`, and a program that could not be killed
    // ends later by itself.
    child.on('error', () => {});
    return child.pid === undefined ? undefined : child;
  } catch {
    // Node throws some system errors, such as ETXTBSY and ENOMEM.
    return undefined;
  }
}
