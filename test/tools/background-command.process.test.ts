import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bashTool, TaskManager } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { resolveLimits } from '../../src/core/resolve-limits.js';
import { toolContext } from '../support/call-scope.js';
import { heldTimers } from '../support/held-timers.js';
import { processesWith, uniqueSeconds } from '../support/shell.js';
import { taskBench } from '../support/task-bench.js';
import { until } from '../support/until.js';

const limits = resolveLimits();

describe('in the background', () => {
  test('returns the id and the file at once', async () => {
    const { start } = taskBench();
    const { result, task_id } = await start('echo z; sleep 1000');
    expect(result.output).toMatch(new RegExp(`^Task started: ${task_id}\nOutput: /.*/bash-\\d+\\.txt$`));
  });

  test('fails with its exit code', async () => {
    const { start, output } = taskBench();
    const { task_id } = await start('echo no; exit 1');
    const { output: text, metadata } = await output.execute({ task_id }, toolContext());
    expect(text).toBe('Status: failed\nno\nExit code: 1');
    expect(metadata).toMatchObject({ state: 'failed', exitCode: 1 });
  });

  test('has its own time limit', async () => {
    const timers = heldTimers();
    const { start, output, root } = taskBench({ timers });
    const { task_id } = await start('echo a; touch begun; sleep 1000', 70_000);
    await until(() => existsSync(join(root, 'begun')));
    await timers.fire(70_000);
    expect((await output.execute({ task_id }, toolContext())).output).toBe(
      'Status: failed\na\n[ended after 70000 ms]\n',
    );
  });

  test('that cannot start fails the call without a task', async () => {
    const { start, tasks, shell } = taskBench();
    await shell.dispose();
    await expect(start('true')).rejects.toMatchObject({
      code: 'execution_failed',
      message: expect.stringContaining('disposed'),
    });
    expect([tasks.list(), tasks.drainNotifications()]).toEqual([[], []]);
  });

  test('names the processes that it left running, and TaskStop ends them', async () => {
    const seconds = uniqueSeconds();
    const { start, output, stop } = taskBench();
    const { task_id } = await start(`sleep ${seconds} & echo started`);
    expect((await output.execute({ task_id }, toolContext())).output).toMatch(
      /^Status: completed\nstarted\nStill running: \d+ \(.*sleep \d+.*\); output goes on in .*\n$/,
    );
    expect(processesWith(seconds)).toHaveLength(1);
    await stop.execute({ task_id }, toolContext());
    expect(processesWith(seconds)).toEqual([]);
  });

  test('names the signal that ended it, and has the note of its shell', async () => {
    const { start, output } = taskBench();
    const { task_id } = await start('kill -KILL $$');
    expect((await output.execute({ task_id }, toolContext())).output).toBe(
      'Status: failed\n(no new output)\nKilled by signal SIGKILL',
    );
    const { tasks, shell } = taskBench();
    const noted = bashTool({
      shell: { run: async (request, scope) => ({ ...(await shell.run(request, scope)), note: '[note]' }) },
      tasks,
      limits,
    });
    await noted.execute({ command: 'echo a', run_in_background: true }, toolContext());
    const [task] = tasks.list();
    expect((await tasks.read(task?.taskId ?? '', 'r', 500_000, toolContext())).output).toBe('a\n[note]\n');
  });

  test('without tasks fails with not_configured', async () => {
    const { shell } = taskBench();
    const call = bashTool({ shell, limits }).execute({ command: 'true', run_in_background: true }, toolContext());
    await expect(call).rejects.toMatchObject({ code: 'not_configured' });
  });

  test('several can run at once', async () => {
    const { start, output } = taskBench();
    const started = await Promise.all(Array.from({ length: 30 }, (_, index) => start(`echo ${index}`)));
    const results = await Promise.all(started.map(({ task_id }) => output.execute({ task_id }, toolContext())));
    expect(results.map((result) => result.output)).toEqual(started.map((_, index) => `Status: completed\n${index}\n`));
  });
});

describe('a command at its time limit with autoBackground', () => {
  test('continues as a task with its output so far', async () => {
    const timers = heldTimers();
    const { bash, output, root } = taskBench({ autoBackground: true, timers });
    const command = 'echo one; touch begun; until [ -e go ]; do sleep 0.02; done; echo two';
    const moved = bash.execute({ command, timeout: 70_000 }, toolContext());
    await until(() => existsSync(join(root, 'begun')));
    await timers.fire(70_000);
    const result = await moved;
    expect(result.output).toMatch(
      /^Task started: (task_\w+)\nOutput: .*\nThe command was not done after 70000 ms and goes on in the background\.$/,
    );
    writeFileSync(join(root, 'go'), '');
    const task_id = String(result.metadata?.taskId);
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: completed\none\ntwo\n');
  });

  test('returns as usual if it ends earlier', async () => {
    const { bash, tasks } = taskBench({ autoBackground: true });
    expect((await bash.execute({ command: 'echo quick', timeout: 500_000 }, toolContext())).output).toBe('quick\n');
    expect(tasks.list()).toEqual([]);
  });

  test('does not exist if the limit is 0, so the command stays in the foreground', async () => {
    const { shell, tasks } = taskBench();
    const unlimited = { ...limits, bash: { ...limits.bash, timeoutMs: 0 } };
    const bash = bashTool({ shell, tasks, limits: unlimited, autoBackground: true });
    expect((await bash.execute({ command: 'sleep 0.2; echo done' }, toolContext())).output).toBe('done\n');
    expect(tasks.list()).toEqual([]);
  });

  test('is ended if no task can be started', async () => {
    const seconds = uniqueSeconds();
    const timers = heldTimers();
    const { shell, root } = taskBench({ timers });
    const full = new TaskManager({ limits: { ...limits.tasks, maxTasks: 0 }, stopGraceMs: 1_000, maxLogChars: 1_000 });
    const bash = bashTool({ shell, tasks: full, limits, autoBackground: true, timers });
    const command = `echo before; touch begun; sleep ${seconds}`;
    const call = bash.execute({ command, timeout: 70_000 }, toolContext());
    await until(() => existsSync(join(root, 'begun')));
    await timers.fire(70_000);
    await expect(call).rejects.toMatchObject({ code: 'limit_reached', partialOutput: 'before\n' });
    expect(processesWith(seconds)).toEqual([]);
  });

  test('ends by an abort of the call before, and by a stop of the task after the limit', async () => {
    const [first, second] = [uniqueSeconds(), uniqueSeconds()];
    const { bash, stop } = taskBench({ autoBackground: true });
    const abort = new AbortController();
    const running = bash.execute({ command: `sleep ${first}`, timeout: 60_000 }, toolContext({ signal: abort.signal }));
    await until(() => processesWith(first).length === 1);
    abort.abort();
    await expect(running).rejects.toMatchObject({ code: 'interrupted' });
    expect(processesWith(first)).toEqual([]);
    const moved = await bash.execute({ command: `sleep ${second}`, timeout: 50 }, toolContext());
    // On a busy machine the time limit may come before the shell has started its program.
    await expect.poll(() => processesWith(second)).toHaveLength(1);
    await stop.execute({ task_id: String(moved.metadata?.taskId) }, toolContext());
    expect(processesWith(second)).toEqual([]);
  });
});
