import { expect } from 'vitest';
import { machine } from '../../src/shell/run/process-table.js';
import { waitsForTerminal } from '../../src/shell/run/waits-for-input.js';
import { table } from '../support/each-row.js';

/** Processes of the group in front of the terminal by what the kernel says that they do; their descriptors 0 and 3 are the terminal. */
function seen(calls: readonly (readonly number[] | undefined)[], front: number | undefined = 7): typeof machine {
  return {
    ...machine,
    foregroundOf: () => front,
    processIds: () => [1, ...calls.keys()].map((pid) => pid + 10),
    readProcess: (pid) => ({ pid, parent: 1, group: pid === 11 ? 1 : 7, session: 7, start: 0 }),
    systemCallOf: (pid) => calls[pid - 10],
    isTerminal: (_, descriptor) => descriptor === 0 || descriptor === 3,
  };
}

const [read, nanosleep, poll, select, wait] = [0, 230, 7, 270, 61];

table<[string, ReturnType<typeof seen>, string, string?]>([
  ['reads the terminal', seen([[read, 0]]), 'yes'],
  ['reads the terminal by another descriptor', seen([[read, 3]]), 'yes'],
  ['reads a pipe', seen([[read, 4]]), 'no'],
  ['selects the input alone', seen([[select, 1]]), 'yes'],
  ['selects several things', seen([[select, 6]]), 'unknown'],
  ['polls', seen([[poll, 0x7fff]]), 'unknown'],
  ['sleeps', seen([[nanosleep, 0]]), 'no'],
  ['runs', seen([[]]), 'no'],
  ['cannot be seen', seen([undefined]), 'unknown'],
  ['is waited for by another that reads', seen([[wait, 0], undefined, [read, 0]]), 'yes'],
  ['has nobody in front', seen([]), 'unknown'],
  ['has no terminal', { ...seen([[read, 0]]), foregroundOf: () => undefined }, 'unknown'],
  ['reads, on another machine', seen([[63, 0]]), 'yes', 'arm64'],
  ['reads, on a machine whose calls are not known', seen([[read, 0]]), 'unknown', 'riscv64'],
])('what a program waits for shows in its system calls', (_, machine, wait, architecture = 'x64') =>
  expect(waitsForTerminal(7, machine, architecture)).toBe(wait),
);
