import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RipgrepOutput } from '../../src/files/search/ripgrep/output.js';

const form = { lineNumbers: true, maxLineChars: 50 };

function read(
  mode: 'content' | 'count' | 'files_with_matches',
  chunks: readonly Buffer[],
): [string, string | undefined][] {
  const found: [string, string | undefined][] = [];
  const output = new RipgrepOutput(mode, form, (path, line) => {
    found.push([path, line]);
    return true;
  });
  for (const chunk of chunks) output.push(chunk);
  return found;
}

test('reads matches, context, gaps, names with line breaks and notices', () => {
  const text =
    '/w/a\x001:one\n/w/a\x002-two\n--\n/w/a\x009:nine\n--\n/w/b\nc\x003:x:y\n' +
    '/w/bin: binary file matches (found "\\0" byte around offset 7)\n' +
    '/w/d: WARNING: stopped searching binary file after match (found "\\0" byte around offset 70000)\n/w/e\x001:--\n';
  expect(read('content', [Buffer.from(text)])).toEqual([
    ['/w/a', '/w/a:1:one'],
    ['/w/a', '/w/a-2-two'],
    ['/w/a', '--'],
    ['/w/a', '/w/a:9:nine'],
    ['/w/b\nc', '/w/b\nc:3:x:y'],
    ['/w/bin', '/w/bin: binary file matches (found "\\0" byte around offset 7)'],
    ['/w/e', '/w/e:1:--'],
  ]);
});

test('reads counts and paths', () => {
  expect(read('count', [Buffer.from('/w/a\0' + '12\n/w/b\0' + '1\n')])).toEqual([
    ['/w/a', '/w/a:12'],
    ['/w/b', '/w/b:1'],
  ]);
  expect(read('files_with_matches', [Buffer.from('/w/a\0/w/b\nc\0')])).toEqual([
    ['/w/a', undefined],
    ['/w/b\nc', undefined],
  ]);
});

test('reads the same for any chunks of output', () => {
  const line = fc.record({
    path: fc.constantFrom('/w/a', '/w/ü/é.ts', '/w/x\ny', '/w/:1:z'),
    number: fc.integer({ min: 1, max: 99_999 }),
    mark: fc.constantFrom(':', '-'),
    text: fc
      .oneof(fc.string({ maxLength: 20 }), fc.constantFrom('é'.repeat(60), 'x'.repeat(40_000), '', '--'))
      .map((text) => text.replaceAll(/[\n\0]/g, '')),
  });
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 8 }),
      (lines, cuts) => {
        const whole = Buffer.from(
          lines.map(({ path, number, mark, text }) => `${path}\0${number}${mark}${text}\n`).join(''),
        );
        const ends = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((left, right) => left - right);
        const chunks = [...ends, whole.length].map((end, index) => whole.subarray(ends[index - 1] ?? 0, end));
        expect(read('content', chunks)).toEqual(read('content', [whole]));
        expect(read('content', [whole])).toHaveLength(lines.length);
      },
    ),
  );
});

test('stores only the beginning of an endless line', () => {
  const found: (string | undefined)[] = [];
  const output = new RipgrepOutput('content', form, (_path, line) => found.push(line) > 0);
  output.push(Buffer.from('/w/a\0' + '1:'));
  for (let index = 0; index < 20; index++) output.push(Buffer.alloc(65_536, 'x'));
  output.push(Buffer.from('\n/w/b\0' + '1:y\n'));
  expect(found).toEqual([`/w/a:1:${'x'.repeat(50)} [cut; ${20 * 65_536} bytes in all]`, '/w/b:1:y']);
});
