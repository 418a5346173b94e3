import { createToolkit, ToolError } from 'toolwright';
import { processTools } from 'toolwright/extras/process';
import { memoryFiles } from 'toolwright/testing';
import { expect, test } from 'vitest';
import type { ShellRequest } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { shellOutcome } from '../support/shell-outcome.js';

/** A toolkit whose commands run until they are aborted, and the signals and text sent to them. */
function world() {
  const signals: string[] = [];
  const typed: string[] = [];
  const toolkit = createToolkit({
    root: '/workspace',
    permissions: 'bypassPermissions',
    shell: { interactive: true },
    hosts: {
      files: memoryFiles({}),
      shell: {
        run: async ({ command, isInteractive, onStart }: ShellRequest, { signal }) => {
          if (command === 'true') return shellOutcome({ output: 'done\n' });
          onStart?.({
            outputFile: '/out',
            open: () => ({ read: () => `${command} says\n` }),
            ...(isInteractive && command !== 'remote' ? { type: (text) => void typed.push(text) } : {}),
            ...(command === 'remote' ? {} : { signal: (name) => void signals.push(name) }),
          });
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          throw new ToolError('interrupted', 'stopped');
        },
      },
    },
  });
  for (const tool of processTools(toolkit)) toolkit.registry.register(tool);
  const caller = { sessionId: 's1' };
  const start = async (command: string, by = caller) => {
    const started = await toolkit.call('Bash', { command, run_in_background: true }, { caller: by });
    return String(started.metadata?.taskId);
  };
  return {
    toolkit,
    signals,
    typed,
    start,
    call: (input: object, by = caller) => toolkit.call('process', input, { caller: by }),
  };
}

test('a session manages its own tasks only', async () => {
  const { toolkit, signals, start, call } = world();
  expect((await call({ action: 'list' })).output).toBe('Nothing is running');
  const id = await start('serve\u202e\nme');
  const other = await start('other', { sessionId: 's2' });
  expect((await call({ action: 'list' })).output).toBe(`${id} running: serve\\u{202e}\\nme; output in /out`);
  expect(await call({ action: 'output', id, block: false })).toMatchObject({
    output: 'Status: running\nserve\u202e\nme says\n',
    metadata: { state: 'running' },
  });
  expect((await call({ action: 'signal', id, signal: 'HUP' })).output).toBe(`Sent SIGHUP to ${id}`);
  expect(signals).toEqual(['SIGHUP']);
  const foreign = [
    { action: 'output', id: other, block: false },
    { action: 'signal', id: other, signal: 'KILL' },
    { action: 'stop', id: other },
    { action: 'stop', id: '1' },
    { action: 'signal', id: String(process.pid), signal: 'TERM' },
  ];
  await eachRow(
    foreign.map((input) => [input]),
    async ([input]) => {
      expect(await call(input)).toMatchObject({ ok: false, error: { code: 'task_not_found' } });
    },
  );
  expect((await call({ action: 'stop', id })).output).toBe(`Stopped: ${id}`);
  expect((await call({ action: 'stop', id })).output).toBe(`${id} was not running any more: stopped`);
  expect((await call({ action: 'list' })).output).toContain(`${id} stopped: serve`);
  expect(signals).toEqual(['SIGHUP']);
  await toolkit.dispose();
});

test('a signal without a target is refused', async () => {
  const { toolkit, start, call } = world();
  const remote = await start('remote');
  const ended = await start('true');
  await eachRow([[remote], [ended]], async ([id]) => {
    expect(await call({ action: 'signal', id, signal: 'INT' })).toMatchObject({
      error: { code: 'invalid_input' },
      output: expect.stringContaining(`${id} cannot receive a signal`),
    });
  });
  await toolkit.dispose();
});

test('the error for an unknown action, or fields of another one, names them', async () => {
  const { toolkit, call } = world();
  const rows = [
    [{}, 'action'],
    [{ action: 'kill' }, '"stop"'],
    [{ action: 'stop' }, 'expected id for the action stop'],
    [{ action: 'signal', id: 'task_1' }, 'expected signal for the action signal'],
    [{ action: 'signal', id: 'task_1', signal: 'USR1' }, '"HUP"'],
    [{ action: 'list', id: 'task_1' }, 'expected no id for the action list'],
    [{ action: 'output', id: 'task_1', timeout: -1 }, 'timeout'],
    [{ action: 'output', id: '' }, 'id'],
  ] as const;
  await eachRow(rows, async ([input, message]) => {
    expect(await call(input)).toMatchObject({
      error: { code: 'invalid_input' },
      output: expect.stringContaining(message),
    });
  });
  await toolkit.dispose();
});

test('it belongs to the group runtime, and so to the profile coding', async () => {
  const { toolkit } = world();
  expect(toolkit.registry.get('process')?.groups).toEqual(['runtime']);
  const policed = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles({}) },
    policy: { profile: 'coding', deny: [] },
  });
  for (const tool of processTools(policed)) policed.registry.register(tool);
  const names = (depth: number) => policed.definitions({ sessionId: 's1', depth }).map(({ name }) => name);
  expect([0, 1, 2].map((depth) => names(depth).includes('process'))).toEqual([true, true, true]);
  await Promise.all([toolkit.dispose(), policed.dispose()]);
});

test('anything but a toolkit is a TypeError with the correct form', () => {
  expect(() => processTools({} as never)).toThrow('processTools(toolkit)');
});

const caller = { sessionId: 's1' };

test('typed text reaches the task with a terminal completely, from its session only', async () => {
  const { toolkit, typed, call, start } = world();
  const interactive = async (command: string) => toolkit.call('Bash', { command, interactive: true }, { caller });
  const id = String((await interactive('ask')).metadata?.taskId);
  expect(await call({ action: 'write', id, text: 'y\\n\\x03' })).toMatchObject({
    output: 'Status: running\nask says\n',
  });
  expect(typed).toEqual(['y\r\u0003']);
  const remote = await interactive('remote');
  expect(remote.output).toMatch(/\nThe command has no terminal: this shell provides none\.$/);
  const plain = await start('serve');
  for (const other of [String(remote.metadata?.taskId), plain])
    expect(await call({ action: 'write', id: other, text: 'y' })).toMatchObject({
      error: { code: 'invalid_input' },
      output: expect.stringContaining(`${other} cannot be typed into`),
    });
  const foreign = { sessionId: 's2' };
  expect(await call({ action: 'write', id, text: 'y' }, foreign)).toMatchObject({ error: { code: 'task_not_found' } });
  expect(await call({ action: 'write', id })).toMatchObject({ error: { code: 'invalid_input' } });
  expect(await call({ action: 'write', id, text: 'sudo rm -rf /\\n' })).toMatchObject({ ok: false });
  expect(typed).toHaveLength(1);
});
