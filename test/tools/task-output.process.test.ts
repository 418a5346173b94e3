import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveLimits } from '../../src/core/resolve-limits.js';
import { createPermissions, createScrubber, createToolkit } from '../../src/index.js';
import { toolContext } from '../support/call-scope.js';
import { taskBench } from '../support/task-bench.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const limits = resolveLimits();

test('every agent that may start a task may read and stop it without asking, in its own session only', async () => {
  const root = temporaryFolder();
  const permissions = createPermissions({ root, mode: 'default', allow: ['Bash(echo *)', 'Bash(sleep *)'] });
  await using toolkit = createToolkit({ root, permissions });
  const start = async (command: string) => {
    const { output } = await toolkit.call('Bash', { command, run_in_background: true });
    return { task_id: String(/^Task started: (\S+)/.exec(output)?.[1]) };
  };
  expect((await toolkit.call('TaskOutput', await start('echo z'))).output).toBe('Status: completed\nz\n');
  const sleeping = await start('sleep 60');
  const caller = { sessionId: 'other' };
  for (const name of ['TaskOutput', 'TaskStop'])
    expect(await toolkit.call(name, sleeping, { caller })).toMatchObject({ error: { code: 'task_not_found' } });
  expect(await toolkit.call('TaskStop', sleeping)).toMatchObject({ ok: true, metadata: { state: 'stopped' } });
});

describe('the output of a task', () => {
  test('is read once by each agent of its session, and by no other session', async () => {
    const { start, output } = taskBench();
    const { task_id } = await start('echo z');
    const first = await output.execute({ task_id }, toolContext());
    expect(first.output).toBe('Status: completed\nz\n');
    expect(first.metadata).toMatchObject({ taskId: task_id, state: 'completed', exitCode: 0 });
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: completed\n(no new output)');
    const other = toolContext({ caller: { sessionId: 's1', agentId: 'helper' } });
    expect((await output.execute({ task_id }, other)).output).toBe('Status: completed\nz\n');
    const stranger = toolContext({ caller: { sessionId: 's2' } });
    await expect(output.execute({ task_id }, stranger)).rejects.toMatchObject({ code: 'task_not_found' });
  });

  test('is read in chunks while it runs', async () => {
    const { start, output, root } = taskBench();
    const { result, task_id } = await start('echo one; until [ -e go ]; do sleep 0.02; done; echo two');
    const look = async () => (await output.execute({ task_id, block: false }, toolContext())).output;
    await until(() => readFileSync(String(result.metadata?.outputFile), 'utf8') === 'one\n');
    expect(await look()).toBe('Status: running\none\n');
    expect(await look()).toBe('Status: running\n(no new output yet)');
    writeFileSync(join(root, 'go'), '');
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: completed\ntwo\n');
  });

  test('shows head and tail if it is too long, and reading continues after it', async () => {
    const { start, output } = taskBench();
    const { task_id } = await start('seq 1 100000');
    const { output: text } = await output.execute({ task_id }, toolContext());
    expect(text).toMatch(/^Status: completed\n1\n2\n[\s\S]*\[\d+ characters omitted; full output: [\s\S]*\n100000\n$/);
    expect(text.length).toBeLessThanOrEqual(limits.output.maxChars);
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: completed\n(no new output)');
  });

  test('never shows a secret, for any chunks and cuts', async () => {
    const secret = ['AKIA', 'ABCDEFGH', '23456789'].join('');
    const { start, output } = taskBench({ scrubber: createScrubber() });
    const command = secret
      .split('')
      .map((letter) => `printf '${letter}'; sleep 0.01`)
      .join('; ');
    const { task_id } = await start(`printf 'key: '; ${command}; echo; echo end`);
    let seen = '';
    for (let state = 'running'; state === 'running'; ) {
      const result = await output.execute({ task_id, timeout: 5 }, toolContext());
      state = String(result.metadata?.state);
      seen += result.output.replace(/^Status: \w+\n/, '').replace(/\(no new output.*\)/, '');
    }
    expect(seen).toBe('key: [REDACTED]\nend\n');
  });

  test('is empty if the task still runs at the end of the wait', async () => {
    const { start, output } = taskBench();
    const { task_id } = await start('sleep 30');
    expect((await output.execute({ task_id, block: true, timeout: 20 }, toolContext())).output).toBe(
      'Status: running\n(no new output yet)',
    );
  });

  test.each([
    ['kill -9 $$', { signal: 'SIGKILL' }, '(no new output)\nKilled by signal SIGKILL'],
    ['echo hi; kill -TERM $$', { signal: 'SIGTERM' }, 'hi\nKilled by signal SIGTERM'],
    ['printf hi; kill -HUP $$', { signal: 'SIGHUP' }, 'hi\nKilled by signal SIGHUP'],
    ['exit 3', { exitCode: 3 }, '(no new output)\nExit code: 3'],
  ])('says in each result how %s ended', async (command, facts, first) => {
    const { start, output } = taskBench();
    const { task_id } = await start(command);
    const looks = [await output.execute({ task_id }, toolContext()), await output.execute({ task_id }, toolContext())];
    const ending = first.slice(first.lastIndexOf('\n') + 1);
    expect(looks.map((look) => look.output)).toEqual([
      `Status: failed\n${first}`,
      `Status: failed\n(no new output)\n${ending}`,
    ]);
    for (const { metadata } of looks) expect(metadata).toMatchObject({ state: 'failed', ...facts });
    expect(Object.keys(looks[0]?.metadata ?? {}).filter((name) => name === 'exitCode' || name === 'signal')).toEqual(
      Object.keys(facts),
    );
  });

  test.each([limits.output.maxChars, limits.output.maxChars - 1, limits.output.maxChars - 100])(
    'of %i characters is whole',
    async (chars) => {
      const { start, output } = taskBench();
      const { task_id } = await start(`printf '%${chars}s' x`);
      expect((await output.execute({ task_id }, toolContext())).output).toBe(
        `Status: completed\n${'x'.padStart(chars)}`,
      );
    },
  );

  test('is cut if it is one character longer', async () => {
    const { start, output } = taskBench();
    const { task_id } = await start(`printf '%${limits.output.maxChars + 1}s' x`);
    const { output: text } = await output.execute({ task_id }, toolContext());
    expect(text).toMatch(/\[\d+ characters omitted/);
    expect(text.length).toBeLessThanOrEqual(limits.output.maxChars);
  });

  test('of an unknown task is not found', async () => {
    const { output } = taskBench();
    await expect(output.execute({ task_id: 'task_0' }, toolContext())).rejects.toMatchObject({
      code: 'task_not_found',
    });
  });

  test.each([
    [{ task_id: 'a' }, true],
    [{ task_id: 'a', block: false, timeout: 0 }, true],
    [{ task_id: 'a', timeout: 600_001 }, false],
    [{ task_id: 'a', timeout: -1 }, false],
    [{ task_id: '' }, false],
    [{}, false],
  ])('is requested with %j: %s', async (input, isValid) => {
    expect((await taskBench().output.input.parse(input)).ok).toBe(isValid);
  });
});
