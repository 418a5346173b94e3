import { expect, test } from 'vitest';
import { planRewrite } from '../../src/tools/content/plan-rewrite.js';
import { table } from '../support/each-row.js';

function written(before: Buffer | undefined, content: string) {
  const { slices, ...rest } = planRewrite({ before, path: '/f' }, content, { limits: { maxDiffLines: 50 } });
  return { bytes: Buffer.concat(slices), ...rest };
}

test('a new file is UTF-8 as given', () =>
  expect(written(undefined, 'a\r\n\u00e4').bytes).toEqual(Buffer.from('a\r\n\u00e4')));

test('a byte order mark is kept once, with or without one in the new content', () => {
  const before = Buffer.from('\ufeffold');
  expect(written(before, 'new').bytes).toEqual(Buffer.from('\ufeffnew'));
  expect(written(before, '\ufeffnew').bytes).toEqual(Buffer.from('\ufeffnew'));
});

test('big-endian UTF-16 is kept', () => {
  const store = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  expect(written(store('old'), 'n\u00e4w\u{1f44d}').bytes).toEqual(store('n\u00e4w\u{1f44d}'));
});

test('a replaced binary file has no diff, and the result names its type', () => {
  const { diff, notes } = written(Buffer.from([0, 1, 2, 3, 0]), 'text');
  expect(diff).toBeUndefined();
  expect(notes).toEqual(['The file was binary before']);
});

test('a redaction mark in the file may be written, in any encoding', () => {
  expect(written(Buffer.from('a [REDACTED] b'), '[REDACTED]').bytes.toString()).toBe('[REDACTED]');
  expect(() => written(Buffer.from('\ufeffa [REDACTED] b', 'utf16le'), '[REDACTED]')).not.toThrow();
  expect(() => written(Buffer.from('a [REDACTED] b'), '[REDACTED:key]')).toThrow(/hidden/);
});

test('the old text is scrubbed once and only to check a mark, up to four million characters', () => {
  let count = 0;
  const scrub = (text: string) => {
    count++;
    return text;
  };
  const plan = (before: string, content: string) =>
    planRewrite({ before: Buffer.from(before), path: '/f' }, content, { limits: { maxDiffLines: 50 }, scrub });
  plan('a [REDACTED]\n', 'b\n');
  expect(count).toBe(0);
  plan('a [REDACTED]\n', 'b [REDACTED]\n');
  expect(count).toBe(1);
  const large = `a [REDACTED]\n${'x'.repeat(4_000_000)}`;
  plan(large, '  a [REDACTED]\n');
  expect(() => plan(large, 'b [REDACTED]\n')).toThrow(/The line with \[REDACTED\] is not in/);
  expect(count).toBe(1);
});

table([
  ['throws', () => JSON.parse('{')],
  ['drops lines', (text: string) => text.replaceAll('\n', '')],
])('for every scrubber, a mark stays on its line', (_name, scrub) => {
  const plan = (content: string) =>
    planRewrite({ before: Buffer.from('a [REDACTED]\nb\n'), path: '/f' }, content, {
      limits: { maxDiffLines: 50 },
      scrub,
    });
  expect(plan('c\na [REDACTED]\n').notes).toEqual([]);
  expect(() => plan('b [REDACTED]\n')).toThrow(/The line with \[REDACTED\] is not in/);
});
