import { getEventListeners, once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import type { ToolDefinition } from '../../src/core.js';
import {
  createPermissions,
  createPlanMode,
  createToolkit,
  Tool,
  type ToolCall,
  ToolError,
  type ToolEvent,
  type ToolkitOptions,
} from '../../src/index.js';
import { deferred } from '../support/pipeline.js';
import { processesWith, uniqueSeconds } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';

type Ending = 'dispose' | 'endSession' | 'abort';
type Code = 'cancelled' | 'interrupted' | 'ok' | 'network_failed';

/**
 * The parts for a moment: the path to write, the signal that it is reached, and the promise after which late work
 * continues.
 */
interface Stage {
  readonly root: string;
  readonly seconds: string;
  reach(): void;
  /** Resolves when everything has ended. */
  readonly late: Promise<void>;
}

interface Moment {
  readonly options?: (stage: Stage) => Omit<ToolkitOptions, 'root'>;
  readonly tools?: (stage: Stage) => readonly Tool[];
  readonly calls: (stage: Stage) => readonly (readonly [name: string, input: object])[];
  /** How the moment is detected. Default: its own code reports it. */
  readonly reachedBy?: 'file' | 'start';
  readonly codes: readonly Code[];
}

const write = ({ root }: Stage, name = 'written.txt') =>
  ['Write', { file_path: join(root, name), content: 'x' }] as const;
const pass = Object.freeze({});
const bypass = { permissions: 'bypassPermissions' } as const;
/** Reports the moment, and resolves when everything has ended. */
async function wait<Value>(stage: Stage, value: Value): Promise<Value> {
  stage.reach();
  await stage.late;
  return value;
}

/** A tool that writes the forbidden file when it executes. */
function own(stage: Stage, more: Omit<Partial<ToolDefinition<z.ZodObject>>, 'examples'> = {}): Tool {
  return Tool.define('Own', {
    description: 'Writes a file.',
    input: z.object({}),
    sideEffect: 'none',
    execute: () => {
      writeFileSync(join(stage.root, 'written.txt'), 'x');
      return 'written';
    },
    ...more,
  }) as Tool;
}

const moments: Readonly<Record<string, Moment>> = {
  'while another question is open': {
    options: (stage) => ({ permissions: createPermissions({ onAsk: () => wait(stage, 'allow-once') }) }),
    calls: (stage) => [write(stage, 'first.txt'), write(stage)],
    codes: ['cancelled', 'cancelled'],
  },
  'at a question': {
    options: (stage) => ({ permissions: createPermissions({ onAsk: () => wait(stage, 'allow-always') }) }),
    calls: (stage) => [write(stage)],
    codes: ['cancelled'],
  },
  'in a check of the host': {
    options: (stage) => ({ permissions: { check: () => wait(stage, { behavior: 'allow' as const }) } }),
    calls: (stage) => [write(stage)],
    codes: ['cancelled'],
  },
  'in a hook before the call': {
    options: (stage) => ({ ...bypass, hooks: { PreToolUse: [{ hooks: [() => wait(stage, pass)] }] } }),
    calls: (stage) => [write(stage)],
    codes: ['cancelled'],
  },
  'in a hook after the call': {
    options: (stage) => ({ ...bypass, hooks: { PostToolUse: [{ hooks: [() => wait(stage, pass)] }] } }),
    calls: (stage) => [write(stage, 'first.txt'), write(stage, 'first.txt'), write(stage)],
    codes: ['ok', 'cancelled', 'cancelled'],
  },
  'in a hook that is a program': {
    options: ({ seconds, root }) => ({
      permissions: 'bypassPermissions',
      hooks: { PreToolUse: [{ command: `touch ${join(root, 'reached')}; sleep ${seconds}` }] },
    }),
    calls: (stage) => [write(stage)],
    reachedBy: 'file',
    codes: ['cancelled'],
  },
  'in a command': {
    options: () => bypass,
    calls: (stage) => {
      const command = `touch ${join(stage.root, 'reached')}; sleep ${stage.seconds}; touch ${join(stage.root, 'written.txt')}`;
      return [['Bash', { command }], write(stage)];
    },
    reachedBy: 'file',
    codes: ['interrupted', 'cancelled'],
  },
  'in a search': {
    options: () => ({ files: { ripgrep: false } }),
    calls: (stage) => {
      for (let file = 0; file < 40; file++)
        writeFileSync(join(stage.root, `${file}.txt`), `${'ab '.repeat(200)}\n`.repeat(2_000));
      return [['Grep', { pattern: '(a|b| )+c', output_mode: 'count', head_limit: 0 }]];
    },
    reachedBy: 'start',
    codes: ['interrupted'],
  },
  'between two tries': {
    options: () => ({ retry: { maxAttempts: 3, baseMs: 60_000, maxMs: 60_000 } }),
    tools: (stage) => [
      own(stage, {
        execute: () => {
          queueMicrotask(stage.reach);
          throw new ToolError('network_failed', 'Try again.', { retryAfterMs: 60_000 });
        },
      }),
    ],
    calls: () => [['Own', {}]],
    codes: ['network_failed'],
  },
  'while a call waits for one that it conflicts with': {
    tools: (stage) => [
      own(stage, {
        sideEffect: 'none',
        footprint: () => ({ reads: 'everything', writes: 'everything' }),
        execute: () => wait(stage, 'late'),
      }),
    ],
    calls: (stage) => [
      ['Own', {}],
      ['Read', { file_path: stage.root }],
    ],
    codes: ['interrupted', 'cancelled'],
  },
  'in the rate limiter': {
    options: (stage) => ({ rateLimiter: { take: () => wait(stage, { ok: true, remaining: 1 }) } }),
    tools: (stage) => [own(stage)],
    calls: () => [['Own', {}]],
    codes: ['cancelled'],
  },
  'in the tool resolver': {
    options: (stage) => ({ toolResolver: () => wait(stage, own(stage)) }),
    calls: () => [['Own', {}]],
    codes: ['cancelled'],
  },
  'in the footprint of a tool': {
    tools: (stage) => [own(stage, { footprint: () => wait(stage, { reads: 'nothing', writes: 'nothing' }) })],
    calls: () => [['Own', {}]],
    codes: ['cancelled'],
  },
  'in a tool that does not listen': {
    tools: (stage) => [own(stage, { execute: (_, { signal }) => wait(stage, signal.aborted ? '' : 'late') })],
    calls: () => [['Own', {}]],
    codes: ['interrupted'],
  },
};

const caller = { sessionId: 's' };
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** Starts the calls, ends them at the moment, waits for late answers, and returns the state. */
async function play(moment: Moment, ending: Ending) {
  const root = temporaryFolder();
  const late = deferred();
  const reached = deferred();
  const stage: Stage = { root, seconds: uniqueSeconds(), reach: reached.resolve, late: late.promise };
  const limits = { call: { abortGraceMs: 20 }, bash: { killGraceMs: 20 } };
  const autoAllowed = { permissions: createPermissions({ allow: ['Own'] }) };
  const toolkit = testToolkit({ root, limits, ...autoAllowed, ...moment.options?.(stage) });
  toolkit.registry.register(...(moment.tools?.(stage) ?? []));
  const turn = new AbortController();
  const events: ToolEvent[] = [];
  const calls: ToolCall[] = moment.calls(stage).map(([name, input], index) => ({ id: `c${index}`, name, input }));
  const onEvent = (event: ToolEvent) => {
    events.push(event);
    if (moment.reachedBy === 'start' && event.type === 'tool-start') stage.reach();
  };
  const timersBefore = timers();
  const threads: Worker[] = [];
  const note = (thread: Worker) => void threads.push(thread);
  process.on('worker', note);
  const running = toolkit.execute(calls, { caller, signal: turn.signal, onEvent });
  if (moment.reachedBy === 'file') await until(() => existsSync(join(root, 'reached')));
  else await reached.promise;
  if (ending === 'abort') turn.abort();
  else await (ending === 'dispose' ? toolkit.dispose() : toolkit.endSession('s'));
  const { results } = await running;
  const eventsAtEnd = events.length;
  late.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  await until(() => timers() <= timersBefore);
  // Threads belong to the toolkit, not to the session. They end when they are idle or with the toolkit.
  await toolkit.dispose();
  // The test runner sometimes has a timer, which ends by itself.
  await until(() => timers() <= timersBefore);
  process.off('worker', note);
  const threadsLeft = threads.filter(({ threadId }) => threadId !== -1);
  const { seconds } = stage;
  return { threadsLeft, root, results, events, eventsAtEnd, seconds, signal: turn.signal };
}

describe.each<Ending>(['dispose', 'endSession', 'abort'])('%s', (ending) => {
  test.each(Object.entries(moments))(
    '%s: each call has its result, and nothing runs afterwards',
    async (_name, moment) => {
      const { results, root, signal, events, ...left } = await play(moment, ending);
      expect(results.map((result) => (result.ok ? 'ok' : result.error.code))).toEqual(moment.codes);
      expect(existsSync(join(root, 'written.txt'))).toBe(false);
      expect(processesWith(left.seconds)).toEqual([]);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      expect(left.threadsLeft).toEqual([]);
      const announced = events.flatMap((event) => (event.type === 'tool-result' ? [event.callId] : []));
      expect(announced.sort()).toEqual(results.map(({ callId }) => callId));
      expect(events.length).toBe(left.eventsAtEnd);
      expect(events.filter(({ type }) => type === 'tool-start').length).toBe(
        events.filter(({ type }) => type === 'tool-end').length,
      );
    },
  );
});

/** A toolkit whose permissions ask, and the questions by session. */
function asking() {
  const root = temporaryFolder();
  const answers = new Map<string, () => void>();
  const permissions = createPermissions({
    onAsk: (_, scope) => new Promise((resolve) => answers.set(scope.caller.sessionId, () => resolve('allow-always'))),
  });
  const toolkit = testToolkit({ root, permissions });
  const ask = (sessionId: string) =>
    toolkit.execute([{ id: 'c', name: 'Write', input: { file_path: join(root, sessionId), content: 'x' } }], {
      caller: { sessionId },
    });
  return { toolkit, root, ask, answers };
}

describe('after dispose', () => {
  test('every call of every tool fails with cancelled and the reason, and another dispose does nothing', async () => {
    let announced = 0;
    const onEvent = ({ type }: ToolEvent) => {
      if (type === 'tool-result') announced++;
    };
    const toolkit = createToolkit({ root: temporaryFolder(), ...bypass, features: { undo: true }, onEvent });
    const first = toolkit.dispose();
    expect(toolkit.dispose()).toBe(first);
    await first;
    const names = [...toolkit.registry.names(), 'Nothing'];
    const { results } = await toolkit.execute(names.map((name, index) => ({ id: `c${index}`, name, input: {} })));
    expect(announced).toBe(names.length);
    expect(results).toHaveLength(names.length);
    const cancelled = { ok: false, error: { code: 'cancelled' }, output: 'Error: the toolkit was disposed' };
    for (const result of results) expect(result).toMatchObject(cancelled);
    expect(toolkit.sessions()).toEqual([]);
  });

  test('a running call gives the reason of its interruption', async () => {
    const { results } = await play(moments['in a command'] as Moment, 'dispose');
    expect(results[0]?.output).toContain('the toolkit was disposed');
    expect(results[1]?.output).toBe('Error: the toolkit was disposed');
  });
});

describe('parallel sessions', () => {
  test('fifty open questions are answered in reverse order, without waiting for each other', async () => {
    const { ask, answers, toolkit } = asking();
    const ids = Array.from({ length: 50 }, (_, index) => `s${index}`);
    const settled: string[] = [];
    const asked = ids.map((id) => ask(id).then(() => settled.push(id)));
    await until(() => answers.size === 50);
    expect(answers.size).toBe(50);
    expect(toolkit.sessions()).toEqual(ids);
    for (const id of ids.toReversed()) {
      answers.get(id)?.();
      await asked[ids.indexOf(id)];
    }
    expect(settled).toEqual(ids.toReversed());
  });

  test('the end of one does not affect the others', async () => {
    const { ask, answers, toolkit, root } = asking();
    const [one, two] = [ask('one'), ask('two')];
    await until(() => answers.size === 2);
    await toolkit.endSession('one');
    answers.get('one')?.();
    answers.get('two')?.();
    expect(await one).toMatchObject({ results: [{ error: { code: 'cancelled', message: 'the session was ended' } }] });
    expect(await two).toMatchObject({ results: [{ ok: true }] });
    expect([existsSync(join(root, 'one')), existsSync(join(root, 'two'))]).toEqual([false, true]);
    expect(toolkit.sessions()).toEqual(['two']);
  });
});

describe('a session that was ended starts again', () => {
  test('and asks again about calls allowed with "always"', async () => {
    const { ask, answers, toolkit } = asking();
    const first = ask('one');
    await until(() => answers.size === 1);
    answers.get('one')?.();
    await first;
    await ask('one');
    await toolkit.endSession('one');
    answers.clear();
    const again = ask('one');
    await until(() => answers.size === 1);
    expect(answers.size).toBe(1);
    answers.get('one')?.();
    expect(await again).toMatchObject({ results: [{ ok: true }] });
  });

  test('without its tasks, read files, plan and undo history', async () => {
    const root = temporaryFolder();
    const seconds = uniqueSeconds();
    const options = { features: { undo: true }, files: { readBeforeWrite: true }, shell: { cwdPersists: true } };
    await using toolkit = createToolkit({ root, ...bypass, ...options });
    const call = (name: string, input: object) => toolkit.call(name, input, { caller });
    const path = join(root, 'a.txt');
    writeFileSync(path, 'a\n');
    await call('Read', { file_path: path });
    await call('Write', { file_path: path, content: 'b\n' });
    await call('Bash', { command: 'mkdir -p sub && cd sub' });
    await call('Bash', { command: `sleep ${seconds} & echo left` });
    const started = await call('Bash', { command: `sleep ${seconds}`, run_in_background: true });
    const taskId = String(started?.metadata?.taskId);
    expect(toolkit.leftovers('s')).toHaveLength(1);
    expect(toolkit.leftovers('other')).toEqual([]);

    const left = await toolkit.endSession('s');
    expect(left).toMatchObject([{ command: expect.stringContaining(seconds) }]);
    await until(() => processesWith(seconds).length === 0);
    expect(processesWith(seconds)).toEqual([]);
    expect([toolkit.leftovers(), toolkit.drainNotifications(), toolkit.sessions()]).toEqual([[], [], []]);
    expect(await call('TaskOutput', { task_id: taskId })).toMatchObject({ error: { code: 'task_not_found' } });
    expect(await call('UndoTurn', {})).toMatchObject({ error: { code: 'no_change' } });
    const unread = { ok: false, error: { code: 'file_changed' } };
    expect(await call('Write', { file_path: path, content: 'c\n' })).toMatchObject(unread);
    expect((await call('Bash', { command: 'pwd' }))?.output).toContain(root);
  });

  test('and hooks with state per session are told of the end', async () => {
    const ended: string[] = [];
    const toolkit = testToolkit({
      hooks: { onSessionEnd: (sessionId) => ended.push(sessionId) },
    });
    await Promise.all([toolkit.endSession('s'), toolkit.endSession('s')]);
    expect(ended).toEqual(['s']);
  });

  test('a queued plan does not run if it is requested while the session ends', async () => {
    const root = temporaryFolder();
    const planMode = createPlanMode();
    const limits = { call: { abortGraceMs: 50 } };
    const toolkit = testToolkit({ root, planMode, limits, permissions: 'bypassPermissions' });
    const begun = deferred();
    const slow = Tool.define('Slow', {
      description: 'Ends when it is told to.',
      input: z.object({}),
      sideEffect: 'none',
      execute: async (_, { signal }) => {
        const stopped = once(signal, 'abort');
        begun.resolve();
        await stopped;
        // The clean-up takes a moment.
        await new Promise((resolve) => setImmediate(resolve));
        return 'done';
      },
    });
    toolkit.registry.register(slow);
    planMode.of(caller).enter();
    const path = join(root, 'planned.txt');
    await toolkit.execute([{ id: 'w', name: 'Write', input: { file_path: path, content: 'x' } }], { caller });
    expect(toolkit.planQueueOf(caller)).toHaveLength(1);
    const running = toolkit.execute([{ id: 's', name: 'Slow', input: {} }], { caller });
    await begun.promise;
    const ending = toolkit.endSession('s');
    const plan = toolkit.runPlan({ caller });
    const turn = toolkit.execute([{ id: 'g', name: 'Glob', input: { pattern: '*' } }], { caller });
    const aborted = new AbortController();
    const given = toolkit.execute([{ id: 'a', name: 'Glob', input: { pattern: '*' } }], {
      caller,
      signal: aborted.signal,
    });
    aborted.abort();
    expect(await given).toMatchObject({ results: [{ error: { code: 'cancelled' } }] });
    expect(await running).toMatchObject({ results: [{ error: { code: 'interrupted' } }] });
    await ending;
    expect((await plan).results).toEqual([]);
    expect(await turn).toMatchObject({ results: [{ ok: true }] });
    expect([existsSync(path), toolkit.planQueueOf(caller)]).toEqual([false, []]);
  });

  test('a hook that hangs or throws does not prevent the end of a session', async () => {
    const hang = testToolkit({
      hooks: { onSessionEnd: () => new Promise(() => {}) as never },
    });
    expect(await hang.endSession('s')).toEqual([]);
    const fault = () => {
      throw new Error('fault');
    };
    const faulty = testToolkit({ hooks: { onSessionEnd: fault } });
    await expect(faulty.endSession('s')).rejects.toThrow('Session "s" could not be ended completely');
    expect(await faulty.execute([{ id: 'c', name: 'Glob', input: { pattern: '*' } }], { caller })).toMatchObject({
      results: [{ ok: true }],
    });
  });

  test('a turn that comes while the session ends waits and then runs', async () => {
    const { toolkit } = asking();
    const ending = toolkit.endSession('s');
    const { results } = await toolkit.execute([{ id: 'c', name: 'Glob', input: { pattern: '*' } }], { caller });
    await ending;
    expect(results).toMatchObject([{ ok: true }]);
    expect(toolkit.sessions()).toEqual(['s']);
  });
});
