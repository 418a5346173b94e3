import { describe, expect, it } from 'vitest';
import { guardStream, scrubOrWithhold, withheldNotice } from '../../src/secrets/scrubber.js';

const fails = () => {
  throw new Error('broken');
};

describe('scrubOrWithhold', () => {
  it('returns the scrubbed text', () => expect(scrubOrWithhold('a', (text) => text.toUpperCase())).toBe('A'));

  it('replaces text that cannot be scrubbed by a notice, with the same number of line breaks', () =>
    expect(scrubOrWithhold('secret\n\nmore\n', fails)).toBe(`${withheldNotice}\n\n\n`));
});

describe('guardStream', () => {
  it('returns one notice after a failure, and then only line breaks', () => {
    const stream = guardStream({ push: (chunk) => (chunk === 'bad' ? fails() : chunk), end: () => 'rest' });
    expect([stream.push('a'), stream.push('bad'), stream.push('b\nc'), stream.end()]).toEqual([
      'a',
      withheldNotice,
      '\n',
      '',
    ]);
  });

  it('returns the notice if the end cannot be scrubbed', () => {
    const stream = guardStream({ push: (chunk) => chunk, end: fails });
    expect([stream.push('a'), stream.end()]).toEqual(['a', withheldNotice]);
  });
});
