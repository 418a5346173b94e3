import { expect, test } from 'vitest';
import { onAbort } from '../../src/core/support/on-abort.js';

test('a callback that throws does not keep later ones from being called, and what it throws is not hidden', () => {
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
