import { describe, expect, test } from 'vitest';
import { resolveLimits } from '../../src/core/limits.js';
import { bashTool } from '../../src/tools/bash.js';
import { toolContext } from '../support/call-scope.js';
import { processesWith, uniqueSeconds, until } from '../support/shell.js';
import { taskBench } from '../support/task-bench.js';

const limits = resolveLimits();

describe('in the background', () => {
  test('answers at once with the id and the file', async () => {
    const { start } = taskBench();
    const { result, task_id } = await start('echo z; sleep 0.2');
    expect(result.output).toMatch(new RegExp(`^Task started: ${task_id}\nOutput: /.*/bash-\\d+\\.txt$`));
  });

  test('fails with its exit code', async () => {
    const { start, output } = taskBench();
    const { task_id } = await start('echo no; exit 1');
    const { output: text, metadata } = await output.execute({ task_id }, toolContext());
    expect(text).toBe('Status: failed\nno\nExit code: 1');
    expect(metadata).toMatchObject({ state: 'failed', exitCode: 1 });
  });

  test('has a time limit of its own', async () => {
    const { start, output } = taskBench();
    const { task_id } = await start('echo a; sleep 60', 100);
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: failed\na\n\n[ended after 100 ms]');
  });

  test('that cannot start says so', async () => {
    const { start, output, shell } = taskBench();
    await shell.dispose();
    const { task_id } = await start('true');
    expect((await output.execute({ task_id }, toolContext())).output).toContain('Status: failed\nThe toolkit was disposed');
  });

  test('without tasks is not configured', async () => {
    const { shell } = taskBench();
    const call = bashTool({ shell, limits }).execute({ command: 'true', run_in_background: true }, toolContext());
    await expect(call).rejects.toMatchObject({ code: 'not_configured' });
  });

  test('runs many at once', async () => {
    const { start, output } = taskBench();
    const started = await Promise.all(Array.from({ length: 30 }, (_, index) => start(`echo ${index}`)));
    const results = await Promise.all(started.map(({ task_id }) => output.execute({ task_id }, toolContext())));
    expect(results.map((result) => result.output)).toEqual(started.map((_, index) => `Status: completed\n${index}\n`));
  });
});

describe('at the time limit a command may go on as a task', () => {
  test('with everything it wrote before', async () => {
    const { bash, output } = taskBench({ autoBackground: true });
    const result = await bash.execute({ command: 'echo one; sleep 0.3; echo two', timeout: 100 }, toolContext());
    expect(result.output).toMatch(
      /^Task started: (task_\w+)\nOutput: .*\nThe command was not done after 100 ms and goes on in the background\.$/,
    );
    const task_id = String(result.metadata?.taskId);
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: completed\none\ntwo\n');
  });

  test('and one that is quicker answers as always', async () => {
    const { bash, tasks } = taskBench({ autoBackground: true });
    expect((await bash.execute({ command: 'echo quick', timeout: 5_000 }, toolContext())).output).toBe('quick\n');
    expect(tasks.list()).toEqual([]);
  });

  test('an abort of the call ends it before, a stop of the task after', async () => {
    const [first, second] = [uniqueSeconds(), uniqueSeconds()];
    const { bash, stop } = taskBench({ autoBackground: true });
    const abort = new AbortController();
    const running = bash.execute({ command: `sleep ${first}`, timeout: 60_000 }, toolContext({ signal: abort.signal }));
    await until(() => processesWith(first).length === 1);
    abort.abort();
    await expect(running).rejects.toMatchObject({ code: 'interrupted' });
    expect(processesWith(first)).toEqual([]);
    const moved = await bash.execute({ command: `sleep ${second}`, timeout: 50 }, toolContext());
    expect(processesWith(second)).toHaveLength(1);
    await stop.execute({ task_id: String(moved.metadata?.taskId) }, toolContext());
    expect(processesWith(second)).toEqual([]);
  });
});
