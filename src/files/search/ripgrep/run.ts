import { spawn } from 'node:child_process';
import type { Timers } from '../../../core/support/timer.js';

export interface RipgrepRequest {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Receives the output piece by piece; returning false ends the program. */
  readonly onOutput: (chunk: Buffer) => boolean;
}

/** Why a run ended. `enough` means that `onOutput` needed no more. */
export type RipgrepEnd =
  | { readonly kind: 'exited'; readonly exitCode: number | undefined; readonly errorOutput: string }
  | { readonly kind: 'enough' | 'timeout' | 'aborted' | 'not_started' };

const maxErrorOutputChars = 16_000;

/**
 * Starts ripgrep without a shell, without input and with an empty environment (on Windows with `SystemRoot`), and resolves when the process has
 * exited. The promise does not reject if the program fails. If `onOutput` throws, the program is killed and the promise
 * rejects with that error.
 */
export function runRipgrep(request: RipgrepRequest): Promise<RipgrepEnd> {
  return new Promise((resolve, reject) => {
    const { SystemRoot } = process.env;
    let stopped: RipgrepEnd | undefined;
    let failure: { readonly thrown: unknown } | undefined;
    let errorOutput = '';

    const child = spawn(request.program, request.arguments, {
      cwd: request.cwd,
      env: SystemRoot === undefined ? {} : { SystemRoot },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
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

    // Without a free file descriptor there are not even pipes to read from.
    if (child.pid === undefined) {
      child.on('error', () => settle({ kind: 'not_started' }));
      return;
    }
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
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (errorOutput.length < maxErrorOutputChars) errorOutput += text;
    });
    // A failure to end the program shows as its later end.
    child.on('error', () => {});
    child.on('close', (exitCode) =>
      settle(stopped ?? { kind: 'exited', exitCode: exitCode ?? undefined, errorOutput }),
    );
  });
}
