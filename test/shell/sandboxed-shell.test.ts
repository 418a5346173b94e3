import { describe, expect, test } from 'vitest';
import type { Sandbox, ShellRequest } from '../../src/index.js';
import { type SandboxedShellOptions, sandboxShell } from '../../src/shell/run/choose-sandbox.js';
import { eachRow } from '../support/each-row.js';
import { scopeOf } from '../support/shell.js';
import { shellOutcome } from '../support/shell-outcome.js';

function bench(options: Partial<SandboxedShellOptions> & { readonly obstacle?: string; readonly name?: string } = {}) {
  const ran: (readonly [place: string, request: ShellRequest])[] = [];
  const shellAt = (place: string) => ({
    run: async (request: ShellRequest) => {
      ran.push([place, request]);
      return shellOutcome({ output: place });
    },
  });
  const { obstacle, name: _, ...rest } = options;
  const sandbox: Sandbox = {
    name: 'name' in options ? (options.name as string) : 'box',
    endsWithCommand: true,
    timeoutMs: 300_000,
    obstacle: async () => obstacle,
    launch: () => ({ file: '', arguments: [], env: {} }),
  };
  const shell = sandboxShell({ sandbox, inside: shellAt('inside'), outside: shellAt('outside'), ...rest });
  return {
    ran,
    run: (command: string, request: Partial<ShellRequest> = {}) => shell.run({ command, ...request }, scopeOf()),
  };
}

describe('a command', () => {
  test('runs in the sandbox, with the time limit of the sandbox by default, and the result says so', async () => {
    const { ran, run } = bench();
    expect(await run('ls')).toMatchObject({ output: 'inside', sandbox: 'box' });
    await run('ls', { timeoutMs: 5 });
    await run('ls', { timeoutMs: undefined });
    expect(ran.map(([, { timeoutMs }]) => timeoutMs)).toEqual([300_000, 5, 300_000]);
  });

  test('is refused if the sandbox cannot be used', async () => {
    const { ran, run } = bench({ obstacle: 'not installed' });
    await expect(run('ls')).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringContaining('not installed'),
    });
    await expect(run('ls', { withoutSandbox: true })).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    expect(ran).toEqual([]);
  });

  test('runs on the machine only if the option allows it, and the result says so', async () => {
    const fallback = bench({ obstacle: 'not installed', onUnavailable: 'host' });
    expect(await fallback.run('ls')).toMatchObject({
      output: 'outside',
      note: expect.stringContaining('outside the sandbox, because'),
    });
    expect((await bench({ allowDisable: true }).run('ls', { withoutSandbox: true })).note).toContain(
      'outside the sandbox',
    );
    expect(await bench().run('ls', { withoutSandbox: true })).toMatchObject({ output: 'inside', sandbox: 'box' });
  });

  const rows = [
    ['nothing', undefined],
    ['null', null],
    ['', ''],
    ['blanks', '  '],
    ['a number', 7],
  ] as const;
  test('gets a note about a sandbox with an empty name', () =>
    eachRow(rows, async ([, given]) => {
      const name = given as string;
      const unnamed = (options: Parameters<typeof bench>[0]) => bench({ ...options, name }).run;
      const inside = await unnamed({})('node server.js &');
      expect(inside).toMatchObject({
        sandbox: 'sandbox',
        note: expect.stringContaining('in the sandbox no process outlives'),
      });
      expect((await unnamed({ obstacle: 'gone', onUnavailable: 'host' })('ls')).note).toContain(
        'because the sandbox cannot be used',
      );
      await expect(unnamed({ obstacle: 'gone' })('ls')).rejects.toThrow(
        'it must run in the sandbox, which cannot be used (gone)',
      );
    }));

  const background = [
    ['node server.js &', true],
    ['node server.js & echo started', true],
    ['a && b', false],
    ['a 2>&1 | b', false],
    ['a &> log', false],
    ['a |& b', false],
  ] as const;
  test('gets a note that background processes end', () =>
    eachRow(background, async ([command, isNoted]) =>
      expect((await bench().run(command)).note !== undefined).toBe(isNoted),
    ));
});
