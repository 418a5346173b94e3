import { describe, expect, test } from 'vitest';
import { assessCommand } from '../../../src/command/assess-command.js';
import { wrappers } from './disguises.js';

const endless = [
  'while true',
  'while :',
  'until false',
  'while [ 1 ]',
  'while ((1))',
  'while [[ x ]]',
  'while sleep 0',
  'for ((;;))',
];
const forks = [
  'sleep 9 &',
  '(sleep 9 &)',
  '{ sleep 9 & }',
  'coproc sleep 9',
  'true | cat &',
  'echo x; sleep 9 &',
  "eval 'sleep 9 &'",
];
const pauses = ['sleep 1', 'wait', 'inotifywait src', 'read line', 'cat fifo'];
const bounded = [
  'for i in 1 2 3',
  'for i in {1..100000}',
  'for ((i = 0; i < 9; i++))',
  'while read line',
  'while [ -e file ]',
  'while sleep 5',
];

const loops = (heads: readonly string[], bodies: readonly string[]) =>
  heads.flatMap((head) => bodies.map((body) => `${head}; do ${body}${body.endsWith('&') ? '' : ';'} done`));

describe('a loop that starts something in the background each time', () => {
  test.each(loops(endless, forks))('is refused where it never ends: %s', (command) => {
    const { verdict, reasons } = assessCommand(command);
    expect(verdict).toBe('deny');
    expect(reasons.map(({ category }) => category)).toContain('fork-bomb');
  });

  test('is refused inside every wrapper', () => {
    const lines = wrappers.map((wrap) => wrap('while true; do sleep 9 & done'));
    expect(lines.filter((line) => assessCommand(line).verdict !== 'deny')).toEqual([]);
  });

  test.each(loops(bounded, forks))('is asked about where it may end: %s', (command) => {
    expect(assessCommand(command).verdict).toBe('ask');
  });

  test.each(endless.flatMap((head) => pauses.map((pause) => `${head}; do sleep 9 & ${pause}; done`)))(
    'is asked about where it pauses: %s',
    (command) => {
      expect(assessCommand(command).verdict).toBe('ask');
    },
  );

  test.each([...endless, ...bounded].map((head) => `${head}; do date; sleep 5; done`))(
    'is not seen in %s',
    (command) => {
      for (const line of [command, `${command} &`, `(${command}) &`])
        expect(assessCommand(line).verdict).not.toBe('deny');
    },
  );
});

test.each(['cat', 'ls', 'sleep'])('a function with the name of the reading program %s is never proven', (name) => {
  expect(assessCommand(`${name} x`).verdict).toBe('allow');
  expect(assessCommand(`${name}() { sleep 1; ${name} x; }; ${name} x`).verdict).toBe('ask');
  expect(assessCommand(`${name}() { sleep 1; ${name} x & }; ${name} x`).verdict).not.toBe('allow');
  expect(assessCommand(`${name}() { ${name} & ${name}; }; ${name}`).verdict).toBe('deny');
});
