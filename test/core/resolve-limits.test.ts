import { readdirSync, readFileSync } from 'node:fs';
import { defaultLimits } from 'toolwright';
import { expect, test } from 'vitest';
import { resolveSettings } from '../../src/call/run-options.js';
import { ToolRegistry } from '../../src/core/registry/registry.js';
import { resolveLimits } from '../../src/core/resolve-limits.js';
import { table } from '../support/each-row.js';

test('overrides change only the given limits', () => {
  const limits = resolveLimits({ bash: { timeoutMs: 5 }, call: {} });
  expect(limits.bash).toEqual({ ...defaultLimits.bash, timeoutMs: 5 });
  expect({ ...limits, bash: 0 }).toEqual({ ...defaultLimits, bash: 0 });
  expect(Object.isFrozen(limits) && Object.isFrozen(limits.bash)).toBe(true);
});

table([
  [{ bsh: {} }, 'limits.bsh is not a group of limits. Did you mean "bash"?'],
  [{ bash: { timeout: 5 } }, 'limits.bash.timeout is not a limit.'],
  [{ bash: { timeoutMS: 5 } }, 'Did you mean "timeoutMs"?'],
  [{ bash: { timeoutMs: -1 } }, 'a number from 0 up, not -1'],
  [{ bash: { timeoutMs: Number.NaN } }, 'not NaN'],
  [{ bash: { timeoutMs: '5' } }, 'not 5'],
  [{ constructor: {} }, 'not a group'],
  [{ call: 5 }, 'limits.call takes an object of limits, not 5'],
  [{ call: null }, 'limits.call takes an object of limits, not null'],
  [{ grep: { headLimit: 2.5 } }, 'limits.grep.headLimit must be a whole number'],
  [{ output: { maxChars: 0.5 } }, 'limits.output.maxChars must be a whole number'],
])('rejects unknown and invalid limits', (overrides, message) =>
  expect(() => resolveLimits(overrides as never)).toThrow(message),
);

test('times may be fractions, and undefined keeps the previous value', () => {
  const { bash, call } = resolveLimits({ bash: { killGraceMs: 1.5, timeoutMs: undefined }, call: undefined });
  expect([bash.killGraceMs, bash.timeoutMs, call]).toEqual([1.5, defaultLimits.bash.timeoutMs, defaultLimits.call]);
});

test('overrides apply to a given base', () => {
  const base = resolveLimits({ bash: { timeoutMs: 4 }, call: { maxRewrites: 1 } });
  expect(resolveLimits({ bash: { killGraceMs: 7 } }, base)).toEqual({
    ...base,
    bash: { ...base.bash, killGraceMs: 7 },
  });
});

test('Infinity and 0 are limits', () =>
  expect(resolveLimits({ call: { timeoutMs: 0 }, glob: { maxFiles: Number.POSITIVE_INFINITY } }).glob.maxFiles).toBe(
    Number.POSITIVE_INFINITY,
  ));

test('each limit is used', () => {
  const folder = new URL('../../src/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'core/limits.ts')
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const names = Object.values(defaultLimits).flatMap((group) => Object.keys(group));
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
});

table([
  [{ maxAttempts: 1.5 }, 'retry.maxAttempts must be a whole number, not 1.5'],
  [{ maxAttempts: 0 }, 'retry.maxAttempts must be a whole number from 1 up, not 0'],
  [{ maxAttempts: Number.POSITIVE_INFINITY }, 'retry.maxAttempts must be a whole number from 1 up, not Infinity'],
  [{ attempts: 2 }, 'retry.attempts is not a limit'],
])('rejects invalid retry options', (retry, message) =>
  expect(() => resolveSettings({ registry: new ToolRegistry(), retry } as never)).toThrow(message),
);
