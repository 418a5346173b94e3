import { expect, test } from 'vitest';
import { defaultLimits } from '../../src/core/limits.js';
import { resolveLimits } from '../../src/core/resolve-limits.js';

test('overrides change what they name and nothing else', () => {
  const limits = resolveLimits({ bash: { timeoutMs: 5 }, call: {} });
  expect(limits.bash).toEqual({ ...defaultLimits.bash, timeoutMs: 5 });
  expect({ ...limits, bash: 0 }).toEqual({ ...defaultLimits, bash: 0 });
  expect(Object.isFrozen(limits) && Object.isFrozen(limits.bash)).toBe(true);
});

test.each([
  [{ bsh: {} }, 'limits.bsh is no group of limits. Did you mean "bash"?'],
  [{ bash: { timeout: 5 } }, 'limits.bash.timeout is no limit.'],
  [{ bash: { timeoutMS: 5 } }, 'Did you mean "timeoutMs"?'],
  [{ bash: { timeoutMs: -1 } }, 'a number from 0 up, not -1'],
  [{ bash: { timeoutMs: Number.NaN } }, 'not NaN'],
  [{ bash: { timeoutMs: '5' } }, 'not 5'],
  [{ constructor: {} }, 'no group'],
  [{ call: 5 }, 'limits.call takes an object of limits, not 5'],
  [{ call: null }, 'limits.call takes an object of limits, not null'],
  [{ retry: { maxAttempts: 1.5 } }, 'limits.retry.maxAttempts must be a whole number, not 1.5'],
  [{ retry: { maxAttempts: 0 } }, 'limits.retry.maxAttempts must be a whole number from 1 up, not 0'],
  [
    { retry: { maxAttempts: Number.POSITIVE_INFINITY } },
    'limits.retry.maxAttempts must be a whole number from 1 up, not Infinity',
  ],
  [{ output: { maxChars: 0.5 } }, 'limits.output.maxChars must be a whole number'],
])('%j is refused', (overrides, message) => {
  expect(() => resolveLimits(overrides as never)).toThrow(message);
});

test('times need not be whole, and undefined keeps what was', () => {
  const { retry, call } = resolveLimits({ retry: { maxMs: 1.5, maxAttempts: undefined }, call: undefined });
  expect([retry.maxMs, retry.maxAttempts, call]).toEqual([1.5, 1, defaultLimits.call]);
});

test('overrides go over a base of their own', () => {
  const base = resolveLimits({ retry: { maxAttempts: 4 }, call: { maxRewrites: 1 } });
  expect(resolveLimits({ retry: { baseMs: 7 } }, base)).toEqual({ ...base, retry: { ...base.retry, baseMs: 7 } });
});

test('Infinity and 0 are limits', () => {
  expect(resolveLimits({ call: { timeoutMs: 0 }, glob: { maxFiles: Number.POSITIVE_INFINITY } }).glob.maxFiles).toBe(
    Number.POSITIVE_INFINITY,
  );
});
