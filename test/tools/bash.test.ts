import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { resolveLimits } from '../../src/core/limits.js';
import { guardShell } from '../../src/shell/guarded-shell.js';
import { TaskManager } from '../../src/state/tasks.js';
import { createScrubber } from '../../src/text/scrubber.js';
import { bashTool } from '../../src/tools/bash.js';
import { taskOutputTool } from '../../src/tools/task-output.js';
import { taskStopTool } from '../../src/tools/task-stop.js';
import { toolContext } from '../support/call-scope.js';
import { processesWith, type ShellBench, shellBench, uniqueSeconds, until } from '../support/shell.js';

const limits = resolveLimits();

function bench(options: Parameters<typeof shellBench>[0] & { readonly autoBackground?: boolean } = {}) {
  const { autoBackground = false, ...rest } = options;
  const shell: ShellBench = shellBench(rest);
  const tasks = new TaskManager({ limits: limits.tasks, stopGraceMs: 5_000, maxLogChars: 100_000 });
  onTestFinished(() => tasks.dispose());
  const bash = bashTool({ shell: shell.shell, tasks, limits, autoBackground });
  const output = taskOutputTool({ tasks, limits });
  const stop = taskStopTool({ tasks });
  const start = async (command: string, timeout?: number) => {
    const result = await bash.execute({ command, run_in_background: true, timeout }, toolContext());
    return { result, task_id: String(result.metadata?.taskId) };
  };
  return { ...shell, tasks, bash, output, stop, start };
}

describe('in the foreground', () => {
  test.each([
    ['echo hi', 'hi\n'],
    ['true', '(no output)'],
    ['exit 3', '(no output)\nExit code: 3'],
    ['printf out; exit 3', 'out\nExit code: 3'],
    ['echo e >&2; exit 2', 'e\nExit code: 2'],
    ['kill -KILL $$', '(no output)\nKilled by signal SIGKILL'],
  ])('%s', async (command, expected) => {
    const { bash } = bench();
    expect((await bash.execute({ command }, toolContext())).output).toBe(expected);
  });

  test('tells programs how it ended and where the output is', async () => {
    const { bash } = bench();
    const { metadata } = await bash.execute({ command: 'echo x; exit 4' }, toolContext());
    expect(metadata).toMatchObject({ exitCode: 4, truncated: false, timedOut: false, survivors: [] });
    expect(readFileSync(String(metadata?.outputFile), 'utf8')).toBe('x\n');
  });

  test('names what was left running before the last line', async () => {
    const seconds = uniqueSeconds();
    const { bash } = bench();
    const { output, metadata } = await bash.execute({ command: `sleep ${seconds} & echo ok; exit 5` }, toolContext());
    expect(output).toMatch(new RegExp(`^ok\\nStill running: \\d+ \\(sleep ${seconds}\\); output goes on in /.*\\nExit code: 5$`));
    expect(metadata?.survivors).toMatchObject([{ command: `sleep ${seconds}` }]);
  });

  test('keeps the whole result within the limit', async () => {
    const { bash } = bench();
    const { output } = await bash.execute({ command: 'seq 1 100000; exit 1' }, toolContext());
    expect(output.length).toBeLessThanOrEqual(limits.output.maxChars);
    expect(output).toMatch(/\nExit code: 1$/);
  });

  test('a time limit is a timeout with what was written', async () => {
    const { bash } = bench();
    await expect(bash.execute({ command: 'echo partial; sleep 60', timeout: 150 }, toolContext())).rejects.toMatchObject({
      code: 'timeout',
      partialOutput: 'partial\n',
      metadata: { timedOut: true },
    });
  });

  test('sends the tail as progress', async () => {
    const { bash } = bench({ overrides: { bash: { progressMs: 10 } } });
    const updates: unknown[] = [];
    await bash.execute({ command: 'echo tick; sleep 0.15' }, toolContext({ metadata: (update) => updates.push(update) }));
    expect(updates[0]).toEqual({ metadata: { tail: 'tick\n' } });
  });
});

describe('input', () => {
  test.each([
    [{ command: 'true', timeout: 600_000 }, true],
    [{ command: 'true', timeout: 600_001 }, false],
    [{ command: 'true', timeout: 7_200_000, run_in_background: true }, true],
    [{ command: 'true', timeout: 7_200_001, run_in_background: true }, false],
    [{ command: 'true', timeout: 0 }, false],
    [{ command: 'true', timeout: -5 }, false],
    [{ command: 'true', timeout: Number.POSITIVE_INFINITY }, false],
    [{ command: '' }, false],
    [{ command: false }, false],
    [{}, false],
  ])('%j', async (input, isValid) => {
    expect((await bench().bash.input.parse(input)).ok).toBe(isValid);
  });

  test('is shown to people whole, and to rules as a command', () => {
    const { bash } = bench();
    const command = 'npm test\nrm -rf build';
    expect(bash.titleOf({ command, description: 'List files' })).toBe(`Bash: ${command}`);
    expect(bash.previewOf({ command })).toBe(command);
    expect(bash.targetsOf({ command }, toolContext())).toEqual([{ kind: 'command', command }]);
    expect(bash.footprintOf({ command }, toolContext())).toEqual({ reads: 'everything', writes: 'everything' });
  });
});

describe('safety', () => {
  const judge = (command: string) =>
    command.includes('bad')
      ? { verdict: 'deny' as const, risk: 'critical' as const, reasons: [{ category: 'test', text: 'bad word' }] }
      : { verdict: 'allow' as const, risk: 'low' as const, reasons: [] };

  test('what is denied has a verdict before anybody is asked', async () => {
    const { shell } = bench();
    const bash = bashTool({ shell, limits, assess: judge });
    expect(await bash.verdictOf({ command: 'bad' }, toolContext())).toEqual({ behavior: 'deny', reason: 'test: bad word' });
    expect(await bash.verdictOf({ command: 'good' }, toolContext())).toBeUndefined();
    expect([bash.riskOf({ command: 'bad' }), bash.riskOf({ command: 'good' })]).toEqual(['critical', 'low']);
    expect(bashTool({ shell, limits }).riskOf({ command: 'good' })).toBe('high');
  });

  test('the shell refuses it as well, and refuses what cannot be judged', async () => {
    const { shell, root } = bench();
    const run = (command: string) => guardShell(shell, judge).run({ command }, toolContext());
    await expect(run('touch bad')).rejects.toMatchObject({ code: 'command_denied', message: 'blocked by safety policy: test: bad word' });
    const broken = guardShell(shell, () => {
      throw new Error('broken');
    });
    await expect(broken.run({ command: 'touch bad' }, toolContext())).rejects.toMatchObject({ code: 'command_denied' });
    expect(existsSync(join(root, 'bad'))).toBe(false);
    expect(await run('echo good')).toMatchObject({ output: 'good\n' });
  });
});

describe('in the background', () => {
  test('answers at once with the id and the file', async () => {
    const { start } = bench();
    const { result, task_id } = await start('echo z; sleep 0.2');
    expect(result.output).toMatch(new RegExp(`^Task started: ${task_id}\nOutput: /.*/bash-\\d+\\.txt$`));
  });

  test('is read once, then no more', async () => {
    const { start, output } = bench();
    const { task_id } = await start('echo z');
    const first = await output.execute({ task_id }, toolContext());
    expect(first.output).toBe('Status: completed\nz\n');
    expect(first.metadata).toMatchObject({ taskId: task_id, state: 'completed', exitCode: 0 });
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: completed\n(no new output)');
    const other = toolContext({ caller: { sessionId: 's2' } });
    expect((await output.execute({ task_id }, other)).output).toBe('Status: completed\nz\n');
  });

  test('is read piece by piece while it runs', async () => {
    const { start, output, root } = bench();
    const { result, task_id } = await start('echo one; until [ -e go ]; do sleep 0.02; done; echo two');
    const look = async () => (await output.execute({ task_id, block: false }, toolContext())).output;
    await until(() => readFileSync(String(result.metadata?.outputFile), 'utf8') === 'one\n');
    expect(await look()).toBe('Status: running\none\n');
    expect(await look()).toBe('Status: running\n(no new output yet)');
    writeFileSync(join(root, 'go'), '');
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: completed\ntwo\n');
  });

  test('fails with its exit code', async () => {
    const { start, output } = bench();
    const { task_id } = await start('echo no; exit 1');
    const { output: text, metadata } = await output.execute({ task_id }, toolContext());
    expect(text).toBe('Status: failed\nno\nExit code: 1');
    expect(metadata).toMatchObject({ state: 'failed', exitCode: 1 });
  });

  test('is stopped with everything it started', async () => {
    const seconds = uniqueSeconds();
    const { start, stop, output } = bench();
    const { task_id } = await start(`setsid sleep ${seconds} & sleep ${seconds}`);
    await until(() => processesWith(seconds).length === 2);
    const stopped = await stop.execute({ task_id }, toolContext());
    expect(stopped.output).toBe(`Task stopped: ${task_id}`);
    expect(stopped.metadata).toMatchObject({ taskId: task_id, state: 'stopped' });
    expect(processesWith(seconds)).toEqual([]);
    expect((await output.execute({ task_id }, toolContext())).output).toMatch(/^Status: stopped\n/);
    expect((await stop.execute({ shell_id: task_id }, toolContext())).output).toContain('was not running any more: stopped');
  });

  test('has a time limit of its own', async () => {
    const { start, output } = bench();
    const { task_id } = await start('echo a; sleep 60', 100);
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: failed\na\n\n[ended after 100 ms]');
  });

  test('that cannot start says so', async () => {
    const { start, output, shell } = bench();
    await shell.dispose();
    const { task_id } = await start('true');
    expect((await output.execute({ task_id }, toolContext())).output).toContain('Status: failed\nThe toolkit was disposed');
  });

  test('shows head and tail of what is too long, and reads on behind it', async () => {
    const { start, output } = bench();
    const { task_id } = await start('seq 1 100000');
    const { output: text } = await output.execute({ task_id }, toolContext());
    expect(text).toMatch(/^Status: completed\n1\n2\n[\s\S]*\[\d+ characters omitted; full output: [\s\S]*\n100000\n$/);
    expect(text.length).toBeLessThanOrEqual(limits.output.maxChars);
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: completed\n(no new output)');
  });

  test('never shows a secret, however its writing and its reading are cut', async () => {
    const secret = ['AKIA', 'ABCDEFGH', '23456789'].join('');
    const { start, output } = bench({ scrubber: createScrubber() });
    const command = secret
      .split('')
      .map((letter) => `printf '${letter}'; sleep 0.01`)
      .join('; ');
    const { task_id } = await start(`printf 'key: '; ${command}; echo; echo end`);
    let seen = '';
    for (let state = 'running'; state === 'running'; ) {
      const result = await output.execute({ task_id, timeout: 5 }, toolContext());
      state = String(result.metadata?.state);
      seen += result.output.replace(/^Status: \w+\n/, '').replace('(no new output yet)', '');
    }
    expect(seen).toBe('key: [REDACTED]\nend\n');
  });

  test('without tasks is not configured', async () => {
    const { shell } = bench();
    const call = bashTool({ shell, limits }).execute({ command: 'true', run_in_background: true }, toolContext());
    await expect(call).rejects.toMatchObject({ code: 'not_configured' });
  });

  test('runs two hundred at once', async () => {
    const { start, output } = bench();
    const started = await Promise.all(Array.from({ length: 200 }, (_, index) => start(`echo ${index}`)));
    const results = await Promise.all(started.map(({ task_id }) => output.execute({ task_id }, toolContext())));
    expect(results.map((result) => result.output)).toEqual(started.map((_, index) => `Status: completed\n${index}\n`));
  });
});

describe('at the time limit a command may go on as a task', () => {
  test('with everything it wrote before', async () => {
    const { bash, output } = bench({ autoBackground: true });
    const result = await bash.execute({ command: 'echo one; sleep 0.3; echo two', timeout: 100 }, toolContext());
    expect(result.output).toMatch(
      /^Task started: (task_\w+)\nOutput: .*\nThe command was not done after 100 ms and goes on in the background\.$/,
    );
    const task_id = String(result.metadata?.taskId);
    expect((await output.execute({ task_id }, toolContext())).output).toBe('Status: completed\none\ntwo\n');
  });

  test('and one that is quicker answers as always', async () => {
    const { bash, tasks } = bench({ autoBackground: true });
    expect((await bash.execute({ command: 'echo quick', timeout: 5_000 }, toolContext())).output).toBe('quick\n');
    expect(tasks.list()).toEqual([]);
  });

  test('an abort of the call ends it before, a stop of the task after', async () => {
    const [first, second] = [uniqueSeconds(), uniqueSeconds()];
    const { bash, stop } = bench({ autoBackground: true });
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

describe('task ids', () => {
  test('that nobody has are not found', async () => {
    const { output, stop } = bench();
    await expect(output.execute({ task_id: 'task_0' }, toolContext())).rejects.toMatchObject({ code: 'task_not_found' });
    await expect(stop.execute({ task_id: 'task_0' }, toolContext())).rejects.toMatchObject({ code: 'task_not_found' });
    await expect(stop.execute({}, toolContext())).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
