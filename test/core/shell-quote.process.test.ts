import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellQuote } from '../../src/core/text/shell-quote.js';
import { table } from '../support/each-row.js';

table([
  ['', "''"],
  ['plain', "'plain'"],
  ["it's", "'it'\\''s'"],
  ['$(id) `id` $HOME', "'$(id) `id` $HOME'"],
])('text is quoted only if necessary', (text, quoted) => expect(shellQuote(text)).toBe(quoted));

test('a text with NUL is rejected', () => expect(() => shellQuote('a\0b')).toThrow(TypeError));

test('a shell reads exactly the quoted text, for random texts', () => {
  const texts = fc.sample(
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
    { numRuns: 300 },
  );
  const script = texts.map((text) => `printf '%s\\0' ${shellQuote(text)}`).join('\n');
  for (const shell of ['bash', 'sh']) {
    const read = execFileSync(shell, ['-s'], {
      input: script,
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH },
    });
    expect(read.split('\0').slice(0, -1)).toEqual(texts);
  }
});
