import { expect, test } from 'vitest';
import { createDeadLetters } from '../../src/core.js';
import { calls, run, tool } from '../support/pipeline.js';

const bad = tool('Bad', () => {
  throw new Error('broken');
});

test('a call that finally failed is kept, scrubbed, and can be run again or dropped', async () => {
  const deadLetters = createDeadLetters();
  const key = ['ghp', '_', 'a1'.repeat(18)].join('');
  await run([bad], calls(['Bad', { token: key }], 'Nope'), { deadLetters });
  const [letter, ...others] = deadLetters.list();
  expect(others).toEqual([]);
  expect(letter).toMatchObject({
    call: { name: 'Bad', input: { token: '[REDACTED]' } },
    error: { code: 'execution_failed', message: 'broken' },
    attempts: 1,
  });
  expect(new Date(letter?.at ?? '').toISOString()).toBe(letter?.at);
  expect(deadLetters.redrive(letter?.id ?? '')).toEqual(letter?.call);
  expect(deadLetters.list()).toEqual([]);
  expect(deadLetters.redrive('letter_1')).toBeUndefined();
  expect(deadLetters.drop('letter_1')).toBe(false);
});

test('the oldest go first', async () => {
  const deadLetters = createDeadLetters({ max: 2 });
  await run([bad], calls('Bad', 'Bad', 'Bad'), { deadLetters });
  expect(deadLetters.list().map(({ call }) => call.id)).toEqual(['call_1', 'call_2']);
  expect(deadLetters.drop(deadLetters.list()[0]?.id ?? '')).toBe(true);
});

test('a store that throws changes no result', async () => {
  const add = () => {
    throw new Error('full');
  };
  expect((await run([bad], calls('Bad'), { deadLetters: { add } })).results).toMatchObject([{ output: 'Error: broken' }]);
});

test.each([0, -1, 1.5])('max %s is refused', (max) => {
  expect(() => createDeadLetters({ max })).toThrow('max');
});
