import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { shellNumbers } from '../../src/core/fixed-limits.js';
import { resolveLimits } from '../../src/core/resolve-limits.js';
import type { Shell, ShellOutcome, ShellRequest } from '../../src/ports/shell.js';
import { TaskManager } from '../../src/sessions/task-manager.js';
import { bashTool } from '../../src/tools/shell/bash.js';
import { deadlineShell } from '../../src/tools/shell/deadline.js';
import { taskOutputTool, taskStopTool } from '../../src/tools/shell/task-tools.js';
import { callScope, toolContext } from '../support/call-scope.js';
import { shellOutcome } from '../support/shell-outcome.js';

const limits = resolveLimits({ bash: { timeoutMs: 500, killGraceMs: 200 } });
const graceMs = limits.bash.killGraceMs + shellNumbers.settleGraceMs;
const outcome = shellOutcome({ output: 'done\n', outputFile: '/x' });
const never: Shell = { run: () => new Promise(() => {}) };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The outcome, once there is one. */
function watched(work: Promise<unknown>): { settled?: unknown } {
  const seen: { settled?: unknown } = {};
  work.then(
    (value) => (seen.settled = value),
    (thrown) => (seen.settled = thrown),
  );
  return seen;
}

describe('a shell that never returns', () => {
  test.each([
    [300, 300],
    [undefined, 500],
  ])('fails with timeout shortly after the limit, given %s', async (timeoutMs, limitMs) => {
    const shell = deadlineShell(never, { limitMs: 500, graceMs });
    const seen = watched(shell.run({ command: 'x', timeoutMs }, callScope()));
    await vi.advanceTimersByTimeAsync(limitMs + graceMs - 1);
    expect(seen).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.settled).toMatchObject({ code: 'timeout', message: expect.stringContaining(`${limitMs} ms`) });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('gets the abort, and its output so far is in the error', async () => {
    let signal: AbortSignal | undefined;
    const silent: Shell = {
      run: ({ onOutput }, scope) => {
        signal = scope.signal;
        onOutput?.('first\n');
        return new Promise(() => {});
      },
    };
    const tails: string[] = [];
    const scope = callScope();
    const shell = deadlineShell(silent, { limitMs: 500, graceMs });
    const seen = watched(shell.run({ command: 'x', onOutput: (tail) => tails.push(tail) }, scope));
    await vi.advanceTimersByTimeAsync(500 + graceMs);
    expect(seen.settled).toMatchObject({ code: 'timeout', partialOutput: 'first\n' });
    expect([signal?.aborted, tails, getEventListeners(scope.signal, 'abort')]).toEqual([true, ['first\n'], []]);
  });

  test('has the same grace period after an abort', async () => {
    const abort = new AbortController();
    const shell: Shell = {
      run: async (_, { signal }) => await new Promise<never>((_, reject) => signal.reason && reject(signal.reason)),
    };
    const seen = watched(
      deadlineShell(shell, { limitMs: 0, graceMs }).run({ command: 'x' }, callScope({ signal: abort.signal })),
    );
    await vi.advanceTimersByTimeAsync(86_400_000);
    abort.abort();
    await vi.advanceTimersByTimeAsync(graceMs - 1);
    expect(seen).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.settled).toMatchObject({ code: 'interrupted' });
  });

  test.each([
    ['an abort', (abort: AbortController) => abort.abort(new DOMException('late', 'TimeoutError'))],
    ['a signal that was aborted before', undefined],
  ])('gets %s with its reason', async (_, act) => {
    const abort = new AbortController();
    if (act === undefined) abort.abort('first');
    let heard: AbortSignal | undefined;
    const shell: Shell = {
      run: (_request, { signal }) => {
        heard = signal;
        return new Promise(() => {});
      },
    };
    watched(deadlineShell(shell, { limitMs: 500, graceMs }).run({ command: 'x' }, callScope({ signal: abort.signal })));
    act?.(abort);
    expect(heard?.reason).toBe(abort.signal.reason);
    await vi.advanceTimersByTimeAsync(graceMs);
  });
});

test('the signal of a call is created only for a shell that reads it, and for commands that may move to the background', () => {
  const asked = vi.fn();
  const scope = {
    caller: { sessionId: 's' },
    get signal() {
      asked();
      return new AbortController().signal;
    },
  };
  const shell = deadlineShell(never, { limitMs: 0, graceMs });
  watched(shell.run({ command: 'x' }, scope));
  expect(asked).not.toHaveBeenCalled();
  watched(shell.run({ command: 'x', onStart: () => {} }, scope));
  expect(asked).toHaveBeenCalledOnce();
});

describe('a shell that returns', () => {
  const slow = (afterMs: number): Shell => ({
    run: () => new Promise((resolve) => void setTimeout(() => resolve({ ...outcome, timedOut: true }), afterMs)),
  });

  test.each([0, 499, 500, 500 + graceMs - 1])('within %d ms has its result, and no timer remains', async (afterMs) => {
    const seen = watched(deadlineShell(slow(afterMs), { limitMs: 500, graceMs }).run({ command: 'x' }, callScope()));
    await vi.advanceTimersByTimeAsync(afterMs);
    expect(seen.settled).toMatchObject({ output: 'done\n' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([0, Number.POSITIVE_INFINITY])('has no deadline if the time limit is %d', async (limitMs) => {
    const seen = watched(deadlineShell(slow(86_400_000), { limitMs, graceMs }).run({ command: 'x' }, callScope()));
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(seen.settled).toMatchObject({ output: 'done\n' });
  });

  test('keeps its results and errors unchanged', async () => {
    const failing: Shell = {
      run: () => {
        throw new RangeError('broken');
      },
    };
    await expect(deadlineShell(failing, { limitMs: 500, graceMs }).run({ command: 'x' }, callScope())).rejects.toThrow(
      RangeError,
    );
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the tools over a shell that never returns', () => {
  const manager = () => new TaskManager({ limits: limits.tasks, stopGraceMs: 1_000, maxLogChars: 1_000 });

  test('a foreground call returns', async () => {
    const seen = watched(bashTool({ shell: never, limits }).execute({ command: 'x', timeout: 300 }, toolContext()));
    await vi.advanceTimersByTimeAsync(300 + graceMs);
    expect(seen.settled).toMatchObject({ code: 'timeout' });
  });

  test('a call that moves to the background returns, and so does its task', async () => {
    const tasks = manager();
    const shell = {
      run: ({ onStart }: ShellRequest) =>
        new Promise<ShellOutcome>(() => onStart?.({ outputFile: '/x', open: () => ({ read: () => '' }) })),
    };
    const bash = bashTool({ shell, tasks, limits, autoBackground: true });
    const moved = watched(bash.execute({ command: 'x', timeout: 300 }, toolContext()));
    await vi.advanceTimersByTimeAsync(300);
    expect(moved.settled).toMatchObject({ output: expect.stringContaining('goes on in the background') });
    await vi.advanceTimersByTimeAsync(limits.bash.backgroundTimeoutMs + graceMs);
    expect(tasks.list()).toMatchObject([{ state: 'failed' }]);
  });

  test('a task whose output cannot be read or ended can be viewed and stopped', async () => {
    const tasks = manager();
    const hanging = () => new Promise<never>(() => {});
    const id = tasks.start('x', async (task) => {
      task.attach({ outputFile: '/x', open: () => ({ read: hanging }), end: hanging });
      await hanging();
    });
    const look = watched(taskOutputTool({ tasks, limits }).execute({ task_id: id, timeout: 100 }, toolContext()));
    await vi.advanceTimersByTimeAsync(100 + shellNumbers.settleGraceMs);
    expect(look.settled).toMatchObject({ code: 'timeout', message: expect.stringContaining('/x') });
    const stop = watched(taskStopTool({ tasks }).execute({ task_id: id }, toolContext()));
    await vi.advanceTimersByTimeAsync(1_000 + shellNumbers.settleGraceMs);
    expect(stop.settled).toMatchObject({ output: expect.stringContaining(`Task stopped: ${id}`) });
    const disposal = watched(tasks.dispose());
    await vi.advanceTimersByTimeAsync(1_000 + shellNumbers.settleGraceMs);
    expect(disposal).toHaveProperty('settled');
  });
});
