import * as fc from 'fast-check';
import { ToolError } from 'toolwright';
import { expect } from 'vitest';
import { decodeText, type EncodingName, encodeText } from '../../src/editing/encodings/codecs.js';
import { type EditPlan, planEdit } from '../../src/editing/plan-edit.js';

const encodings: readonly { readonly name: EncodingName; readonly mark: readonly number[] }[] = [
  { name: 'utf-8', mark: [] },
  { name: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { name: 'utf-16le', mark: [0xff, 0xfe] },
  { name: 'utf-16be', mark: [0xfe, 0xff] },
  { name: 'windows-1252', mark: [] },
];

const letter = fc.constantFrom('a', 'b', 'c', ' ', '\t', '.', '$&', '\u00e4', '\u201c', '"', '-', '\u2014', '\\', '(');
const content = fc.string({ unit: letter, maxLength: 12 });
const lineBreak = fc.constantFrom('\n', '\r\n');

/** A text of lines, with a line break of any kind after each but the last. */
const lines = fc.array(fc.tuple(content, lineBreak), { maxLength: 8 });

interface Sample {
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

const sample: fc.Arbitrary<Sample> = fc.tuple(lines, content, fc.nat(), fc.nat()).map(([pairs, last, one, two]) => {
  const text = pairs.map(([line, end]) => line + end).join('') + last;
  const [from, until] = [one % (text.length + 1), two % (text.length + 1)].sort((left, right) => left - right) as [
    number,
    number,
  ];
  const splits = (at: number) => text[at - 1] === '\r' && text[at] === '\n';
  return { text, from: splits(from) ? from - 1 : from, until: splits(until) ? until + 1 : until };
});

/**
 * Property: for any part of any text in any encoding, replaced by any other text, every byte outside the replaced place
 * stays, and the place has the new text in the encoding of the file. A refused edit gives no plan.
 */
export async function bytesOutsideStay(numRuns: number): Promise<void> {
  const property = fc.asyncProperty(
    sample,
    content,
    lineBreak,
    content,
    fc.constantFrom(...encodings),
    async ({ text, from, until }, first, end, second, encoding) => {
      const oldText = text.slice(from, until);
      const newText = first + end + second;
      const mark = Buffer.from(encoding.mark);
      const body = encodeText(text, encoding.name) ?? Buffer.from(text);
      const bytes = Buffer.concat([mark, body]);
      const before = Buffer.from(bytes);
      const plan = await planned(bytes, encoding, oldText, newText);
      expect(bytes.equals(before)).toBe(true);
      if (plan === undefined || plan.tier !== 'exact') return;
      const after = Buffer.concat(plan.slices);
      const head = Buffer.concat([mark, encodeText(text.slice(0, from), encoding.name) ?? Buffer.of()]);
      const tail = encodeText(text.slice(until), encoding.name) ?? Buffer.of();
      expect(after.subarray(0, head.length).equals(head)).toBe(true);
      expect(after.subarray(after.length - tail.length).equals(tail)).toBe(true);
      const plain = (value: string) => value.replaceAll('\r\n', '\n');
      const decoded = decodeText(after.subarray(mark.length), encoding.name);
      expect(plain(decoded)).toBe(plain(text.slice(0, from)) + plain(newText) + plain(text.slice(until)));
    },
  );
  await fc.assert(property, { numRuns });
}

/** Property: replacing all matches and replacing back gives the same bytes, if the new text did not occur before. */
export async function replacingAllGoesBack(numRuns: number): Promise<void> {
  const property = fc.asyncProperty(sample, fc.constantFrom(...encodings), async ({ text, from, until }, encoding) => {
    const oldText = text.slice(from, until).replaceAll(/[\r\n]/g, '');
    if (oldText === '') return;
    const bytes = Buffer.concat([Buffer.from(encoding.mark), encodeText(text, encoding.name) ?? Buffer.of()]);
    const there = await planned(bytes, encoding, oldText, '<unique>', true);
    if (there === undefined || there.tier !== 'exact') return;
    const back = await planned(Buffer.concat(there.slices), encoding, '<unique>', oldText, true);
    expect(Buffer.concat(back?.slices ?? []).equals(bytes)).toBe(true);
    expect(back?.count).toBe(there.count);
  });
  await fc.assert(property, { numRuns });
}

async function planned(
  bytes: Buffer,
  encoding: (typeof encodings)[number],
  oldText: string,
  newText: string,
  replaceAll = false,
): Promise<EditPlan | undefined> {
  if (oldText === '' || oldText === newText) return undefined;
  const request = { path: '/f', oldText, newText, replaceAll, exactOnly: false, maxDiffLines: 50 };
  try {
    return await planEdit(bytes, { name: encoding.name, markBytes: encoding.mark.length, isDamaged: false }, request);
  } catch (thrown) {
    expect(ToolError.is(thrown), String(thrown)).toBe(true);
    return undefined;
  }
}
