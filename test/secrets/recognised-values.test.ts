import fc from 'fast-check';
import { createScrubber, scrubCredentials } from 'toolwright';
import { describe, expect, it, test } from 'vitest';
import { eachRow, samples } from '../support/each-row.js';
import { runs } from '../support/runs.js';
import { alphanumeric } from './scrubber-cases.js';

const value = alphanumeric(32);

describe('a recognised value', () => {
  it('is hidden everywhere in the text, also before its place', () =>
    eachRow(
      [
        ["token = '@' | '@'", "token = '[REDACTED]' | '[REDACTED]'"],
        [
          'export API_KEY="@"; curl -d @ https://h.example',
          'export API_KEY="[REDACTED]"; curl -d [REDACTED] https://h.example',
        ],
        ['sent @\npassword=@\n', 'sent [REDACTED]\npassword=[REDACTED]\n'],
        ['postgres://u:@@h.example/db and x@y', 'postgres://u:[REDACTED]@h.example/db and x[REDACTED]y'],
      ] as const,
      ([text, scrubbed]) => {
        const write = (each: string) =>
          text.replaceAll('@@', `${each}\u0001`).replaceAll('@', each).replace('\u0001', '@');
        expect(scrubCredentials(write(value))).toBe(scrubbed);
        expect(
          createScrubber({ reversible: true })
            .text(write(value))
            .replace(/:[a-z-]+#1/g, ''),
        ).toBe(scrubbed);
      },
    ));

  it('is hidden in later texts and streams of the same scrubber', () => {
    const scrubber = createScrubber();
    expect(scrubber.text(`echo ${value}`)).toBe(`echo ${value}`);
    scrubber.text(`password=${value}`);
    expect(scrubber.text(`echo ${value}`)).toBe('echo [REDACTED]');
    const stream = scrubber.stream();
    expect(stream.push(`a ${value.slice(0, 9)}`) + stream.push(`${value.slice(9)} b`) + stream.end()).toBe(
      'a [REDACTED] b',
    );
    expect(scrubCredentials(`echo ${value}`)).toBe(`echo ${value}`);
    expect(createScrubber().text(`echo ${value}`)).toBe(`echo ${value}`);
  });

  it('is hidden in a stream from its place on, for any cut', () => {
    const text = `sent ${value}\nlogin: password=${value}\nsent ${value} again\n`;
    const expected = `sent ${value}\nlogin: password=[REDACTED]\nsent [REDACTED] again\n`;
    for (let cut = 0; cut <= text.length; cut++) {
      const stream = createScrubber().stream();
      expect(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end()).toBe(expected);
    }
  });

  it('is hidden with its blanks', () => {
    const scrubber = createScrubber();
    scrubber.text('PASSPHRASE="correct horse battery staple"');
    const stream = scrubber.stream();
    const pieces = [...'it is correct horse battery staple.'].map((character) => stream.push(character));
    expect(pieces.join('') + stream.end()).toBe('it is [REDACTED].');
  });

  it('is hidden elsewhere if it has a digit or a sign anywhere', () =>
    eachRow(samples`hunter2 ¦ MyDog#2019 ¦ 2blue4you ¦ sunshine! ¦ letmein99`, (each) =>
      expect(scrubCredentials(`password=${each}\nlogin ${each} ok\n`)).toBe(
        'password=[REDACTED]\nlogin [REDACTED] ok\n',
      ),
    ));

  it('stays elsewhere if it is a word, a number or the name of an algorithm', () =>
    eachRow(samples`swordfish ¦ admin ¦ 123456 ¦ abc ¦ sha256 ¦ base64url ¦ production`, (word) => {
      const text = `password=${word}\nthe ${word} here\n`;
      expect(scrubCredentials(text)).toBe(text.replace(word, '[REDACTED]'));
    }));
});

test('the oldest of many values are forgotten, and the scanning time is bounded', () => {
  const scrubber = createScrubber();
  const lines = Array.from({ length: 5_000 }, (_, index) => `password=${alphanumeric(20, index + 1)}`);
  expect(scrubber.text(lines.join('\n'))).toBe(lines.map(() => 'password=[REDACTED]').join('\n'));
  expect(scrubber.text(`a ${lines.at(-1)?.slice(9)}`)).toBe('a [REDACTED]');
});

test('numbered lines of a text that was scrubbed before stay, and a new value in them is hidden', () => {
  const scrubber = createScrubber();
  const page = scrubber.text(`first ${value}\nsecond line of the page\n${'word '.repeat(20)}\n`);
  const numbered = page.replace(/^(?=.)/gm, '7\t');
  expect(scrubber.text(numbered)).toBe(numbered);
  scrubber.learn([value]);
  expect(scrubber.text(numbered)).toBe(numbered.replace(value, '[REDACTED]'));
});

test('a known number before the lines of a text that was scrubbed before is hidden', () => {
  const scrubber = createScrubber({ values: ['12345678'] });
  const page = scrubber.text('word '.repeat(200));
  expect(scrubber.text(`12345678\t${page}`)).toBe(`[REDACTED]\t${page}`);
});

test('a short word is not a credential by its form, but is hidden as a known value', () => {
  const word = fc.stringMatching(/^[\w.+-]{0,12}$/);
  fc.assert(
    fc.property(word, word, (name, value) => {
      expect(scrubCredentials(name)).toBe(name);
      const scrubber = createScrubber({ values: [value] });
      const other = createScrubber({ values: [value] });
      expect(`\n${scrubber.text(name)}\n`).toBe(other.text(`\n${name}\n`));
    }),
    { numRuns: runs(20_000) },
  );
});

test('a clean line is scrubbed again once a value in it is known', () => {
  const scrubber = createScrubber();
  expect(scrubber.text('the door opens by Xq7vT2mLw9')).toBe('the door opens by Xq7vT2mLw9');
  scrubber.learn(['Xq7vT2mLw9']);
  expect(scrubber.text('the door opens by Xq7vT2mLw9')).toBe('the door opens by [REDACTED]');
  expect(scrubber.text('Xq7vT2mLw9')).toBe('[REDACTED]');
});
