import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { compiled } from '../support/compiled-programs.js';
import { runProgram } from './run-example.js';

const program = compiled('examples/planning-host');

/** The output of a terminal at which these lines are typed, each when the program asks. */
function atTerminal(typed: readonly string[]): Promise<{ readonly exitCode: number | null; readonly shown: string }> {
  // It runs the program at its own pseudo-terminal.
  const command = `exec '${process.execPath}' '${program}'`;
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH, HOME, TMPDIR, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const rest = [...typed];
  let shown = '';
  let answeredTo = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const prompt = shown.indexOf('to skip: ', answeredTo);
    if (prompt === -1) return;
    answeredTo = prompt + 1;
    child.stdin.write(rest.shift() ?? '\u0004');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, shown: shown.replaceAll('\r\n', '\n') }));
  });
}

describe('the planning host at a terminal', () => {
  test('asks, plans, waits for approval, runs the plan and changes a setting', async () => {
    const { exitCode, shown } = await atTerminal(['2\n', '1\n', 'yes\n']);
    const landmarks = [
      '[Greeting] Which greeting?\n  1. Hello: Short\n  2. Good morning: Polite\n',
      'to skip: 2\n',
      'AskUserQuestion: Which greeting? -> Good morning\n',
      '  - Write a greeting\n',
      'Write: Error: queued for plan approval: ',
      '[Permission] Allow ExitPlanMode?\n',
      '     Write "Good morning" to greeting.txt.\n',
      'The plan: Created ',
      '     tone: "calm" -> "loud"\n',
      '  x Write a greeting\n',
      'Written: Good morning. Settings: {"tone":"loud"}.\n',
    ];
    const places = landmarks.map((landmark) => shown.indexOf(landmark));
    expect(places, shown).not.toContain(-1);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(exitCode).toBe(0);
  });

  test('runs no denied call', async () => {
    const { exitCode, shown } = await atTerminal(['in verse\n', '2\n', 'no\n']);
    expect(shown).toContain('Which greeting? -> in verse (in their own words)\n');
    expect(shown).toContain('ExitPlanMode: Error: The user refused ExitPlanMode');
    expect(shown).toContain('Written: nothing. Settings: {}.\n');
    expect(exitCode).toBe(0);
  });

  test('ends with Ctrl-C during a question', async () => {
    const { exitCode, shown } = await atTerminal(['\u0003']);
    expect(shown).toContain('AskUserQuestion: Error: The call was interrupted while it was running');
    expect(shown).toContain('Written: nothing.');
    expect(exitCode).toBe(1);
  });
});

test('without a terminal it runs its demonstration', async () => {
  const { exitCode, stdout, stderr } = await runProgram(program, []);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/Written: Hello\. Settings: \{"tone":"loud"\}\.\n$/);
});
