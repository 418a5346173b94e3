import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort, unlessAborted } from '../../src/core/support/timers.js';

test('a callback that throws does not prevent later ones, and its error is not hidden', () => {
  let dispatch = () => {};
  const signal = {
    aborted: false,
    addEventListener: (_type: string, listener: () => void) => {
      dispatch = listener;
    },
    removeEventListener: () => {},
  } as unknown as AbortSignal;
  const called: string[] = [];
  onAbort(signal, () => called.push('first'));
  onAbort(signal, () => {
    throw new Error('the second fails');
  });
  onAbort(signal, () => called.push('third'));
  expect(dispatch).toThrow('the second fails');
  expect(called).toEqual(['first', 'third']);
});

test('a wait settles with its work or the abort, and leaves no listener on the signal', async () => {
  const abort = new AbortController();
  const { signal } = abort;
  expect(await unlessAborted(Promise.resolve('done'), signal, () => 'aborted')).toBe('done');
  await expect(unlessAborted(Promise.reject(new Error('failed')), signal, () => 'aborted')).rejects.toThrow('failed');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const endless = new Promise<string>(() => {});
  const waiting = unlessAborted(endless, signal, () => 'aborted');
  abort.abort();
  expect(await waiting).toBe('aborted');
  expect(await unlessAborted(endless, signal, () => 'aborted before')).toBe('aborted before');
});
