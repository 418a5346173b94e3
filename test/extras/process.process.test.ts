import { readFileSync } from 'node:fs';
import { createToolkit } from 'toolwright';
import { processTools } from 'toolwright/extras/process';
import { expect, onTestFinished, test } from 'vitest';
import { processesWith, uniqueSeconds } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

function world() {
  const toolkit = createToolkit({ root: temporaryFolder(), permissions: 'bypassPermissions' });
  onTestFinished(() => toolkit.dispose());
  for (const tool of processTools(toolkit)) toolkit.registry.register(tool);
  const caller = { sessionId: 's1' };
  return {
    toolkit,
    bash: (input: { command: string; run_in_background?: boolean }) => toolkit.call('Bash', input, { caller }),
    call: (input: object, by = caller) => toolkit.call('process', input, { caller: by }),
  };
}

test('leftover processes are listed, read, signalled and stopped by their number', async () => {
  const { toolkit, bash, call } = world();
  const seconds = uniqueSeconds();
  const serve = `trap 'echo reloaded' HUP; echo up; while :; do sleep ${seconds} & wait; done`;
  expect((await bash({ command: `bash -c "${serve}" & until pgrep -f 'sleep ${seconds}$'; do :; done` })).ok).toBe(
    true,
  );
  const [server] = toolkit.leftovers('s1').filter(({ command }) => command.startsWith('bash -c'));
  const id = String(server?.pid);
  expect((await call({ action: 'list' })).output).toMatch(new RegExp(`^${id} running: bash -c .*; output in /`, 'm'));
  expect((await call({ action: 'output', id, block: false })).output).toMatch(/^Status: running\nup\n/);
  await call({ action: 'signal', id, signal: 'HUP' });
  await until(() => readFileSync(server?.outputFile ?? '', 'utf8').includes('reloaded'));
  expect((await call({ action: 'output', id, block: false })).output).toContain('\nreloaded\n');
  for (const action of ['output', 'stop'])
    expect(await call({ action, id }, { sessionId: 's2' })).toMatchObject({ error: { code: 'task_not_found' } });
  expect((await call({ action: 'stop', id })).output).toBe(`Stopped: ${id}`);
  expect(processesWith(seconds)).toEqual([]);
  expect((await call({ action: 'list' })).output).toBe('Nothing is running');
  expect(await call({ action: 'output', id })).toMatchObject({ error: { code: 'task_not_found' } });
});

test('a signal for one process does not affect others, and its end can be awaited', async () => {
  const { toolkit, bash, call } = world();
  const [one, two] = [uniqueSeconds(), uniqueSeconds()];
  await bash({ command: `sleep ${one} & sleep ${two} &` });
  await until(() => toolkit.leftovers('s1').filter(({ command }) => command.startsWith('sleep')).length === 2);
  const pidOf = (seconds: string) =>
    String(toolkit.leftovers('s1').find(({ command }) => command === `sleep ${seconds}`)?.pid);
  const [first, second] = [pidOf(one), pidOf(two)];
  await call({ action: 'signal', id: first, signal: 'TERM' });
  await until(() => processesWith(`sleep\0${one}`).length === 0);
  expect(processesWith(`sleep\0${two}`).length).toBe(1);
  const waiting = call({ action: 'output', id: second, timeout: 60_000 });
  await call({ action: 'signal', id: second, signal: 'KILL' });
  expect((await waiting).output).toMatch(/^Status: completed\n/);
});

test('a signal reaches all processes of a task', async () => {
  const { bash, call } = world();
  const seconds = uniqueSeconds();
  const command = `trap 'echo interrupted; exit 3' INT; (setsid sleep ${seconds}) & wait`;
  const started = await bash({ command, run_in_background: true });
  const id = String(started.metadata?.taskId);
  await until(() => processesWith(`sleep\0${seconds}`).length === 1);
  await call({ action: 'signal', id, signal: 'INT' });
  expect((await call({ action: 'output', id })).output).toContain('interrupted\n');
  await call({ action: 'stop', id });
  expect(processesWith(seconds)).toEqual([]);
});
