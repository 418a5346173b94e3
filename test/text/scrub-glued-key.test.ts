import { expect, test } from 'vitest';
import { createScrubber } from '../../src/text/secrets/scrubber.js';
import { alphanumeric } from './scrubber-cases.js';
import { pieces } from './scrubber-texts.js';

// Made-up, and joined here so that no file looks as if it held a key.
const lines = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(3);
const key = ['-----BEGIN PRIVATE', `KEY-----\n${lines}-----END PRIVATE`, 'KEY-----'].join(' ');

test.each(['password=hunter2-hunter2-x9', 'token: ', `${['ghp', 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7d'].join('_')}`])(
  'a key that begins in the middle of another secret, %s, is hidden line by line too',
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
);

test.each([1, 100, 1_000])('the end of a key behind much output is hidden in pieces of %i characters', (size) => {
  const before = 'an ordinary line of output here\n'.repeat(40);
  const body = Array.from({ length: 13 }, (_, index) => `${alphanumeric(64, index)}\n`).join('');
  const text = `${before}${body}-----END RSA PRIVATE${' KEY-----'}\nafter\n`;
  const scrubber = createScrubber();
  const stream = scrubber.stream();
  const given = pieces(text, Array(text.length).fill(size)).map((piece) => stream.push(piece));
  const whole = given.join('') + stream.end();
  expect(whole).toBe(scrubber.text(text));
  expect(whole).not.toContain(body.slice(-12, -1));
});
