import { describe, expect, test } from 'vitest';
import { decodeText, detectEncoding, encodeText } from '../../src/editing/encodings/codecs.js';
import { characterStart, isMultiByte, type LegacyName } from '../../src/editing/encodings/legacy.js';
import { planEdit } from '../../src/editing/plan-edit.js';
import { table } from '../support/each-row.js';

const samples: readonly (readonly [name: LegacyName, hex: string, text: string])[] = [
  [
    'shift_jis',
    '82b182ea82cd93fa967b8cea82cc83658358836782c582b781420a90dd92e8837483408343838b82f093c782dd8d9e82dd82dc82b781420a955c8ea682b782e9945c97cd0a',
    'これは日本語のテストです。\n設定ファイルを読み込みます。\n表示する能力\n',
  ],
  [
    'euc-jp',
    'a4b3a4eca4cfc6fccbdcb8eca4cea5c6a5b9a5c8a4c7a4b9a1a30ac0dfc4eaa5d5a5a1a5a4a5eba4f2c6c9a4dfb9fea4dfa4dea4b9a1a30a',
    'これは日本語のテストです。\n設定ファイルを読み込みます。\n',
  ],
  [
    'gb18030',
    'd5e2cac7d2bbb8f6bcf2cce5d6d0cec4b5c4b2e2cad4cec4bcfea1a30ac7ebb6c1c8a1c5e4d6c3a1a30a',
    '这是一个简体中文的测试文件。\n请读取配置。\n',
  ],
  [
    'big5',
    'b36fac4fa440add3c163c5e9a4a4a4e5aabab4fab8d5c0c9aed7a1430abdd0c5aaa8fab35da977a1430a',
    '這是一個繁體中文的測試檔案。\n請讀取設定。\n',
  ],
  [
    'euc-kr',
    'c0ccb0cdc0ba20c7d1b1b9beee20bdc3c7e820c6c4c0cfc0d4b4cfb4d92e0abcb3c1a4c0bb20c0d0bdc0b4cfb4d92e0a',
    '이것은 한국어 시험 파일입니다.\n설정을 읽습니다.\n',
  ],
  [
    'windows-1251',
    'ddf2ee20f4e0e9eb20f120f0f3f1f1eae8ec20f2e5eaf1f2eeec2e0acff0eef7e8f2e0e9f2e520ede0f1f2f0eee9eae82e0a',
    'Это файл с русским текстом.\nПрочитайте настройки.\n',
  ],
  [
    'koi8-r',
    'fcd4cf20c6c1cacc20d320d2d5d3d3cbc9cd20d4c5cbd3d4cfcd2e0af0d2cfdec9d4c1cad4c520cec1d3d4d2cfcacbc92e0a',
    'Это файл с русским текстом.\nПрочитайте настройки.\n',
  ],
];

describe.each(samples)('%s', (name, hex, text) => {
  const bytes = Buffer.from(hex, 'hex');

  test('is detected by its script', () =>
    expect(detectEncoding(bytes, true)).toEqual({
      name,
      markBytes: 0,
      isDamaged: false,
      knownBy: isMultiByte(name) ? undefined : 'guess',
    }));

  test('is detected in a sample that cuts a character', () =>
    expect(detectEncoding(bytes.subarray(0, bytes.length - 6), false)?.name).toBe(name));

  test('survives decoding and encoding', () => {
    expect(decodeText(bytes, name)).toBe(text);
    expect(encodeText(text, name)).toEqual(bytes);
  });

  test('is edited in its own bytes', async () => {
    const [first = '', second = ''] = text.split('\n');
    const request = {
      path: '/f',
      oldText: second,
      newText: `x${first}`,
      replaceAll: false,
      exactOnly: false,
      maxDiffLines: 9,
    };
    const { slices } = await planEdit(bytes, { name, markBytes: 0, isDamaged: false }, request);
    expect(decodeText(Buffer.concat(slices), name)).toBe(text.replace(second, () => `x${first}`));
  });

  test('lacks some characters', () => expect(encodeText('\u{1f44d}', name)).toBeUndefined());
});

test('half a character never matches another character', async () => {
  // The second bytes of the three characters are a backslash each.
  const bytes = encodeText('表示能力ソ', 'shift_jis') ?? Buffer.of();
  expect(bytes.includes(0x5c)).toBe(true);
  const request = { path: '/f', oldText: '\\', newText: '/', replaceAll: true, exactOnly: false, maxDiffLines: 9 };
  await expect(planEdit(bytes, { name: 'shift_jis', markBytes: 0, isDamaged: false }, request)).rejects.toMatchObject({
    code: 'no_match',
  });
  expect(characterStart(bytes, 0, 1, 'shift_jis')).toBe(2);
  expect(characterStart(bytes, 0, 2, 'shift_jis')).toBe(2);
});

table([
  'd\u00e9j\u00e0 vu, na\u00efve, r\u00e9sum\u00e9, \u00e9t\u00e9, gar\u00e7on',
  '\u00c4pfel, \u00d6l, \u00dcbung, Stra\u00dfe, Gr\u00fc\u00dfe',
  '\u00bfQu\u00e9 pas\u00f3? \u00a1Ma\u00f1ana!',
  '\u00c5ngstr\u00f6m, sm\u00f8rrebr\u00f8d, f\u00e6rdig',
  'COPYRIGHT \u00a9 2001 \u00ab\u00c9cole Sup\u00e9rieure\u00bb',
])('western text is detected as western', (text) =>
  expect(detectEncoding(Buffer.from(text, 'latin1'), true)?.name).toBe('windows-1252'),
);

test('single-byte encodings are not detected as multi-byte', () =>
  expect(['windows-1252', 'windows-1251', 'koi8-r', 'utf-8'].some(isMultiByte)).toBe(false));
