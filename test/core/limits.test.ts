import { expect, test } from 'vitest';
import { defaultLimits, resolveLimits } from '../../src/core/limits.js';

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
])('%j is refused', (overrides, message) => {
  expect(() => resolveLimits(overrides as never)).toThrow(message);
});

test('Infinity and 0 are limits', () => {
  expect(resolveLimits({ call: { timeoutMs: 0 }, glob: { maxFiles: Number.POSITIVE_INFINITY } }).glob.maxFiles).toBe(
    Number.POSITIVE_INFINITY,
  );
});
