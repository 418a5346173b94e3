import { defaultLimits } from 'toolwright';
import { bashTool } from 'toolwright/tools';
import { expect, test } from 'vitest';
import { describeOutcome, outcomeMetadata } from '../../src/tools/shell/bash-result.js';
import { toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { shellOutcome } from '../support/shell-outcome.js';

const done = shellOutcome({ output: 'out\n', outputFile: '/abs/out' });

const outcomes = [
  [{}, 'out\n'],
  [{ output: '' }, '(no output)'],
  [{ output: ' \n' }, '(no output)'],
  [{ exitCode: 3 }, 'out\nExit code: 3'],
  [{ exitCode: 3, output: 'out' }, 'out\nExit code: 3'],
  [{ exitCode: undefined, signal: 'SIGKILL' }, 'out\nKilled by signal SIGKILL'],
  [{ note: '[note]' }, 'out\n[note]'],
  [{ survivors: [{ pid: 7, command: 'serve' }] }, 'out\nStill running: 7 (serve); output goes on in /abs/out'],
  [
    { survivors: [{ pid: 7, command: 'serve' }], note: '[note]', exitCode: 1 },
    'out\nStill running: 7 (serve); output goes on in /abs/out\n[note]\nExit code: 1',
  ],
] as const;
test('an outcome is formatted as text', () =>
  eachRow(outcomes, ([change, text]) => expect(describeOutcome({ ...done, ...change })).toBe(text)));

test('many survivors are shown in few lines', () => {
  const survivors = Array.from({ length: 500 }, (_, pid) => ({ pid, command: 'x'.repeat(200) }));
  expect(describeOutcome({ ...done, survivors }).length).toBeLessThan(500);
  expect(describeOutcome({ ...done, survivors })).toContain(' and 495 more;');
});

test('a command that is ended at its time limit names few survivors', async () => {
  const survivors = Array.from({ length: 50 }, (_, pid) => ({ pid, command: 'x'.repeat(2_000) }));
  const outcome = { ...done, timedOut: true, timeLimitMs: 5, exitCode: undefined, survivors };
  const bash = bashTool({ shell: { run: async () => outcome }, limits: defaultLimits });
  const failure = await bash.execute({ command: 'serve' }, toolContext()).catch((thrown: Error) => thrown);
  expect(failure).toMatchObject({
    code: 'timeout',
    message: expect.stringMatching(/after 5 ms\. Still .* and 45 more\. /),
  });
  expect((failure as Error).message.length).toBeLessThan(1_000);
});

test('metadata does not contain the output', () => {
  const { output: _, ...facts } = done;
  expect(outcomeMetadata({ ...done, note: '[note]' })).toEqual(facts);
});

const silent = [
  ['cat', true],
  ['head -n 1', true],
  ['read -r answer', true],
  ['python3', true],
  ['cat file', false],
  ['grep x file', false],
  ['read x < file', false],
  ['true', false],
] as const;
test('a silent command that may wait for input gets a note that there is no input', () =>
  eachRow(silent, ([command, isNoted]) => {
    expect(describeOutcome({ ...done, output: '' }, command).includes('empty here')).toBe(isNoted);
    expect(describeOutcome(done, command)).toBe('out\n');
  }));
