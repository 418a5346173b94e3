import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assessCommand } from '../../../src/command/assess-command.js';
import { withoutQuoted } from '../../../src/command/read/remove-quoted-text.js';

describe('withoutQuoted', () => {
  test.each([
    ["a 'b $(c)' d", "a '' d"],
    ['a "b \'c\'" d', 'a "b \'c\'" d'],
    ["a \\' '$(b)'", "a \\' ''"],
    ["a # it's\nb '$(c)'", "a # it's\nb ''"],
    ["cat <<'E'\n$(x)\nE\nls '`'", "cat <<'E'\nE\nls ''"],
    ['cat <<"E"\n$(x)\nE', 'cat <<"E"\nE'],
    ['cat <<\\E\n$(x)\nE', 'cat <<\\E\nE'],
    ["cat <<-'E'\n\t$(x)\n\tE", "cat <<-'E'\n\tE"],
    ["cat <<'A' <<'B'\n`a`\nA\n`b`\nB\n", "cat <<'A' <<'B'\nA\nB\n"],
    ["x \"$(cat <<'E'\n`a` \"\nE\n)\" 'b'", "x \"$(cat <<'E'\nE\n)\" ''"],
    ["cat <<'E' > f\n$(x)\nE", "cat <<'E' > f\nE"],
  ])('cuts mere text out of %j', (text, kept) => {
    expect(withoutQuoted(text)).toBe(kept);
  });

  test.each([
    'cat <<E\n$(x)\nE',
    'echo "`a`" $(b) ${c}',
    "echo ${a:-'$(b)'}",
    "echo `a` '$(b)'",
    "echo $'\\'$(b)' '$(c)'",
    "cat <<'E'\n$(x)\n",
    "echo 'unclosed $(b)",
    "((1 << 2)); echo '$(b)'",
    "$(case a in a) echo;; esac) '$(b)'",
    "cat <(echo '$(b)')",
  ])('keeps %j from where it is not sure', (text) => {
    expect(withoutQuoted(text)).toBe(text);
  });

  test('only ever leaves out', () => {
    const pieces = fc.constantFrom(
      ...'\' " \\ $ ( ) ` # < << <<E E \n a $( ${ } ; case'.split(' '),
      "<<'E'\n",
      '\nE\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        let at = 0;
        for (const character of withoutQuoted(text)) at = text.indexOf(character, at) + 1 || Number.NaN;
        expect(at).not.toBeNaN();
      }),
    );
  });
});

const bodies: readonly (readonly [string, string])[] = [
  ['C++ streams', 'std::cout << "a" << x << std::endl;\n'.repeat(60)],
  ['shifts', 'x = 1 << 3\n'.repeat(101)],
  ['Markdown code spans', "use `a`, it's fine\n".repeat(500)],
  ['template literals', 'const a = `x ${y} z`; f(() => { g(`q`); });\n'.repeat(800)],
  ['a shell script', 'x=$(date)\n'.repeat(1_001)],
  ['a table', 'a;b;c;d\n'.repeat(4_500)],
];

describe('a quoted here-document is text, however much it looks like shell', () => {
  test.each(bodies)('%s', (_, body) => {
    for (const line of [
      `cat > file <<'EOF'\n${body}EOF`,
      `cat <<"EOF" > file\n${body}EOF\nls`,
      `mkdir -p d && cat > d/file <<\\EOF && ls\n${body}EOF\n`,
      `tee file <<'A' > /dev/null\n${body}A\ncat > other <<'B'\n${body.slice(0, 20_000)}\nB`,
      `git commit -m "$(cat <<'EOF'\n${body}EOF\n)"`,
    ])
      expect(assessCommand(line).verdict).not.toBe('deny');
  });

  test('so is a string in single quotes', () => {
    expect(assessCommand(`git commit -m '${'`x` '.repeat(501)}'`).verdict).toBe('ask');
  });

  test.each([
    ['an unquoted one', `cat <<E\n${'$(ls) '.repeat(1_001)}\nE`],
    ['what comes after', `cat <<'E'\nx\nE\n${'echo $(ls) '.repeat(1_001)}`],
    ['one that a shell reads', `bash <<'E'\n${'echo $(ls)\n'.repeat(1_001)}E`],
    ['one that hides behind quotes', `"$(echo '"')"${"$(echo '".repeat(1_200)}`],
    ['an escaped quote', `echo \\'${'$(ls) '.repeat(1_001)}'`],
  ])('but %s counts', (_, line) => {
    expect(assessCommand(line).verdict).toBe('deny');
  });

  test('and danger after it is seen', () => {
    expect(assessCommand(`cat > file <<'EOF'\n${bodies[0]?.[1]}EOF\nrm -rf /x`).reasons[0]?.category).toBe(
      'destructive-files',
    );
  });
});
