import { expect, test } from 'vitest';
import { type LeftCommand, ToolError } from '../../src/index.js';
import { lazyShell, type ProcessShell } from '../../src/shell/run/lazy-shell.js';
import { scopeOf } from '../support/shell.js';
import { shellOutcome } from '../support/shell-outcome.js';

/** A shell that counts its creations and disposals, and refuses commands after disposal. */
function counted() {
  const counts = { made: 0, disposed: 0 };
  let isDisposed = false;
  const shell: ProcessShell = {
    run: async ({ command }) => {
      if (isDisposed) throw new ToolError('execution_failed', 'disposed');
      return shellOutcome({ output: command });
    },
    endSession: async () => {},
    leftCommands: () => [{} as LeftCommand],
    dispose: async () => {
      isDisposed = true;
      counts.disposed++;
    },
  };
  const make = async () => {
    counts.made++;
    return shell;
  };
  return { counts, make };
}

test('the shell is made once, for the first command', async () => {
  const { counts, make } = counted();
  const shell = lazyShell(make);
  expect([counts.made, shell.leftCommands()]).toEqual([0, []]);
  const outcomes = await Promise.all(['a', 'b'].map((command) => shell.run({ command }, scopeOf())));
  expect(outcomes.map(({ output }) => output)).toEqual(['a', 'b']);
  expect([counts.made, shell.leftCommands().length]).toEqual([1, 1]);
  await shell.dispose();
  expect(counts.disposed).toBe(1);
});

test('without a command there is nothing to dispose, and no command runs after dispose', async () => {
  const { counts, make } = counted();
  const shell = lazyShell(make);
  await shell.dispose();
  expect(counts.made).toBe(0);
  await expect(shell.run({ command: 'a' }, scopeOf())).rejects.toThrow('disposed');
  expect(counts.disposed).toBe(1);
});

test('a shell in creation is disposed too, and its command is refused', async () => {
  const { counts, make } = counted();
  const shell = lazyShell(make);
  const command = expect(shell.run({ command: 'a' }, scopeOf())).rejects.toThrow('disposed');
  await shell.dispose();
  expect(counts.disposed).toBeGreaterThan(0);
  await command;
});

test('a shell that could not be made is made again for the next command', async () => {
  const { make } = counted();
  let attempts = 0;
  const shell = lazyShell(() => (++attempts === 1 ? Promise.reject(new Error('no memory')) : make()));
  await expect(shell.run({ command: 'a' }, scopeOf())).rejects.toThrow('no memory');
  expect(await shell.run({ command: 'b' }, scopeOf())).toMatchObject({ output: 'b' });
});
