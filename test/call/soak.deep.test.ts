import { getEventListeners } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import {
  createDeadLetters,
  createRateLimiter,
  createToolkit,
  Tool,
  type ToolCall,
  type Toolkit,
} from '../../src/index.js';
import { never, settle } from '../support/pipeline.js';
import { runs } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const callCount = runs(10_000);
const perTurn = 20;

/** The numbers that must not grow, after garbage collection. */
async function measure(signals: readonly AbortSignal[]) {
  await settle();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    collect();
    await settle();
  }
  return {
    signalListeners: signals.flatMap((signal) => getEventListeners(signal, 'abort')).length,
    processListeners: Object.fromEntries(
      process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    ),
    resources: process.getActiveResourcesInfo(),
    descriptors: readdirSync('/proc/self/fd').length,
    heapBytes: process.memoryUsage().heapUsed,
  };
}

/**
 * New handles that keep the process alive. Timers of the test runner come and go, so the check is repeated for a
 * moment.
 */
async function expectNoNewResources(before: readonly string[]): Promise<void> {
  const added = () => {
    const left = [...before];
    return process
      .getActiveResourcesInfo()
      .filter((kind) => !left.includes(kind) || left.splice(left.indexOf(kind), 1).length === 0);
  };
  await until(() => added().length === 0);
}

const input = z.object({ number: z.number() });
const define = (name: string, execute: (signal: AbortSignal) => unknown, timeoutMs = 60_000) =>
  Tool.define(name, {
    description: name,
    input,
    sideEffect: 'none',
    timeoutMs,
    execute: async (_, { signal }) => String(await execute(signal)),
  });

const tools = [
  define('Quick', () => 'x'.repeat(1_000)),
  define('Slow', () => new Promise((resolve) => setTimeout(resolve, 2))),
  define('Large', () => 'y'.repeat(100_000)),
  define('Fails', () => Promise.reject(new Error('z'.repeat(1_000)))),
  define('Hangs', () => never, 3),
  define('HangsListening', (signal) => (signal.aborted ? '' : never), 3),
];

function turnOf(turn: number, root: string): ToolCall[] {
  const file = join(root, `file-${turn % 10}.txt`);
  return Array.from({ length: perTurn }, (_, index): ToolCall => {
    const number = turn * perTurn + index;
    const call = (name: string, fields: object = { number }) => ({ id: `call_${number}`, name, input: fields });
    const written = join(root, `written-${turn % 10}.txt`);
    const isTenth = turn % 10 === 0;
    const isFiftieth = turn % 50 === 0;
    const kinds = [
      call('Read', { file_path: file }),
      call('Write', { file_path: written, content: `turn ${turn}\n` }),
      call('Edit', { file_path: file, old_string: 'one', new_string: 'one', replace_all: true }),
      call('Quick', { number: '7' }),
      call('Quick', { wrong: true }),
      call('Nobody'),
      call('Fails'),
      call('Slow'),
      call(isTenth ? 'Hangs' : 'Quick'),
      call(isTenth ? 'HangsListening' : 'Quick'),
      isFiftieth ? call('Bash', { command: 'echo done' }) : call('Large'),
      isFiftieth ? call('Grep', { pattern: 'one', path: root }) : call('Glob', { pattern: '*.txt', path: root }),
    ];
    return kinds[number % 20] ?? call('Quick');
  });
}

async function work(toolkit: Toolkit, root: string, turns: number, signal: AbortSignal): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const calls = turnOf(turn, root);
    const stop = turn % 7 === 3 ? AbortSignal.any([signal, AbortSignal.timeout(1)]) : signal;
    const { results } = await toolkit.execute(calls, {
      caller: { sessionId: `session ${turn % 50}` },
      signal: stop,
      onEvent: () => {},
    });
    if (results.length !== calls.length) throw new Error(`${results.length} results for ${calls.length} calls`);
  }
}

test(`${callCount} calls in one process leave no listeners, handles, timers or memory`, async () => {
  const root = temporaryFolder();
  for (let index = 0; index < 10; index++) writeFileSync(join(root, `file-${index}.txt`), 'one\ntwo\n');
  const toolkit = createToolkit({
    root,
    permissions: 'bypassPermissions',
    rateLimiter: createRateLimiter({ max: 1_000_000 }),
    deadLetters: createDeadLetters({ max: 50, file: join(root, 'letters.jsonl') }),
    retry: { maxAttempts: 2, baseMs: 1 },
    limits: { call: { abortGraceMs: 5 } },
    hooks: {
      PreToolUse: [{ hooks: [async () => undefined] }],
      PostToolUse: [{ matcher: 'Quick', hooks: [async () => ({ additionalContext: 'seen' })] }],
    },
  });
  toolkit.registry.register(...tools);
  const { signal } = new AbortController();
  try {
    await work(toolkit, root, Math.ceil(callCount / perTurn / 5), signal);
    const before = await measure([signal]);
    await work(toolkit, root, Math.ceil(callCount / perTurn), signal);
    const after = await measure([signal]);
    console.log(
      `heap ${(before.heapBytes / 1e6).toFixed(1)} MB before, ${(after.heapBytes / 1e6).toFixed(1)} MB after ${callCount} calls`,
    );
    expect(after.signalListeners).toBe(0);
    expect(after.processListeners).toEqual(before.processListeners);
    await expectNoNewResources(before.resources);
    expect(after.descriptors).toBe(before.descriptors);
    expect(after.heapBytes - before.heapBytes).toBeLessThan(4_000_000);
  } finally {
    await toolkit.dispose();
  }
});

test('1,000 calls at once in 50 sessions keep the limits of each session, and leave nothing behind', async () => {
  const rateLimiter = createRateLimiter({ max: 7 });
  const root = temporaryFolder();
  const toolkit = createToolkit({ root, permissions: 'bypassPermissions', rateLimiter });
  let running = 0;
  let ran = 0;
  toolkit.registry.register(
    Tool.define('Act', {
      description: 'Act.',
      input: z.object({}),
      sideEffect: 'none',
      execute: async () => {
        running += 1;
        ran += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return 'done';
      },
    }),
  );
  const signals = Array.from({ length: 50 }, () => new AbortController().signal);
  const before = await measure(signals);
  for (let round = 0; round < 10; round++) {
    ran = 0;
    const turns = signals.map((signal, session) =>
      toolkit.execute(
        Array.from({ length: 20 }, (_, index) => ({ id: `call_${index}`, name: 'Act', input: {} })),
        { caller: { sessionId: `round ${round}, session ${session}` }, signal },
      ),
    );
    const outcomes = await Promise.all(turns);
    for (const { results } of outcomes) expect(results.filter(({ ok }) => ok)).toHaveLength(7);
    expect([ran, running]).toEqual([350, 0]);
  }
  const after = await measure(signals);
  expect(after.signalListeners).toBe(0);
  await expectNoNewResources(before.resources);
  await toolkit.dispose();
});
