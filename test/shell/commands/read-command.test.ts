import { describe, expect, test } from 'vitest';
import { defaultCommandLimits } from '../../../src/shell/parse/command-limits.js';
import { readCommand } from '../../../src/shell/parse/read-command.js';
import { eachRow, table } from '../../support/each-row.js';

function argvOf(text: string): readonly (readonly string[])[] {
  return readCommand(text).commands.map(({ argv }) => argv.map((word) => word.value));
}

describe('readCommand', () => {
  test('words are read as by a shell', () =>
    eachRow<readonly [string, readonly (readonly string[])[]]>(
      [
        ['a \'b c\' "d" e\\ f', [['a', 'b c', 'd', 'e f']]],
        ["$'\\x61\\n' x", [['a\n', 'x']]],
        ['{a,b}e', [['e']]],
        ['A="b  c"; $A "$A" x$A', [[], ['b', 'c', 'b  c', 'xb', 'c']]],
        ['A=b A+=c; $A', [[], ['']]],
        ['A=b; A=c; $A', [[], [], ['']]],
        ['A=(b c); "${A[@]}"', [[], ['']]],
        ['A=abc; ${A} ${A:1}', [[], ['abc', '']]],
        ['x${A:-b}y', [['xy']]],
        ['a "" \'\'', [['a', '', '']]],
        ['a $((3)) $@', [['a', '', '']]],
        ['$(echo a b)', [['echo', 'a', 'b'], ['']]],
        [
          'sudo -u x A=1 a b',
          [
            ['sudo', '-u', 'x', 'A=1', 'a', 'b'],
            ['a', 'b'],
          ],
        ],
        [
          'npm --prefix x exec -- a b',
          [
            ['npm', '--prefix', 'x', 'exec', '--', 'a', 'b'],
            ['a', 'b'],
          ],
        ],
        ["env -S 'a b' c", [['env', '-S', 'a b', 'c'], ['c'], [''], ['a', 'b']]],
        [
          "ssh -o ProxyCommand='a b' h",
          [
            ['ssh', '-o', 'ProxyCommand=a b', 'h'],
            ['a', 'b'],
          ],
        ],
        ['bash +o posix +x -c a', [['bash', '+o', 'posix', '+x', '-c', 'a'], ['a']]],
        [
          "watch -n 1 'a b'",
          [
            ['watch', '-n', '1', 'a b'],
            ['a', 'b'],
          ],
        ],
        [
          "su - x -c 'a b'",
          [
            ['su', '-', 'x', '-c', 'a b'],
            ['a', 'b'],
          ],
        ],
        [
          'runuser -u x a b',
          [
            ['runuser', '-u', 'x', 'a', 'b'],
            ['a', 'b'],
          ],
        ],
        ['echo a b | xargs -n1 c', [['echo', 'a', 'b'], ['xargs', '-n1', 'c'], ['c']]],
        ['parallel ::: a', [['parallel', ':::', 'a'], ['']]],
        [
          'parallel a {} ::: b',
          [
            ['parallel', 'a', '{}', ':::', 'b'],
            ['a', ''],
          ],
        ],
        ['ruby -e "system(\'a\')"', [['ruby', '-e', "system('a')"], ['']]],
        ['awk "{print}" a', [['awk', '{print}', 'a']]],
        ['echo a | sh', [['echo', 'a'], ['sh'], ['a']]],
        ['cat a | sh', [['cat', 'a'], ['sh'], ['']]],
        [
          'npx b@1 c',
          [
            ['npx', 'b@1', 'c'],
            ['b@1', 'c'],
          ],
        ],
        [
          'tar --to-comm="a b" -xf c',
          [
            ['tar', '--to-comm=a b', '-xf', 'c'],
            ['a', 'b'],
          ],
        ],
      ],
      ([text, argv]) => expect(argvOf(text)).toEqual(argv),
    ));

  test('says how much of a word is known', () => {
    const kinds = readCommand('a \'b\' *.c {d,e} $F "$(g)" <(h)')
      .commands.at(-1)
      ?.argv.map((word) => word.kind);
    expect(kinds).toEqual(['literal', 'literal', 'glob', 'computed', 'computed', 'computed', 'computed']);
  });

  test('keeps assignments, redirections, input and surroundings of a command', () => {
    const [first, second] = readCommand('A=1 a 2> x | b <<< "t" &').commands;
    expect(first).toMatchObject({ text: 'A=1 a 2> x', background: true, wrapper: undefined, substituted: false });
    expect(first?.assignments.map(({ name, value }) => [name, value.value])).toEqual([['A', '1']]);
    expect(
      first?.redirections.map(({ operator, descriptor, target }) => [operator, descriptor, target?.value]),
    ).toEqual([['>', 2, 'x']]);
    expect(second?.redirections[0]?.body).toBe('t\n');
    expect(second?.input).toEqual([first]);
  });

  table([
    ['a "b', 'unparsable'],
    ['a )', 'unparsable'],
    ['cat <<E\nx', 'unparsable'],
    ['a \u200b', 'hidden-characters'],
    ['a\r\n', 'hidden-characters'],
    ['a \u2800', 'hidden-characters'],
    ['a \ud800', 'hidden-characters'],
    ['a \udc00b', 'hidden-characters'],
    ['echo $(a'.repeat(30).repeat(40), 'too-complex'],
    ['a\0', 'too-complex'],
    ['a;'.repeat(800), 'too-complex'],
  ])('unsupported syntax is a problem', (text, category) =>
    expect(readCommand(text).problems.map((problem) => problem.category)).toContain(category),
  );

  table([
    ['maxLength', 'echo abcdef', 2],
    ['maxDepth', '$($($(a)))', 2],
    ['maxDepth', 'a ${b:-${c:-${d:-e}}}', 2],
    ['maxSteps', 'a; b; c', 600],
    ['maxSteps', 'a b c', 240],
    ['maxSteps', 'a <<E <<F <<G\nE\nF\nG\n', 4_000],
    ['maxSteps', 'a $(b) $(c) $(d)', 1_250],
    ['maxSteps', 'a ${b} ${c} ${d}', 400],
    ['maxSteps', 'a | b | c', 655],
  ])('each limit is a problem', (name, text, limit) => {
    expect(readCommand(text).problems.filter(({ category }) => category === 'too-complex')).toEqual([]);
    expect(
      readCommand(text, { ...defaultCommandLimits, [name]: limit }).problems.map((problem) => problem.category),
    ).toContain('too-complex');
  });
});

table(['$(', 'echo $(', '"$(', '<(', 'a >(', '<<a ', '$(('])(
  'a line with too many nested parts is not parsed',
  (opening) => {
    const text = opening.repeat(100_000 / opening.length);
    expect(readCommand(text)).toEqual({
      text,
      commands: [],
      problems: [{ category: 'too-complex', text: 'it opens too many substitutions or here-documents' }],
    });
  },
);
