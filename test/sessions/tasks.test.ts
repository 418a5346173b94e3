import fc from 'fast-check';
import { defaultLimits } from 'toolwright';
import { fakeTimers } from 'toolwright/testing';
import { TaskManager } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import type { TaskEnd, TaskOutput, TaskRun, ToolError, ToolEvent } from '../../src/index.js';
import type { TaskManagerOptions } from '../../src/tools.js';
import { callScope } from '../support/call-scope.js';

function manager(options: Partial<TaskManagerOptions> = {}): TaskManager {
  return new TaskManager({ limits: defaultLimits.tasks, stopGraceMs: 50, maxLogChars: 1_000, ...options });
}

/** A task that is ended from outside. */
function held() {
  let end: (value?: TaskEnd) => void = () => {};
  let fail: (reason: unknown) => void = () => {};
  let task: TaskRun | undefined;
  const run = (given: TaskRun) => {
    task = given;
    return new Promise<TaskEnd | undefined>((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
  };
  const attach = (output: TaskOutput) => task?.attach(output);
  return {
    run,
    attach,
    write: (text: string) => task?.write(text),
    end: (value?: TaskEnd) => end(value),
    fail: (reason: unknown) => fail(reason),
  };
}

const scope = callScope();

test('a label is one line without hidden characters, and is scrubbed before it is cut', async () => {
  const tasks = manager({ scrub: (text) => text.replaceAll('hush', '[gone]') });
  const events: string[] = [];
  tasks.subscribe(({ label = '' }) => events.push(label));
  const job = held();
  const id = tasks.start(`${'x'.repeat(98)}hush\u001b[1m\u202e${'y'.repeat(50_000)}`, job.run);
  job.end();
  await tasks.read(id, 'r', 1_000, scope);
  const [news] = tasks.drainNotifications();
  expect(events).toEqual([news?.label]);
  expect(news?.label.length).toBeLessThan(210);
  expect(news?.label).not.toMatch(/[\p{Cc}\p{Cf}]|hu/u);
});

test('a listener that throws or rejects does not affect the others', async () => {
  const tasks = manager();
  const events: string[] = [];
  tasks.subscribe(() => {
    throw new Error('throws');
  });
  tasks.subscribe(async () => {
    throw new Error('rejects');
  });
  tasks.subscribe(({ state }) => events.push(state));
  const job = held();
  const id = tasks.start('job', job.run);
  job.end();
  await tasks.read(id, 'r', 1_000, scope);
  expect(events).toEqual(['completed']);
});

test('output that comes too late for one read is part of the next', async () => {
  const timers = fakeTimers();
  const tasks = manager({ timers });
  const job = held();
  const id = tasks.start('job', job.run);
  let give = (_text: string) => {};
  const late = new Promise<string>((resolve) => (give = resolve));
  const texts = [late, Promise.resolve('second')];
  job.attach({ open: () => ({ read: () => texts.shift() ?? Promise.resolve('') }) });
  const first = tasks.read(id, 'r', 0, scope).catch(({ code }: ToolError) => code);
  await timers.advance(60_000);
  expect(await first).toBe('timeout');
  give('first ');
  expect(await tasks.read(id, 'r', 0, scope)).toMatchObject({ output: 'first second' });
  expect(await tasks.read(id, 'r', 0, scope)).toMatchObject({ output: '' });
});

test('a task that never started is removed', async () => {
  const tasks = manager();
  const events: unknown[] = [];
  tasks.subscribe((event) => events.push(event));
  tasks.start('job', async (task) => task.withdraw());
  await Promise.resolve();
  expect([tasks.list(), tasks.drainNotifications(), events]).toEqual([[], [], []]);
});

describe('a task of one session', () => {
  const mine = callScope({ caller: { sessionId: 'mine', agentId: 'helper' } });
  const other = callScope({ caller: { sessionId: 'other' } });

  test('is visible to all agents of its session and to no other session', async () => {
    const tasks = manager();
    const job = held();
    const id = tasks.start('job', job.run, { sessionId: 'mine' });
    await expect(tasks.read(id, 'r', 0, other)).rejects.toMatchObject({
      code: 'task_not_found',
      message: expect.not.stringMatching(/mean/),
    });
    await expect(tasks.stop(id, other.caller)).rejects.toMatchObject({ code: 'task_not_found' });
    expect(await tasks.read(id, 'r', 0, mine)).toMatchObject({ taskId: id, state: 'running' });
    job.end();
    expect(await tasks.read(id, 'r', 1_000, mine)).toMatchObject({ state: 'completed' });
    expect(tasks.drainNotifications()).toMatchObject([{ taskId: id, sessionId: 'mine' }]);
  });

  test('can be stopped by the program, whose own tasks are visible to all', async () => {
    const tasks = manager();
    const [hers, common] = [held(), held()];
    const id = tasks.start('job', hers.run, { sessionId: 'mine' });
    const open = tasks.start('job', common.run);
    expect(await tasks.stop(id)).toMatchObject({ state: 'stopped', sessionId: 'mine' });
    expect(await tasks.read(open, 'r', 0, other)).toMatchObject({ state: 'running' });
    expect(await tasks.stop(open, other.caller)).toMatchObject({ state: 'stopped', sessionId: undefined });
  });
});

describe('states', () => {
  test.each([
    ['completed', (task: ReturnType<typeof held>) => task.end(), undefined],
    ['completed', (task: ReturnType<typeof held>) => task.end({ exitCode: 0 }), 0],
    ['failed', (task: ReturnType<typeof held>) => task.end({ failed: true, exitCode: 2 }), 2],
    ['failed', (task: ReturnType<typeof held>) => task.fail(new Error('broken')), undefined],
  ] as const)('running becomes %s', async (state, finish, exitCode) => {
    const tasks = manager();
    const task = held();
    const id = tasks.start('work', task.run);
    expect(await tasks.read(id, 'r', 0, scope)).toMatchObject({
      taskId: id,
      label: 'work',
      state: 'running',
      output: '',
    });
    finish(task);
    expect(await tasks.read(id, 'r', 1_000, scope)).toMatchObject({ state, exitCode });
  });

  test('a stopped task stays stopped for any later outcome', async () => {
    const tasks = manager();
    const task = held();
    const id = tasks.start('work', task.run);
    expect(await tasks.stop(id)).toMatchObject({ state: 'stopped', wasRunning: true });
    task.end({ exitCode: 0 });
    await Promise.resolve();
    expect(await tasks.stop(id)).toMatchObject({ state: 'stopped', wasRunning: false });
  });

  test('a task that ends on its signal is waited for', async () => {
    const tasks = manager({ stopGraceMs: 5_000 });
    let cleaned = false;
    const id = tasks.start('work', async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise((resolve) => setImmediate(resolve));
      cleaned = true;
    });
    expect(await tasks.stop(id)).toMatchObject({ state: 'stopped' });
    expect(cleaned).toBe(true);
  });

  test('a task that throws at once has failed, with the reason', async () => {
    const tasks = manager();
    const id = tasks.start('work', () => {
      throw new Error('no such thing');
    });
    expect(await tasks.read(id, 'r', 1_000, scope)).toMatchObject({ state: 'failed', output: 'no such thing' });
  });

  test('an ended task never changes its state, in any order of events', async () => {
    const step = fc.constantFrom('end', 'fail', 'stop', 'write', 'read');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const tasks = manager({ stopGraceMs: 5 });
        const events: ToolEvent[] = [];
        tasks.subscribe((event) => events.push(event));
        const task = held();
        const id = tasks.start('work', task.run);
        const seen: string[] = [];
        for (const name of steps) {
          if (name === 'end') task.end();
          if (name === 'fail') task.fail(new Error('x'));
          if (name === 'stop') await tasks.stop(id);
          if (name === 'write') task.write('x');
          seen.push((await tasks.read(id, 'r', 0, scope)).state);
        }
        await new Promise((resolve) => setImmediate(resolve));
        seen.push((await tasks.read(id, 'r', 0, scope)).state);
        const first = seen.findIndex((state) => state !== 'running');
        if (first !== -1) expect(new Set(seen.slice(first)).size).toBe(1);
        expect(events.length).toBe(first === -1 ? 0 : 1);
        await tasks.dispose();
      }),
      { numRuns: 60 },
    );
  });
});

describe('output', () => {
  test('each reader continues at its own position', async () => {
    const tasks = manager();
    const task = held();
    const id = tasks.start('work', task.run);
    const read = async (reader: string) => (await tasks.read(id, reader, 0, scope)).output;
    task.write('one ');
    expect(await read('a')).toBe('one ');
    task.write('two');
    expect([await read('a'), await read('a'), await read('b')]).toEqual(['two', '', 'one two']);
  });

  test('kept elsewhere is read from there, with its file', async () => {
    const tasks = manager();
    const id = tasks.start('work', async (task) => {
      task.attach({ outputFile: '/abs/out', open: () => ({ read: (isComplete) => `complete ${isComplete}` }) });
    });
    expect(await tasks.read(id, 'r', 1_000, scope)).toMatchObject({ outputFile: '/abs/out', output: 'complete true' });
  });
});

test('attached later is read from its beginning', async () => {
  const tasks = manager();
  const task = held();
  const id = tasks.start('work', task.run);
  task.write('log ');
  expect((await tasks.read(id, 'r', 0, scope)).output).toBe('log ');
  task.attach({ outputFile: '/abs/out', open: () => ({ read: () => 'file ' }) });
  expect((await tasks.read(id, 'r', 0, scope)).output).toBe('file ');
});

describe('waiting', () => {
  test('ends with the task', async () => {
    const tasks = manager();
    const task = held();
    const id = tasks.start('work', task.run);
    const reading = tasks.read(id, 'r', 60_000, scope);
    task.write('done');
    task.end();
    expect(await reading).toMatchObject({ state: 'completed', output: 'done' });
  });

  test('ends at its time limit while the task runs', async () => {
    const tasks = manager();
    const id = tasks.start('work', held().run);
    expect(await tasks.read(id, 'r', 20, scope)).toMatchObject({ state: 'running' });
  });

  test('is interrupted by an abort; the task continues and no unread output is lost', async () => {
    const tasks = manager();
    const task = held();
    const id = tasks.start('work', task.run);
    task.write('unread');
    const abort = new AbortController();
    const reading = tasks.read(id, 'r', 60_000, callScope({ signal: abort.signal }));
    abort.abort();
    await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
    expect(await tasks.read(id, 'r', 0, scope)).toMatchObject({ state: 'running', output: 'unread' });
  });
});

describe('notifications', () => {
  test('each end gives one event and one notification until drained', async () => {
    const tasks = manager();
    const events: ToolEvent[] = [];
    tasks.subscribe((event) => events.push(event));
    tasks.subscribe(() => {
      throw new Error('listener');
    });
    const id = tasks.start('build', async () => ({ failed: true, exitCode: 1 }));
    await tasks.read(id, 'r', 1_000, scope);
    expect(events).toEqual([{ type: 'task-update', taskId: id, state: 'failed', label: 'build' }]);
    expect(tasks.drainNotifications()).toMatchObject([{ taskId: id, state: 'failed', exitCode: 1 }]);
    expect(tasks.drainNotifications()).toEqual([]);
  });
});

describe('limits', () => {
  test('an ended task is archived after its time, a running one never', async () => {
    const timers = fakeTimers();
    const tasks = manager({ timers });
    const running = tasks.start('running', held().run);
    const ended = tasks.start('ended', async () => {});
    await tasks.read(ended, 'r', 1_000, scope);
    await timers.advance(defaultLimits.tasks.archiveMs - 1);
    expect(await tasks.read(ended, 'r', 0, scope)).toMatchObject({ state: 'completed' });
    await timers.advance(1);
    await expect(tasks.read(ended, 'r', 0, scope)).rejects.toMatchObject({ code: 'task_not_found' });
    expect(tasks.list()).toMatchObject([{ taskId: running }]);
  });

  test('the oldest ended task is dropped for a new one; if all run, the next is refused', async () => {
    const tasks = manager({ limits: { ...defaultLimits.tasks, maxTasks: 2 } });
    const first = tasks.start('first', async () => {});
    await tasks.read(first, 'r', 1_000, scope);
    tasks.start('second', held().run);
    tasks.start('third', held().run);
    await expect(tasks.read(first, 'r', 0, scope)).rejects.toMatchObject({ code: 'task_not_found' });
    expect(() => tasks.start('fourth', held().run)).toThrow(expect.objectContaining({ code: 'limit_reached' }));
  });

  test('the error for an unknown id suggests a similar one', async () => {
    const tasks = manager();
    const id = tasks.start('work', held().run);
    await expect(tasks.read(`${id}x`, 'r', 0, scope)).rejects.toThrow(`Did you mean "${id}"?`);
  });

  test('dispose stops all running tasks, also those that ignore their signal', async () => {
    const tasks = manager();
    const ids = Array.from({ length: 20 }, () => tasks.start('work', held().run));
    await tasks.dispose();
    for (const id of ids) expect(await tasks.read(id, 'r', 0, scope)).toMatchObject({ state: 'stopped' });
  });
});

test('a task whose rest cannot be ended is stopped all the same', async () => {
  const tasks = manager();
  const ids = [held(), held()].map((job) => {
    const id = tasks.start('x', job.run);
    job.attach({ open: () => ({ read: () => '' }), end: () => Promise.reject(new Error('gone')) });
    return id;
  });
  await expect(tasks.stop(ids[0] ?? '')).rejects.toThrow('gone');
  await tasks.dispose();
  expect(tasks.list().map(({ state }) => state)).toEqual(['stopped', 'stopped']);
});
