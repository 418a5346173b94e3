import { expect, test } from 'vitest';
import { decodeText, detectEncoding, encodeText } from '../../src/editing/encodings/codecs.js';
import { table } from '../support/each-row.js';

test('every byte of windows-1252 survives decoding and encoding', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  expect(encodeText(decodeText(bytes, 'windows-1252'), 'windows-1252')).toEqual(bytes);
});

test('windows-1252 has quotes and dashes in place of the controls of Latin-1', () =>
  expect(decodeText(Buffer.from([0x93, 0x61, 0x94, 0x97, 0x80]), 'windows-1252')).toBe('\u201ca\u201d\u2014\u20ac'));

table([
  ['plain ASCII', Buffer.from('hello\n'), 'utf-8'],
  ['nothing', Buffer.of(), 'utf-8'],
  ['UTF-8', Buffer.from('\u00e4\u4e2d\u{1f44d}\n'), 'utf-8'],
  ['UTF-8 with a mark', Buffer.from('\ufeffhello\n'), 'utf-8'],
  ['UTF-16 little-endian with a mark', Buffer.from('\ufeff\u4e2d\u6587', 'utf16le'), 'utf-16le'],
  ['UTF-16 big-endian with a mark', Buffer.from('\ufeffhello', 'utf16le').swap16(), 'utf-16be'],
  ['UTF-16 little-endian without a mark', Buffer.from('hello', 'utf16le'), 'utf-16le'],
  ['UTF-16 big-endian without a mark', Buffer.from('hello', 'utf16le').swap16(), 'utf-16be'],
  [
    'UTF-16 with quotes and dashes, without a mark',
    Buffer.from('it \u2019s \u201cso\u201d \u2013 no', 'utf16le'),
    'utf-16le',
  ],
  ['Latin-1', Buffer.from('d\u00e9j\u00e0 vu\n', 'latin1'), 'windows-1252'],
  ['terminal colours', Buffer.from('\u001b[31mred\u001b[0m\n'), 'utf-8'],
])('encodings are detected', (_name, bytes, name) => expect(detectEncoding(bytes, true)?.name).toBe(name));

test('a character cut at the end of a sample is not invalid', () => {
  const bytes = Buffer.from('ab\u{1f44d}');
  for (let length = 1; length <= bytes.length; length++) {
    expect(detectEncoding(bytes.subarray(0, length), false)).toMatchObject({ name: 'utf-8', isDamaged: false });
  }
});

table([
  ['zero bytes', Buffer.from([1, 0, 0, 0, 2, 0])],
  ['small numbers of two bytes', Buffer.from([0, 1, 0, 2])],
  ['control bytes', Buffer.from(Array.from({ length: 64 }, (_, index) => index % 9))],
  ['UTF-32', Buffer.from('fffe00006100000062000000', 'hex')],
])('other bytes are binary', (_name, bytes) => expect(detectEncoding(bytes, true)).toBeUndefined());

const stray = Buffer.from([0xe9]);
const cut = Buffer.from([0xe6, 0x97]);

table([
  [
    'a price and an accent, with one byte of another encoding',
    Buffer.concat([Buffer.from('Caf\u00e9: 5 \u20ac\n'), Buffer.from([0x96]), Buffer.from(' end\n')]),
  ],
  [
    'one euro sign with two of them',
    Buffer.concat([Buffer.from('5 \u20ac\n'), stray, Buffer.from(' x '), stray, Buffer.from('\n')]),
  ],
  ['one accent with one of them', Buffer.concat([Buffer.from('gr\u00fcn k '), stray, Buffer.from('\n')])],
  ['a log that ends within a character', Buffer.concat([Buffer.from('\u65e5\u672c\nok line\n'), cut])],
  ['one accent before an end within a character', Buffer.concat([Buffer.from('caf\u00e9\n'), cut])],
])('damaged UTF-8 is detected as UTF-8', (_name, bytes) =>
  expect(detectEncoding(bytes, true)).toEqual({ name: 'utf-8', markBytes: 0, isDamaged: true }),
);

table([
  ['no sequence of UTF-8', 'na\u00efve d\u00e9j\u00e0 vu'],
  ['one by chance, among others that are none', '\u00abCAF\u00c9\u00bb'],
  ['one letter at its end', 'caf\u00e9'],
  ['a sequence and more that is none', 'STRA\u00df\u00ae, Gr\u00fc\u00dfe, \u00d6l'],
])('western single-byte text is detected as such', (_name, text) =>
  expect(detectEncoding(Buffer.from(text, 'latin1'), true)?.name).toBe('windows-1252'),
);

table([
  ['no-break spaces behind capitals', 'QUALIT\xc9\xa0: bonne\nS\xc9CURIT\xc9\xa0: bonne\nfin\n'],
  ['nothing but such capitals', 'LIBERT\xc9\xa0!\n\xc9GALIT\xc9\xa0!\nFRATERNIT\xc9\xa0!'],
  ['French quotation marks', '\xab\xa0libert\xe9\xa0\xbb et \xab\xa0\xe9galit\xe9\xa0\xbb, \xe0 No\xebl'],
  ['Portuguese capitals', 'IRM\xc3\xa0MARIA e AMANH\xc3\xa0, n\xe3o'],
  ['Italian capitals', 'CITT\xc0\xbb PERCH\xc9\xbb \xc8\x85 COS\xcc\x85 PI\xd9\x85'],
  ['ellipses behind a sharp s', 'Spa\xdf\x85 Fu\xdf\x85 Gru\xdf\x85 f\xfcr'],
])('western single-byte text is not detected as UTF-8', (_name, text) =>
  expect(detectEncoding(Buffer.from(text, 'latin1'), true)).toEqual({
    name: 'windows-1252',
    markBytes: 0,
    isDamaged: false,
    knownBy: 'guess',
  }),
);

test('a complete character at the end counts, with and without a final line break', () => {
  const text = Buffer.concat([Buffer.from('k '), Buffer.from([0xe9]), Buffer.from(' 5 €')]);
  for (const bytes of [text, Buffer.concat([text, Buffer.from('\n')])])
    expect(detectEncoding(bytes, true)).toEqual({ name: 'utf-8', markBytes: 0, isDamaged: true });
});
