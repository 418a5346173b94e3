import { describe, expect, it } from 'vitest';
import { guardStream, scrubOrWithhold, withheldNotice } from '../../src/secrets/scrubber.js';

const fails = () => {
  throw new Error('broken');
};

describe('scrubOrWithhold', () => {
  it('gives what scrubbing gives', () => expect(scrubOrWithhold('a', (text) => text.toUpperCase())).toBe('A'));

  it('gives a notice with as many line breaks in place of text that cannot be scrubbed', () =>
    expect(scrubOrWithhold('secret\n\nmore\n', fails)).toBe(`${withheldNotice}\n\n\n`));
});

describe('guardStream', () => {
  it('gives one notice, and then nothing but line breaks, after a failure', () => {
    const stream = guardStream({ push: (chunk) => (chunk === 'bad' ? fails() : chunk), end: () => 'rest' });
    expect([stream.push('a'), stream.push('bad'), stream.push('b\nc'), stream.end()]).toEqual([
      'a',
      withheldNotice,
      '\n',
      '',
    ]);
  });

  it('gives the notice when the end cannot be scrubbed', () => {
    const stream = guardStream({ push: (chunk) => chunk, end: fails });
    expect([stream.push('a'), stream.end()]).toEqual(['a', withheldNotice]);
  });
});
