import { bashTool, TaskManager, taskStopTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { resolveLimits } from '../../src/core/resolve-limits.js';
import { toolContext } from '../support/call-scope.js';
import { processesWith, uniqueSeconds } from '../support/shell.js';
import { taskBench } from '../support/task-bench.js';
import { until } from '../support/until.js';

describe('a task', () => {
  test('is stopped with all its processes', async () => {
    const seconds = uniqueSeconds();
    const { start, stop, output } = taskBench();
    const { task_id } = await start(`setsid sleep ${seconds} & sleep ${seconds}`);
    await until(() => processesWith(`sleep\0${seconds}`).length === 2);
    const stopped = await stop.execute({ task_id }, toolContext());
    expect(stopped.output).toBe(`Task stopped: ${task_id}`);
    expect(stopped.metadata).toMatchObject({ taskId: task_id, state: 'stopped' });
    expect(processesWith(seconds)).toEqual([]);
    expect((await output.execute({ task_id }, toolContext())).output).toMatch(/^Status: stopped\n/);
    expect((await stop.execute({ shell_id: task_id }, toolContext())).output).toContain(
      'was not running any more: stopped',
    );
  });

  test('is gone when its stop has returned, for any short deadline with tasks', async () => {
    const seconds = uniqueSeconds();
    const { shell } = taskBench({ overrides: { bash: { killGraceMs: 600 } } });
    const tasks = new TaskManager({ limits: resolveLimits().tasks, stopGraceMs: 20, maxLogChars: 1_000 });
    const started = await bashTool({ shell, tasks, limits: resolveLimits() }).execute(
      { command: `trap "" TERM; sleep ${seconds}; sleep ${seconds}`, run_in_background: true },
      toolContext(),
    );
    await until(() => processesWith(seconds).length > 0);
    await taskStopTool({ tasks }).execute({ task_id: String(started.metadata?.taskId) }, toolContext());
    expect(processesWith(seconds)).toEqual([]);
  });

  test('names the processes that it could not end', async () => {
    const tasks = new TaskManager({ limits: resolveLimits().tasks, stopGraceMs: 20, maxLogChars: 1_000 });
    const end = async () => [{ pid: 7, command: 'stubborn' }];
    const id = tasks.start('job', async (task) => {
      task.attach({ open: () => ({ read: () => '' }), end });
      await new Promise((resolve) => task.signal.addEventListener('abort', resolve));
    });
    const { output, metadata } = await taskStopTool({ tasks }).execute({ task_id: id }, toolContext());
    expect(output).toBe(`Task stopped: ${id}\nStill running, because it cannot be ended: 7 (stubborn)`);
    expect(metadata).toMatchObject({ survivors: [{ pid: 7, command: 'stubborn' }] });
  });

  test('with an unknown id is not found, and a missing id is invalid', async () => {
    const { stop } = taskBench();
    await expect(stop.execute({ task_id: 'task_0' }, toolContext())).rejects.toMatchObject({ code: 'task_not_found' });
    await expect(stop.execute({}, toolContext())).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('that has ended keeps its state', async () => {
    const { start, stop, output } = taskBench();
    const { task_id } = await start('exit 2');
    await output.execute({ task_id }, toolContext());
    const { output: text, metadata } = await stop.execute({ task_id }, toolContext());
    expect([text, metadata?.state]).toEqual([`Task ${task_id} was not running any more: failed`, 'failed']);
  });
});
