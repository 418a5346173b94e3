import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles, ReadLedger } from 'toolwright/files';
import { readTool, writeTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../src/index.js';
import { toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { codeOf } from '../support/undo-workspace.js';

function workspace(
  options: { readonly readBeforeWrite?: boolean } = {},
  limits: Limits['write'] = defaultLimits.write,
) {
  const root = temporaryFolder();
  const files = hostFiles({ root, limits: defaultLimits });
  const ledger = new ReadLedger();
  const read = readTool({ files, ledger, limits: defaultLimits.read });
  const write = writeTool({ files, ledger, limits, ...options });
  const at = (name: string) => join(root, name);
  return {
    root,
    at,
    put: (name: string, bytes: string | Uint8Array) => writeFileSync(at(name), bytes),
    text: (name: string) => readFileSync(at(name), 'utf8'),
    read: (name: string) => read.execute({ file_path: at(name) }, toolContext()),
    write: (name: string, content: string) => write.execute({ file_path: at(name), content }, toolContext()),
  };
}

describe('a new file', () => {
  test('has the given bytes, in created folders', async () => {
    const { write, at } = workspace();
    await write('n/m/o.txt', 'p\r\n👍\n$&');
    expect(readFileSync(at('n/m/o.txt')).toString('hex')).toBe(Buffer.from('p\r\n👍\n$&').toString('hex'));
  });

  test('may be empty', async () => {
    const { write, text } = workspace();
    expect((await write('e', '')).output).toContain('0 lines');
    expect(text('e')).toBe('');
  });

  test('has the mode of the umask', async () => {
    const { write, at, put } = workspace();
    await write('a', 'x');
    put('b', 'x');
    expect(statSync(at('a')).mode).toBe(statSync(at('b')).mode);
  });

  test('is confirmed with its line count and a diff', async () => {
    const { write, at } = workspace();
    const result = await write('a.txt', 'one\ntwo');
    expect(result.output).toBe(`Created ${at('a.txt')} (2 lines).`);
    expect(result.metadata).toMatchObject({ type: 'create', lineCount: 2, added: 2, removed: 0 });
    expect(result.metadata?.diff).toBe(
      `--- /dev/null\n+++ ${at('a.txt')}\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file`,
    );
  });
});

describe('an existing file', () => {
  test('is replaced, and changed lines are counted', async () => {
    const { write, put, text, at } = workspace();
    put('a', 'one\ntwo\n');
    const result = await write('a', 'one\n2\nthree\n');
    expect(text('a')).toBe('one\n2\nthree\n');
    expect(result.output).toBe(`Updated ${at('a')} (3 lines, +2 -1).`);
  });

  test('keeps its mode', async () => {
    const { write, put, at } = workspace();
    put('a', 'x');
    chmodSync(at('a'), 0o640);
    await write('a', 'y');
    expect(statSync(at('a')).mode & 0o7777).toBe(0o640);
  });

  const stored = [
    ['CRLF', 'utf8', 'old\r\nold\r\n', 'one\ntwo\n', 'one\r\ntwo\r\n', 'CRLF line ends'],
    ['LF', 'utf8', 'old\nold\n', 'one\r\ntwo\n', 'one\ntwo\n', 'LF line ends'],
    ['CR', 'utf8', 'old\rold\r', 'one\ntwo\n', 'one\rtwo\r', 'CR line ends'],
    ['mostly CRLF', 'utf8', 'a\r\nb\nc\r\n', 'one\ntwo\n', 'one\r\ntwo\r\n', 'CRLF line ends'],
    ['a mark in UTF-8 and CRLF', 'utf8', '\ufeffold\r\n', 'new\n', '\ufeffnew\r\n', 'byte order mark, CRLF line ends'],
    ['UTF-16, mark', 'utf16le', '\ufeffold\r\n', 'new\r\n', '\ufeffnew\r\n', 'encoding (utf-16le), byte order mark'],
    ['UTF-16', 'utf16le', 'older\r\n', 'new ä\n', 'new ä\r\n', 'encoding (utf-16le), CRLF line ends'],
    ['Latin-1', 'latin1', 'Müller und Käse\n', 'ä\n', 'ä\n', 'encoding (a guess: windows-1252)'],
  ] as const;
  test('keeps its encoding and line endings', () =>
    eachRow(stored, async ([, encoding, before, content, after, kept]) => {
      const { write, put, at } = workspace();
      put('a', Buffer.from(before, encoding));
      const { output } = await write('a', content);
      expect(readFileSync(at('a')).toString('hex')).toBe(Buffer.from(after, encoding).toString('hex'));
      expect(output.split('\n')[1]).toBe(`[The file keeps its ${kept}]`);
    }));

  test('keeps a legacy encoding', async () => {
    const { write, put, at } = workspace();
    put(
      'a',
      Buffer.from(
        '23636f64696e673a206370313235310ac2a2ecc7eafe2020cde5ebfcf1eee820eee3e8f0ebefe0edf2e02ec2a2ecc7eafe0a',
        'hex',
      ),
    );
    expect((await write('a', '#coding: cp1251\nда\n')).output).toContain(
      '[The file keeps its encoding (windows-1251)]',
    );
    expect(readFileSync(at('a')).toString('hex')).toBe('23636f64696e673a206370313235310ae4e00a');
  });

  const rows = [
    ['with as many line ends of one kind as of the other', 'a\r\nb\n'],
    ['without line ends', 'a'],
  ] as const;
  test('with mixed line endings gets those of the call', () =>
    eachRow(rows, async ([, before]) => {
      const { write, put, text, at } = workspace();
      put('a', before);
      expect((await write('a', 'one\r\ntwo\n')).output).toMatch(new RegExp(`^Updated ${at('a')} \\([^\\n]*$`));
      expect(text('a')).toBe('one\r\ntwo\n');
    }));

  test('becomes UTF-8 if its encoding lacks a character, and the result says so', async () => {
    const { write, put, text } = workspace();
    put('a', Buffer.from('# coding: cp1252\r\nMüller\r\n', 'latin1'));
    const { output } = await write('a', 'ä → b\n');
    expect(text('a')).toBe('ä → b\r\n');
    expect(output).toContain(
      '[The file was stored as windows-1252, which has no bytes for "→" (U+2192); now it is UTF-8]',
    );
    expect(output).toContain('[The file keeps its CRLF line ends]');
  });

  test('has a diff without lines that differ only in line endings', async () => {
    const { write, put } = workspace();
    put('a', 'one\r\ntwo\r\nthree\r\n');
    expect((await write('a', 'one\n2\nthree\n')).metadata).toMatchObject({ added: 1, removed: 1 });
  });

  test('is not replaced by content with a line for omitted code, unless it has such a line', async () => {
    const { write, put, text } = workspace();
    const content = 'function a() {}\n// ... rest of the code\n';
    put('a', 'function a() {}\nfunction b() {}\n');
    await expect(write('a', content)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(
        /^The line "\/\/ \.\.\. rest of the code" is a placeholder for .* Send the whole content, or .* Edit\.$/,
      ),
    });
    expect(text('a')).toContain('function b');
    put('a', 'x\n/* ... unchanged ... */\n');
    await write('a', content);
    await write('new', content);
    put('guide.md', 'Send the whole file.\n');
    await write('guide.md', content);
    expect([text('a'), text('new'), text('guide.md')]).toEqual([content, content, content]);
  });

  test('that is too large to be compared is replaced if its version is the one that was read', async () => {
    const { write, read, put, text } = workspace(
      { readBeforeWrite: true },
      { ...defaultLimits.write, maxFileBytes: 10 },
    );
    put('a', 'x'.repeat(20));
    await expect(write('a', 'new')).rejects.toMatchObject({ code: 'file_changed' });
    await read('a');
    await write('a', 'new');
    expect(text('a')).toBe('new');
    put('b', 'x'.repeat(20));
    await read('b');
    put('b', 'changed'.repeat(20));
    await expect(write('b', 'new')).rejects.toMatchObject({ code: 'file_changed' });
  });

  test('behind a link inside is written, and the link stays', async () => {
    const { write, put, at, text } = workspace();
    put('a', 'x');
    symlinkSync('a', at('l'));
    await write('l', 'y');
    expect(text('a')).toBe('y');
    expect(
      readdirSync(at('.'), { withFileTypes: true })
        .find(({ name }) => name === 'l')
        ?.isSymbolicLink(),
    ).toBe(true);
  });

  test('with two hard links inside keeps both', async () => {
    const { write, put, at, text } = workspace();
    put('a', 'a long old text');
    mkdirSync(at('d'));
    linkSync(at('a'), at('d/b'));
    await write('a', 'y');
    expect(text('d/b')).toBe('y');
    expect(statSync(at('a')).ino).toBe(statSync(at('d/b')).ino);
  });

  test('with a hard link outside is detached', async () => {
    const { write, put, at, text } = workspace();
    const outside = join(temporaryFolder(), 'secret.txt');
    writeFileSync(outside, 'OUTSIDE');
    linkSync(outside, at('a'));
    const { output } = await write('a', 'y');
    expect(readFileSync(outside, 'utf8')).toBe('OUTSIDE');
    expect(text('a')).toBe('y');
    expect(output).toContain('hard links');
    put('b', '');
  });
});

describe('refused writes, which leave the file unchanged', () => {
  test('a file that changed since it was read', async () => {
    const { write, put, read, text } = workspace();
    put('a', 'one\n');
    await read('a');
    put('a', 'two\n');
    expect(await codeOf(write('a', 'three\n'))).toBe('file_changed');
    expect(text('a')).toBe('two\n');
  });

  test('with readBeforeWrite, a file that was not read', async () => {
    const { write, put, read, text } = workspace({ readBeforeWrite: true });
    put('a', 'one\n');
    expect(await codeOf(write('a', 'two\n'))).toBe('file_changed');
    await read('a');
    await write('a', 'two\n');
    await write('a', 'three\n');
    expect(text('a')).toBe('three\n');
    expect(await codeOf(write('new', 'x'))).toBe('ok');
  });

  test('a redaction mark that the file does not contain', async () => {
    const { write, put, text } = workspace();
    put('a', 'k=1\n');
    expect(await codeOf(write('a', 'k=[REDACTED]\n'))).toBe('redaction_in_edit');
    expect(await codeOf(write('new', 'k=[REDACTED:key]\n'))).toBe('redaction_in_edit');
    expect(text('a')).toBe('k=1\n');
  });

  test('a folder, a path that ends with a slash, and a file in place of a folder', async () => {
    const { write, put, at } = workspace();
    mkdirSync(at('d'));
    put('f', 'x');
    expect(await codeOf(write('d', 'x'))).toBe('not_a_file');
    expect(await codeOf(write('new/', 'x'))).toBe('not_a_file');
    expect(await codeOf(write('f/x', 'x'))).toBe('not_a_file');
    expect(existsSync(at('new'))).toBe(false);
  });

  test('half a surrogate pair', async () => {
    const { write, at } = workspace();
    expect(await codeOf(write('a', 'x\udc4d'))).toBe('invalid_input');
    expect(existsSync(at('a'))).toBe(false);
  });
});

test('a zero character is written, and the result says that the file is binary now', async () => {
  const { write, text } = workspace();
  expect((await write('a.txt', 'b\0c')).output).toContain('[The text contains a NUL character');
  expect(text('a.txt')).toBe('b\0c');
});

test('a file too large to compare is written without a diff, and the result says so', async () => {
  const { write, put, at, text } = workspace({}, { ...defaultLimits.write, maxFileBytes: 20 });
  put('a.txt', 'x\n'.repeat(20));
  const { output, metadata } = await write('a.txt', 'b\n');
  expect(output).toBe(`Updated ${at('a.txt')} (1 line).\n[The file was too large to be compared with the new content]`);
  expect(metadata).toEqual({ filePath: at('a.txt'), type: 'update', lineCount: 1, size: 2 });
  expect(text('a.txt')).toBe('b\n');
});
