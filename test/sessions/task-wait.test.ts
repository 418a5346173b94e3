import { fakeTimers } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { endedWithin } from '../../src/sessions/background-task.js';

const never = new Promise<void>(() => {});
const { signal } = new AbortController();

test('waits for the end, at most for its limit', async () => {
  await expect(endedWithin(Promise.resolve(), 60_000, signal)).resolves.toBeUndefined();
  const timers = fakeTimers();
  const waiting = endedWithin(never, 5_000, signal, timers);
  await timers.advance(5_000);
  await expect(waiting).resolves.toBeUndefined();
  expect(timers.pending).toBe(0);
});

test('an abort interrupts the waiting', async () => {
  const abort = new AbortController();
  const waiting = endedWithin(never, 60_000, abort.signal);
  abort.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
});
