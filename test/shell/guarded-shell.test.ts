import { expect, test } from 'vitest';
import { denialOf, guardShell } from '../../src/shell/run/guarded-shell.js';
import { scopeOf } from '../support/shell.js';
import { shellOutcome } from '../support/shell-outcome.js';

function judge(command: string) {
  if (command === 'broken') throw new Error('broken');
  if (command.includes('bad')) return { verdict: 'deny' as const, reasons: [{ category: 'test', text: 'bad word' }] };
  return { verdict: 'ask' as const, reasons: [{ category: 'test', text: 'unknown' }] };
}

function bench() {
  const ran: string[] = [];
  const outcome = shellOutcome();
  const shell = guardShell(
    {
      run: async ({ command }) => {
        ran.push(command);
        return outcome;
      },
    },
    judge,
  );
  return { ran, run: (command: string) => shell.run({ command }, scopeOf()) };
}

test('a denied command is refused by the shell itself, with the reason', async () => {
  const { ran, run } = bench();
  await expect(run('bad')).rejects.toMatchObject({
    code: 'command_denied',
    message: 'blocked by safety policy: test: bad word. Do it another way, or ask the user.',
  });
  expect(ran).toEqual([]);
});

test('a command that cannot be assessed is refused', async () => {
  const { ran, run } = bench();
  await expect(run('broken')).rejects.toMatchObject({
    code: 'command_denied',
    message: expect.stringContaining('blocked by safety policy: '),
  });
  expect(ran).toEqual([]);
});

test('other commands run: the shell does not ask', async () => {
  const { ran, run } = bench();
  await run('good');
  expect(ran).toEqual(['good']);
  expect(denialOf(judge('good'))).toBeUndefined();
});
