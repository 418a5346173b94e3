import { describe, expect, test } from 'vitest';
import { defaultCommandLimits } from '../../../src/command/read/command-limits.js';
import { readCommand } from '../../../src/command/read/read-command.js';

function argvOf(text: string): readonly (readonly string[])[] {
  return readCommand(text).commands.map(({ argv }) => argv.map((word) => word.value));
}

describe('readCommand', () => {
  test.each<readonly [string, readonly (readonly string[])[]]>([
    ['a \'b c\' "d" e\\ f', [['a', 'b c', 'd', 'e f']]],
    ["$'\\x61\\n' x", [['a\n', 'x']]],
    ['{a,b{c,d}}e x{1..3} {c..a} {9..1..4}', [['ae', 'bce', 'bde', 'x1', 'x2', 'x3', 'c', 'b', 'a', '9', '5', '1']]],
    ['{a,"b,c",d\\,e}', [['a', 'b,c', 'd,e']]],
    ['{a} {a..} {1..100000}', [['{a}', '{a..}', '{1..100000}']]],
    ['A="b  c"; $A "$A" x$A', [[], ['b', 'c', 'b  c', 'xb', 'c']]],
    ['A=b A+=c; $A', [[], ['bc']]],
    ['A=(b "c d"); "${A[@]}" ${A[1]} ${A}', [[], ['b', 'c d', 'c', 'd', 'b']]],
    ['A=abc; ${A:1} ${A:0:1} ${A: -1} ${A:0:-1}', [[], ['bc', 'a', 'c', 'ab']]],
    [
      'A=abab; ${A/b/x} ${A//b/x} ${A/#ab/x} ${A/%ab/x} ${A/#b/x} ${A/%a/x} ${A/z/x}',
      [[], ['axab', 'axax', 'xab', 'abx', 'abab', 'abab', 'abab']],
    ],
    ['A=abc; ${A#a} ${A##ab} ${A%c} ${A%%?c} ${A#x} ${A#abcd}', [[], ['bc', 'c', 'ab', 'a', 'abc', 'abc']]],
    ['A=aBc; ${A^^} ${A,,} ${A^} ${A,} ${#A}', [[], ['ABC', 'abc', 'ABc', 'aBc', '3']]],
    ['x${A:-b}y ${A:+c} "${A-d e}"', [['xby', 'c', 'd e']]],
    [
      'set -- a b; "$@" $2 "$*"',
      [
        ['set', '--', 'a', 'b'],
        ['a', 'b', 'b', 'a', 'b'],
      ],
    ],
    ['a $@ "$@" $1 b', [['a', '', 'b'].filter(Boolean)]],
    ['a "" \'\'', [['a', '', '']]],
    ['a $((3)) $(( 1 + 2 ))', [['a', '3', '']]],
    [
      '$(echo a b) "$(printf %s-%s c d)" `echo e`',
      [
        ['echo', 'a', 'b'],
        ['printf', '%s-%s', 'c', 'd'],
        ['echo', 'e'],
        ['a', 'b', 'c-d', 'e'],
      ],
    ],
    ['$(echo olleh | rev)', [['echo', 'olleh'], ['rev'], ['hello']]],
    [
      "$(echo uryyb | tr 'a-z' 'n-za-m') $(echo aGk= | base64 -d) $(echo 6869 | xxd -r -p)",
      [
        ['echo', 'uryyb'],
        ['tr', 'a-z', 'n-za-m'],
        ['echo', 'aGk='],
        ['base64', '-d'],
        ['echo', '6869'],
        ['xxd', '-r', '-p'],
        ['hello', 'hi', 'hi'],
      ],
    ],
    [
      '$(echo -e "a\\tb") $(echo axb | tr -d x) $(printf "%b%%" "\\x61")',
      [
        ['echo', '-e', 'a\\tb'],
        ['echo', 'axb'],
        ['tr', '-d', 'x'],
        ['printf', '%b%%', '\\x61'],
        ['a', 'b', 'ab', 'a%'],
      ],
    ],
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
    [
      "env -S 'a b' c",
      [
        ['env', '-S', 'a b', 'c'],
        ['a', 'b', 'c'],
      ],
    ],
    [
      "vagrant ssh -c 'a b'",
      [
        ['vagrant', 'ssh', '-c', 'a b'],
        ['a', 'b'],
      ],
    ],
    [
      "ssh -o ProxyCommand='a b' h",
      [
        ['ssh', '-o', 'ProxyCommand=a b', 'h'],
        ['a', 'b'],
      ],
    ],
    ['bash +o posix +x -c a', [['bash', '+o', 'posix', '+x', '-c', 'a'], ['a']]],
    [
      "hyperfine 'a b'",
      [
        ['hyperfine', 'a b'],
        ['a', 'b'],
      ],
    ],
    ["watch -n 1 'a b'", [['watch', '-n', '1', 'a b'], ['a', 'b'], ['a b']]],
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
    [
      'echo a b | xargs -n1 c',
      [
        ['echo', 'a', 'b'],
        ['xargs', '-n1', 'c'],
        ['c', 'a', 'b'],
      ],
    ],
    [
      "printf 'a\\nb' | xargs -I % c %x",
      [
        ['printf', 'a\\nb'],
        ['xargs', '-I', '%', 'c', '%x'],
        ['c', 'ax'],
        ['c', 'bx'],
      ],
    ],
    ['parallel ::: a', [['parallel', ':::', 'a'], ['a']]],
    ['ruby -e "system(\'a\')"', [['ruby', '-e', "system('a')"], ['a']]],
  ])('%s', (text, argv) => {
    expect(argvOf(text)).toEqual(argv);
  });

  test('tells how much is known of a word', () => {
    const kinds = readCommand('a \'b\' *.c {d,e} $F "$(g)" <(h)')
      .commands.at(-1)
      ?.argv.map((word) => word.kind);
    expect(kinds).toEqual(['literal', 'literal', 'glob', 'resolved', 'resolved', 'computed', 'computed', 'computed']);
  });

  test('keeps assignments, redirections, input and surroundings of a command', () => {
    const [first, second] = readCommand('A=1 a 2> x | b <<< "t" &').commands;
    expect(first).toMatchObject({ text: 'A=1 a 2> x', background: true, wrapper: undefined, substituted: false });
    expect(first?.assignments.map(({ name, value }) => [name, value.value])).toEqual([['A', '1']]);
    expect(
      first?.redirections.map(({ operator, descriptor, target }) => [operator, descriptor, target?.value]),
    ).toEqual([['>', 2, 'x']]);
    expect(second?.redirections[0]?.body).toBe('t\n');
    expect(second?.input.commands).toEqual([first]);
  });

  test.each([
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
    ['a;'.repeat(600), 'too-complex'],
  ])('%j has a problem: %s', (text, category) => {
    expect(readCommand(text).problems.map((problem) => problem.category)).toContain(category);
  });

  test.each([
    ['maxLength', 'echo abcdef'],
    ['maxCommands', 'a; b; c'],
    ['maxWords', 'a b c'],
    ['maxDepth', '$($($(a)))'],
    ['maxHereDocuments', 'a <<E <<F <<G\nE\nF\nG\n'],
    ['maxSubstitutions', 'a $(b) $(c) $(d)'],
    ['maxExpansions', 'a ${b} ${c} ${d}'],
    ['maxPiped', 'a | b | c'],
    ['maxExpansionDepth', 'a ${b:-${c:-${d:-e}}}'],
  ] as const)('%s is a limit', (name, text) => {
    expect(readCommand(text).problems.filter(({ category }) => category === 'too-complex')).toEqual([]);
    expect(
      readCommand(text, { ...defaultCommandLimits, [name]: 2 }).problems.map((problem) => problem.category),
    ).toContain('too-complex');
  });
});
