import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLoopGuard } from '../../src/guards.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

function guarded() {
  const root = temporaryFolder();
  const toolkit = testToolkit({ root, permissions: 'bypassPermissions', hooks: createLoopGuard() });
  const call = (name: string, input: object) => toolkit.call(name, input);
  return {
    root,
    call,
    write: (name: string, content: string) => call('Write', { file_path: join(root, name), content }),
  };
}

test('a check between edits may have the same result any number of times', async () => {
  const { call, write } = guarded();
  const check = () => call('Bash', { command: 'grep -q FIXED a.txt && echo PASS || echo FAIL' });
  for (let round = 0; round < 12; round++) {
    await write('a.txt', `try ${round}`);
    const checked = await check();
    expect(checked.output).toContain('FAIL');
    expect(checked.additionalContext).toBeUndefined();
  }
  await write('a.txt', 'FIXED');
  expect((await check()).output).toContain('PASS');
});

test('a file that was read repeatedly is read again after a change', async () => {
  const { root, call } = guarded();
  const path = join(root, 'a.txt');
  writeFileSync(path, 'old');
  const read = () => call('Read', { file_path: path });
  for (let round = 0; round < 4; round++) expect(await read()).toMatchObject({ ok: true });
  writeFileSync(path, 'new and longer');
  expect(await read()).toMatchObject({ ok: false, error: { code: 'denied_by_hook' } });
  expect((await read()).output).toContain('new and longer');
});

test('two commands that alternate without an edit are a loop', async () => {
  const { call } = guarded();
  const codes: string[] = [];
  for (let round = 0; round < 8; round++) {
    const result = await call('Bash', { command: round % 2 === 0 ? 'echo one' : 'echo two' });
    codes.push(result.ok ? 'ok' : result.error.code);
  }
  await call('Bash', { command: 'echo one' });
  expect(await call('Bash', { command: 'echo two' })).toMatchObject({ ok: false, error: { code: 'denied_by_hook' } });
  expect(codes.slice(0, 8)).toEqual(Array(8).fill('ok'));
});

test('a command with another description is the same call, and another exit code than 0 is not a failure', async () => {
  const { call } = guarded();
  const heard: string[] = [];
  for (let round = 0; round < 5; round++) {
    const result = await call('Bash', { command: 'echo one', description: `Look ${round}`, timeout: 5_000 + round });
    heard.push(result.ok ? (result.additionalContext === undefined ? 'quiet' : 'note') : result.error.code);
  }
  expect(heard).toEqual(['quiet', 'quiet', 'note', 'note', 'denied_by_hook']);
  for (let round = 0; round < 8; round++) {
    const failed = await call('Bash', { command: `echo ${round}; false` });
    expect([failed.ok, failed.additionalContext]).toEqual([true, undefined]);
  }
});

test('a task may be polled until it ends, and then shows its output', async () => {
  const { root, call } = guarded();
  const started = await call('Bash', {
    command: 'until [ -e go ]; do sleep 0.02; done; echo DONE',
    run_in_background: true,
  });
  const task_id = /started: (\S+)/.exec(started.output)?.[1] ?? '';
  for (let round = 0; round < 8; round++) {
    const polled = await call('TaskOutput', { task_id, block: false });
    expect(polled).toMatchObject({ ok: true, output: expect.stringContaining('running') });
    expect(polled.additionalContext).toBeUndefined();
  }
  writeFileSync(join(root, 'go'), '');
  expect((await call('TaskOutput', { task_id })).output).toContain('DONE');
});

test.each<[string, string]>([
  ['tells the time', 'date +%s%N'],
  ['counts up', 'echo line >> log; wc -l < log'],
])('repeated reads of one file are a loop, although a command in between %s', async (_, command) => {
  const { root, call } = guarded();
  writeFileSync(join(root, 'a.txt'), 'same');
  const announced: string[] = [];
  for (let round = 0; round < 12; round++) {
    const result = await call('Read', { file_path: join(root, 'a.txt') });
    announced.push(result.ok ? (result.additionalContext === undefined ? 'quiet' : 'note') : result.error.code);
    await call('Bash', { command });
  }
  expect(announced.slice(0, 3)).toEqual(Array(3).fill('quiet'));
  expect(announced.filter((one) => one === 'denied_by_hook').length).toBeGreaterThanOrEqual(2);
  expect(announced).toContain('note');
});

test('a check between edits of single texts is not a loop, for any number of rounds', async () => {
  const { root, call } = guarded();
  const file_path = join(root, 'a.txt');
  writeFileSync(file_path, 'try 0');
  await call('Read', { file_path });
  for (let round = 0; round < 12; round++) {
    const edited = await call('Edit', { file_path, old_string: `try ${round}`, new_string: `try ${round + 1}` });
    const checked = await call('Bash', { command: 'echo 1 test failed' });
    expect([edited, checked]).toMatchObject([{ ok: true }, { ok: true, output: '1 test failed\n' }]);
    expect([edited.additionalContext, checked.additionalContext]).toEqual([undefined, undefined]);
  }
});
