import { expect, test } from 'vitest';
import { assessCommand } from '../../../src/command/assess-command.js';

test.each([
  'while true; do sleep 9 & done',
  'for ((;;)); do sleep 9 & done',
  'until false; do coproc sleep 9; done',
  'while read line; do cat x & done',
  'for i in 1 2 3; do (ls &); done',
])('a loop that starts something in the background each time is asked about: %s', (command) => {
  expect(assessCommand(command).verdict).toBe('ask');
});

test.each(['while true; do date; sleep 5; done', '(while true; do date; sleep 5; done) &'])('and not %s', (command) => {
  expect(assessCommand(command).verdict).toBe('allow');
});

test.each(['cat', 'ls', 'sleep'])('a function with the name of the reading program %s is never proven', (name) => {
  expect(assessCommand(`${name} x`).verdict).toBe('allow');
  expect(assessCommand(`${name}() { sleep 1; ${name} x; }; ${name} x`).verdict).toBe('ask');
  expect(assessCommand(`${name}() { sleep 1; ${name} x & }; ${name} x`).verdict).not.toBe('allow');
  expect(assessCommand(`${name}() { ${name} & ${name}; }; ${name}`).verdict).toBe('deny');
});
