import { expect, test } from 'vitest';
import { endedWithin } from '../../src/state/tasks/task-wait.js';

const never = new Promise<void>(() => {});

test('waits for the end, and no longer than its limit', async () => {
  await expect(endedWithin(Promise.resolve(), 60_000)).resolves.toBeUndefined();
  await expect(endedWithin(never, 5)).resolves.toBeUndefined();
});

test('an abort interrupts the waiting', async () => {
  const abort = new AbortController();
  const waiting = endedWithin(never, 60_000, abort.signal);
  abort.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
});
