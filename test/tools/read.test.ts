import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles, ReadLedger } from 'toolwright/files';
import { readTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../src/index.js';
import { toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
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

const hex = (text: string) => Buffer.from(text, 'hex');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('the output', () => {
  const latin =
    'The encoding is a guess (windows-1252), so characters beyond ASCII may be wrong. Edits keep the bytes of ' +
    'these characters. An edit cannot add a character whose bytes are not certain until the file declares its encoding';
  const rows: readonly (readonly [what: string, content: string | Uint8Array, output: string, input?: ReadInput])[] = [
    ['numbered lines without padding', 'a\nb\n', '1\ta\n2\tb'],
    ['a last line without a line break', 'a\nb', '1\ta\n2\tb'],
    ['an empty last line', 'a\n\n', '1\ta\n2\t'],
    ['no carriage returns', 'm\r\nn\r\n', '1\tm\n2\tn'],
    ['a byte order mark in words only', '\ufeffa\n', '1\ta\n[Begins with a UTF-8 byte order mark; edits keep it]'],
    ['an empty file in words', '', '[The file is empty]'],
    ['a mark alone', '\ufeff', '[The file is empty]\n[Begins with a UTF-8 byte order mark; edits keep it]'],
    ['lines from an offset', 'q\nr\ns\n', '3\ts', { offset: 3 }],
    ['where to read on', 'q\nr\ns\n', '1\tq\n2\tr\n[Lines 1-2 of 3; read on with offset: 3]', { limit: 2 }],
    ['nothing to read on at the end', 'q\nr\n', '1\tq\n2\tr', { limit: 2 }],
    ['an offset past the end', 'q\nr\n', '[The file ends at line 2; offset 3 is past the end]', { offset: 3 }],
    ['one far past the end', 'q\nr', '[The file ends at line 2; offset 99 is past the end]', { offset: 99 }],
    ['UTF-16', utf16('\ufeffa\u010a\r\nb\r\n'), '1\ta\u010a\n2\tb\n[Stored as utf-16le; edits keep this encoding]'],
    ['UTF-16, no mark', utf16('hello\nworld\n'), '1\thello\n2\tworld\n[Stored as utf-16le; edits keep this encoding]'],
    ['Latin-1', hex('66e00a'), `1\tf\u00e0\n[${latin}]`],
  ];
  test('shows each file in its form', () =>
    eachRow(rows, async ([, content, expected, input]) => {
      const { output } = reader(content);
      expect(await output(input)).toBe(expected);
    }));

  test('shows invalid UTF-8 with a notice', async () => {
    const { output } = reader(
      Buffer.concat([Buffer.from('\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc'), Buffer.from([0xff, 0x0a])]),
    );
    expect(await output()).toContain('\ufffd\n[Some bytes are not valid UTF-8');
  });

  test('has facts in metadata', async () => {
    const { read, path } = reader('a\nb\nc\n');
    expect((await read({ offset: 2, limit: 1 })).metadata).toEqual({
      filePath: path,
      size: 6,
      totalLines: 3,
      startLine: 2,
      lineCount: 1,
      encoding: 'utf-8',
      truncated: true,
      nextOffset: 3,
    });
    expect((await read()).metadata).toMatchObject({ totalLines: 3, truncated: false });
  });
});

describe('content unlike the beginning of a file is detected on its page', () => {
  const ascii = 'abc\n'.repeat(40_000);
  const umlauts = 'äöü\n'.repeat(20_000);
  const pages: readonly (readonly [
    what: string,
    head: string | Buffer,
    tail: Buffer,
    shown: string,
    notice?: string,
  ])[] = [
    ['Latin-1 after ASCII', ascii, hex('e46b0a'), 'äk', '[The encoding is a guess (windows-1252)'],
    ['Japanese after ASCII', ascii, hex('82b182f182c982bf82cd0a'), 'こんにちは', '[Stored as shift_jis'],
    ['a broken byte after UTF-8', umlauts, hex('e46b0a'), '\ufffdk', '[Some bytes are not valid UTF-8'],
    ['a broken byte behind a mark', `\ufeff${ascii}`, hex('e46b0a'), '\ufffdk', '[Some bytes are not valid UTF-8'],
    ['half a character', utf16(`\ufeff${ascii}`), hex('00d86b000a00'), '\ufffdk', '[Some bytes are not valid utf-16le'],
    ['a replacement character that is stored', umlauts, Buffer.from('\ufffdk\n'), '\ufffdk'],
    ['the first letters beyond ASCII', ascii, Buffer.from('äk\n'), 'äk'],
  ];
  test('after many lines', () =>
    eachRow(pages, async ([, head, tail, shown, notice]) => {
      const lines = head.toString(Buffer.isBuffer(head) ? 'utf16le' : 'utf8').split('\n').length;
      const { output } = reader(Buffer.concat([Buffer.from(head as string), tail]));
      const text = await output({ offset: lines });
      expect(text.split('\n')[0]).toBe(`${lines}\t${shown}`);
      expect(text.includes('\ufffd;') || text.includes('guess') || text.includes('shift_jis')).toBe(
        notice !== undefined,
      );
      if (notice !== undefined) expect(text).toContain(notice);
    }));

  test('after a beginning with a byte order mark', async () => {
    const { output, read } = reader(Buffer.from('efbbbf61e46b0a', 'hex'));
    expect(await output()).toContain('[Some bytes are not valid UTF-8');
    expect((await read()).metadata).toMatchObject({ encoding: 'utf-8', bom: true });
  });

  const zeroAfter = [
    ['after ASCII', 'abc\n'],
    ['after UTF-8', 'äöü\n'],
  ] as const;
  test('a page with a zero byte is not text', () =>
    eachRow(zeroAfter, async ([, line]) => {
      const { read, output } = reader(`${line.repeat(40_000)}x\0y\nz\n`);
      expect(await output({ limit: 1 })).toContain(line.trim());
      await expect(read({ offset: 40_001, limit: 1 })).rejects.toMatchObject({ code: 'unsupported_file' });
      expect(await output({ offset: 40_002 })).toBe('40002\tz');
    }));

  test('an invalid byte after the cut of a long line is not reported', async () => {
    const { output } = reader(Buffer.concat([Buffer.from(`ä${'x'.repeat(900_000)}`), Buffer.from('e40a', 'hex')]));
    expect(await output({ limit: 1 })).not.toContain('not valid');
  });
});

test('a few control characters in a short text do not make it binary', async () => {
  expect(await reader('a\u0007b\n').output()).toBe('1\ta\u0007b');
  expect(await reader('\u0001\n').output()).toBe('1\t\u0001');
  await expect(reader('\u0001\u0002\u0003\u0004').read()).rejects.toMatchObject({ code: 'unsupported_file' });
});

test('a column past the end of the line is reported', async () => {
  const { output } = reader('abc\ndef\n');
  expect(await output({ column: 99 })).toBe('1\t\n2\tdef\n[Line 1 ends at column 3; column 99 is past its end]');
  expect(await output({ offset: 2, column: 4 })).toBe('2\t\n[Line 2 ends at column 3; column 4 is past its end]');
  expect(await output({ column: 3 })).toBe('1\tc\n2\tdef');
  expect(await reader('\nx\n').output({ column: 2 })).toContain('[Line 1 is empty; column 2 is past its end]');
});

describe('long files and lines', () => {
  const long = [
    ['all of which is looked at', 'line\n'.repeat(20_000), undefined, 'Lines 1-1 of 20000'],
    ['without a line feed at its end', `${'line\n'.repeat(20_000)}end`, undefined, 'Lines 1-1 of 20001'],
    ['in UTF-16', Buffer.from(`\ufeff${'line\n'.repeat(20_000)}`, 'utf16le'), undefined, 'More lines follow'],
    ['of which only a page is looked at', 'line\n'.repeat(20_000), 1_000, 'More lines follow'],
  ] as const;
  test('the number of lines is shown if it is known', () =>
    eachRow(long, async ([, content, hashMaxBytes, words]) => {
      const { output } = reader(content, hashMaxBytes === undefined ? {} : { hashMaxBytes });
      expect(await output({ limit: 1 })).toContain(`\n[${words}; read on with offset: 2]`);
    }));

  test('a page ends at the maximum number of lines, and the next one begins there', async () => {
    const { output } = reader(Array.from({ length: 25 }, (_, index) => `line ${index + 1}\n`).join(''), {
      maxLines: 10,
    });
    const first = await output();
    expect(first).toMatch(/^1\tline 1\n[\s\S]*10\tline 10\n\[Lines 1-10 of 25; read on with offset: 11\]$/);
    expect(await output({ offset: 21 })).toMatch(/^21\tline 21\n[\s\S]*25\tline 25$/);
  });

  test('a page ends at the maximum number of characters', async () => {
    const { output } = reader('12345\n'.repeat(100), { maxChars: 40 });
    const text = await output();
    expect(text.split('\n').length).toBe(6);
    expect(text).toContain('offset: 6');
  });

  test('a long line is cut, and the notice names offset and column', async () => {
    const { output } = reader(`a\n${'x'.repeat(30)}\nb\n`, { maxLineChars: 10 });
    expect(await output()).toBe(
      `1\ta\n2\t${'x'.repeat(10)}\n3\tb\n[Line 2 is cut; read on with offset: 2, column: 11]`,
    );
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
    expect(await output({ column: 11 })).toBe('1\t\u{1f44d}y');
  });

  const stored = [
    ['utf-8', (text: string) => Buffer.from(text)],
    ['utf-16le', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['utf-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ] as const;
  test('an endless line is read to its end page by page', () =>
    eachRow(stored, async ([, store]) => {
      const content = Array.from({ length: 45_000 }, (_, index) => `${index}\u00e4\u{1f44d}`).join(' ');
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
    }));

  test('each page of a file with lines of any length equals the split text', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `${index} ${'\u00e4b'.repeat((index * 7_919) % 173)}`);
    const { output } = reader(lines.map((line) => `${line}\r\n`).join(''));
    for (const offset of [1, 2, 300, 1_345, 2_500, 2_991]) {
      const expected = lines.slice(offset - 1, offset + 9).map((line, index) => `${offset + index}\t${line}`);
      expect((await output({ offset, limit: 10 })).split('\n').slice(0, expected.length)).toEqual(expected);
    }
  });
});

describe('refused files', () => {
  test('a binary file, with its type and size', async () => {
    const { read } = reader(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 0, 5]));
    await expect(read()).rejects.toMatchObject({
      code: 'unsupported_file',
      message: expect.stringMatching(/ELF program.*10 bytes/),
    });
  });

  test('bytes that are text in no encoding', async () => {
    const { read } = reader(Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 37) % 256)));
    await expect(read()).rejects.toMatchObject({ code: 'unsupported_file' });
  });
});

describe('credentials', () => {
  const key = ['gh', 'p_ro0WYFxDqcPLFAKEhnn6CpteeaZYNRvC9ndx'].join('');
  const content = `${'x'.repeat(1_990)} ${key} end\n`;
  const scope = () => toolContext();

  const rows = [
    { name: 'are not shown in part where a line is cut, by a tool made on its own', scrub: undefined, shown: false },
    { name: 'are shown in part where that is switched off by name', scrub: false, shown: true },
  ] as const;
  test('are shown in part at a cut only with scrub: false', () =>
    eachRow(rows, async ({ scrub, shown }) => {
      const root = temporaryFolder();
      writeFileSync(join(root, 'a.txt'), content);
      const tool = readTool({
        files: hostFiles({ root }),
        ledger: new ReadLedger(),
        limits: defaultLimits.read,
        scrub,
      });
      const { output } = await tool.execute({ file_path: join(root, 'a.txt') }, scope());
      expect(output.includes(key.slice(0, 6))).toBe(shown);
    }));
});
