import { existsSync } from 'node:fs';
import { createPermissions, createToolkit, type ToolkitOptions } from 'toolwright';
import { processTools } from 'toolwright/extras/process';
import { bubblewrapSandbox } from 'toolwright/sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemTimers } from '../../src/core/support/timers.js';
import { eachRow } from '../support/each-row.js';
import { processesWith, uniqueSeconds } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function world(options: Partial<ToolkitOptions> = {}) {
  const toolkit = createToolkit({
    root: temporaryFolder(),
    permissions: 'bypassPermissions',
    shell: { interactive: true },
    ...options,
  });
  onTestFinished(() => toolkit.dispose());
  for (const tool of processTools(toolkit)) toolkit.registry.register(tool);
  const caller = { sessionId: 's1' };
  const call = (input: object, by = caller) => toolkit.call('process', input, { caller: by });
  const start = async (command: string) => {
    const started = await toolkit.call('Bash', { command, interactive: true }, { caller });
    expect(started).toMatchObject({ ok: true, output: expect.stringMatching(/^Task started: task_\w+\nOutput: \//) });
    return String(started.metadata?.taskId);
  };
  const screen = async (id: string) => (await call({ action: 'output', id, block: false })).output;
  const shows = async (id: string, wanted: RegExp) => {
    for (let look = 0; look < 2_000; look++) {
      const output = await screen(id);
      if (wanted.test(output)) return output;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`never shown: ${wanted}\n${await screen(id)}`);
  };
  const type = (id: string, text: string) => call({ action: 'write', id, text });
  const ended = async (id: string) => (await call({ action: 'output', id, timeout: 60_000 })).output;
  return { toolkit, caller, call, start, screen, shows, type, ended };
}

const python = '/usr/bin/python3';

/** Prints in one line what this machine lacks. */
function has(program: string): boolean {
  const isThere = existsSync(program);
  if (!isThere) console.log(`skipped: this machine has no ${program}`);
  return isThere;
}

describe.each([
  ['on this machine', {}],
  ['in bubblewrap', { sandbox: bubblewrapSandbox() }],
])('%s', (_, options) => {
  test('a question is answered, and the last screen stays', async () => {
    const { start, shows, type, ended } = world(options);
    const id = await start('read -p "Name: " name; echo "Hello, $name"; tty -s && echo has a terminal; exit 3');
    await shows(id, /^Status: running\nName:$/);
    expect((await type(id, 'Ada\\n')).output).toBe(
      'Status: failed\nName: Ada\nHello, Ada\nhas a terminal\nExit code: 3',
    );
    expect(await ended(id)).toBe('Status: failed\nName: Ada\nHello, Ada\nhas a terminal\nExit code: 3');
    expect(await type(id, 'more\\n')).toMatchObject({ error: { code: 'invalid_input' } });
  });

  test.runIf(has(python))('Python keeps its state, is interrupted and ends', async () => {
    const { start, shows, type } = world(options);
    const id = await start(python);
    await shows(id, />>>$/);
    await type(id, 'x = 6\\n');
    await type(id, 'print(x * 7)\\n');
    await shows(id, /\n42\n>>>$/);
    await type(id, 'while True: pass\\n\\n');
    await type(id, '\\x03');
    await shows(id, /KeyboardInterrupt\n>>>$/);
    await type(id, 'exit(7)\\n');
    await shows(id, /^Status: failed\n[\s\S]*Exit code: 7$/);
  });

  test.runIf(has('/usr/bin/less'))('a pager uses the whole screen and restores it', async () => {
    const { start, shows, type, ended } = world(options);
    const id = await start('echo before; seq 100 | LESS= less; echo after');
    const first = await shows(id, /\n23\n:$/);
    expect(first).not.toContain('before');
    await type(id, ' ');
    await shows(id, /\n46\n:$/);
    await type(id, '/77\\n');
    await shows(id, /\n77\n/);
    await type(id, 'q');
    expect(await ended(id)).toBe('Status: completed\nbefore\nafter');
  });

  test.runIf(has('/usr/bin/bc'))('a calculator calculates', async () => {
    const { start, shows, type, ended } = world(options);
    const id = await start('bc -q; stty size');
    await type(id, '2^70\\n');
    await shows(id, /\n1180591620717411303424$/);
    await type(id, '\\x04');
    expect(await ended(id)).toMatch(/^Status: completed\n[\s\S]*\n24 80$/);
  });

  test('a stopped command leaves nothing, even if it ignores TERM', async () => {
    const { toolkit, call, start, shows } = world(options);
    const seconds = uniqueSeconds();
    const id = await start(`trap '' TERM; sleep ${seconds} & (setsid sleep ${seconds} &); echo up; read x`);
    await shows(id, /\nup$/);
    expect((await call({ action: 'stop', id })).output).toBe(`Stopped: ${id}`);
    expect(processesWith(seconds)).toEqual([]);
    const other = await start(`echo up; sleep ${seconds}`);
    await shows(other, /\nup$/);
    await toolkit.dispose();
    expect(processesWith(seconds)).toEqual([]);
  });
});

test('leftover processes of an ended command are listed, and a signal reaches them', async () => {
  const { toolkit, call, start, ended } = world();
  const seconds = uniqueSeconds();
  const id = await start(`nohup sleep ${seconds} >/dev/null 2>&1 & sleep 0.3; echo up`);
  expect(await ended(id)).toMatch(/^Status: completed\nup\nStill running: \d+ \(sleep/);
  const [left] = toolkit.leftovers('s1');
  await call({ action: 'stop', id: String(left?.pid) });
  expect(processesWith(seconds)).toEqual([]);
});

test('a time limit ends a command that waits for input', async () => {
  const { toolkit, caller, ended } = world();
  const input = { command: 'read -p "Name: " name', interactive: true, timeout: 300 };
  const { metadata } = await toolkit.call('Bash', input, { caller });
  expect(await ended(String(metadata?.taskId))).toBe('Status: failed\nName:\n[ended after 300 ms]\n');
});

test('a flood of output is limited, and its end is on the screen', async () => {
  const { start, ended } = world({ limits: { bash: { maxFileBytes: 100_000 } } });
  const output = await ended(await start('seq 200000; echo done'));
  expect(output).toMatch(/^Status: completed\n199979\n[\s\S]*\n200000\ndone$/);
  expect(output.length).toBeLessThan(300);
});

test('the end of the output of a short command is always shown', async () => {
  const { start, ended } = world();
  for (let round = 0; round < 10; round++)
    expect(await ended(await start('seq 2000; echo done'))).toMatch(/\n2000\ndone$/);
});

test('Ctrl-C ends a command, and Ctrl-Z does not stop one', async () => {
  const { start, shows, type } = world();
  const id = await start('echo up; sleep 100');
  await shows(id, /\nup$/);
  await type(id, '\\x1a');
  expect((await type(id, '\\x03')).output).toMatch(/^Status: failed\nup\n\^Z\^C\nExit code: 130$/);
});

test('secrets are hidden on the screen, also across its edge', async () => {
  const { start, ended } = world();
  const token = ['ghp', 'Zk3vR8sT1qLw9XbN5mYc7PdF2hJg4KaE6uVo'].join('_');
  const output = await ended(await start(`printf '%60s' ' '; printf '%s%s\\n' ghp_ ${token.slice(4)}; echo done`));
  expect(output).toMatch(/\[REDACTED\]\ndone$/);
  expect(output).not.toContain(token.slice(10, 20));
});

test('typing asks each time, is judged as a command, and belongs to the session', async () => {
  const asked: string[] = [];
  const permissions = createPermissions({
    allow: ['Bash'],
    deny: ['Bash(curl *)'],
    onAsk: ({ title }) => {
      asked.push(title);
      return 'allow-once';
    },
  });
  const { call, start, shows, type } = world({ permissions });
  const id = await start('read -p "$ " line; echo "got $line"; read -p "$ " line');
  await shows(id, /\n\$$/);
  asked.length = 0;
  expect(await type(id, 'rm -rf /\\n')).toMatchObject({ error: { code: 'command_denied' } });
  expect(await type(id, 'curl https://example.com\\n')).toMatchObject({ error: { code: 'permission_denied' } });
  expect(asked).toEqual([]);
  expect((await type(id, 'hello\\n')).output).toBe('Status: running\n$ hello\ngot hello\n$');
  expect(asked).toEqual([`Type into ${id}: hello\\n`]);
  const foreign = { action: 'write', id, text: 'x\\n' };
  expect(await call(foreign, { sessionId: 's2' })).toMatchObject({ error: { code: 'task_not_found' } });
});

test('Bash offers it only with the option, and other commands accept no typing', async () => {
  const { toolkit, caller, call } = world({ shell: {} });
  const fields = JSON.stringify(toolkit.definitions().find(({ name }) => name === 'Bash')?.inputSchema);
  expect(fields).not.toContain('interactive');
  const { metadata } = await toolkit.call('Bash', { command: 'sleep 5', run_in_background: true }, { caller });
  const id = String(metadata?.taskId);
  await eachRow(['write', 'signal'], async (action) => {
    const text = action === 'write' ? { text: 'x' } : {};
    expect(await call({ action, id, ...text })).toMatchObject({ error: { code: 'invalid_input' } });
  });
  const both = world();
  expect(JSON.stringify(both.toolkit.definitions().find(({ name }) => name === 'Bash')?.inputSchema)).toContain(
    '"interactive"',
  );
});

test('a terminal that is silent for a minute is reported, and again after typing', async () => {
  let laterMs = 0;
  const timers = { ...systemTimers, now: () => systemTimers.now() + laterMs };
  const updates: object[] = [];
  const onEvent = (event: { readonly type: string }) => void (event.type === 'task-update' && updates.push(event));
  const { start, shows, type } = world({ timers, onEvent, limits: { bash: { progressMs: 20 } } });
  const id = await start('read -p "Name: " name; echo ok; sleep 30');
  await shows(id, /Name:$/);
  const pass = async () => {
    laterMs += 6_000;
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  while (updates.length === 0) await pass();
  const label = 'read -p "Name: " name; echo ok; sleep 30';
  expect(updates).toEqual([{ type: 'task-update', taskId: id, state: 'running', label, waitsForInput: 'unknown' }]);
  await type(id, 'Ada\\n');
  await shows(id, /\nok$/);
  while (updates.length === 1) await pass();
  for (let look = 0; look < 100; look++) await pass();
  expect(updates).toHaveLength(2);
});
