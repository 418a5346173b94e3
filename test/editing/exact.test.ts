import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText, type TextEncoding } from '../../src/editing/encodings/codecs.js';
import { planEdit } from '../../src/editing/plan-edit.js';
import { eachRow } from '../support/each-row.js';
import { runs } from '../support/runs.js';

const request = { path: '/f', newText: '<>', exactOnly: true, maxDiffLines: 10 };

async function edit(bytes: Buffer, encoding: TextEncoding, oldText: string, replaceAll: boolean) {
  const plan = await planEdit(bytes, encoding, { ...request, oldText, replaceAll }).catch((thrown) => thrown);
  const count: number = plan.count ?? plan.metadata?.count ?? 0;
  return { count, after: plan.slices && Buffer.concat(plan.slices) };
}

/** The reference for a search: consecutive lines, with any line break of the file between them. */
function patternOf(content: string, wanted: string): string {
  const lines = wanted.split(/\r?\n/).map((line) => line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const lineBreak = !content.includes('\n') && content.includes('\r') ? '\\r' : '(?:\\r\\n|(?<!\\r)\\n)';
  return lines.join(lines.length > 1 ? lineBreak : '');
}

const texts = (letters: readonly string[]) =>
  fc.array(fc.constantFrom(...letters), { maxLength: 40 }).map((parts) => parts.join(''));
// A text that ends with a carriage return would end inside a line break in most files.
const wanteds = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r\n'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));

const damaged = Buffer.of(0xff);

test('finds the same as a pattern, in all kinds of text with any line breaks, and in invalid bytes', () =>
  eachRow(['utf-8', 'utf-16be', 'damaged'] as const, async (kind) => {
    const name = kind === 'damaged' ? 'utf-8' : kind;
    const encoding = { name, markBytes: 0, isDamaged: kind === 'damaged' } as const;
    const end = kind === 'damaged' ? damaged : Buffer.of();
    const bytesOf = (text: string) => Buffer.concat([encodeText(text, name) ?? Buffer.of(), end]);
    const content = fc.oneof(
      texts(['a', 'b', '\n']),
      texts(['a', '\r\n', '\n', 'aab\r\n']),
      texts(['a', 'b', '\r']),
      texts(['a', '\r', '\n']),
    );
    await fc.assert(
      fc.asyncProperty(content, wanteds, async (text, wanted) => {
        const pattern = patternOf(text, wanted);
        const all = await edit(bytesOf(text), encoding, wanted, true);
        expect(all.count).toBe(text.match(new RegExp(pattern, 'g'))?.length ?? 0);
        const after = bytesOf(text.replaceAll(new RegExp(pattern, 'g'), '<>'));
        if (all.count > 0) expect(all.after.equals(after)).toBe(true);
        const { count } = await edit(bytesOf(text), encoding, wanted, false);
        expect(count).toBe([...text.matchAll(new RegExp(`(?=${pattern})`, 'g'))].length);
      }),
      { numRuns: runs(1_000) },
    );
  }));

const utf8 = { name: 'utf-8', markBytes: 0, isDamaged: false } as const;

test('a file that repeats the old text except for its middle is searched in one pass', async () => {
  const half = 'a\n'.repeat(20_000);
  const wanted = `${half}b\n${half}`;
  for (const content of ['a\n'.repeat(2_000_000), 'a\r\n'.repeat(1_000_000)]) {
    expect((await edit(Buffer.from(content), utf8, wanted, false)).count).toBe(0);
    const there = Buffer.from(`${content.slice(0, 90_000)}${wanted}`);
    expect((await edit(there, utf8, wanted, false)).count).toBe(1);
  }
});

test('every match on a long line of Japanese is found, and no match inside a character', async () => {
  const count = 100_000;
  const japanese = { name: 'shift_jis', markBytes: 0, isDamaged: false } as const;
  const line = encodeText('表示a'.repeat(count), 'shift_jis') ?? Buffer.of();
  for (const bytes of [line, Buffer.concat([line, damaged])]) {
    expect((await edit(bytes, japanese, '示', true)).count).toBe(count);
    expect((await edit(bytes, japanese, '\\', true)).count).toBe(0);
  }
});

test('a file of more than 16 MB is edited only at exact matches', async () => {
  const line = 'größe = “wide”\r\n';
  const bytes = Buffer.concat([Buffer.from(line.repeat(900_000)), Buffer.from('last – line\r\nend')]);
  const { after } = await edit(bytes, utf8, 'last – line\nend', false);
  expect(after.equals(Buffer.concat([bytes.subarray(0, bytes.length - 18), Buffer.from('<>')]))).toBe(true);
  const loose = planEdit(bytes, utf8, { ...request, exactOnly: false, oldText: 'last - line', replaceAll: false });
  await expect(loose).rejects.toMatchObject({ code: 'no_match' });
});
