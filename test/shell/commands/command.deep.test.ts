import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assessCommand } from '../../../src/index.js';
import { parseCommandRule } from '../../../src/shell/assess/command-rule.js';
import { isCovered, matchRestriction } from '../../../src/shell/assess/match-command-rule.js';
import { defaultCommandLimits } from '../../../src/shell/parse/command-limits.js';
import { readCommand } from '../../../src/shell/parse/read-command.js';
import { eachRow } from '../../support/each-row.js';
import { runs, sample } from '../../support/runs.js';
import { asked, passed, proven, refused } from './command-samples.js';
import {
  computedSpellings,
  computedWrappers,
  type Disguise,
  dangerousForms,
  disguisedCommands,
  spellings,
  wrappers,
} from './disguises.js';

const samples = [...Object.values(refused).flat(), ...asked, ...passed, ...proven];
const pieces = fc.constantFrom(
  ...'; & | && || ( ) { } $( ) ` ${ } $(( )) [[ ]] < > >> <( >( << <<< <<E \n E \' " $\' \\ # ! = rm -rf / ~ * ? [ {a,b} if then fi for do done case esac f() sh -c eval $x "$@" é \u200b \r 𝕣𝕞 - -- x'.split(
    ' ',
  ),
);

describe('a random command', { timeout: 300_000 }, () => {
  test('that is dangerous is never allowed, for any disguise', () => {
    fc.assert(
      fc.property(disguisedCommands, (command) => assessCommand(command).verdict !== 'allow'),
      { numRuns: runs(10_000) },
    );
  });

  test('that is dangerous is refused in a plain wrapper', () => {
    const missed = dangerousForms.flatMap((form) =>
      wrappers.map((wrap) => wrap(form)).filter((line) => assessCommand(line).verdict !== 'deny'),
    );
    expect(missed).toEqual([]);
  });

  test('that is dangerous and spelled differently is refused, or asks if the program is computed', () => {
    const forms = dangerousForms.filter((form) => !form.includes('()'));
    const missed = (spelled: readonly Disguise[], verdict: string) =>
      forms.flatMap((form) =>
        spelled.map((spell) => spell(form)).filter((line) => assessCommand(line).verdict === verdict),
      );
    expect(missed([...spellings, ...computedSpellings], 'allow')).toEqual([]);
    expect(missed(spellings, 'ask')).toEqual([]);
  });

  test('is assessed without an exception, and twice with the same result', () => {
    const soup = fc.array(fc.oneof(pieces, fc.constantFrom(...samples), fc.string({ unit: 'binary', maxLength: 8 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(soup, fc.constantFrom('', ' ', '\n'), (parts, between) => {
        const command = parts.join(between);
        expect(assessCommand(command)).toEqual(assessCommand(command));
        matchRestriction(parseCommandRule(command), readCommand(command));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('with a refused part in a list is refused as a whole', () => {
    const dangers = Object.values(refused)
      .flat()
      .filter((command) => !/[\n&#]|<</.test(command));
    fc.assert(
      fc.property(
        fc.constantFrom(...proven.filter((command) => !/[\n&#\\]$|<<|#/.test(command))),
        fc.constantFrom(...dangers),
        (first, second) => {
          expect(assessCommand(`${first}\n${second}`).verdict).toBe('deny');
          expect(assessCommand(`${second}; ${first}`).verdict).toBe('deny');
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test('that is proven read-only stays so in a list, but not with a redirection', () => {
    const plain = proven.filter((command) => !/[\n#&\\]|<</.test(command));
    fc.assert(
      fc.property(fc.constantFrom(...plain), fc.constantFrom(...plain), (first, second) => {
        expect(assessCommand(`${first}; ${second}`).verdict).toBe('allow');
        expect(assessCommand(`{ ${first}; } > out`).verdict).toBe('ask');
      }),
      { numRuns: runs(500) },
    );
  });

  test('that a deny rule matches is matched in every wrapper, and never covered by an unrelated allow rule', () => {
    const rule = parseCommandRule('npm publish *');
    const allow = [parseCommandRule('npm test *'), parseCommandRule('ls *'), parseCommandRule('echo *')];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...wrappers, ...computedWrappers), { maxLength: 3 }),
        fc.option(fc.constantFrom(...spellings, ...computedSpellings)),
        (around, spelling) => {
          const line = around.reduce((inner, wrap) => wrap(inner), spelling ? spelling('npm publish') : 'npm publish');
          const reading = readCommand(line);
          expect(['yes', 'possible']).toContain(matchRestriction(rule, reading));
          expect(isCovered(reading, allow)).toBe(false);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

const hostile: readonly (readonly [name: string, text: string])[] = [
  ['substitutions', '$('],
  ['backticks', '`'],
  ['parentheses', '('],
  ['braces', '{'],
  ['brace lists', '{a,'],
  ['brace pairs', 'a{b,c}'],
  ['sequences', '{1..9}'],
  ['sequences in one word', `${'{1..9}'.repeat(160)} `],
  ['here-documents', '<<E '],
  ['arithmetic', '$(( '],
  ['parameters', '${a:-'],
  ['nested tests', '[[ '],
  ['process substitutions', '<('],
  ['conditions', 'if '],
  ['loops', 'while '],
  ['lists', 'x=('],
  ['commands', 'ls;'],
  ['pipes', 'ls|'],
  ['functions', 'f(){ f|f& };'],
  ['wrappers', 'env '],
  ['timeouts', 'timeout 1 '],
  ['inner shells', 'bash -c "'],
  ['guessed shells', 'foo sh -c '],
  ['doubling', 'a=$a$a;'],
  ['quoted variables', '"$a"'],
  ['line ends', '\\\n'],
  ['escapes', "$'\\x41'"],
  ['system calls', "python -c 'system("],
  ['aliases', "alias a='ls' "],
  ['deletions', 'rm -rf '],
  ['find actions', '-exec ls ; '],
  ['sets', "echo a | tr 'a-z' b;"],
  ['letters', 'é'],
  ['spaces', ' '],
  ['cases', 'case x in '],
  ['cases in pipes', 'echo -e "\\x41" | case a in a) `'],
  ['functions in pipes', 'echo -e "\\x41" | function f { @(a|b)'],
  ['loops in pipes', '$* echo -e "\\x41" | for a in b; do '],
  ['words into shells', 'a "$x" | sh '],
  ['patterns and open expansions', '@(a|b)${x'],
  ['open process substitutions', 'make -f - <($x '],
  ['braces and open substitutions', '{1..99999}$("bash -c '],
  ['dashes', '--'],
];

/**
 * The work is bounded because the parsed text is: a line over a limit is refused, and no result is much longer than its
 * text.
 */
function expectBounded(line: string): void {
  const { verdict, commands, reasons } = assessCommand(line);
  const words = commands.flatMap(({ argv }) => argv);
  expect(commands.length).toBeLessThanOrEqual(defaultCommandLimits.maxSteps / 200);
  expect(words.length).toBeLessThanOrEqual(defaultCommandLimits.maxSteps / 7);
  expect(words.reduce((length, word) => length + word.length, 0)).toBeLessThanOrEqual(
    20 * defaultCommandLimits.maxLength,
  );
  expect(reasons.length).toBeLessThanOrEqual(20);
  if (reasons.some(({ category }) => category === 'too-complex')) expect(verdict).toBe('deny');
}

test('a text that is transformed by long sets is read within its limits', () => {
  const set = 'a-z'.repeat(10_000);
  expectBounded(
    `echo ${'!'.repeat(7_900)} | tr ${set} b; echo ${'!'.repeat(7_900)} | tr ${set} b; echo x | tr -d ${set}`,
  );
});

test('any text of 100,000 characters is read within its limits without an exception', () => {
  const parts = fc.array(
    fc.oneof(pieces, fc.constantFrom(...samples), fc.constantFrom(...hostile.map(([, unit]) => unit))),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(
      parts,
      fc.constantFrom('', ' ', '\n', ';'),
      fc.constantFrom(1, 10, 1_000, 50_000),
      (some, between, run) => {
        const text = some.map((part) => part.repeat(Math.ceil(run / part.length))).join(between) + between;
        expectBounded(text.repeat(Math.ceil(100_000 / text.length)).slice(0, 100_000));
      },
    ),
    { numRuns: runs(100) },
  );
});

test('100,000 equal characters are read within their limits', () =>
  eachRow(sample(hostile), ([, unit]) => {
    const text = unit.repeat(Math.floor(100_000 / unit.length));
    for (const each of [text, `echo ${text}`, `${text.slice(0, 3_000)}${'x '.repeat(48_000)}`])
      expectBounded(each.slice(0, 100_000));
  }));

test('a text over the maximum length is refused unread', () => {
  for (const [, unit] of hostile) {
    const { verdict, commands } = assessCommand(unit.repeat(Math.ceil(1_000_000 / unit.length)));
    expect([verdict, commands]).toEqual(['deny', []]);
  }
});
