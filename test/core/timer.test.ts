import { getEventListeners } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTimer, systemTimers, waitFor } from '../../src/core/support/timers.js';
import { OutputWatch } from '../../src/shell/output/watch-size.js';
import { eachRow } from '../support/each-row.js';

const tooLong = [2 ** 31, 2 ** 40, Number.MAX_VALUE, Number.POSITIVE_INFINITY];
const aMonth = 2_592_000_000;

describe('a time longer than a timer allows is long', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.restoreAllMocks().useRealTimers());

  const waits: readonly (readonly [string, (delayMs: number, callback: () => void) => void])[] = [
    ['a timer', (delayMs, callback) => startTimer(callback, delayMs)],
    ['a timer of a run', (delayMs, callback) => systemTimers.set(callback, delayMs)],
    ['a wait', (delayMs, callback) => void waitFor(delayMs).then(callback)],
    [
      'the look at growing output',
      (delayMs, callback) => new OutputWatch(delayMs).add({ size: 0, maxBytes: 1_000, look: callback }),
    ],
  ];
  const rows = waits.flatMap(([name, begin]) => tooLong.map((delayMs) => ({ name, begin, delayMs })));

  test('for each kind of timer', () =>
    eachRow(rows, async ({ begin, delayMs }) => {
      const delays = vi.spyOn(globalThis, 'setTimeout').mockClear();
      const callback = vi.fn();
      begin(delayMs, callback);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(callback).not.toHaveBeenCalled();
      expect(delays.mock.calls.map(([, given]) => given)).toEqual([2_147_483_647]);
      await vi.advanceTimersByTimeAsync(aMonth);
      expect(callback).toHaveBeenCalled();
    }));
});

test('a wait ends when its signal aborts, and leaves no listener', async () => {
  const abort = new AbortController();
  const waiting = waitFor(aMonth, abort.signal);
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
  abort.abort();
  await waiting;
  await waitFor(aMonth, abort.signal);
  await waitFor(1, new AbortController().signal);
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
});

test('no other module uses timers directly', () => {
  const root = new URL('../../src', import.meta.url).pathname;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const setting = files.filter((name) =>
    /\bsetTimeout\b|AbortSignal\.timeout/.test(readFileSync(join(root, name), 'utf8').replace(/\/\/.*/g, '')),
  );
  // Programs that run in a separate process and are passed as text.
  const programs = ['extras/image/svg.ts', 'testing/scripted-mcp-program.ts'];
  expect(setting.sort()).toEqual(['core/support/timers.ts', ...programs]);
});
