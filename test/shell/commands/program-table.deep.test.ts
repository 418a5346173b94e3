import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assessCommand } from '../../../src/index.js';
import { parseCommandRule } from '../../../src/shell/assess/command-rule.js';
import { isCovered, matchRestriction } from '../../../src/shell/assess/match-command-rule.js';
import { readCommand } from '../../../src/shell/parse/read-command.js';
import type { ProgramOption } from '../../../src/shell/programs/row.js';
import { programNames, programOf } from '../../../src/shell/programs/table.js';
import { eachRow } from '../../support/each-row.js';
import { runs, sample } from '../../support/runs.js';

const names = programNames();

test('every name is unique', () => expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]));

test('every entry is well formed', () => {
  for (const name of names)
    for (const option of programOf(name)?.options.values() ?? [])
      expect(option.name, name).toMatch(/^(?:--?[\w.#-]+|\+)$/);
});

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Code that starts `planted x` in the language of a program. */
function planted(name: string): string {
  if (/^g?sed$/.test(name)) return '1e planted x';
  if (/vim?\w*$|^r?view$/.test(name)) return '!planted x';
  if (name === 'curl') return '%output{planted x}';
  if (name === 'psql') return '\\! planted x';
  if (name === 'sqlite3') return '.shell planted x';
  if (/^(?:mysql|mariadb)$/.test(name)) return '\\! planted x';
  return 'system("planted x")';
}

function givenTo(name: string, { kind, name: option }: ProgramOption): string {
  if (kind === 'command') return option === '--checkpoint-action' ? 'exec=planted x' : 'planted x';
  if (kind === 'code') return planted(name);
  if (kind === 'config') return name.startsWith('git') ? 'core.pager=planted x' : 'ProxyCommand=planted x';
  return 'value';
}

/** An option in all its forms: whole, abbreviated, joined with its value, in a cluster. */
function written(name: string, option: ProgramOption, others: readonly string[], form: number): string {
  const value = quoted(givenTo(name, option));
  const spelled = option.name;
  if (option.name === '+') return `+${value}`;
  if (option.kind === 'commandUntil') return `${spelled} planted x ';'`;
  const isLong = spelled.startsWith('--');
  const isPlain = programOf(name)?.traits.has('oneDash') === true;
  const cut = isLong && form % 3 === 0 ? spelled.slice(0, Math.max(4, spelled.length - (form % 5))) : spelled;
  if (option.value === 'none') return cut;
  const joiner = isLong || isPlain ? '=' : '';
  if (option.value === 'optional') return `${cut}${joiner}${value}`;
  const flags = isLong || isPlain || spelled.length > 2 ? '' : others.join('');
  const start = flags === '' || form % 2 === 0 ? cut : `-${flags}${spelled.slice(1)}`;
  return form % 4 < 2 && (isLong || isPlain || spelled.length === 2)
    ? `${start}${joiner}${value}`
    : `${start} ${value}`;
}

const lines = fc
  .tuple(
    fc.constantFrom(...names.filter((name) => (programOf(name)?.options.size ?? 0) > 0)),
    fc.array(fc.tuple(fc.nat(), fc.nat(60)), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', ' -- ', ' a ', ' planted x '),
    fc.constantFrom('', 'a', 'a b'),
  )
  .map(([name, chosen, between, operands]) => {
    const options = [...(programOf(name)?.options.values() ?? [])];
    const flags = options.filter(
      ({ name: each, value, effects }) => /^-[a-zA-Z]$/.test(each) && value === 'none' && effects.length === 0,
    );
    const letters = flags.slice(0, 2).map((each) => each.name.slice(1));
    const words = chosen.map(([at, form]) =>
      written(name, options[at % options.length] as ProgramOption, letters, form),
    );
    return `${name} ${words.join(' ')}${between}${operands}`;
  });

test('a line with a program or code is never proven, and not covered by a rule for another program', () => {
  let held = 0;
  fc.assert(
    fc.property(lines, (line) => {
      const reading = readCommand(line);
      const [first] = reading.commands;
      if (first === undefined) return;
      const { name, values, started } = first.read;
      const handed = values.filter(
        ({ kind, word }) =>
          (kind === 'command' && word.value.includes('planted')) ||
          (kind === 'code' && word.value.includes('planted x')),
      );
      const isStarted = started.some(({ words }) => words[0]?.value === 'planted');
      if (handed.length === 0 && !isStarted) return;
      held += 1;
      const rules = [`${name} *`, `${name.split(' ')[0]} *`, 'ls *'].map(parseCommandRule);
      const isModule = started.some(({ at }) => at === 0);
      if (!isModule) expect(isCovered(reading, rules), line).toBe(false);
      expect(assessCommand(line).verdict, line).not.toBe('allow');
      expect(matchRestriction(parseCommandRule('planted *'), reading), line).not.toBe('no');
    }),
    { numRuns: runs(20_000) },
  );
  expect(held).toBeGreaterThan(runs(20_000) / 40);
});

test('a line with an unlisted option is neither proven nor covered', () => {
  const strict = names.filter((name) => !programOf(name)?.traits.has('literal'));
  for (const name of strict)
    for (const option of ['--unheard-of', '--unheard-of=x', '-\u00a7', '-\u00a7x']) {
      const line = `${name} ${option} a`;
      expect(assessCommand(line).verdict, line).not.toBe('allow');
      const rules = [`${name} *`, `${name.split(' ')[0]} *`].map(parseCommandRule);
      expect(isCovered(readCommand(line), rules), line).toBe(false);
    }
});

/** Programs with a help text. */
const described = names.filter(
  (name) =>
    programOf(name)?.traits.has('readOnly') === true &&
    !/^(?:\[|\[\[|test|true|false|:|echo|printf|cd|pushd|type|command|pwd|git .*|ps .*|find|gfind|hd|jq|zgrep)$/.test(
      name,
    ),
);
const others = [
  'tar',
  'curl',
  'wget',
  'zip',
  'xargs',
  'make',
  'rsync',
  'gzip',
  'cp',
  'mv',
  'rm',
  'ln',
  'install',
  'touch',
];

function helpOf(name: string): string {
  const { status, stdout, stderr } = spawnSync(name, name === 'curl' ? ['--help', 'all'] : ['--help'], {
    encoding: 'utf8',
    input: '',
    timeout: 20_000,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  return status === null ? '' : `${stdout}\n${stderr}`;
}

describe('the table agrees with the help texts of installed programs', () => {
  test('for each program', () =>
    eachRow(sample([...described, ...others]), (name) => {
      const help = helpOf(name);
      const said = new Map<string, string>();
      for (const [, option = '', form = ''] of help.matchAll(/(?<![\w-])(--[a-z][\w-]*)(\[?=|[ ]<|[ ][A-Z]|)/g))
        said.set(option, (said.get(option) ?? '') + form);
      const { options } = programOf(name) ?? { options: new Map<string, ProgramOption>() };
      // If an option wrongly counted as having a value, the file after it would be hidden.
      const looks = programOf(name)?.traits.has('readOnly') === true;
      const swallowing = [...options.values()].filter(
        ({ name: each, value }) =>
          looks && value === 'needed' && said.has(each) && !/[=<A-Z]/.test(said.get(each) ?? ''),
      );
      expect(swallowing.map((each) => each.name)).toEqual([]);
      // The same applies to a letter. If a letter wrongly counted as having no value, its value would count as letters.
      const letters = [...help.matchAll(/^\s+-([A-Za-z0-9]), --[a-z][\w-]*(\[=|=[A-Z[<]|[ ]<|[ ][A-Z]{2}|)/gm)];
      const other = letters.filter(([, letter, form = '']) => {
        const value = options.get(`-${letter}`)?.value;
        return looks && form !== '[=' && value !== undefined && (form === '' ? value === 'needed' : value === 'none');
      });
      expect(other.map(([line]) => line.trim())).toEqual([]);
      const missing = [...said.keys()].filter((each) => !options.has(each) && !/^--(?:help|version)$/.test(each));
      const proven = missing.filter((each) => assessCommand(`${name} ${each} a`).verdict === 'allow');
      expect(proven, `missing in the table: ${missing.join(' ')}`).toEqual([]);
    }));
});
