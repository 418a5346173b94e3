import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { type createToolkit, defaultLimits, type Shell, type ShellOutcome, ToolError } from '../../src/index.js';
import { runToFile } from '../../src/shell/output/run-to-file.js';
import { callScope } from '../support/call-scope.js';
import { heldTimers } from '../support/held-timers.js';
import { shellOutcome } from '../support/shell-outcome.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';

const outcome = shellOutcome({ output: 'all of it\n', outputFile: '/elsewhere.txt' });

/** A toolkit whose commands go to `shell`, and the texts of its results. */
function over(shell: Shell, options: Partial<Parameters<typeof createToolkit>[0]> = {}) {
  const toolkit = testToolkit({
    permissions: 'bypassPermissions',
    hosts: { shell },
    ...options,
  });
  const call = (name: string, input: unknown) => toolkit.call(name, input);
  const background = async () => {
    const started = await call('Bash', { command: 'x', run_in_background: true });
    const [, id = '', file = ''] = /^Task started: (\S+)\nOutput: (\/\S+)$/.exec(started.output) ?? [];
    return { started, id, file };
  };
  return { call, background };
}

/** A shell whose commands the test ends. */
function heldShell() {
  let answer = (_outcome: ShellOutcome) => {};
  let fail = (_thrown: unknown) => {};
  const held = new Promise<ShellOutcome>((resolve, reject) => {
    [answer, fail] = [resolve, reject];
  });
  const shell: Shell = { run: () => held };
  return { shell, answer, fail };
}

test('for a shell without a file, one is created: a background command returns before it has ended', async () => {
  const { shell, answer } = heldShell();
  const { call, background } = over(shell);
  const { started, id, file } = await background();
  expect(started).toMatchObject({ ok: true, output: `Task started: ${id}\nOutput: ${file}` });
  expect((await call('TaskOutput', { task_id: id, block: false })).output).toBe('Status: running\n(no new output yet)');
  answer(outcome);
  expect((await call('TaskOutput', { task_id: id })).output).toBe('Status: completed\nall of it\n');
  expect(readFileSync(file, 'utf8')).toBe('all of it\n');
  expect((await call('Read', { file_path: file })).output).toContain('all of it');
});

test('a command that ends at once returns the same', async () => {
  const { call, background } = over({ run: async () => ({ ...outcome, exitCode: 3 }) });
  const { id, file } = await background();
  expect((await call('TaskOutput', { task_id: id })).output).toBe('Status: failed\nall of it\nExit code: 3');
  expect(readFileSync(file, 'utf8')).toBe('all of it\n');
});

test('a command refused at once fails the call', async () => {
  const refusing: Shell = { run: async () => Promise.reject(new ToolError('execution_failed', 'no machine')) };
  const { started } = await over(refusing).background();
  expect(started).toMatchObject({ ok: false, error: { code: 'execution_failed', message: 'no machine' } });
});

test('a command that fails later is a failed task with its output', async () => {
  const { shell, fail } = heldShell();
  const { call, background } = over(shell);
  const { id, file } = await background();
  fail(new ToolError('execution_failed', 'lost the machine', { partialOutput: 'half\n' }));
  expect((await call('TaskOutput', { task_id: id })).output).toBe('Status: failed\nhalf\nlost the machine');
  expect(readFileSync(file, 'utf8')).toBe('half\n');
});

test('a shell that names its own file is trusted', async () => {
  const keeping: Shell = {
    run: async ({ onStart }) => {
      onStart?.({ outputFile: '/its/own.txt', open: () => ({ read: () => 'piece' }) });
      return outcome;
    },
  };
  const { call, background } = over(keeping);
  const { id, file } = await background();
  expect(file).toBe('/its/own.txt');
  expect((await call('TaskOutput', { task_id: id })).output).toBe('Status: completed\npiece');
});

test('if no file can be created, the output is kept without one', async () => {
  const folder = {
    create: () => {
      throw new Error('no space');
    },
  };
  const request = { command: 'x', onStart: vi.fn() };
  expect(await runToFile({ run: async () => outcome }, request, callScope(), { folder, limits: defaultLimits })).toBe(
    outcome,
  );
  expect(request.onStart).not.toHaveBeenCalled();
});

test('the output is scrubbed when it is shown', async () => {
  const secret = ['ghp', `${'Ab3dE6gH9j'.repeat(4).slice(0, 36)}`].join('_');
  const { call, background } = over({ run: async () => ({ ...outcome, output: `token ${secret}\n` }) });
  const { id } = await background();
  expect((await call('TaskOutput', { task_id: id })).output).not.toContain(secret);
});

test('a command moved to the background at its time limit has a file too', async () => {
  const { shell, answer } = heldShell();
  const timers = heldTimers();
  const run = vi.spyOn(shell, 'run');
  const { call } = over(shell, { shell: { autoBackground: true }, timers });
  const moving = call('Bash', { command: 'x', timeout: 60_000 });
  await until(() => run.mock.calls.length > 0);
  // A shell that does not name a file at once gets one after a turn of the event loop.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  await timers.fire(60_000);
  const moved = await moving;
  expect(moved.output).toMatch(/^Task started: \S+\nOutput: \/\S+\nThe command was not done after 60,?000 ms/);
  answer(outcome);
  expect((await call('TaskOutput', { task_id: String(moved.metadata?.taskId) })).output).toBe(
    'Status: completed\nall of it\n',
  );
});
