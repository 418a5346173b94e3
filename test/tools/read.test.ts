import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultLimits, type Limits } from '../../src/core/limits.js';
import { hostFiles } from '../../src/files/host-files.js';
import { ReadLedger } from '../../src/state/read-ledger.js';
import { readTool } from '../../src/tools/read.js';
import { toolContext } from '../support/call-scope.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface ReadInput {
  readonly offset?: number;
  readonly limit?: number;
  readonly column?: number;
}

function reader(content: string | Uint8Array, limits: Partial<Limits['read']> = {}) {
  const root = temporaryFolder();
  const path = join(root, 'a.txt');
  writeFileSync(path, content);
  const files = hostFiles({ root, limits: defaultLimits });
  const tool = readTool({ files, ledger: new ReadLedger(), limits: { ...defaultLimits.read, ...limits } });
  const read = (input: ReadInput = {}) => tool.execute({ file_path: path, ...input }, toolContext());
  return { path, read, output: async (input: ReadInput = {}) => (await read(input)).output };
}

describe('what is shown', () => {
  const rows: readonly {
    readonly name: string;
    readonly content: string | Uint8Array;
    readonly input?: ReadInput;
    readonly output: string;
  }[] = [
    { name: 'numbered lines without padding', content: 'a\nb\n', output: '1\ta\n2\tb' },
    { name: 'a last line without a line break', content: 'a\nb', output: '1\ta\n2\tb' },
    { name: 'an empty last line', content: 'a\n\n', output: '1\ta\n2\t' },
    { name: 'no carriage returns', content: 'm\r\nn\r\n', output: '1\tm\n2\tn' },
    { name: 'no byte order mark', content: '\ufeffa\n', output: '1\ta' },
    { name: 'an empty file in words', content: '', output: '[The file is empty]' },
    { name: 'a file that holds only a byte order mark in words', content: '\ufeff', output: '[The file is empty]' },
    { name: 'lines from an offset', content: 'q\nr\ns\n', input: { offset: 3 }, output: '3\ts' },
    {
      name: 'where to read on',
      content: 'q\nr\ns\n',
      input: { limit: 2 },
      output: '1\tq\n2\tr\n[More lines follow; read on with offset: 3]',
    },
    { name: 'nothing to read on at the end', content: 'q\nr\n', input: { limit: 2 }, output: '1\tq\n2\tr' },
    {
      name: 'that the offset is past the end',
      content: 'q\nr\n',
      input: { offset: 3 },
      output: '[The file ends at line 2; offset 3 is past the end]',
    },
    {
      name: 'that the offset is far past the end',
      content: 'q\nr',
      input: { offset: 99 },
      output: '[The file ends at line 2; offset 99 is past the end]',
    },
    {
      name: 'UTF-16 with its mark',
      content: Buffer.from('\ufeffa\u010a\r\nb\r\n', 'utf16le'),
      output: '1\ta\u010a\n2\tb\n[Stored as utf-16le; edits keep that]',
    },
    {
      name: 'UTF-16 without a mark',
      content: Buffer.from('hello\nworld\n', 'utf16le'),
      output: '1\thello\n2\tworld\n[Stored as utf-16le; edits keep that]',
    },
    { name: 'Latin-1', content: Buffer.from('66e00a', 'hex'), output: '1\tf\u00e0\n[Stored as windows-1252; edits keep that]' },
  ];
  test.each(rows)('$name', async ({ content, input, output: expected }) => {
    const { output } = reader(content);
    expect(await output(input)).toBe(expected);
  });

  test('bytes that are no UTF-8, said in a notice', async () => {
    const { output } = reader(Buffer.concat([Buffer.from('\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc'), Buffer.from([0xff, 0x0a])]));
    expect(await output()).toContain('\ufffd\n[Some bytes are not valid UTF-8');
  });

  test('facts for programs', async () => {
    const { read, path } = reader('a\nb\nc\n');
    expect((await read({ offset: 2, limit: 1 })).metadata).toEqual({
      filePath: path,
      size: 6,
      startLine: 2,
      lineCount: 1,
      encoding: 'utf-8',
      truncated: true,
      nextOffset: 3,
    });
    expect((await read()).metadata).toMatchObject({ totalLines: 3, truncated: false });
  });
});

describe('long files and lines', () => {
  test('a page ends at the most lines and the next one begins there', async () => {
    const { output } = reader(Array.from({ length: 25 }, (_, index) => `line ${index + 1}\n`).join(''), { maxLines: 10 });
    const first = await output();
    expect(first).toMatch(/^1\tline 1\n[\s\S]*10\tline 10\n\[More lines follow; read on with offset: 11\]$/);
    expect(await output({ offset: 21 })).toMatch(/^21\tline 21\n[\s\S]*25\tline 25$/);
  });

  test('a page ends at the most characters', async () => {
    const { output } = reader('12345\n'.repeat(100), { maxChars: 40 });
    const text = await output();
    expect(text.split('\n').length).toBe(6);
    expect(text).toContain('offset: 6');
  });

  test('a long line is cut and the notice names offset and column', async () => {
    const { output } = reader(`a\n${'x'.repeat(30)}\nb\n`, { maxLineChars: 10 });
    expect(await output()).toBe(`1\ta\n2\t${'x'.repeat(10)}\n3\tb\n[Line 2 is cut; read on with offset: 2, column: 11]`);
    expect(await output({ offset: 2, column: 11 })).toBe(`2\t${'x'.repeat(20)}\n3\tb`);
  });

  test('several cut lines are named', async () => {
    const { output } = reader(`${'x'.repeat(12)}\n${'y'.repeat(12)}\n`, { maxLineChars: 10 });
    expect(await output()).toContain('[Lines 1, 2 are cut at 10 characters; read on with offset: 1, column: 11]');
  });

  test('a cut never splits a surrogate pair', async () => {
    const { output } = reader(`${'x'.repeat(9)}\u{1f44d}y\n`, { maxLineChars: 10 });
    expect(await output()).toBe(`1\t${'x'.repeat(9)}\n[Line 1 is cut; read on with offset: 1, column: 10]`);
    expect(await output({ column: 10 })).toBe('1\t\u{1f44d}y');
  });

  test.each([
    ['utf-8', (text: string) => Buffer.from(text)],
    ['utf-16le', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('one endless line in %s is read to its end page by page', async (_name, store) => {
    const content = Array.from({ length: 90_000 }, (_, index) => `${index}\u00e4\u{1f44d}`).join(' ');
    const { output } = reader(store(`${content}\nlast\n`));
    let text = '';
    let input: ReadInput | undefined = {};
    for (let page = 0; input !== undefined; page++) {
      expect(page).toBeLessThan(50);
      const shown: string = await output(input);
      text += /^1\t(.*)$/m.exec(shown)?.[1] ?? '';
      const next = /read on with offset: 1, column: (\d+)/.exec(shown);
      input = next === null ? undefined : { offset: 1, column: Number(next[1]) };
    }
    expect(text).toBe(content);
  });

  test('any page of a file with lines of every length is what splitting the text gives', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `${index} ${'\u00e4b'.repeat((index * 7_919) % 173)}`);
    const { output } = reader(lines.map((line) => `${line}\r\n`).join(''));
    for (const offset of [1, 2, 300, 2_345, 4_000, 4_991]) {
      const expected = lines.slice(offset - 1, offset + 9).map((line, index) => `${offset + index}\t${line}`);
      expect((await output({ offset, limit: 10 })).split('\n').slice(0, expected.length)).toEqual(expected);
    }
  });
});

describe('what is refused', () => {
  test('a binary file, with its type and size', async () => {
    const { read } = reader(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 0, 5]));
    await expect(read()).rejects.toMatchObject({ code: 'unsupported_file', message: expect.stringMatching(/ELF program.*10 bytes/) });
  });

  test('bytes that are no text in any encoding', async () => {
    const { read } = reader(Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 37) % 256)));
    await expect(read()).rejects.toMatchObject({ code: 'unsupported_file' });
  });
});
