import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles, ReadLedger } from 'toolwright/files';
import { editTool, readTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { codeOf } from '../support/undo-workspace.js';

interface EditInput {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

function workspace(options: { readonly readBeforeWrite?: boolean } = {}) {
  const root = temporaryFolder();
  const files = hostFiles({ root, limits: defaultLimits });
  const ledger = new ReadLedger();
  const read = readTool({ files, ledger, limits: defaultLimits.read });
  const edit = editTool({ files, ledger, limits: defaultLimits.write, ...options });
  const path = join(root, 'a.txt');
  return {
    root,
    path,
    put: (bytes: string | Uint8Array) => writeFileSync(path, bytes),
    bytes: () => readFileSync(path),
    text: () => readFileSync(path, 'utf8'),
    read: (page: { readonly offset?: number; readonly column?: number; readonly limit?: number } = {}) =>
      read.execute({ file_path: path, ...page }, toolContext()),
    edit: (input: EditInput, file_path = path) => edit.execute({ file_path, ...input }, toolContext()),
  };
}

test('the preview shows the whole edit', async () => {
  const root = temporaryFolder();
  const files = hostFiles({ root, limits: defaultLimits });
  const edit = editTool({ files, ledger: new ReadLedger(), limits: defaultLimits.write });
  const new_string = `${'x'.repeat(5_000)} the end of a line\n${'line\n'.repeat(1_000)}the last line`;
  const { preview } = await edit.assess({ file_path: join(root, 'a.txt'), old_string: 'a', new_string }, toolContext());
  const shown = typeof preview === 'function' ? await preview() : preview;
  expect(shown).toContain('the end of a line\n+line\n');
  expect(shown).toMatch(/the last line$/);
});

type Row = readonly [name: string, before: string, old: string, made: string, after: string, replaceAll?: boolean];

const hex = (text: string) => Buffer.from(text, 'hex');
const bytesOf = (...parts: readonly (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const ascii = 'abc\n'.repeat(40_000);
const umlauts = 'äöü\n'.repeat(20_000);

describe('edits of a file', () => {
  const rows: readonly Row[] = [
    ['one line', 'x\ny\n', 'y', 'Y', 'x\nY\n'],
    ['a whole line away', 'x\ny\n', 'x\n', '', 'y\n'],
    ['everything away', 'x', 'x', '', ''],
    ['replacement text is literal', 'v=OLD;\n', 'OLD', '$&$1$$$`', 'v=$&$1$$$`;\n'],
    ['search text is literal', 'a+b\n', 'a+b', 'c', 'c\n'],
    ['every special character', 'x[a]{1}(b)*?^$|\\.\r\ny', '[a]{1}(b)*?^$|\\.\ny', 'z', 'xz'],
    ['all of several', 'q q\n', 'q', 'r', 'r r\n', true],
    ['all, with a longer text that holds the old', 'a a', 'a', 'aa', 'aa aa', true],
    ['CRLF kept, LF asked', 'k\r\nl\r\n', 'k\nl', 'm\nn', 'm\r\nn\r\n'],
    ['CRLF kept, CRLF asked', 'k\r\nl\r\n', 'k\r\nl', 'm\r\nn', 'm\r\nn\r\n'],
    ['LF kept, CRLF asked', 'k\nl\n', 'k\r\nl', 'm\r\nn', 'm\nn\n'],
    ['CRLF kept with replace_all', 'k\r\nl\r\nk\r\nl\r\n', 'k\nl\n', 'm\n', 'm\r\nm\r\n', true],
    ['new lines take the ending of the line they split', 'a\r\nb\nc\r\n', 'b', 'x\ny', 'a\r\nx\ny\nc\r\n'],
    ['mixed endings stay where lines stay', 'a\r\nb\nc\r\n', 'a\nb\nc', 'a\nB\nc', 'a\r\nB\nc\r\n'],
    ['a line added between mixed endings', 'a\r\nb\nc', 'a\nb', 'a\nn\nb', 'a\r\nn\r\nb\nc'],
    ['lone carriage returns of an old Mac file', 'k\rl\rm', 'k\nl', 'x\ny', 'x\ry\rm'],
    ['text that starts with a line break', 'a\r\nb\r\n', '\nb', '\nc', 'a\r\nc\r\n'],
    ['BOM kept', '\ufeffk\n', 'k', 'l', '\ufeffl\n'],
    ['other characters kept', 'ü 👍\n', 'ü', 'u', 'u 👍\n'],
    ['no final newline kept', 'a\nb', 'b', 'c', 'a\nc'],
    ['look-alike quotes match', 'say “hi”\u00a0now\n', 'say "hi" now', 'bye', 'bye\n'],
    ['look-alikes on lines that stay', 'a – b\nold\n', 'a - b\nold', 'a - b\nnew', 'a – b\nnew\n'],
    ['trailing white space', 'f() {  \n\treturn 1\t\n}\n', 'f() {\n\treturn 1\n}', 'g()', 'g()\n'],
    ['no-break spaces are white space', 'f() {\u00a0\n\u3000g()\n}\n', 'f() {\n\u3000g()\n}', 'h()', 'h()\n'],
    ['another block', '    if (a)\n        b()\n', 'if (a)\n    c()', 'x', '    if (a)\n        b()\n'],
    [
      'uniform indentation',
      '    if (a)\n        b()\nend\n',
      'if (a)\n    b()\n',
      'if (z)\n    b()\n    c()\n',
      '    if (z)\n        b()\n        c()\nend\n',
    ],
    ['indentation taken away', 'if (a)\n  b()\n', '    if (a)\n      b()', '    if (a)\n      c()', 'if (a)\n  c()\n'],
  ];
  test('by example', () =>
    eachRow(
      rows.map((row) => ({ name: row[0], row })),
      async ({ row }) => {
        const [, before, oldText, newText, after, replaceAll] = row;
        const { put, text, edit } = workspace();
        put(before);
        const code = await codeOf(edit({ old_string: oldText, new_string: newText, replace_all: replaceAll ?? false }));
        if (before === after) expect(code).toBe('no_match');
        expect(text()).toBe(after);
      },
    ));
});

describe('refused edits, which leave the file unchanged', () => {
  type Refusal = readonly [name: string, before: string | Buffer, input: EditInput, code: string];
  const rows: readonly Refusal[] = [
    ['two matches', 'q q\n', { old_string: 'q', new_string: 'r' }, 'not_unique'],
    ['matches that overlap', 'aaa', { old_string: 'aa', new_string: 'b' }, 'not_unique'],
    ['two places, but for line endings', 'a\nb\na\r\nb\r\n', { old_string: 'a\nb', new_string: 'c' }, 'not_unique'],
    ['two look-alike matches', '“a” “a”', { old_string: '"a"', new_string: 'b' }, 'not_unique'],
    ['no match', 'q\n', { old_string: 'z', new_string: 'r' }, 'no_match'],
    ['a byte order mark, no white space', '\ufeffa\ufeff\n', { old_string: '\ufeffa', new_string: 'b' }, 'no_match'],
    ['a form feed at a line end', 'a\f\nb\n', { old_string: 'a\nb', new_string: 'c' }, 'no_match'],
    ['a vertical tab before a line', 'a\n\vb\n', { old_string: 'a\nb', new_string: 'c' }, 'no_match'],
    ['a line separator at a line end', 'a\u2028\nb\n', { old_string: 'a\nb', new_string: 'c' }, 'no_match'],
    ['a page break on a line of its own', 'a\n\f\nb\n', { old_string: 'a\n\nb', new_string: 'c' }, 'no_match'],
    ['a similar block', 'if (a) {\n  b()\n}\n', { old_string: 'if (a) {\n  c()\n}', new_string: 'x' }, 'no_match'],
    ['indentation that is not uniform', ' a\n   b\n', { old_string: 'a\nb', new_string: 'x' }, 'no_match'],
    ['the same text', 'q\n', { old_string: 'q', new_string: 'q' }, 'no_change'],
    ['the same text but for line endings', 'q\r\nr', { old_string: 'q\nr', new_string: 'q\r\nr' }, 'no_change'],
    [
      'a mark from elsewhere',
      'k=secret\n',
      { old_string: 'k=secret', new_string: 'k=[REDACTED]' },
      'redaction_in_edit',
    ],
    ['a mark to find', 'k=secret\n', { old_string: 'k=[REDACTED]', new_string: 'k=1' }, 'redaction_in_edit'],
    ['half a surrogate pair', 'q', { old_string: 'q', new_string: '\ud83d' }, 'invalid_input'],
    ['a character that Latin-1 lacks', hex('e46b0a'), { old_string: 'k', new_string: '中' }, 'unsupported_file'],
    ['a binary file', hex('7f454c46000102000005'), { old_string: 'E', new_string: 'b' }, 'unsupported_file'],
    ['a zero byte far behind text', `${ascii}x\0y\n`, { old_string: 'x', new_string: 'z' }, 'unsupported_file'],
  ];
  test('by example', () =>
    eachRow(rows, async ([, before, input, code]) => {
      const { put, bytes, edit } = workspace();
      put(before);
      expect(await codeOf(edit(input))).toBe(code);
      expect(bytes()).toEqual(Buffer.from(before as string));
    }));

  test('a mark that the file contains is ordinary text', async () => {
    const { put, text, edit } = workspace();
    put('see [REDACTED] here\n');
    await edit({ old_string: 'see [REDACTED]', new_string: 'saw [REDACTED]' });
    expect(text()).toBe('saw [REDACTED] here\n');
  });

  test('the error for a missing file suggests a similar one', async () => {
    const { put, edit, root, path } = workspace();
    put('a');
    await expect(edit({ old_string: 'a', new_string: 'b' }, join(root, 'a.tx'))).rejects.toMatchObject({
      code: 'file_not_found',
      message: expect.stringContaining(path),
    });
  });

  test('a folder is refused', async () => {
    const { edit, root } = workspace();
    mkdirSync(join(root, 'd'));
    expect(await codeOf(edit({ old_string: 'a', new_string: 'b' }, join(root, 'd')))).toBe('not_a_file');
  });

  test('a read-only file is refused', async () => {
    const { put, edit, path, text } = workspace();
    put('a');
    chmodSync(path, 0o444);
    expect(await codeOf(edit({ old_string: 'a', new_string: 'b' }))).toBe('storage_failed');
    expect(text()).toBe('a');
  });
});

const stored: readonly (readonly [what: string, before: Buffer, oldText: string, newText: string, after: Buffer])[] = [
  ['Latin-1', hex('6be90a'), 'ké', 'éö', hex('e9f60a')],
  ['Latin-1 behind ASCII', bytesOf(ascii, hex('6be90a')), 'ké', 'öü', bytesOf(ascii, hex('f6fc0a'))],
  [
    'Japanese behind ASCII',
    bytesOf(ascii, hex('82b182f182c982bf82cd0a')),
    'に',
    'は',
    bytesOf(ascii, hex('82b182f182cd82bf82cd0a')),
  ],
  ['broken bytes far behind UTF-8', bytesOf(umlauts, hex('e46b0a')), 'k', 'ß', bytesOf(umlauts, hex('e4c39f0a'))],
  ['broken bytes before', bytesOf(umlauts, hex('ff0a'), 'old\n'), 'old', 'näw', bytesOf(umlauts, hex('ff0a'), 'näw\n')],
  ['a zero character in UTF-16, which has room for it', utf16('abc\n'), 'a', 'b\0c', utf16('b\0cbc\n')],
  ['no second mark at the start', bytesOf('\ufeffx y\n'), 'x', '\ufeffz', bytesOf('\ufeffz y\n')],
  ['no second mark at the start, in UTF-16', utf16('x y\n'), 'x', '\ufeffz', utf16('z y\n')],
  ['a mark in the middle, which is text', bytesOf('\ufeffx y\n'), 'y', '\ufeffz', bytesOf('\ufeffx \ufeffz\n')],
  ...[(text: string) => utf16(text), (text: string) => utf16(text).swap16()].map(
    (store, at) =>
      [
        `UTF-16 with its mark and line ends, ${at}`,
        store('\u010aone\r\n\u0a0dtwo\r\n'),
        'one\n\u0a0dtwo',
        'one\nmore\n\u0a0d2',
        store('\u010aone\r\nmore\r\n\u0a0d2\r\n'),
      ] as const,
  ),
];
test('new text gets the encoding and line endings of the file, and other bytes stay', () =>
  eachRow(stored, async ([, before, old_string, new_string, after]) => {
    const { put, bytes, edit } = workspace();
    put(before);
    expect((await edit({ old_string, new_string })).output).not.toContain('zero character');
    expect(bytes().equals(after)).toBe(true);
  }));

test('a zero character is written, and the result says that the file is binary now', async () => {
  const { put, text, edit } = workspace();
  put('a\n');
  expect((await edit({ old_string: 'a', new_string: 'b\0c' })).output).toContain('[The text contains a NUL character');
  expect(text()).toBe('b\0c\n');
  expect(await codeOf(edit({ old_string: 'b', new_string: 'd' }))).toBe('unsupported_file');
});

describe('changes since the file was read', () => {
  test('an edit is refused if the old text is gone', async () => {
    const { put, read, edit, text } = workspace();
    put('a\n');
    await read();
    put('z\n');
    expect(await codeOf(edit({ old_string: 'a', new_string: 'b' }))).toBe('file_changed');
    expect(text()).toBe('z\n');
  });

  test('an edit is applied with a note if the old text still occurs once', async () => {
    const { put, read, edit, text } = workspace();
    put('a\nb\n');
    await read();
    put('a\nb\nc\n');
    const { output } = await edit({ old_string: 'b', new_string: 'B' });
    expect(text()).toBe('a\nB\nc\n');
    expect(output).toContain('had changed since it was read');
  });

  test('rewriting the same content is not a change', async () => {
    const { put, read, edit } = workspace();
    put('a b\n');
    await read();
    put('a b\n');
    const { metadata } = await edit({ old_string: 'a', new_string: 'c' });
    expect(metadata).toMatchObject({ stale: false });
  });

  test("the session's own edits are not changes", async () => {
    const { put, read, edit, text } = workspace();
    put('a b\n');
    await read();
    await edit({ old_string: 'a', new_string: 'c' });
    const { metadata } = await edit({ old_string: 'b', new_string: 'd' });
    expect(metadata).toMatchObject({ stale: false });
    expect(text()).toBe('c d\n');
  });

  test('with readBeforeWrite, a file must be read and unchanged', async () => {
    const { put, read, edit, text } = workspace({ readBeforeWrite: true });
    put('a\n');
    expect(await codeOf(edit({ old_string: 'a', new_string: 'b' }))).toBe('file_changed');
    await read();
    put('a\nz\n');
    expect(await codeOf(edit({ old_string: 'a', new_string: 'b' }))).toBe('file_changed');
    await read();
    await edit({ old_string: 'a', new_string: 'b' });
    expect(text()).toBe('b\nz\n');
  });

  const rows = [
    ['past the end of the file', 'a\nb\n', { offset: 50 }],
    ['past the end of a line, and that alone', 'a\nb\n', { column: 9, limit: 1 }],
  ] as const;
  test('an empty page does not count as a read', () =>
    eachRow(rows, async ([, content, page]) => {
      const { put, read, edit, text } = workspace({ readBeforeWrite: true });
      put(content);
      await read(page);
      expect(await codeOf(edit({ old_string: 'a', new_string: 'b' }))).toBe('file_changed');
      await read({ offset: 2 });
      await edit({ old_string: 'a', new_string: 'c' });
      expect(text()).toBe('c\nb\n');
    }));

  test('an empty file counts as read', async () => {
    const { put, read, edit } = workspace({ readBeforeWrite: true });
    put('');
    await read();
    expect(await codeOf(edit({ old_string: 'a', new_string: 'b' }))).toBe('no_match');
  });
});

describe('the result of an edit', () => {
  test('is one line with the place, and has the diff and facts in metadata', async () => {
    const { put, edit, path } = workspace();
    put('one\ntwo\nthree\nfour\nfive\nsix\n');
    const result = await edit({ old_string: 'four', new_string: '4' });
    expect(result.output).toBe(`Edited ${path} at line 4.`);
    expect(result.metadata?.diff).toContain('@@ -1,6 +1,6 @@\n one\n two\n three\n-four\n+4\n five\n six');
    expect(result.title).toBe('Edit a.txt');
    expect(result.metadata).toMatchObject({
      filePath: path,
      replacements: 1,
      tier: 'exact',
      line: 4,
      added: 1,
      removed: 1,
    });
  });

  test('counts the places, and shows distant ones as separate hunks', async () => {
    const { put, edit } = workspace();
    put(`x\n${'.\n'.repeat(20)}x\n`);
    const { output, metadata } = await edit({ old_string: 'x', new_string: 'y', replace_all: true });
    expect(output).toMatch(/: 2 replacements, the first at line 1\.$/);
    expect(String(metadata?.diff).match(/^@@.*@@$/gm)).toEqual(['@@ -1,4 +1,4 @@', '@@ -19,4 +19,4 @@']);
  });

  test('names the number and the places of ambiguous matches', async () => {
    const { put, edit } = workspace();
    put('x\ny\nx\n');
    await expect(edit({ old_string: 'x', new_string: 'z' })).rejects.toThrow(/2 places .*line 1, 3/);
  });

  test('shows the nearest lines if nothing matches', async () => {
    const { put, edit } = workspace();
    put('a\nfunction add(left, right) {\n  return left + right;\n}\n');
    const failure = edit({ old_string: 'function add(left, right) {\n  return right + left;\n}', new_string: 'x' });
    await expect(failure).rejects.toThrow(
      /line 2 .*\n function add.*\n- {2}return right \+ left;\n\+ {2}return left \+ right;\n }/,
    );
  });

  test('says that line numbers were copied', async () => {
    const { put, edit } = workspace();
    put('a\nb\n');
    for (const old_string of ['1\ta\n2\tb', '1\ta\n2\tb\n'])
      await expect(edit({ old_string, new_string: 'x' })).rejects.toThrow(/Leave out the line numbers/);
  });
});

test('the mode is kept', async () => {
  const { put, edit, path } = workspace();
  put('a\n');
  chmodSync(path, 0o4751);
  await edit({ old_string: 'a', new_string: 'b' });
  expect(statSync(path).mode & 0o7777).toBe(0o4751);
});

test('a hundred edits of one file at once are all applied', async () => {
  const { put, edit, text } = workspace();
  const names = Array.from({ length: 100 }, (_, index) => `<${index}>`);
  put(names.join('\n'));
  await Promise.all(names.map((name) => edit({ old_string: name, new_string: `${name}!` })));
  expect(text()).toBe(names.map((name) => `${name}!`).join('\n'));
});

describe('similar characters in the old and the new text keep the characters of the file', () => {
  const rows: readonly (readonly [name: string, before: string, oldText: string, newText: string, after: string])[] = [
    ['around a change', 'a ‘x’ b\n', "'x' b", "'x' c", 'a ‘x’ c\n'],
    ['on both sides', '“one” and “two”\n', '"one" and "two"', '"one" or "two"', '“one” or “two”\n'],
    ['on first and last lines', '‘a’\nb\n‘c’\n', "'a'\nb\n'c'", "'a'\nB\n'c'!", '‘a’\nB\n‘c’!\n'],
    ['but not what was changed itself', '‘x’\n', "'x'", '"y"', '"y"\n'],
    ['one line to two', '‘a’ ‘b’\n', "'a' 'b'", "'a'\n'b'", '‘a’\n‘b’\n'],
    ['two lines to one', '‘a’\r\n‘b’\r\n', "'a'\n'b'", "'a', 'b'", '‘a’, ‘b’\r\n'],
    ['nor more than both share', 'a–b\n', 'a-b', 'a--b', 'a–-b\n'],
    ['pairs of surrogates', '‘👍’\n', "'👍'", "'👎'", '‘👎’\n'],
  ];
  test('at every position', () =>
    eachRow(rows, async ([, before, old_string, new_string, after]) => {
      const { put, text, edit } = workspace();
      put(before);
      expect((await edit({ old_string, new_string })).metadata).toMatchObject({ tier: 'look-alikes' });
      expect(text()).toBe(after);
    }));
});

describe('an error shows the difference', () => {
  const rows = [
    ['the line break at the end', 'a\nb', 'b\n', 'The file ends without a line break'],
    ['the line break at the end of a block', 'a\r\nb', 'a\nb\n', 'The file ends without a line break'],
    ['letter case', 'x\ny Foo z\n', 'foo', 'occurs at line 2, but in different letter case'],
    ['letter case over lines', 'x\r\nIF A\r\nB\r\n', 'if a\nb', 'occurs at line 2, but in different letter case'],
    ['an empty file', '', 'a', 'The file is empty'],
    ['an empty file with a mark', '\ufeff', 'a', 'The file is empty'],
    ['no text', Buffer.from('c3bcc3a4c3b6ff20780a', 'hex'), '\ufffd x', 'stands for bytes that are not valid text'],
    ['nothing that is there', 'x\n', 'a\n', 'No similar lines were found'],
  ] as const;
  test('in its message', () =>
    eachRow(rows, async ([, before, oldText, message]) => {
      const { put, edit, bytes } = workspace();
      put(before);
      await expect(edit({ old_string: oldText, new_string: 'n' })).rejects.toMatchObject({
        code: 'no_match',
        message: expect.stringContaining(message),
      });
      expect(bytes()).toEqual(Buffer.from(before));
    }));

  test('for a long block, the late line that differs', async () => {
    const { put, edit } = workspace();
    const block = (last: string) =>
      `${Array.from({ length: 3_000 }, (_, index) => `line number ${index}\n`).join('')}${last}\n`;
    put(block('the end'));
    await expect(edit({ old_string: block('the ending'), new_string: 'n' })).rejects.toMatchObject({
      message: expect.stringContaining('-the ending\n+the end\n'),
    });
  });
});

test('invalid UTF-8 is read and edited as UTF-8, and the invalid byte stays', async () => {
  const { put, bytes, edit, read } = workspace();
  const head = Buffer.from('# Café\nPrice: 5 €\n');
  const tail = Buffer.concat([Buffer.from('x '), Buffer.from([0x96]), Buffer.from(' end\n')]);
  put(Buffer.concat([head, tail]));
  const { output } = await read();
  expect(output).toContain('Price: 5 €');
  expect(output).toContain('x \ufffd end');
  expect(output).toContain('not valid UTF-8');
  await edit({ old_string: 'Price: 5 €', new_string: 'Prís: 6 €' });
  expect(bytes()).toEqual(Buffer.concat([Buffer.from('# Café\nPrís: 6 €\n'), tail]));
});

test('the diff of many replacements shows old and new lines, and counts all', async () => {
  const { put, edit } = workspace();
  put('x\n'.repeat(30_000));
  const { metadata } = await edit({ old_string: 'x', new_string: 'y', replace_all: true });
  const shown = String(metadata?.diff).split('\n');
  expect(shown.filter((line) => line === '-x')).toHaveLength(defaultLimits.write.maxDiffLines / 2);
  expect(shown.filter((line) => line === '+y')).toHaveLength(defaultLimits.write.maxDiffLines / 2);
  expect(metadata).toMatchObject({ replacements: 30_000, added: 30_000, removed: 30_000 });
});
