import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createScrubber, type OutputReader } from '../../src/index.js';
import { leftoversOf, shellBench } from '../support/shell.js';
import { until } from '../support/until.js';

describe('separate stdout and stderr', () => {
  test('have a file each, and the output shows one after the other', async () => {
    const { run } = shellBench({ separateOutput: true });
    const {
      output,
      stdout,
      stderr,
      outputFile,
      errorFile = '',
    } = await run('echo one; echo two >&2; printf three; echo four >&2');
    expect({ output, stdout, stderr }).toEqual({
      output: 'one\nthree\ntwo\nfour\n',
      stdout: 'one\nthree',
      stderr: 'two\nfour\n',
    });
    expect([readFileSync(outputFile, 'utf8'), readFileSync(errorFile, 'utf8')]).toEqual(['one\nthree', 'two\nfour\n']);
  });

  test('are separated only on request', async () => {
    const { run } = shellBench();
    const outcome = await run('echo one; echo two >&2');
    expect(outcome).not.toHaveProperty('stdout');
    expect(outcome).not.toHaveProperty('errorFile');
  });

  test.each([
    ['echo a', 'a\n', ''],
    ['echo e >&2', '', 'e\n'],
    ['echo a; echo e >/dev/stderr; echo b >/dev/stdout', 'a\nb\n', 'e\n'],
    ['echo a | tee /dev/stderr', 'a\n', 'a\n'],
    ['{ echo e >&2; echo a; } 3>&1 1>&2 2>&3', 'e\n', 'a\n'],
  ])('have the text that the command wrote: %s', async (command, stdout, stderr) => {
    const { run } = shellBench({ separateOutput: true });
    expect(await run(command, { timeoutMs: 5_000 })).toMatchObject({
      stdout,
      stderr,
      exitCode: 0,
      survivors: [],
      timedOut: false,
    });
  });

  test.each(['seq 1 100000; seq 1 100000 >&2', 'seq 1 100000; echo e >&2', 'echo a; seq 1 100000 >&2'])(
    'share the limit of a result: %s',
    async (command) => {
      const { run } = shellBench({ separateOutput: true });
      const { output, stdout = '', stderr = '', truncated, outputFile, errorFile } = await run(command);
      expect(truncated).toBe(true);
      expect(output.length).toBeLessThanOrEqual(30_000);
      expect(output.length).toBeGreaterThan(20_000);
      expect(stdout.includes(`full output: ${outputFile}]`)).toBe(command.startsWith('seq'));
      expect(stderr.includes(`full output: ${errorFile}]`)).toBe(command.includes('00 >&2'));
    },
  );

  test('are joined for progress, without secrets', async () => {
    const secret = ['ghp', 'A1b2C3d4E5f6'.repeat(3)].join('_');
    const { run, root } = shellBench({
      separateOutput: true,
      scrubber: createScrubber(),
      overrides: { bash: { progressMs: 20 } },
    });
    const seen: string[] = [];
    let reader: OutputReader | undefined;
    let looks = 0;
    const outcome = await run(
      `for i in 1 2; do for s in 1 2; do printf ${secret.slice(0, 15)} >&$s; until [ -e $i$s ]; do sleep 0.02; done; echo ${secret.slice(15)} >&$s; done; done`,
      {
        onStart: ({ open }) => {
          reader = open();
        },
        // Each check sees the half that was written, and lets the next half be written.
        onOutput: (tail) => {
          seen.push(tail, String(reader?.read(false)));
          writeFileSync(join(root, ['11', '12', '21', '22'][looks++] ?? 'more'), '');
        },
      },
    );
    seen.push(String(reader?.read(true)), JSON.stringify(outcome));
    expect(outcome.output).toBe('[REDACTED]\n'.repeat(4));
    expect(seen.join('').match(/\[REDACTED\]/g)?.length).toBeGreaterThan(4);
    expect(seen.join('')).not.toMatch(/ghp_|C3d4/);
  });

  test('keep their file limits separately', async () => {
    const { run } = shellBench({
      separateOutput: true,
      overrides: { bash: { maxFileBytes: 100_000, progressMs: 10 } },
    });
    const { outputFile, errorFile = '' } = await run('seq 1 200000; seq 1 200000 >&2');
    for (const file of [outputFile, errorFile])
      expect(readFileSync(file, 'latin1')).toMatch(/^1\n2\n[\s\S]*bytes omitted/);
  });

  test('continue for leftover processes, which are found by either file', async () => {
    const { run, shell, root } = shellBench({ separateOutput: true });
    const { survivors, errorFile = '' } = await run(
      '(until [ -e go ]; do sleep 0.02; done; echo late >&2; sleep 60) & env -i setsid /bin/sleep 60 >/dev/null & echo now',
    );
    expect(survivors.length).toBeGreaterThanOrEqual(2);
    writeFileSync(join(root, 'go'), '');
    await until(() => readFileSync(errorFile, 'utf8') === 'late\n');
    await shell.dispose();
    expect(leftoversOf(shell)).toEqual([]);
  });
});
