import { startingPrograms } from './command-starters.js';
import { unversioned } from './command-words.js';
import { filePrograms } from './file-writers.js';
import { gitPrograms, gitReadOnly } from './git.js';
import { networkPrograms } from './network.js';
import { packagePrograms } from './package-managers.js';
import { readOnlyPrograms } from './read-only.js';
import { type Program, type ProgramRow, type ProgramTable, programOfRow, type Trait } from './row.js';

/** The tables, with the traits that all their programs share. */
const tables: readonly (readonly [table: ProgramTable, ...traits: readonly Trait[]])[] = [
  [readOnlyPrograms, 'readOnly', 'readsData'],
  [gitReadOnly, 'readOnly', 'readsData'],
  [filePrograms, 'readsData'],
  [gitPrograms, 'readsData'],
  [startingPrograms],
  [packagePrograms],
  [networkPrograms],
];

/** Every name of the table with its row. */
const named: readonly (readonly [name: string, row: ProgramRow])[] = tables.flatMap(([table, ...traits]) =>
  namesOf(table).map(([name, row]) => [name, { ...row, is: [...traits, ...(row.is ?? [])] }] as const),
);
const rows: ReadonlyMap<string, ProgramRow> = new Map(named);
/**
 * The programs and subcommands that have subcommands in the table, such as `git stash` (`git stash list`). They may
 * lack a row of their own. An option with a row (`node --version`) is not a subcommand.
 */
const beginnings = new Set(
  [...rows.keys()].flatMap((name) => [...name.matchAll(/ (?!-)/g)].map(({ index }) => name.slice(0, index))),
);

const read = new Map<string, Program>();

/** The row of a program or subcommand; undefined if the table does not list it. */
export function programOf(name: string): Program | undefined {
  const known = read.get(name);
  const row = rows.get(name) ?? rows.get(unversioned(name));
  if (known !== undefined || row === undefined) return known;
  const program = programOfRow(row);
  read.set(name, program);
  return program;
}

/** Whether the table lists subcommands of this program or subcommand. */
export function isBeginning(name: string): boolean {
  return beginnings.has(name);
}

/** All names of the table, with repetitions. */
export function programNames(): readonly string[] {
  return named.map(([name]) => name);
}

/** Expands alternatives: `npm|pnpm run|test` is four names. */
function namesOf(table: ProgramTable): readonly (readonly [name: string, row: ProgramRow])[] {
  return Object.entries(table).flatMap(([names, row]) =>
    names
      .split(' ')
      .map((word) => word.split('|'))
      .reduce((starts, words) => starts.flatMap((start) => words.map((word) => `${start} ${word}`)), [''])
      .map((name) => [name.slice(1), row] as const),
  );
}
