import { expect, test } from 'vitest';
import { assessCommand } from '../../../src/index.js';
import { eachRow, table } from '../../support/each-row.js';

table([
  'while true; do sleep 9 & done',
  'for ((;;)); do sleep 9 & done',
  'until false; do coproc sleep 9; done',
  'while read line; do cat x & done',
  'for i in 1 2 3; do (ls &); done',
])('a loop that starts a background process in each round asks', (command) =>
  expect(assessCommand(command).verdict).toBe('ask'),
);

test('but not a loop that waits in each round', () =>
  eachRow(['while true; do date; sleep 5; done', '(while true; do date; sleep 5; done) &'], (command) =>
    expect(assessCommand(command).verdict).toBe('allow'),
  ));

test('a function with the name of a read-only program is never proven', () =>
  eachRow(['cat', 'ls', 'sleep'], (name) => {
    expect(assessCommand(`${name} x`).verdict).toBe('allow');
    expect(assessCommand(`${name}() { sleep 1; ${name} x; }; ${name} x`).verdict).toBe('ask');
    expect(assessCommand(`${name}() { sleep 1; ${name} x & }; ${name} x`).verdict).not.toBe('allow');
    expect(assessCommand(`${name}() { ${name} & ${name}; }; ${name}`).verdict).toBe('deny');
  }));
