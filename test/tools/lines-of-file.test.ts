import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostFiles } from 'toolwright/files';
import { expect, test } from 'vitest';
import { toolContext } from '../../src/testing/index.js';
import { linesOfFile } from '../../src/tools/files/read-lines.js';
import { table } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

async function linesOf(content: string | Uint8Array, numbers: readonly number[], maxChars = 100) {
  const root = temporaryFolder();
  const path = join(root, 'a.txt');
  writeFileSync(path, content);
  return [...(await linesOfFile(hostFiles({ root }), path, { numbers: new Set(numbers), maxChars }, toolContext()))];
}

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

table([
  ['in order, whatever is asked for first', 'one\ntwo\nthree\n', [3, 1], ['1 one', '3 three']],
  ['the last one without a line feed', 'one\ntwo', [2], ['2 two']],
  ['none past the end', 'one\n', [5], []],
  ['lines that end at line feeds alone', 'a\rb\u2028c\nd\n', [1, 2], ['1 a\rb\u2028c', '2 d']],
  ['UTF-16 with a mark', utf16('größe\n日本\n'), [2], ['2 日本']],
])('returns the requested lines', async (_name, content, numbers, expected) =>
  expect((await linesOf(content, numbers)).map(([number, line]) => `${number} ${line}`)).toEqual(expected),
);

test('cuts text over the limit, also across blocks', async () => {
  const [[, line] = []] = await linesOf(`${'x'.repeat(262_140)}yyyyyyyy\nend\n`, [1], 262_144);
  expect(line).toBe(`${'x'.repeat(262_140)}yyyy`);
});

test('returns no lines for an unreadable file', async () => {
  const root = temporaryFolder();
  const lines = await linesOfFile(
    hostFiles({ root }),
    join(root, 'gone'),
    { numbers: new Set([1]), maxChars: 10 },
    toolContext(),
  );
  expect(lines.size).toBe(0);
});

test('returns any number of lines', async () => {
  const numbers = Array.from({ length: 200_000 }, (_, index) => index + 1);
  expect(await linesOf('line\n'.repeat(numbers.length), numbers)).toHaveLength(numbers.length);
});
