import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultLimits, type Limits } from '../../src/core/limits.js';
import { hostFiles } from '../../src/files/host-files.js';
import { ReadLedger } from '../../src/state/read-ledger.js';
import { readTool } from '../../src/tools/read.js';
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
    {
      name: 'a byte order mark in words only',
      content: '\ufeffa\n',
      output: '1\ta\n[Begins with a UTF-8 byte order mark; edits keep it]',
    },
    { name: 'an empty file in words', content: '', output: '[The file is empty]' },
    {
      name: 'a file that holds only a byte order mark in words',
      content: '\ufeff',
      output: '[The file is empty]\n[Begins with a UTF-8 byte order mark; edits keep it]',
    },
    { name: 'lines from an offset', content: 'q\nr\ns\n', input: { offset: 3 }, output: '3\ts' },
    {
      name: 'where to read on',
      content: 'q\nr\ns\n',
      input: { limit: 2 },
      output: '1\tq\n2\tr\n[Lines 1-2 of 3; read on with offset: 3]',
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
    {
      name: 'Latin-1',
      content: Buffer.from('66e00a', 'hex'),
      output: '1\tf\u00e0\n[Stored as windows-1252; edits keep that]',
    },
  ];
  test('each file in its form', () =>
    eachRow(rows, async ({ content, input, output: expected }) => {
      const { output } = reader(content);
      expect(await output(input)).toBe(expected);
    }));

  test('bytes that are no UTF-8, said in a notice', async () => {
    const { output } = reader(
      Buffer.concat([Buffer.from('\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc'), Buffer.from([0xff, 0x0a])]),
    );
    expect(await output()).toContain('\ufffd\n[Some bytes are not valid UTF-8');
  });

  test('facts for programs', async () => {
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

describe('what differs from the beginning of a file is seen on the page that shows it', () => {
  const ascii = 'abc\n'.repeat(40_000);
  const umlauts = 'äöü\n'.repeat(20_000);
  const pages: readonly {
    readonly name: string;
    readonly head: string | Buffer;
    readonly tail: Buffer;
    readonly shown: string;
    readonly notice: string | undefined;
  }[] = [
    {
      name: 'Latin-1 after ASCII',
      head: ascii,
      tail: Buffer.from('e46b0a', 'hex'),
      shown: 'äk',
      notice: '[Stored as windows-1252',
    },
    {
      name: 'Japanese after ASCII',
      head: ascii,
      tail: Buffer.from('82b182f182c982bf82cd0a', 'hex'),
      shown: 'こんにちは',
      notice: '[Stored as shift_jis',
    },
    {
      name: 'a broken byte after UTF-8',
      head: umlauts,
      tail: Buffer.from('e46b0a', 'hex'),
      shown: '\ufffdk',
      notice: '[Some bytes are not valid UTF-8',
    },
    {
      name: 'a broken byte in a marked file',
      head: `\ufeff${ascii}`,
      tail: Buffer.from('e46b0a', 'hex'),
      shown: '\ufffdk',
      notice: '[Some bytes are not valid UTF-8',
    },
    {
      name: 'half a character in UTF-16',
      head: Buffer.from(`\ufeff${ascii}`, 'utf16le'),
      tail: Buffer.from('00d86b000a00', 'hex'),
      shown: '\ufffdk',
      notice: '[Some bytes are not valid utf-16le',
    },
    {
      name: 'a replacement character that is stored',
      head: umlauts,
      tail: Buffer.from('\ufffdk\n'),
      shown: '\ufffdk',
      notice: undefined,
    },
    { name: 'the first letters beyond ASCII', head: ascii, tail: Buffer.from('äk\n'), shown: 'äk', notice: undefined },
  ];
  test('on the page behind many lines', () =>
    eachRow(pages, async ({ head, tail, shown, notice }) => {
      const lines = head.toString(Buffer.isBuffer(head) ? 'utf16le' : 'utf8').split('\n').length;
      const { output } = reader(Buffer.concat([Buffer.from(head as string), tail]));
      const text = await output({ offset: lines });
      expect(text.split('\n')[0]).toBe(`${lines}\t${shown}`);
      expect(text.includes('\ufffd;') || text.includes('Stored as windows') || text.includes('shift_jis')).toBe(
        notice !== undefined,
      );
      if (notice !== undefined) expect(text).toContain(notice);
    }));

  test('so is what comes after a marked beginning', async () => {
    const { output, read } = reader(Buffer.from('efbbbf61e46b0a', 'hex'));
    expect(await output()).toContain('[Some bytes are not valid UTF-8');
    expect((await read()).metadata).toMatchObject({ encoding: 'utf-8', bom: true });
  });

  const zeroAfter = [
    ['after ASCII', 'abc\n'],
    ['after UTF-8', 'äöü\n'],
  ] as const;
  test('a page with a zero byte is no text', () =>
    eachRow(zeroAfter, async ([, line]) => {
      const { read, output } = reader(`${line.repeat(40_000)}x\0y\nz\n`);
      expect(await output({ limit: 1 })).toContain(line.trim());
      await expect(read({ offset: 40_001, limit: 1 })).rejects.toMatchObject({ code: 'unsupported_file' });
      expect(await output({ offset: 40_002 })).toBe('40002\tz');
    }));

  test('a broken byte far behind the cut of a long line is not taken for one that is shown', async () => {
    const { output } = reader(Buffer.concat([Buffer.from(`ä${'x'.repeat(900_000)}`), Buffer.from('e40a', 'hex')]));
    expect(await output({ limit: 1 })).not.toContain('not valid');
  });
});

test('a few control characters in a short text do not make it binary', async () => {
  expect(await reader('a\u0007b\n').output()).toBe('1\ta\u0007b');
  expect(await reader('\u0001\n').output()).toBe('1\t\u0001');
  await expect(reader('\u0001\u0002\u0003\u0004').read()).rejects.toMatchObject({ code: 'unsupported_file' });
});

test('a column past the end of the line is said to be', async () => {
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
  test('the number of lines is told where it is known', () =>
    eachRow(long, async ([, content, hashMaxBytes, words]) => {
      const { output } = reader(content, hashMaxBytes === undefined ? {} : { hashMaxBytes });
      expect(await output({ limit: 1 })).toContain(`\n[${words}; read on with offset: 2]`);
    }));

  test('a page ends at the most lines and the next one begins there', async () => {
    const { output } = reader(Array.from({ length: 25 }, (_, index) => `line ${index + 1}\n`).join(''), {
      maxLines: 10,
    });
    const first = await output();
    expect(first).toMatch(/^1\tline 1\n[\s\S]*10\tline 10\n\[Lines 1-10 of 25; read on with offset: 11\]$/);
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
  });

  const stored = [
    ['utf-8', (text: string) => Buffer.from(text)],
    ['utf-16le', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['utf-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ] as const;
  test('one endless line is read to its end page by page', () =>
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

  test('any page of a file with lines of every length is what splitting the text gives', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `${index} ${'\u00e4b'.repeat((index * 7_919) % 173)}`);
    const { output } = reader(lines.map((line) => `${line}\r\n`).join(''));
    for (const offset of [1, 2, 300, 1_345, 2_500, 2_991]) {
      const expected = lines.slice(offset - 1, offset + 9).map((line, index) => `${offset + index}\t${line}`);
      expect((await output({ offset, limit: 10 })).split('\n').slice(0, expected.length)).toEqual(expected);
    }
  });
});

describe('what is refused', () => {
  test('a binary file, with its type and size', async () => {
    const { read } = reader(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 0, 5]));
    await expect(read()).rejects.toMatchObject({
      code: 'unsupported_file',
      message: expect.stringMatching(/ELF program.*10 bytes/),
    });
  });

  test('bytes that are no text in any encoding', async () => {
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
  test('are shown in part, where a line is cut, only if scrubbing is switched off by name', () =>
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
