import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { nextTurn } from '../../src/core/support/timers.js';
import { createScrubber, type OutputReader, ToolError } from '../../src/index.js';
import { ProcessTree } from '../../src/shell/run/process-tree.js';
import { heldTimers } from '../support/held-timers.js';
import { processesWith, scopeOf, shellBench, uniqueSeconds } from '../support/shell.js';
import { until } from '../support/until.js';

async function failure(running: Promise<unknown>): Promise<ToolError> {
  const thrown = await running.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (ToolError.is(thrown)) return thrown;
  throw new Error(`expected a ToolError, not ${String(thrown)}`);
}

describe('a command that ends by itself', () => {
  test('returns stdout and stderr in the order of writing', async () => {
    const { run } = shellBench();
    const outcome = await run('echo one; echo two >&2; echo three');
    expect(outcome).toMatchObject({
      exitCode: 0,
      signal: undefined,
      output: 'one\ntwo\nthree\n',
      truncated: false,
      timedOut: false,
      survivors: [],
    });
    expect(readFileSync(outcome.outputFile, 'utf8')).toBe('one\ntwo\nthree\n');
  });

  test('returns its exit code or signal', async () => {
    const { run } = shellBench();
    expect(await run('echo e >&2; exit 2')).toMatchObject({ exitCode: 2, output: 'e\n' });
    expect(await run('kill -TERM $$')).toMatchObject({ exitCode: undefined, signal: 'SIGTERM' });
    expect(await run('no_such_program_here')).toMatchObject({ exitCode: 127 });
  });

  test('starts in the root without input', async () => {
    const { run, root } = shellBench();
    expect((await run('pwd; head -n 1; read -r x; echo "[$x]"')).output).toBe(`${root}\n[]\n`);
  });

  test('takes text like an option, several lines and a here-document literally', async () => {
    const { run } = shellBench();
    expect((await run('-x; echo hi')).output).toContain('hi\n');
    expect((await run('cat <<E\na $((1+1))\nE\n# end')).output).toBe('a 2\n');
  });

  test('joins a character that was written in two parts', async () => {
    const { run } = shellBench();
    expect((await run("printf '\\xc3'; sleep 0.05; printf '\\xa9'")).output).toBe('é');
  });

  test('has no terminal controls in its output, and keeps the raw bytes in the file', async () => {
    const { run } = shellBench();
    const outcome = await run("printf '\\033[1mx\\033[0m\\n'");
    expect(outcome.output).toBe('x\n');
    expect(readFileSync(outcome.outputFile, 'latin1')).toBe('\x1b[1mx\x1b[0m\n');
  });

  test('keeps output from before /dev/stderr is reopened', async () => {
    const { run } = shellBench();
    expect(await run('echo a; echo b >/dev/stderr; echo c | tee /dev/stderr; wait; exit 3')).toMatchObject({
      exitCode: 3,
      output: 'a\nb\nc\nc\n',
      survivors: [],
    });
  });
});

test('gets a note if it truncates its own output', async () => {
  const { run, root } = shellBench({ overrides: { bash: { progressMs: 10 } } });
  writeFileSync(
    join(root, 'script.sh'),
    'echo early early; until [ -e go ]; do sleep 0.02; done; echo x >/dev/stderr; echo late\n',
  );
  const { output, note, truncated } = await run('bash script.sh', {
    onOutput: () => writeFileSync(join(root, 'go'), ''),
  });
  expect(output).toContain('late\n');
  expect([note, truncated]).toEqual([expect.stringContaining('earlier output is lost'), true]);
});

describe('an output over the limit', () => {
  test('shows head and tail, counts the text between them and names the file with the full output', async () => {
    const { run } = shellBench();
    const { output, outputFile, truncated } = await run('seq 1 100000');
    const whole = readFileSync(outputFile, 'utf8');
    const [, head = '', count, file, tail = ''] =
      /^([\s\S]*)\[(\d+) characters omitted; full output: (.*)\]\n([\s\S]*)$/.exec(output) ?? [];
    expect({ truncated, file, omitted: Number(count) }).toEqual({
      truncated: true,
      file: outputFile,
      omitted: whole.length - head.length - tail.length,
    });
    expect(whole.startsWith(head) && whole.endsWith(tail) && head.endsWith('\n')).toBe(true);
    expect(output.length).toBeLessThanOrEqual(30_000);
    expect(whole.length).toBe(588_895);
  });

  test('counts bytes if counting characters would need a full read', async () => {
    const { run } = shellBench();
    const { output, outputFile } = await run('head -c 9000000 /dev/zero | tr "\\0" x');
    const [, count] = /\[(\d+) bytes omitted; full output: /.exec(output) ?? [];
    expect(Number(count)).toBe(9_000_000 - output.split(/\n\[.*\]\n/).join('').length);
    expect(statSync(outputFile).size).toBe(9_000_000);
  });

  test.each([
    ['one endless line', 'head -c 200000 /dev/zero | tr "\\0" x'],
    ['letters of three bytes', "yes 日本語 | head -n 60000 | tr -d '\\n'"],
    ['letters of four bytes', "yes 😀 | head -n 40000 | tr -d '\\n'"],
    ['bytes that are no text', 'head -c 200000 /dev/urandom'],
  ])('is never cut inside a character: %s', async (_, command) => {
    const { run } = shellBench();
    const { output } = await run(command);
    expect(output.isWellFormed()).toBe(true);
    expect(output.length).toBeLessThanOrEqual(30_000);
    if (!command.includes('urandom')) expect(output).not.toContain('\ufffd');
  });

  test('over the file limit loses its middle, and says so', async () => {
    const { run, root } = shellBench({ overrides: { bash: { maxFileBytes: 200_000, progressMs: 10 } } });
    // Output at the moment of a cut may be lost with the middle. So the last number is written repeatedly until it is
    // seen, and the command ends by itself.
    const command = 'seq 1 400000; until [ -e go ]; do echo 400000; sleep 0.02; done; seq 399990 400000; echo the end';
    const onOutput = (tail: string) => tail.endsWith('\n400000\n') && writeFileSync(join(root, 'go'), '');
    const { output, outputFile, truncated } = await run(command, { onOutput });
    const file = readFileSync(outputFile, 'utf8');
    expect(truncated).toBe(true);
    expect(file.length).toBeLessThan(210_000);
    expect(file).toMatch(/^1\n2\n3\n[\s\S]*\n\[\d+ bytes omitted\] *\n[\s\S]*\n400000\nthe end\n$/);
    expect(output).toMatch(/^1\n2\n3\n[\s\S]*\[\d+ bytes omitted; beginning and end of the output: [\s\S]*the end\n$/);
    const [, lost] = /\[(\d+) bytes omitted\]/.exec(file) ?? [];
    // Output at the moment of a cut is not counted, and on a busy machine this moment may be long.
    expect(Number(lost)).toBeGreaterThan(200_000);
    expect(Number(lost)).toBeLessThan(2_688_903);
  });
});

describe('secrets', () => {
  const secret = ['sk', 'ant', 'api03', 'Zq8'.repeat(12)].join('-');

  test('are scrubbed from the output, also if written in parts', async () => {
    const { run } = shellBench({ scrubber: createScrubber() });
    const { output } = await run(`printf '${secret.slice(0, 20)}'; sleep 0.03; echo '${secret.slice(20)}'`);
    expect(output).toBe('[REDACTED]\n');
  });

  test('are scrubbed for any position of the cut', async () => {
    const { run } = shellBench({ scrubber: createScrubber(), overrides: { output: { maxChars: 2_000 } } });
    for (const offset of [600, 640, 650, 660, 668, 670]) {
      const { output } = await run(
        `head -c ${offset} /dev/zero | tr '\\0' ' '; echo '${secret}'; yes ' ' | head -c 60000; echo '${secret}'; head -c ${offset} /dev/zero | tr '\\0' ' '`,
      );
      expect(output).not.toContain('sk-ant');
      expect(output).not.toContain(secret.slice(-12));
    }
  });

  test('are scrubbed in parts if the output is over the file limit', async () => {
    const value = ['swordfish', '77', 'in', 'the', 'pond'].join('-');
    const scrubber = createScrubber({ values: [value] });
    for (const command of [`yes ${value} | head -n 60000`, `for i in $(seq 9000); do printf '%s\\n' ${value}; done`]) {
      const { run } = shellBench({ scrubber, overrides: { bash: { maxFileBytes: 60_011, progressMs: 10 } } });
      const seen: string[] = [];
      const reader: { open?: () => OutputReader } = {};
      let growing: OutputReader | undefined;
      const { output, outputFile, truncated } = await run(command, {
        onStart: ({ open }) => Object.assign(reader, { open }),
        onOutput: (tail) => {
          growing ??= reader.open?.();
          seen.push(tail, String(growing?.read(false)));
        },
      });
      seen.push(output, String(reader.open?.().read(true)), scrubber.text(readFileSync(outputFile, 'utf8')));
      expect(truncated).toBe(true);
      for (const text of seen) expect(text).not.toMatch(/sword|fish|7-in|pond/);
    }
  });

  test('of the environment are withheld, and their values are scrubbed', async () => {
    const value = ['value', 'of', 'a', 'key', '77231'].join('_');
    process.env.SHELL_TEST_API_KEY = value;
    const scrubber = createScrubber();
    const { run } = shellBench({
      scrubber,
      learnSecrets: (values) => scrubber.learn(values),
      env: { GIVEN_TOKEN: `${value}-given` },
    });
    try {
      expect((await run('echo "[$SHELL_TEST_API_KEY]"; echo "$GIVEN_TOKEN"')).output).toBe('[]\n[REDACTED]\n');
      expect((await run(`echo ${value}`)).output).toBe('[REDACTED]\n');
    } finally {
      delete process.env.SHELL_TEST_API_KEY;
    }
  });
});

describe('a time limit', () => {
  test('ends the command with all its processes and keeps its output', async () => {
    const seconds = uniqueSeconds();
    const timers = heldTimers();
    const { run } = shellBench({ timers });
    const ended = run(`echo before; sh -c "sleep ${seconds}" & setsid sleep ${seconds} & wait`, { timeoutMs: 70_000 });
    await until(() => processesWith(`sleep\0${seconds}`).length === 2);
    await timers.fire(70_000);
    const outcome = await ended;
    expect(outcome).toMatchObject({ timedOut: true, output: 'before\n', survivors: [] });
    expect(processesWith(seconds)).toEqual([]);
  });

  test('sends KILL after the grace period if TERM is ignored', async () => {
    const seconds = uniqueSeconds();
    const { run } = shellBench({ overrides: { bash: { killGraceMs: 100 } } });
    expect(await run(`trap "" TERM; sleep ${seconds}; sleep ${seconds}`, { timeoutMs: 100 })).toMatchObject({
      timedOut: true,
      signal: 'SIGKILL',
    });
    expect(processesWith(seconds)).toEqual([]);
  });

  test('ends stopped processes too', async () => {
    const seconds = uniqueSeconds();
    const timers = heldTimers();
    const { run, root } = shellBench({ timers });
    const ended = run(`sleep ${seconds} & kill -STOP $!; touch begun; wait`, { timeoutMs: 70_000 });
    await until(() => existsSync(join(root, 'begun')));
    await timers.fire(70_000);
    await ended;
    expect(processesWith(seconds)).toEqual([]);
  });

  test.each([0, -5, Number.NaN])('of %s is refused', async (timeoutMs) => {
    const { run } = shellBench();
    expect(await failure(run('true', { timeoutMs }))).toMatchObject({ code: 'invalid_input' });
  });

  test('longer than a timer allows does not fire at once', async () => {
    const { run } = shellBench();
    expect(await run('sleep 0.05; echo done', { timeoutMs: 99_999_999_000 })).toMatchObject({
      output: 'done\n',
      timedOut: false,
    });
  });
});

describe('an abort', () => {
  test('before the start prevents the command', async () => {
    const { run, root } = shellBench();
    expect(await failure(run('touch started', {}, AbortSignal.abort()))).toMatchObject({
      code: 'cancelled',
      message: 'operation cancelled',
    });
    expect(existsSync(join(root, 'started'))).toBe(false);
  });

  test('during the command ends all processes and keeps the output', async () => {
    const seconds = uniqueSeconds();
    const { run } = shellBench();
    const abort = new AbortController();
    const running = run(`echo before; sleep ${seconds} & sleep ${seconds}`, {}, abort.signal);
    await until(() => processesWith(`sleep\0${seconds}`).length === 2);
    abort.abort();
    expect(await failure(running)).toMatchObject({ code: 'interrupted', partialOutput: 'before\n' });
    expect(processesWith(seconds)).toEqual([]);
  });

  test('names a bounded number of the processes that cannot be ended', async () => {
    const seconds = uniqueSeconds();
    const { run } = shellBench();
    const stubborn = Array.from({ length: 200 }, (_, pid) => ({ pid, command: 'stubborn' }));
    const end = vi.spyOn(ProcessTree.prototype, 'end');
    end.mockImplementationOnce(async function (this: ProcessTree) {
      await this.end();
      return stubborn;
    });
    const abort = new AbortController();
    const error = failure(run(`sleep ${seconds}`, {}, abort.signal));
    await until(() => processesWith(seconds).length > 0);
    abort.abort();
    const { message, metadata } = await error;
    end.mockRestore();
    expect(message).toMatch(/cannot be ended: 0 \(stubborn\), .*4 \(stubborn\) and 195 more\.$/);
    expect(metadata).toMatchObject({ survivors: stubborn });
  });

  test('by a deadline of the caller is a timeout', async () => {
    const seconds = uniqueSeconds();
    const { run } = shellBench();
    const abort = new AbortController();
    const error = failure(run(`sleep ${seconds}`, {}, abort.signal));
    await until(() => processesWith(seconds).length > 0);
    abort.abort(new DOMException('late', 'TimeoutError'));
    expect((await error).code).toBe('timeout');
  });

  test('right after the start leaves nothing', async () => {
    const seconds = uniqueSeconds();
    const { run } = shellBench();
    for (let turns = 0; turns < 12; turns++) {
      const abort = new AbortController();
      const running = failure(run(`sleep ${seconds}`, {}, abort.signal));
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      abort.abort();
      expect(['interrupted', 'cancelled']).toContain((await running).code);
    }
    expect(processesWith(seconds)).toEqual([]);
  });
});

describe('an invalid command', () => {
  test.each([
    ['a text with NUL', 'echo a\0b', 'invalid_input'],
    ['longer than a command line', `echo ${'x'.repeat(100_001)}`, 'invalid_input'],
    ['longer than the kernel takes', `echo ${'日'.repeat(60_000)}`, 'invalid_input'],
  ])('%s', async (_, command, code) => {
    const { run } = shellBench();
    expect(await failure(run(command))).toMatchObject({ code });
  });

  test('has a folder that was removed, is not a folder or is outside', async () => {
    const { run, root } = shellBench();
    expect(await failure(run('true', { cwd: join(root, 'gone') }))).toMatchObject({ code: 'execution_failed' });
    await run('touch file');
    expect(await failure(run('true', { cwd: join(root, 'file') }))).toMatchObject({ code: 'execution_failed' });
    expect(await failure(run('true', { cwd: '/' }))).toMatchObject({ code: 'path_outside_root' });
    await run('ln -s / link; mkdir inside');
    expect(await failure(run('true', { cwd: join(root, 'link') }))).toMatchObject({ code: 'path_outside_root' });
    expect((await run('pwd', { cwd: join(root, 'inside') })).output).toBe(`${join(root, 'inside')}\n`);
    rmSync(root, { recursive: true });
    expect((await failure(run('true'))).message).toContain(`The working directory ${root} does not exist`);
  });
});

describe('progress', () => {
  test('sends the tail while the command runs, limited in rate and size, without a part of a secret', async () => {
    const secret = ['ghp', 'A1b2C3d4E5f6'.repeat(3)].join('_');
    const tails: string[] = [];
    const { run, root } = shellBench({
      scrubber: createScrubber(),
      overrides: { bash: { progressMs: 20, maxProgressChars: 100 } },
    });
    const onOutput = (tail: string) => {
      tails.push(tail);
      if (tail.endsWith('\n1000\n')) writeFileSync(join(root, 'more'), '');
      if (tail.includes('[REDACTED]')) writeFileSync(join(root, 'go'), '');
    };
    const wait = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`;
    const [head, rest] = [secret.slice(0, 15), secret.slice(15)];
    await run(`seq 1 1000; printf '${head}'; ${wait('more')}; echo '${rest}'; ${wait('go')}`, { onOutput });
    expect(tails[0]).toMatch(/\n999\n1000\n$/);
    expect(new Set(tails).size).toBe(tails.length);
    expect(tails.at(-1)).toContain('[REDACTED]');
    for (const tail of tails) {
      expect(tail.length).toBeLessThanOrEqual(100);
      expect(tail).not.toContain('ghp_');
    }
  });

  test('ignores a listener that throws', async () => {
    const { run } = shellBench({ overrides: { bash: { progressMs: 5 } } });
    const onOutput = () => {
      throw new Error('listener');
    };
    expect(await run('echo a; sleep 0.05; echo b', { onOutput })).toMatchObject({ output: 'a\nb\n', exitCode: 0 });
  });
});

test('a disposed shell runs no command and has no registration', async () => {
  const before = process.listenerCount('SIGTERM') + process.listenerCount('exit');
  const { shell } = shellBench();
  await shell.run({ command: 'true' }, scopeOf());
  await shell.dispose();
  expect(process.listenerCount('SIGTERM') + process.listenerCount('exit')).toBe(before);
  expect(await failure(shell.run({ command: 'true' }, scopeOf()))).toMatchObject({ code: 'execution_failed' });
});

test('dispose interrupts running commands', async () => {
  const seconds = uniqueSeconds();
  const { shell } = shellBench();
  const running = failure(shell.run({ command: `sleep ${seconds}` }, scopeOf()));
  await until(() => processesWith(seconds).length === 1);
  await shell.dispose();
  expect((await running).code).toBe('interrupted');
  expect(processesWith(seconds)).toEqual([]);
});
