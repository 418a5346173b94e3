import { describe, expect, test } from 'vitest';
import { assessCommand } from '../../../src/index.js';
import { eachRow, table } from '../../support/each-row.js';

const bodies: readonly (readonly [string, string])[] = [
  ['C++ streams', 'std::cout << "a" << x << std::endl;\n'.repeat(60)],
  ['shifts', 'x = 1 << 3\n'.repeat(101)],
  ['Markdown code spans', "use `a`, it's fine\n".repeat(500)],
  ['template literals', 'const a = `x ${y} z`; f(() => { g(`q`); });\n'.repeat(800)],
  ['a shell script', 'x=$(date)\n'.repeat(1_001)],
  ['a table', 'a;b;c;d\n'.repeat(4_500)],
];

describe('a quoted here-document is text, for any content', () => {
  test('of any length is read', () =>
    eachRow(bodies, ([, body]) => {
      for (const line of [
        `cat > file <<'EOF'\n${body}EOF`,
        `cat <<"EOF" > file\n${body}EOF\nls`,
        `mkdir -p d && cat > d/file <<\\EOF && ls\n${body}EOF\n`,
        `tee file <<'A' > /dev/null\n${body}A\ncat > other <<'B'\n${body.slice(0, 20_000)}\nB`,
        `git commit -m "$(cat <<'EOF'\n${body}EOF\n)"`,
      ])
        expect(assessCommand(line).verdict).not.toBe('deny');
    }));

  test('a string in single quotes is text too', () =>
    expect(assessCommand(`git commit -m '${'`x` '.repeat(501)}'`).verdict).toBe('ask'));

  table([
    ['an unquoted one', `cat <<E\n${'$(ls) '.repeat(1_001)}\nE`],
    ['what comes after', `cat <<'E'\nx\nE\n${'echo $(ls) '.repeat(1_001)}`],
    ['one that a shell reads', `bash <<'E'\n${'echo $(ls)\n'.repeat(1_001)}E`],
    ['one that hides behind quotes', `"$(echo '"')"${"$(echo '".repeat(1_200)}`],
    ['an escaped quote', `echo \\'${'$(ls) '.repeat(1_001)}'`],
  ])('but text for a shell is assessed', (_name, line) => expect(assessCommand(line).verdict).toBe('deny'));

  test('and danger after it is found', () =>
    expect(assessCommand(`cat > file <<'EOF'\n${bodies[0]?.[1]}EOF\nrm -rf /x`).reasons[0]?.category).toBe(
      'destructive-files',
    ));
});
