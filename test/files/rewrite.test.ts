import { expect, test } from 'vitest';
import { planRewrite } from '../../src/files/rewrite.js';

function written(before: Buffer | undefined, content: string) {
  const { slices, ...rest } = planRewrite({ before, path: '/f', maxDiffLines: 50 }, content);
  return { bytes: Buffer.concat(slices), ...rest };
}

test('a new file is UTF-8 as given', () => {
  expect(written(undefined, 'a\r\n\u00e4').bytes).toEqual(Buffer.from('a\r\n\u00e4'));
});

test('a mark is kept once, whether the content brings one or not', () => {
  const before = Buffer.from('\ufeffold');
  expect(written(before, 'new').bytes).toEqual(Buffer.from('\ufeffnew'));
  expect(written(before, '\ufeffnew').bytes).toEqual(Buffer.from('\ufeffnew'));
});

test('big-endian UTF-16 is kept', () => {
  const store = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  expect(written(store('old'), 'n\u00e4w\u{1f44d}').bytes).toEqual(store('n\u00e4w\u{1f44d}'));
});

test('a binary file has no diff, and the result says what it was', () => {
  const { diff, notes } = written(Buffer.from([0, 1, 2, 3, 0]), 'text');
  expect(diff).toBeUndefined();
  expect(notes).toEqual(['The file was binary before']);
});

test('a mark of redaction that the file holds, in any encoding, may be written', () => {
  expect(written(Buffer.from('a [REDACTED] b'), '[REDACTED]').bytes.toString()).toBe('[REDACTED]');
  expect(() => written(Buffer.from('\ufeffa [REDACTED] b', 'utf16le'), '[REDACTED]')).not.toThrow();
  expect(() => written(Buffer.from('a [REDACTED] b'), '[REDACTED:key]')).toThrow(/hidden/);
});
