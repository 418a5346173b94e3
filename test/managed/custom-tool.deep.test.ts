import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { customTool } from 'toolwright/managed';
import { expect, test } from 'vitest';
import type { Tool } from '../../src/index.js';
import { assessed } from '../support/assessed.js';
import { runs } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const keys = ['x', 'y', 'z'] as const;

/** Parts of values with syntax that a shell interprets. */
const hostile = [
  ...[
    "'",
    '"',
    '`',
    '$',
    '\\',
    '\n',
    '\r\n',
    ' ',
    '\t',
    ';',
    '&',
    '|',
    '<',
    '>',
    '(',
    ')',
    '{',
    '}',
    '#',
    '!',
    '*',
    '~',
  ],
  ...[
    '$(touch PWNED)',
    '`touch PWNED`',
    '\ntouch PWNED\n',
    "';touch PWNED;'",
    "'\ntouch PWNED\n'",
    '"; touch PWNED; "',
  ],
  ...[
    '\nE\ntouch PWNED\n',
    '\n\tE\n',
    ')\ntouch PWNED\n',
    '}\ntouch PWNED\n',
    '\nfi\ntouch PWNED\n',
    '$((1',
    'a[$(touch PWNED)]',
  ],
  ...[
    '{{.y}}',
    "'\\''",
    '-n',
    '--',
    '=',
    'E',
    'é',
    '🙂',
    '\u00a0',
    '\u2028',
    '\x01',
    '\x1b[31m',
    '\x7f',
    '%s',
    '\\n',
    '',
  ],
];
const value = fc.oneof(
  fc.array(fc.constantFrom(...hostile), { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(0, -1, 1.5, true, null),
  fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text)),
);

/** A call of a program that records its words, and the text before and after the argument in its word. */
const probe = fc.record({
  key: fc.constantFrom(...keys),
  before: fc.constantFrom('', '', 'k=', '--name=', '/a/', "'it is '", 'a'),
  after: fc.constantFrom('', '', '.txt', ':', "' end'", 'b'),
  dashes: fc.constantFrom('', '-- '),
  frame: fc.constantFrom(
    ...[
      '@',
      '@',
      '@;',
      '@ >/dev/null',
      '@>/dev/null 2>&1',
      '! @',
      '(@)',
      '{ @; }',
      'if true; then @; fi',
      'true && @',
      'false || @',
    ],
    ...[
      'for i in 1; do @; done',
      'case a in a) @;; esac',
      'f() { @; }; f',
      'echo a | @',
      '@ | cat',
      '@ & wait',
      'A=b @',
    ],
    ...[
      'env A=b @',
      'nohup @',
      '@ <<E\ntext\nE\n',
      "@ <<'E'\nit's `\nE\n",
      'cat <<E; @\ntext $HOME\nE\n',
      '@ \\\n && true',
      '@ # note',
    ],
    ...[
      '"@"',
      "'@'",
      '$(@)',
      '`@`',
      'eval @',
      "sh -c '@'",
      '# @',
      'A=@',
      '<<E\n@\nE\n',
      '[[ @ ]]',
      '((@))',
      'echo "$(@)"',
      '${A:-@}',
    ],
  ),
});

/** Complete or incomplete shell syntax between the arguments. */
const between = fc.constantFrom(
  ...['\n', '\n', '; ', ' && ', ' || ', ' & ', ' | ', ' '],
  ...[
    "'",
    '"',
    '`',
    '\\',
    '\\\n',
    '#',
    ' # ',
    "$'a' ",
    "$'a\\'b' ",
    '$"a" ',
    "'a' ",
    '"a" ',
    '"a\\"b" ',
    "it's ",
    '$(',
    '$(echo a) ',
    ')',
    '(',
    '{',
    '}',
  ],
  ...[
    '<<E\n',
    "<<'E'\n",
    '<<-E\n\tE\n',
    '<<E\nE \n',
    '<<E\na\\\nE\n',
    '<<"E F"\n',
    '\nE\n',
    '<<<a ',
    '<(true) ',
    '&>/dev/null ',
    '>/dev/null ',
    '2>&1 ',
  ],
  ...[
    '((1 << 2))\n',
    '$((1 << 2)) ',
    '$((1 + 2)) ',
    '$[1] ',
    "${A#'}'} ",
    '"${A:-\'}" ',
    '${A:-b} ',
    '${#A} ',
    '[[ a = b ]]\n',
    "[[ a =~ ['] ]]\n",
  ],
  ...[
    'true\n',
    'echo a',
    'cat',
    'case a in ',
    'a) ',
    ';; ',
    'esac\n',
    'if true\nthen ',
    'fi\n',
    'a=(b) ',
    'a=b ',
    'function g { ',
    '!(a) ',
    '\\# ',
    '\\\n# ',
  ],
);

const template = fc
  .array(fc.tuple(fc.array(between, { maxLength: 2 }), probe), { minLength: 1, maxLength: 3 })
  .map((parts) => {
    const calls = parts.map(([, { frame, ...call }], index) => ({ ...call, id: String(index), frame }));
    const command = parts.map(([pieces], index) => {
      const { frame, id, dashes, before, after, key } = calls[index] as (typeof calls)[number];
      return pieces.join('') + frame.replace('@', () => `rev ${id} ${dashes}${before}{{.${key}}}${after}`);
    });
    return { command: command.join('\n'), calls };
  });

interface Call {
  readonly key: (typeof keys)[number];
  readonly before: string;
  readonly after: string;
  readonly dashes: string;
}

type Input = Readonly<Record<string, unknown>>;

const plain = (text: string) => text.replaceAll("'", '');
const wordOf = (given: unknown) =>
  given === undefined || given === null ? '' : typeof given === 'string' ? given : JSON.stringify(given);

/** The recorded words of each call of the program. */
function notedCalls(log: string): readonly (readonly string[])[] {
  const noted = existsSync(log) ? readFileSync(log, 'utf8').split('\0') : [];
  const calls: string[][] = [];
  for (let at = 0; at < noted.length - 1; at += 1 + Number(noted[at]))
    calls.push(noted.slice(at + 1, at + 1 + Number(noted[at])));
  return calls;
}

test('a program gets the exact value as one word, or the tool or the call was refused', async () => {
  const root = temporaryFolder();
  const toolkit = testToolkit({ root });
  const [log, pwned] = [join(root, 'log'), join(root, 'PWNED')];
  // The name of a program that is known to take any text.
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin/rev'), `#!/bin/sh\nprintf '%s\\0' "$#" "$@" >>log\n`);
  chmodSync(join(root, 'bin/rev'), 0o755);
  const parameters = { type: 'object', properties: { x: {}, y: {}, z: {} } };
  const counts = { refused: 0, refusedValues: 0, called: 0, words: 0 };
  const inputs = fc.record({ x: value, y: value, z: value }, { requiredKeys: ['x'] });
  const runOnce = async (tool: Tool, calls: readonly Call[], input: Input) => {
    const parsed = await tool.input.parse(input);
    if (!parsed.ok) {
      counts.refusedValues += 1;
      return;
    }
    const line = String((await assessed(tool, parsed.value)).preview);
    rmSync(log, { force: true });
    counts.called += 1;
    const shell = counts.called % 2 === 0 ? ['/bin/sh'] : ['/bin/bash', '--noprofile', '--norc'];
    const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
    spawnSync(shell[0] as string, [...shell.slice(1), '-c', '--', line], {
      cwd: root,
      env,
      timeout: 20_000,
      input: '',
    });
    expect(existsSync(pwned), line).toBe(false);
    for (const [id, ...words] of notedCalls(log)) {
      const call = calls[Number(id)];
      const wanted = `${plain(call?.before ?? '')}${wordOf(input[call?.key ?? 'x'])}${plain(call?.after ?? '')}`;
      expect(words, line).toEqual(call?.dashes === '' ? [wanted] : ['--', wanted]);
      counts.words += 1;
    }
  };
  await fc.assert(
    fc.asyncProperty(
      template,
      fc.array(inputs, { minLength: 6, maxLength: 6 }),
      async ({ command, calls }, several) => {
        let tool: Tool;
        try {
          tool = customTool({ name: 'my_tool', description: 'Runs it', parameters, command }, toolkit);
        } catch (thrown) {
          if (!(thrown instanceof TypeError)) throw thrown;
          counts.refused += 1;
          return;
        }
        for (const input of several) await runOnce(tool, calls, input);
      },
    ),
    { numRuns: runs(10_000) },
  );
  console.log(`templates: ${JSON.stringify(counts)}`);
  // Otherwise no real shell was tested.
  expect(counts.words).toBeGreaterThan(runs(10_000) / 20);
});
