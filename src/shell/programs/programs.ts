import { filePrograms } from './file-programs.js';
import { gitPrograms, gitReadOnly } from './git-programs.js';
import { networkPrograms } from './network-programs.js';
import { packagePrograms } from './package-programs.js';
import { type Program, type ProgramRow, type ProgramTable, programOfRow } from './program.js';
import { readOnlyPrograms } from './read-only-programs.js';
import { runningPrograms } from './running-programs.js';

const readOnly: readonly ProgramTable[] = [readOnlyPrograms, gitReadOnly];
const tables: readonly ProgramTable[] = [filePrograms, runningPrograms, gitPrograms, packagePrograms, networkPrograms];

/** Every name of the table with its row. */
const named: readonly (readonly [name: string, row: ProgramRow])[] = [
  ...readOnly.flatMap((table) =>
    namesOf(table).map(([name, row]) => [name, { ...row, is: ['readOnly', ...(row.is ?? [])] }] as const),
  ),
  ...tables.flatMap(namesOf),
];
const rows: ReadonlyMap<string, ProgramRow> = new Map(named);
/** What stands before a subcommand, in the table itself or not. */
const beginnings = new Set(
  [...rows.keys()].flatMap((name) => [...name.matchAll(/ /g)].map(({ index }) => name.slice(0, index))),
);

/** Names that may have a version behind them. */
const versioned = /^(pip|python|pypy|ruby|perl|php|lua|node|gcc|g\+\+|clang|clang\+\+)-?\d[\d.]*$/;
const read = new Map<string, Program>();

/** What the table says of a program, or of one with its subcommands; undefined where it does not know it. */
export function programOf(name: string): Program | undefined {
  const known = read.get(name);
  const row = rows.get(name) ?? rows.get(name.replace(versioned, '$1'));
  if (known !== undefined || row === undefined) return known;
  const program = programOfRow(row);
  read.set(name, program);
  return program;
}

/** Whether the table has subcommands of a program, or is told of the program itself. */
export function isBeginning(name: string): boolean {
  return beginnings.has(name);
}

/** Every name of the table, as often as it stands there. */
export function programNames(): readonly string[] {
  return named.map(([name]) => name);
}

/** Each way through words of alternatives: `npm|pnpm run|test` is four names. */
function namesOf(table: ProgramTable): readonly (readonly [name: string, row: ProgramRow])[] {
  return Object.entries(table).flatMap(([names, row]) =>
    names
      .split(' ')
      .map((word) => word.split('|'))
      .reduce((starts, words) => starts.flatMap((start) => words.map((word) => `${start} ${word}`)), [''])
      .map((name) => [name.slice(1), row] as const),
  );
}
