import { applyPatch } from 'diff';
import { expect, test } from 'vitest';
import { diffOfTexts, unifiedDiff, withHeader } from '../../src/editing/diff/by-lines.js';
import { table } from '../support/each-row.js';

const lines = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}\n`);
const signs = (text: string, sign: string) => text.split('\n').filter((line) => line.startsWith(sign)).length;

table([
  ['as many lines as before', 300, 300, 50, 50],
  ['fewer lines', 300, 1, 99, 1],
  ['more lines', 1, 300, 1, 99],
  ['lines that only go', 300, 0, 100, 0],
  ['lines that only come', 0, 300, 0, 100],
])('a cut diff shows both sides', (_name, old, fresh, minus, plus) => {
  const { text, added, removed, isCut } = diffOfTexts(lines(old, 'o').join(''), lines(fresh, 'n').join(''), 100);
  expect({ added, removed, isCut }).toEqual({ added: fresh, removed: old, isCut: true });
  expect([signs(text, '-'), signs(text, '+')]).toEqual([minus, plus]);
  expect(text.endsWith('\n[more changed lines not shown]')).toBe(true);
});

test('a cut diff is a valid patch', () => {
  const old = [...lines(20, 'a'), ...lines(80, 'old'), ...lines(20, 'b'), ...lines(80, 'old')];
  const fresh = [...lines(20, 'a'), ...lines(80, 'new'), ...lines(20, 'b'), ...lines(80, 'new')];
  const { text } = diffOfTexts(old.join(''), fresh.join(''), 63);
  const patch = withHeader(text.replace('\n[more changed lines not shown]', '\n'), 'f', 'f');
  const half = [...lines(20, 'a'), ...lines(30, 'new'), ...lines(80, 'old').slice(30), ...old.slice(100)];
  expect(applyPatch(old.join(''), patch)).toBe(half.join(''));
});

test('a diff that just fits is whole, also without trailing context', () => {
  expect(diffOfTexts('a\n', 'b\n', 2)).toEqual({ text: '@@ -1 +1 @@\n-a\n+b', added: 1, removed: 1, isCut: false });
  expect(diffOfTexts('a\nx\n', 'b\nx\n', 2)).toEqual({
    text: '@@ -1 +1 @@\n-a\n+b',
    added: 1,
    removed: 1,
    isCut: false,
  });
});

test('a change is omitted if a line of each side does not fit', () =>
  expect(diffOfTexts('a\n', 'b\n', 1)).toEqual({
    text: '[more changed lines not shown]',
    added: 1,
    removed: 1,
    isCut: true,
  }));

test('the diff says how many lines are omitted', () => {
  const change = { oldStart: 1, newStart: 1, oldLines: ['a\n'], newLines: ['b\n'] };
  const { text, added, removed } = unifiedDiff([change], { maxLines: 9 }, { added: 5, removed: 4 });
  expect({ added, removed }).toEqual({ added: 6, removed: 5 });
  expect(text).toBe('@@ -1 +1 @@\n-a\n+b\n[more changed lines not shown]');
});
