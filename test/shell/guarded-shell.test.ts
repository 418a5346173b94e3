import { expect, test } from 'vitest';
import type { Shell, ShellRequest } from '../../src/ports/shell.js';
import { denialOf, type GuardVerdict, guardShell, type JudgedRequest } from '../../src/shell/run/guarded-shell.js';
import { eachRow } from '../support/each-row.js';
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

test('a command that was judged read-only and no longer is does not run, and its decision names the environment', async () => {
  const verdict = (name: GuardVerdict['verdict'], env?: GuardVerdict['env']): GuardVerdict => ({
    verdict: name,
    reasons: [],
    env,
  });
  const safe = { SAFE: '1' };
  const rows = [
    [verdict('allow', safe), verdict('ask'), 'file_changed'],
    [verdict('allow', safe), verdict('deny'), 'command_denied'],
    [verdict('allow', safe), verdict('allow', safe), { OWN: '1', ...safe }],
    [verdict('ask'), verdict('allow', safe), { OWN: '1' }],
    [verdict('ask'), verdict('ask'), { OWN: '1' }],
    [undefined, verdict('allow', safe), { OWN: '1', ...safe }],
    [undefined, verdict('ask'), { OWN: '1' }],
  ] as const;
  await eachRow(rows, async ([judged, now, expected]) => {
    const requests: ShellRequest[] = [];
    const inner: Shell = {
      run: async (request) => {
        requests.push(request);
        return shellOutcome();
      },
    };
    const request: JudgedRequest = { command: 'x', env: { OWN: '1' }, judged };
    const ran = guardShell(inner, () => now).run(request, scopeOf());
    if (typeof expected === 'string') await expect(ran).rejects.toMatchObject({ code: expected });
    else await ran;
    expect(requests).toEqual(typeof expected === 'string' ? [] : [{ command: 'x', env: expected }]);
  });
});
