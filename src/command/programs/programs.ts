import { filePrograms } from './file-programs.js';
import { gitPrograms } from './git-programs.js';
import { lookingPrograms } from './looking-programs.js';
import { networkPrograms } from './network-programs.js';
import { packagePrograms } from './package-programs.js';
import { type Program, type Row, readRow } from './program-row.js';
import { runningPrograms } from './running-programs.js';
import { systemPrograms } from './system-programs.js';

const families = [
  lookingPrograms,
  filePrograms,
  runningPrograms,
  gitPrograms,
  packagePrograms,
  networkPrograms,
  systemPrograms,
];

/** Every name of the table with its line. A line break behind a comma or before blanks ends no line. */
const named: readonly (readonly [name: string, row: Row])[] = families
  .flatMap((family) =>
    family
      .replaceAll(/,\n\s+/g, ',')
      .replaceAll(/\n\s+/g, ' ')
      .trim()
      .split('\n'),
  )
  .flatMap((line) => {
    const [names = '', operands = '', options, traits] = line.split('|').map((part) => part.trim());
    return spelled(names).map((name) => [name, [operands, options, traits]] as const);
  });
const rows: ReadonlyMap<string, Row> = new Map(named);
/** What stands before a subcommand without being in the table itself. */
const beginnings = new Set(
  [...rows.keys()].flatMap((name) => [...name.matchAll(/ /g)].map(({ index }) => name.slice(0, index))),
);

/** Names that may have a version behind them. */
const versioned = /^(pip|python|pypy|ruby|perl|php|lua|node|gcc|g\+\+|clang|clang\+\+)-?\d[\d.]*$/;
const read = new Map<string, Program>();

/** The line of the table for a program, or for one with its subcommands; undefined where there is none. */
export function programOf(name: string): Program | undefined {
  const known = read.get(name);
  const row = rows.get(name) ?? rows.get(name.replace(versioned, '$1')) ?? (beginnings.has(name) ? [''] : undefined);
  if (known !== undefined || row === undefined) return known;
  const program = readRow(row);
  read.set(name, program);
  return program;
}

/** Every name of the table, as often as it stands there. */
export function programNames(): readonly string[] {
  return named.map(([name]) => name);
}

/** Each way through words of alternatives: `npm/pnpm run/test` is four names. */
function spelled(names: string): readonly string[] {
  return names
    .split(' ')
    .map((word) => word.split('/'))
    .reduce<readonly string[]>(
      (starts, words) => starts.flatMap((start) => words.map((word) => (start === '' ? word : `${start} ${word}`))),
      [''],
    );
}
