import { expect } from 'vitest';
import { decodeBody } from '../../src/tools/content/decode-body.js';
import { table } from '../support/each-row.js';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
const html = 'text/html';

table([
  [
    'a byte order mark wins over everything',
    bytes([0xef, 0xbb, 0xbf, 0xc3, 0xa9]),
    { charset: 'windows-1251', mediaType: html },
    'é',
  ],
  ['UTF-16 by its mark', bytes([0xff, 0xfe, 0x41, 0]), { charset: 'utf-8', mediaType: html }, 'A'],
  [
    'the header wins over the page',
    bytes('<meta charset=koi8-r>', [0xe9]),
    { charset: '"Latin1"', mediaType: html },
    '<meta charset=koi8-r>é',
  ],
  [
    'the page itself',
    bytes('<meta charset="windows-1251">', [0xe9]),
    { mediaType: html },
    '<meta charset="windows-1251">й',
  ],
  [
    'the page by http-equiv',
    bytes('<meta http-equiv=content-type content="text/html; charset=shift_jis">', [0x82, 0xa0]),
    { mediaType: html },
    '<meta http-equiv=content-type content="text/html; charset=shift_jis">あ',
  ],
  [
    'the declaration of XML',
    bytes('<?xml encoding="euc-kr"?>', [0xb0, 0xa1]),
    { mediaType: 'application/xhtml+xml' },
    '<?xml encoding="euc-kr"?>가',
  ],
  [
    'no comment',
    bytes('<!-- <meta charset=koi8-r> -->', [0xe9]),
    { mediaType: html },
    '<!-- <meta charset=koi8-r> -->é',
  ],
  [
    'past the first kilobyte',
    bytes(' '.repeat(1_024), '<meta charset=koi8-r>', [0xe9]),
    { mediaType: html },
    `${' '.repeat(1_024)}<meta charset=koi8-r>И`,
  ],
  [
    'no page that says UTF-16 of itself in ASCII',
    bytes('<meta charset=utf-16>', [0xc3, 0xa9]),
    { mediaType: html },
    '<meta charset=utf-16>é',
  ],
  [
    'no tag in what is no page',
    bytes('<meta charset=koi8-r>', [0xe9]),
    { mediaType: 'text/plain' },
    '<meta charset=koi8-r>é',
  ],
  [
    'no charset in any number of blanks',
    bytes(`<meta charset=${' '.repeat(1_000_000)}>`),
    { mediaType: html },
    `<meta charset=${' '.repeat(1_000_000)}>`,
  ],
  ['UTF-8 where it is valid', bytes([0xe2, 0x82, 0xac]), { mediaType: 'application/json' }, '€'],
  ['else windows-1252', bytes([0x80, 0x93, 0xe9, 0x94]), { mediaType: html }, '€“é”'],
  ['Latin-1 as windows-1252, as browsers do', bytes([0x80]), { charset: 'ISO-8859-1', mediaType: html }, '€'],
  ['a charset that nobody knows as none', bytes([0xc3, 0xa9]), { charset: 'klingon', mediaType: html }, 'é'],
  [
    'damaged text with replacement characters',
    bytes('a', [0xff], 'b'),
    { charset: 'utf-8', mediaType: html },
    'a\ufffdb',
  ],
])('a body is decoded by its declared or detected encoding', (_name, body, type, text) =>
  expect(decodeBody(body, type)).toBe(text),
);
