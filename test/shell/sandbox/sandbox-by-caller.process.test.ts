import { expect, test } from 'vitest';
import {
  type Caller,
  createToolkit,
  type Sandbox,
  type SandboxLaunch,
  type SandboxProgram,
  type ToolkitOptions,
} from '../../../src/index.js';
import { table } from '../../support/each-row.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A sandbox that prints its name. */
function box(name: string): Sandbox {
  return {
    name,
    endsWithCommand: true,
    timeoutMs: 10_000,
    obstacle: async () => undefined,
    launch: ({ command, env }: SandboxProgram): SandboxLaunch => ({
      file: '/bin/sh',
      arguments: ['-c', `echo "in ${name}"; ${command}`],
      env,
    }),
  };
}

function started(sandbox: ToolkitOptions['sandbox'], more: Partial<ToolkitOptions> = {}) {
  const toolkit = createToolkit({ root: temporaryFolder(), permissions: 'bypassPermissions', sandbox, ...more });
  const run = async (caller: Caller, command = 'echo here') => {
    const result = await toolkit.call('Bash', { command }, { caller });
    return result.ok ? result.output.trim() : result.error.code;
  };
  return { toolkit, run };
}

const of = (sessionId: string, sandboxKey?: string): Caller =>
  sandboxKey === undefined ? { sessionId } : { sessionId, sandboxKey };

test('each key has its own sandbox, and callers without a key use the option', async () => {
  const asked: (string | undefined)[] = [];
  const { toolkit, run } = started(({ sandboxKey }) => {
    asked.push(sandboxKey);
    return sandboxKey === undefined ? undefined : box(sandboxKey);
  });
  await using _ = toolkit;
  const outputs = await Promise.all([run(of('1', 'red')), run(of('2', 'blue')), run(of('3', 'red')), run(of('4'))]);
  expect(outputs).toEqual(['in red\nhere', 'in blue\nhere', 'in red\nhere', 'here']);
  expect(asked).toEqual(['red', 'blue', undefined]);
});

test('a sandbox is requested again after its sessions have ended', async () => {
  let count = 0;
  const { toolkit, run } = started(() => box(`box-${++count}`));
  await using _ = toolkit;
  expect([await run(of('1', 'k')), await run(of('2', 'k'))]).toEqual(['in box-1\nhere', 'in box-1\nhere']);
  await toolkit.endSession('1');
  expect(await run(of('2', 'k'))).toBe('in box-1\nhere');
  await toolkit.endSession('2');
  expect(await run(of('1', 'k'))).toBe('in box-2\nhere');
});

table<[string, (caller: Caller) => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no room');
    },
  ],
  ['answers no sandbox', () => ({ name: 'nothing' })],
  ['answers a promise', async () => box('late')],
])('a function that returns no sandbox refuses the call and never runs it on this machine', async (_name, choose) => {
  const { toolkit, run } = started(choose as ToolkitOptions['sandbox']);
  await using _ = toolkit;
  expect(await run(of('1', 'k'), 'touch was-here')).toBe('sandbox_unavailable');
  expect(await toolkit.files.list()).toEqual([]);
});

test('a sandbox of another key is refused', async () => {
  const one = box('one');
  const { toolkit, run } = started(() => one);
  await using _ = toolkit;
  expect(await run(of('1', 'red'))).toBe('in one\nhere');
  expect(await run(of('2', 'blue'))).toBe('sandbox_unavailable');
  await toolkit.endSession('1');
  expect(await run(of('2', 'blue'))).toBe('in one\nhere');
});

test('a working directory persists in the sandbox of its caller', async () => {
  const { toolkit, run } = started(({ sandboxKey = 'none' }) => box(sandboxKey), { shell: { cwdPersists: true } });
  await using _ = toolkit;
  await run(of('1', 'red'), 'mkdir sub && cd sub');
  expect(await run(of('1', 'red'), 'pwd')).toMatch(/^in red\n.*\/sub$/);
});
