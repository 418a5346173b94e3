import fc from 'fast-check';
import { createScrubber } from 'toolwright';
import { expect, test } from 'vitest';
import { eachRow, table } from '../support/each-row.js';
import { runs } from '../support/runs.js';
import { alphanumeric } from './scrubber-cases.js';
import { pieces } from './scrubber-texts.js';

// Made-up keys, joined from parts so that secret scanners do not report the file.
const lines = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(3);
const key = ['-----BEGIN PRIVATE', `KEY-----\n${lines}-----END PRIVATE`, 'KEY-----'].join(' ');

test('a key that begins inside another secret is hidden line by line too', () =>
  eachRow(
    ['password=hunter2-hunter2-x9', 'token: ', `${['ghp', 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7d'].join('_')}`],
    (before) => {
      const text = `${before}${key}\nend\n`;
      const scrubber = createScrubber();
      const stream = scrubber.stream();
      const pieces = text.split(/(?<=\n)/).map((line) => stream.push(line));
      const whole = pieces.join('') + stream.end();
      expect(whole).toBe(scrubber.text(text));
      expect(whole).not.toMatch(/hunter2|MIIE|hkiG9|Ab3dE/);
      expect(whole).toMatch(/\nend\n$/);
    },
  ));

test('the end of a key after much output is hidden in pieces of any size', () =>
  eachRow([1, 100, 1_000], (size) => {
    const before = 'an ordinary line of output here\n'.repeat(40);
    const body = Array.from({ length: 13 }, (_, index) => `${alphanumeric(64, index)}\n`).join('');
    const text = `${before}${body}-----END RSA PRIVATE${' KEY-----'}\nafter\n`;
    const scrubber = createScrubber();
    const stream = scrubber.stream();
    const given = pieces(text, Array(text.length).fill(size)).map((piece) => stream.push(piece));
    const whole = given.join('') + stream.end();
    expect(whole).toBe(scrubber.text(text));
    expect(whole).not.toContain(body.slice(-12, -1));
  }));

const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} RSA PRIVATE${' KEY-----'}`);
const [one, two, short] = [alphanumeric(64, 1), alphanumeric(64, 2), alphanumeric(20, 3)];
const block = `${one}\n${two}\n${one}\n`;

function expectAlike(text: string, size: number): void {
  const scrubber = createScrubber();
  // A value may occur before the place where it is recognised.
  scrubber.text(text);
  const stream = scrubber.stream();
  const given = pieces(text, Array(text.length).fill(size)).map((piece) => stream.push(piece));
  expect(given.join('') + stream.end()).toBe(scrubber.text(text));
}

table([
  `${block}word \n${end}${one}\n${two}\n`,
  `${block}-----END \n${end}${two}\n`,
  `${'y '.repeat(600)}${two}\n${end}`,
  `${one}${begin}\u001b[32m${one}${two}\n${end}`,
])('no text is released that a later line makes part of a key', (text) => {
  for (const size of [1, 7, 64]) expectAlike(text, size);
});

test('texts of key ends, letters and other secrets are scrubbed in pieces as in one piece', () => {
  const others = ['password=hunter2-hunter2-x9', ['ghp', 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7d'].join('_')];
  const between = ['\n', '\n', ' ', ',', '"', 'word ', 'x'.repeat(150), 'y '.repeat(300), '\u001b[32m', '-----END '];
  const part = fc.constantFrom(begin, end, one, two, short, `${one}\n`, block, ...others, ...between);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 24 }), fc.integer({ min: 1, max: 300 }), (parts, size) =>
      expectAlike(parts.join(''), size),
    ),
    { numRuns: runs(10_000) },
  );
});
