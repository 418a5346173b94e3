import { expect, test } from 'vitest';
import { outputOf, tryProgram } from '../../../src/shell/sandbox/run-program-once.js';

const { signal } = new AbortController();

test('a working program gives no obstacle, a broken one gives its reason in one line', async () => {
  expect(await tryProgram('sh', ['-c', 'echo fine'], 5_000, signal)).toBeUndefined();
  expect(await tryProgram('sh', ['-c', 'echo first >&2; echo second >&2; exit 1'], 5_000, signal)).toBe('first');
  expect(await tryProgram('sh', ['-c', 'exit 1'], 5_000, signal)).toContain('Command failed');
  expect(await tryProgram('no-such-program-here', [], 5_000, signal)).toBe('no-such-program-here is not installed');
});

test('a program that hangs or is aborted is ended', async () => {
  expect(await tryProgram('sleep', ['60'], 50, signal)).toBeTypeOf('string');
  expect(await tryProgram('sleep', ['60'], 60_000, AbortSignal.abort())).toBeTypeOf('string');
});

test('the output of a program that fails or hangs is undefined', async () => {
  expect(await outputOf('sh', ['-c', 'echo fine'], 5_000)).toBe('fine\n');
  expect(await outputOf('sh', ['-c', 'echo no; exit 1'], 5_000)).toBe('');
  expect(await outputOf('sh', ['-c', 'echo no; sleep 60'], 50)).toBe('');
  expect(await outputOf('no-such-program-here', [], 5_000)).toBe('');
});
