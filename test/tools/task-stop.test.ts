import { describe, expect, test } from 'vitest';
import { toolContext } from '../support/call-scope.js';
import { processesWith, uniqueSeconds, until } from '../support/shell.js';
import { taskBench } from '../support/task-bench.js';

describe('a task', () => {
  test('is stopped with everything it started', async () => {
    const seconds = uniqueSeconds();
    const { start, stop, output } = taskBench();
    const { task_id } = await start(`setsid sleep ${seconds} & sleep ${seconds}`);
    await until(() => processesWith(seconds).length === 2);
    const stopped = await stop.execute({ task_id }, toolContext());
    expect(stopped.output).toBe(`Task stopped: ${task_id}`);
    expect(stopped.metadata).toMatchObject({ taskId: task_id, state: 'stopped' });
    expect(processesWith(seconds)).toEqual([]);
    expect((await output.execute({ task_id }, toolContext())).output).toMatch(/^Status: stopped\n/);
    expect((await stop.execute({ shell_id: task_id }, toolContext())).output).toContain('was not running any more: stopped');
  });

  test('that nobody has started is not found, and none at all is invalid', async () => {
    const { stop } = taskBench();
    await expect(stop.execute({ task_id: 'task_0' }, toolContext())).rejects.toMatchObject({ code: 'task_not_found' });
    await expect(stop.execute({}, toolContext())).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('that has ended stays as it ended', async () => {
    const { start, stop, output } = taskBench();
    const { task_id } = await start('exit 2');
    await output.execute({ task_id }, toolContext());
    const { output: text, metadata } = await stop.execute({ task_id }, toolContext());
    expect([text, metadata?.state]).toEqual([`Task ${task_id} was not running any more: failed`, 'failed']);
  });
});
