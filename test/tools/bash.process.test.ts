import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { bashTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { resolveLimits } from '../../src/core/resolve-limits.js';
import type { Shell } from '../../src/index.js';
import { assessed } from '../support/assessed.js';
import { toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { heldTimers } from '../support/held-timers.js';
import { uniqueSeconds } from '../support/shell.js';
import { taskBench } from '../support/task-bench.js';
import { until } from '../support/until.js';

const limits = resolveLimits();

describe('in the foreground', () => {
  test.each([
    ['echo hi', 'hi\n'],
    ['true', '(no output)'],
    ['exit 3', '(no output)\nExit code: 3'],
    ['printf out; exit 3', 'out\nExit code: 3'],
    ['echo e >&2; exit 2', 'e\nExit code: 2'],
    ['kill -KILL $$', '(no output)\nKilled by signal SIGKILL'],
  ])('%s', async (command, expected) => {
    const { bash } = taskBench();
    expect((await bash.execute({ command }, toolContext())).output).toBe(expected);
  });

  test('reports the exit code and the output file in metadata', async () => {
    const { bash } = taskBench();
    const { metadata } = await bash.execute({ command: 'echo x; exit 4' }, toolContext());
    expect(metadata).toMatchObject({ exitCode: 4, truncated: false, timedOut: false, survivors: [] });
    expect(readFileSync(String(metadata?.outputFile), 'utf8')).toBe('x\n');
  });

  test('names leftover processes before the last line', async () => {
    const seconds = uniqueSeconds();
    const { bash } = taskBench();
    // The child is a copy of the shell until it has become the program.
    const command = `sleep ${seconds} & until ps -o args= -p $! | grep -q ^sleep; do :; done; echo ok; exit 5`;
    const { output, metadata } = await bash.execute({ command }, toolContext());
    expect(output).toMatch(
      new RegExp(`^ok\\nStill running: \\d+ \\(sleep ${seconds}\\); output goes on in /.*\\nExit code: 5$`),
    );
    expect(metadata?.survivors).toMatchObject([{ command: `sleep ${seconds}` }]);
  });

  test('keeps the whole result within the limit', async () => {
    const { bash } = taskBench();
    const { output } = await bash.execute({ command: 'seq 1 100000; exit 1' }, toolContext());
    expect(output.length).toBeLessThanOrEqual(limits.output.maxChars);
    expect(output).toMatch(/\nExit code: 1$/);
  });

  test('reports a timeout with the partial output', async () => {
    const timers = heldTimers();
    const { bash, root } = taskBench({ timers });
    const call = bash.execute({ command: 'echo partial; touch begun; sleep 1000', timeout: 70_000 }, toolContext());
    void until(() => existsSync(join(root, 'begun'))).then(() => timers.fire(70_000));
    await expect(call).rejects.toMatchObject({
      code: 'timeout',
      partialOutput: 'partial\n',
      metadata: { timedOut: true },
    });
  });

  const tailOnly = { metadata: { chunk: '', offset: 0, tail: 'tick\n' } };

  test('sends new output and the tail as progress', async () => {
    const { bash, root } = taskBench({ overrides: { bash: { progressMs: 10 } } });
    const updates: unknown[] = [];
    const whole = { metadata: { chunk: 'tick\n', offset: 0, tail: 'tick\n' } };
    const metadata = (update: unknown) => {
      updates.push(update);
      if (isDeepStrictEqual(update, whole)) writeFileSync(join(root, 'go'), '');
    };
    await bash.execute({ command: 'echo tick; until [ -e go ]; do sleep 0.02; done' }, toolContext({ metadata }));
    // The tail may be sent before the line that is still held back for scrubbing.
    expect(updates.filter((update) => !isDeepStrictEqual(update, tailOnly))).toEqual([whole]);
  });

  test('sends the whole output at the end if a shell of the host sends only tails, or nothing', async () => {
    const outcome = {
      exitCode: 0,
      signal: undefined,
      output: 'one\ntwo\n',
      outputFile: '/out',
      truncated: false,
      timedOut: false,
      survivors: [],
    };
    const shell: Shell = {
      run: async ({ onOutput }) => {
        onOutput?.('one\n');
        return outcome;
      },
    };
    const updates: unknown[] = [];
    await bashTool({ shell, limits }).execute(
      { command: 'x' },
      toolContext({ metadata: (update) => updates.push(update) }),
    );
    expect(updates).toEqual([
      { metadata: { chunk: '', offset: 0, tail: 'one\n' } },
      { metadata: { chunk: 'one\ntwo\n', offset: 0, tail: 'one\ntwo\n' } },
    ]);
  });

  test('sends no chunks without a listener or after moving to the background', async () => {
    const asked: unknown[] = [];
    const shell: Shell = {
      run: async ({ wantsChunks }) => {
        asked.push(wantsChunks);
        throw new Error('enough');
      },
    };
    for (const hasListener of [false, true])
      await bashTool({ shell, limits })
        .execute({ command: 'x' }, toolContext({ hasListener }))
        .catch(() => {});
    expect(asked).toEqual([false, true]);

    const timers = heldTimers();
    const { bash, output, start, root } = taskBench({
      ...{ autoBackground: true, timers, overrides: { bash: { progressMs: 10 } } },
    });
    const updates: unknown[] = [];
    const context = toolContext({ metadata: (update) => updates.push(update) });
    const command = 'echo soon; until [ -e go ]; do sleep 0.02; done; echo late';
    const moved = bash.execute({ command, timeout: 70_000 }, context);
    await until(() => updates.length > 0);
    await timers.fire(70_000);
    const { metadata } = await moved;
    writeFileSync(join(root, 'go'), '');
    const { output: read } = await output.execute({ task_id: String(metadata?.taskId), block: true }, toolContext());
    expect(read).toContain('late');
    const background = await start('echo alone');
    await output.execute({ task_id: background.task_id, block: true }, toolContext());
    expect(JSON.stringify(updates)).not.toMatch(/chunk":"[^"]*(?:late|alone)/);
  });
});

describe('input', () => {
  const rows = [
    [{ command: 'true', timeout: 600_000 }, true],
    [{ command: 'true', timeout: 600_001 }, false],
    [{ command: 'true', timeout: 7_200_000, run_in_background: true }, true],
    [{ command: 'true', timeout: 7_200_001, run_in_background: true }, false],
    [{ command: 'true', timeout: 0 }, false],
    [{ command: 'true', timeout: -5 }, false],
    [{ command: 'true', timeout: 1.5 }, false],
    [{ command: 'true', timeout: Number.POSITIVE_INFINITY }, false],
    [{ command: '' }, false],
    [{ command: '   ' }, false],
    [{ command: ' \t\n' }, false],
    [{ command: ' \n true' }, true],
    [{ command: ' ', run_in_background: true }, false],
    [{ command: false }, false],
    [{}, false],
  ] as const;
  test('is accepted or rejected', () =>
    eachRow(rows, async ([input, isValid]) => {
      expect((await taskBench().bash.input.parse(input)).ok).toBe(isValid);
    }));

  test('is shown whole to people, and as a command to rules', async () => {
    const { bash } = taskBench();
    const command = 'npm test\nrm -rf build';
    expect((await assessed(bash, { command, description: 'List files' })).title).toBe(`Bash: ${command}`);
    expect((await assessed(bash, { command }, toolContext())).preview).toBe(command);
    expect((await assessed(bash, { command }, toolContext())).targets).toEqual([{ kind: 'command', command }]);
    expect((await assessed(bash, { command }, toolContext())).footprint).toEqual({
      reads: 'everything',
      writes: 'everything',
    });
  });
});

describe('output of exactly the limit', () => {
  const { maxChars } = limits.output;
  const run = async (command: string, options: Parameters<typeof taskBench>[0] = {}) =>
    await taskBench(options).bash.execute({ command }, toolContext());

  test.each([
    [`printf '%${maxChars}s' x`, 'x'.padStart(maxChars)],
    [`printf '%${maxChars - 1}s' x`, 'x'.padStart(maxChars - 1)],
    [`printf '%${maxChars}s' x; exit 3`, `${'x'.padStart(maxChars)}\nExit code: 3`],
  ])('is whole: %s', async (command, wanted) => {
    const { output, metadata } = await run(command);
    expect(output).toBe(wanted);
    expect(metadata).toMatchObject({ truncated: false });
  });

  test('is whole in two streams', async () => {
    const half = maxChars / 2;
    const { metadata } = await run(`printf '%${half - 1}s' x; printf '%${half}s' y >&2`, { separateOutput: true });
    expect(metadata).toMatchObject({ truncated: false, stdout: 'x'.padStart(half - 1), stderr: 'y'.padStart(half) });
  });

  test('is cut further with one more character, so that the lines after it fit', async () => {
    const { output, metadata } = await run(`printf '%${maxChars + 1}s' x; exit 3`);
    expect(output).toMatch(/characters omitted[\s\S]*x\nExit code: 3$/);
    expect(output.length).toBeLessThanOrEqual(maxChars);
    expect(metadata).toMatchObject({ truncated: true });
  });

  test('may be shown with the lines after it', () => {
    expect(taskBench().bash.maxOutputChars).toBeGreaterThan(maxChars);
    expect(taskBench().output.maxOutputChars).toBeGreaterThan(maxChars);
  });
});

describe('safety', () => {
  const judge = (command: string) =>
    command.includes('bad')
      ? { verdict: 'deny' as const, risk: 'critical' as const, reasons: [{ category: 'test', text: 'bad word' }] }
      : { verdict: 'allow' as const, risk: 'low' as const, reasons: [] };

  test('leaving the sandbox asks, and the question says so', async () => {
    const { bash } = taskBench();
    const outside = { command: 'ls', dangerouslyDisableSandbox: true };
    expect((await assessed(bash, outside, toolContext())).verdict).toMatchObject({
      behavior: 'ask',
      reason: expect.stringContaining('outside the sandbox'),
    });
    expect([(await assessed(bash, outside)).title, (await assessed(bash, outside, toolContext())).preview]).toEqual([
      'Bash outside the sandbox: ls',
      expect.stringMatching(/outside the sandbox.*\nls$/),
    ]);
    expect((await assessed(bash, { command: 'ls' }, toolContext())).verdict).toBeUndefined();
  });

  test('writing auto-executed files asks in spite of an allow rule', async () => {
    const { shell } = taskBench();
    const reasons = [{ category: 'persistence', text: 'writes a startup file' }];
    const bash = bashTool({ shell, limits, assess: () => ({ verdict: 'ask', risk: 'high', reasons }) });
    expect((await assessed(bash, { command: 'x' }, toolContext())).verdict).toEqual({
      behavior: 'ask',
      reason: 'writes a startup file',
    });
  });

  test('a refused command has a verdict before a question', async () => {
    const { shell } = taskBench();
    const bash = bashTool({ shell, limits, assess: judge });
    expect((await assessed(bash, { command: 'bad' }, toolContext())).verdict).toEqual({
      behavior: 'deny',
      reason: 'test: bad word. Do it another way, or ask the user.',
    });
    expect((await assessed(bash, { command: 'good' }, toolContext())).verdict).toBeUndefined();
    expect([(await assessed(bash, { command: 'bad' })).risk, (await assessed(bash, { command: 'good' })).risk]).toEqual(
      ['critical', 'low'],
    );
    expect((await assessed(bashTool({ shell, limits }), { command: 'good' })).risk).toBe('high');
  });
});
