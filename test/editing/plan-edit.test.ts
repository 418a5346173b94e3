import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffOfTexts } from '../../src/editing/diff/by-lines.js';
import { type EditRequest, planEdit } from '../../src/editing/plan-edit.js';
import { eachRow } from '../support/each-row.js';
import { bytesOutsideStay, replacingAllGoesBack } from '../support/edit-properties.js';
import { runs } from '../support/runs.js';

test('every byte outside the replaced place stays, for all encodings, byte order marks and line endings', () =>
  bytesOutsideStay(500));

test('replacing all matches and replacing back gives the same bytes', () => replacingAllGoesBack(300));

const encoding = { name: 'utf-8', markBytes: 0, isDamaged: false } as const;
const all = { path: '/f', replaceAll: true, exactOnly: false, maxDiffLines: 200 };

describe('the maximum number of replacements in a file', () => {
  const count = 200_000;
  const rows: readonly (readonly [
    name: string,
    content: string,
    request: Pick<EditRequest, 'oldText' | 'newText'>,
    after: string,
  ])[] = [
    ['each on a line', 'x const y\n', { oldText: 'const', newText: 'let' }, 'x let y\n'],
    ['all on one line', 'x const y ', { oldText: 'const', newText: 'let' }, 'x let y '],
    ['all on one line that they break', 'x const y ', { oldText: 'const', newText: 'a\nb' }, 'x a\nb y '],
    ['over two lines', 'a b\nc d\n', { oldText: 'b\nc', newText: 'x\ny\nz' }, 'a x\ny\nz d\n'],
    ['over two lines of CRLF', 'a b\r\nc d\r\n', { oldText: 'b\nc', newText: 'x\ny\nz' }, 'a x\r\ny\r\nz d\r\n'],
    ['of look-alikes', 'a \u201cb\u201d c\n', { oldText: '"b"', newText: '"d"' }, 'a \u201cd\u201d c\n'],
    ['but for indentation', '  if\n    b\n', { oldText: '\tif\n\t  b', newText: '' }, '  if\n    b\n'],
    [
      'of blocks that moved',
      '    if\n      b\n',
      { oldText: '  if\n    b', newText: '  if\n    c' },
      '    if\n      c\n',
    ],
  ];
  test('is made with pauses, or refused', () =>
    eachRow(rows, async ([, part, request, after]) => {
      const content = Buffer.from(part.repeat(count));
      let yields = 0;
      const yieldToLoop = async () => {
        yields++;
      };
      const plan = await planEdit(content, encoding, { ...all, ...request }, yieldToLoop).catch((thrown) => thrown);
      expect(yields).toBeGreaterThan(400);
      if (part === after) {
        expect(plan).toMatchObject({ code: 'no_match' });
        return;
      }
      expect(plan.count).toBe(count);
      expect(Buffer.concat(plan.slices).equals(Buffer.from(after.repeat(count)))).toBe(true);
      expect(plan.slices.length).toBeLessThan(count / 100);
    }));

  test('can be aborted', async () => {
    let left = 300;
    const yieldToLoop = async () => {
      if (--left === 0) throw new Error('ended');
    };
    const planning = planEdit(
      Buffer.from('x const y\n'.repeat(count)),
      encoding,
      { ...all, oldText: 'const', newText: 'let' },
      yieldToLoop,
    );
    await expect(planning).rejects.toThrow('ended');
  });
});

test('the diff counts all changed lines, also if it shows only the first', async () => {
  const parts = fc.array(fc.constantFrom('a', 'b', '\n', 'a\n', 'bb\n'), { maxLength: 60 });
  const texts = fc.constantFrom('a', 'b\n', '\n', 'a\nb');
  await fc.assert(
    fc.asyncProperty(parts, texts, fc.constantFrom('c', 'c\n', '', 'c\nd'), async (pieces, oldText, newText) => {
      const content = pieces.join('');
      const request = { ...all, exactOnly: true, oldText, newText };
      const [whole, cut] = await Promise.all(
        [10_000, 6].map((maxDiffLines) =>
          planEdit(Buffer.from(content), encoding, { ...request, maxDiffLines }).catch(() => undefined),
        ),
      );
      if (whole === undefined || cut === undefined) return;
      const after = content.replaceAll(oldText, () => newText);
      expect(Buffer.concat(whole.slices).toString()).toBe(after);
      expect(whole.diff.added - whole.diff.removed).toBe(
        diffOfTexts(content, after, 1).added - diffOfTexts(content, after, 1).removed,
      );
      expect(cut.diff.added - cut.diff.removed).toBe(whole.diff.added - whole.diff.removed);
      const shown = cut.diff.text.replace(/(?:^|\n)\[more changed lines not shown\]$/, '\n');
      const patched = applyPatch(content, `--- f\n+++ f\n${shown}`);
      if (!cut.diff.isCut) expect(patched).toBe(after);
      // A patch with the last line without a line break, before old lines that are not shown, would apply nowhere.
      else if (after.endsWith('\n')) expect(patched).not.toBe(false);
    }),
    { numRuns: runs(1_000) },
  );
});
