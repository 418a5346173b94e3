import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { executeTools, type StandardSchema, type Tool, ToolRegistry } from '../../src/core.js';
import type { FileSystem } from '../../src/index.js';
import { type FakeTimers, fakeTimers, memoryFiles } from '../../src/testing/index.js';
import { table } from '../support/each-row.js';
import { allowAll, calls, deferred, never, settle, tool } from '../support/pipeline.js';
import { testToolkit } from '../support/test-toolkit.js';

/** A file system with one method that never returns. */
function silent(method: keyof FileSystem): FileSystem {
  const files = memoryFiles({ root: '/ws', files: { a: 'x\n' } });
  return new Proxy(files, {
    get: (target, key) => {
      if (key === method) return () => never;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

table<[string, object]>([
  ['Read', { file_path: '/ws/a' }],
  ['Write', { file_path: '/ws/b', content: 'x' }],
  ['Edit', { file_path: '/ws/a', old_string: 'x', new_string: 'y' }],
  ['Glob', { pattern: '*', path: '/ws' }],
  ['Grep', { pattern: 'x', path: '/ws' }],
])('a call fails with timeout if the file system does not resolve a path', async (name, input) => {
  const toolkit = testToolkit({
    root: '/ws',
    permissions: 'bypassPermissions',
    hosts: { files: silent('resolve') },
    limits: { call: { timeoutMs: 50, abortGraceMs: 10 } },
  });
  const { results } = await toolkit.execute([{ id: 'c', name, input }]);
  expect(results[0]?.ok === false && results[0].error.code).toBe('timeout');
});

/** A schema that validates when the promise resolves. */
const slowSchema = (answer: () => Promise<unknown>): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate: (value) => answer().then(() => ({ value })) },
});

describe('the preparation of a call', () => {
  const after = (timers: FakeTimers, delayMs: number) => () =>
    new Promise<undefined>((resolve) => timers.set(() => resolve(undefined), delayMs));
  const late = (timers: FakeTimers, delayMs: number): Tool => {
    const wait = after(timers, delayMs);
    return tool('Late', () => 'done', {
      input: slowSchema(wait),
      inputJson: { type: 'object' },
      footprint: () => wait().then(() => ({ reads: 'nothing', writes: 'nothing' })),
      verdict: wait,
      targets: () => wait().then(() => []),
    });
  };
  const start = (timers: FakeTimers, delayMs: number, limits: object = {}) =>
    executeTools(calls('Late'), {
      registry: new ToolRegistry().register(late(timers, delayMs)),
      permissions: allowAll,
      timers,
      limits: { resolver: { timeoutMs: 1_000 }, ...limits },
    });

  test('has one time limit in all', async () => {
    const timers = fakeTimers();
    const turn = start(timers, 600);
    await timers.advance(1_000);
    await settle();
    const { results } = await turn;
    expect(results[0]?.ok === false && results[0].error.code).toBe('timeout');
    expect(timers.now()).toBe(1_000);
  });

  test('may use most of its time limit', async () => {
    const timers = fakeTimers();
    const turn = start(timers, 240);
    await timers.advance(1_000);
    expect((await turn).results[0]?.ok).toBe(true);
  });

  test('has at most the time limit of the call', async () => {
    const timers = fakeTimers();
    const turn = start(timers, 400, { call: { timeoutMs: 500 } });
    await timers.advance(500);
    const { results } = await turn;
    expect(results[0]?.ok === false && results[0].error.code).toBe('timeout');
  });

  test('has a new time limit for each call, which excludes the time of a person', async () => {
    const timers = fakeTimers();
    const person = deferred<{ behavior: 'allow' }>();
    const registry = new ToolRegistry().register(late(timers, 200));
    const turn = executeTools(calls('Late', 'Late'), {
      registry,
      permissions: { check: () => person.promise },
      timers,
      limits: { resolver: { timeoutMs: 1_000 } },
    });
    await timers.advance(60_000);
    person.resolve({ behavior: 'allow' });
    await timers.advance(1_000);
    expect((await turn).results.map(({ ok }) => ok)).toEqual([true, true]);
  });

  test('has no time limit if the limit is switched off', async () => {
    const timers = fakeTimers();
    const turn = start(timers, 100_000, { resolver: { timeoutMs: 0 }, call: { timeoutMs: 0 } });
    await timers.advance(400_000);
    expect((await turn).results[0]?.ok).toBe(true);
  });
});

test('a zod schema runs without a timer', async () => {
  const { results } = await executeTools(calls('Plain'), {
    registry: new ToolRegistry().register(tool('Plain', () => 'done', { input: z.object({}) })),
    permissions: allowAll,
  });
  expect(results[0]?.ok).toBe(true);
});
