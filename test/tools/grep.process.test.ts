import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles } from 'toolwright/files';
import { grepTool } from 'toolwright/tools';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HostFilesOptions } from '../../src/files.js';
import type { FileSystem, GrepQuery, GrepResult } from '../../src/index.js';
import { assessed } from '../support/assessed.js';
import { toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function workspace(contents: Readonly<Record<string, string>>, options: Partial<HostFilesOptions> = {}) {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const files = hostFiles({ root, limits: defaultLimits, ...options });
  onTestFinished(() => files[Symbol.asyncDispose]());
  const tool = grepTool({ files, limits: defaultLimits.grep });
  type Input = Parameters<typeof tool.execute>[0];
  return { root, tool, grep: (input: Input) => tool.execute(input, toolContext()) };
}

function scripted(result: Partial<GrepResult>) {
  const asked: GrepQuery[] = [];
  const unused = () => Promise.reject(new Error('not used'));
  const files = {
    root: '/w',
    ...{ resolve: unused, stat: unused, open: unused },
    grep: async (query: GrepQuery) => {
      asked.push(query);
      return { lines: [], truncated: false, engine: 'ripgrep', timedOut: false, ...result };
    },
  } as unknown as FileSystem;
  return { asked, tool: grepTool({ files, limits: defaultLimits.grep, scrub: false }) };
}

describe('Grep', () => {
  test('lists files by default, and names the engine', async () => {
    const { root, grep } = workspace({ 'a.txt': 'foo\n', 'b.txt': 'bar\n' });
    const { output, metadata } = await grep({ pattern: 'foo' });
    expect(output).toBe(join(root, 'a.txt'));
    expect(metadata).toMatchObject({
      engine: expect.stringMatching(/^(ripgrep|javascript)$/),
      count: 1,
      truncated: false,
    });
  });

  test('reports an empty result in every mode', async () => {
    const { grep } = workspace({ 'a.txt': 'x\n' });
    for (const output_mode of ['content', 'count', 'files_with_matches'] as const)
      expect((await grep({ pattern: 'foo', output_mode })).output).toBe('No matches found');
  });

  test('shows 250 lines by default, and says that there are more', async () => {
    const { grep } = workspace({ 'a.txt': 'foo\n'.repeat(400) });
    const lines = (output: string) => output.split('\n');
    const cut = lines((await grep({ pattern: 'foo', output_mode: 'content' })).output);
    expect(cut).toHaveLength(251);
    expect(cut.at(-1)).toBe(
      '[250 lines shown, there are more; narrow the search, or set offset 0 to page through it in path order]',
    );
    expect(lines((await grep({ pattern: 'foo', output_mode: 'content', head_limit: 0 })).output)).toHaveLength(400);
    expect(lines((await grep({ pattern: 'foo', output_mode: 'content', head_limit: 3 })).output)).toHaveLength(4);
    const page = lines((await grep({ pattern: 'foo', output_mode: 'content', head_limit: 10, offset: 390 })).output);
    expect(page).toHaveLength(10);
    const next = lines((await grep({ pattern: 'foo', output_mode: 'content', head_limit: 10, offset: 20 })).output);
    expect(next.at(-1)).toBe('[10 lines shown, there are more; go on with offset 30, or narrow the search]');
  });

  test('gives the total of lines for pages if no file has more than a page', async () => {
    const { grep } = workspace(
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.txt`, 'foo\nfoo\n'])),
    );
    const { output } = await grep({ pattern: 'foo', output_mode: 'content', head_limit: 10, offset: 20 });
    expect(output.split('\n').at(-1)).toBe('[10 of 60 lines shown; go on with offset 30, or narrow the search]');
  });

  test.each([
    ['ripgrep, where it is found', {}],
    ['the JavaScript engine', { ripgrep: false }],
  ] as const)(
    'shows no carriage returns of line ends, and a path with a line break quoted, with %s',
    async (_name, options) => {
      const { root, grep } = workspace({ 'a.txt': 'one\r\nx\ry\r\nlast\r\n', 'b\nc.txt': 'one\r\n' }, options);
      const [plain, quoted] = [join(root, 'a.txt'), JSON.stringify(join(root, 'b\nc.txt'))];
      const shown = async (input: Parameters<typeof grep>[0]) => (await grep({ offset: 0, ...input })).output;
      expect(await shown({ pattern: 'one', output_mode: 'content' })).toBe(`${plain}:1:one\n${quoted}:1:one`);
      expect(await shown({ pattern: 'x', output_mode: 'content', '-C': 1 })).toBe(
        `${plain}-1-one\n${plain}:2:x\ry\n${plain}-3-last`,
      );
      expect(await shown({ pattern: 'on.*', output_mode: 'content', '-o': true, '-n': false })).toBe(
        `${plain}:one\n${quoted}:one`,
      );
      expect(await shown({ pattern: 'one', output_mode: 'count' })).toBe(`${plain}:1\n${quoted}:1`);
      expect((await shown({ pattern: 'one' })).split('\n').sort()).toEqual([quoted, plain].sort());
    },
  );

  test('passes every field on', async () => {
    const { asked, tool } = scripted({});
    const input = {
      pattern: 'p',
      path: '/w/x',
      glob: '*.ts',
      type: 'ts',
      output_mode: 'content',
      '-A': 1,
      '-n': false,
      '-i': true,
      '-o': true,
      context: 4,
      multiline: true,
      head_limit: 0,
      offset: 5,
    } as const;
    await tool.execute(input, toolContext());
    expect(asked).toEqual([
      {
        pattern: 'p',
        path: '/w/x',
        glob: '*.ts',
        type: 'ts',
        mode: 'content',
        before: 4,
        after: 1,
        lineNumbers: false,
        ignoreCase: true,
        onlyMatching: true,
        multiline: true,
        limit: Number.POSITIVE_INFINITY,
        offset: 5,
        limits: defaultLimits.grep,
      },
    ]);
  });

  test('accepts context under each of its names, the narrower one first', async () => {
    const { asked, tool } = scripted({});
    const rows = [
      [{ '-C': 2 }, 2, 2],
      [{ context: 3 }, 3, 3],
      [{ '-C': 2, context: 3 }, 3, 3],
      [{ '-A': 1, '-C': 2 }, 2, 1],
      [{ '-B': 0, '-C': 2 }, 0, 2],
    ] as const;
    for (const [input, before, after] of rows) {
      const parsed = await tool.input.parse({ pattern: 'x', ...input });
      if (!parsed.ok) throw new Error(JSON.stringify(parsed));
      await tool.execute(parsed.value, toolContext());
      expect(asked.at(-1), JSON.stringify(input)).toMatchObject({ before, after });
    }
  });

  test('past the end says how many results there are', async () => {
    const { grep } = workspace({ 'a.txt': 'x\nx\n', 'b.txt': 'x\n' });
    const rows = [
      ['content', 5, '[Nothing past offset 5; there are 3 lines]'],
      ['count', 2, '[Nothing past offset 2; there are 2 lines]'],
      ['files_with_matches', 9, '[Nothing past offset 9; there are 2 files]'],
    ] as const;
    for (const [output_mode, offset, words] of rows)
      expect((await grep({ pattern: 'x', output_mode, offset })).output).toBe(words);
    expect((await grep({ pattern: 'y', output_mode: 'content', offset: 5 })).output).toBe('No matches found');
  });

  test('uses the singular for one', async () => {
    const { grep } = workspace({ 'a.txt': 'x\nx\n', 'b.txt': 'x\n' });
    expect((await grep({ pattern: 'x', output_mode: 'content', head_limit: 1 })).output).toMatch(
      /\n\[1 line shown, there are more;/,
    );
    expect((await grep({ pattern: 'x', head_limit: 1 })).output).toMatch(/\n\[1 of 2 files shown;/);
  });

  test('reports a search that ended early or missed files', async () => {
    expect(
      (await scripted({ lines: ['/w/a'], timedOut: true }).tool.execute({ pattern: 'x' }, toolContext())).output,
    ).toMatch(/^\/w\/a\n\[The time limit/);
    expect((await scripted({ unreadable: 2 }).tool.execute({ pattern: 'x' }, toolContext())).output).toBe(
      'No matches found\n[2 paths could not be read: no permission, a system error, or a name that is not UTF-8]',
    );
    const { output } = await scripted({ unreadable: 1, engine: 'javascript' }).tool.execute(
      { pattern: 'x' },
      toolContext(),
    );
    expect(output).toMatch(
      /\n\[1 path could not be searched: .* too long for the pattern .* ripgrep searches long lines and files: install/,
    );
    await expect(scripted({ timedOut: true }).tool.execute({ pattern: 'x' }, toolContext())).rejects.toMatchObject({
      code: 'timeout',
    });
  });

  test('has a title and a target for people and rules', async () => {
    const { root, tool } = workspace({});
    expect((await assessed(tool, { pattern: 'foo' })).title).toBe('Grep "foo"');
    expect((await assessed(tool, { pattern: 'foo', path: join(root, 'src') })).title).toBe('Grep "foo" in src');
    expect((await assessed(tool, { pattern: 'foo' }, toolContext())).targets).toMatchObject([
      { kind: 'read', path: root },
    ]);
  });

  const rows = [
    { pattern: '' },
    { pattern: 'x', output_mode: 'all' },
    { pattern: 'x', '-A': -1 },
    { pattern: 'x', head_limit: 1.5 },
    {},
  ] as const;
  test('rejects an invalid input', () =>
    eachRow(rows, async (input) => {
      const { tool } = scripted({});
      expect(await tool.input.parse(input)).toMatchObject({ ok: false });
    }));
});

describe('bytes that are not UTF-8', () => {
  test.each(['content', 'count'] as const)('are reported if they are shown (%s)', async (output_mode) => {
    const { root, grep } = workspace({});
    writeFileSync(join(root, 'latin.txt'), Buffer.from('73616765206b65e46b0a', 'hex'));
    const { output } = await grep({ pattern: 'sage', output_mode });
    expect(output.includes('bytes that are not UTF-8')).toBe(output_mode === 'content');
  });
});

describe('credentials', () => {
  const value = ['KbGvuJ', 'FAKEuUv0sVztSe'].join('');

  test.each([
    { name: 'are not shown in part by a tool made on its own', scrub: undefined, shown: false },
    { name: 'are shown in part where that is switched off by name', scrub: false, shown: true },
  ] as const)('$name', async ({ scrub, shown }) => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'a.txt'), `password=${value}\n`);
    const files = hostFiles({ root });
    onTestFinished(() => files[Symbol.asyncDispose]());
    const { output } = await grepTool({ files, limits: defaultLimits.grep, scrub }).execute(
      { pattern: 'KbGv\\w{4}', output_mode: 'content', '-o': true },
      toolContext(),
    );
    expect(output.includes(value.slice(0, 6))).toBe(shown);
  });
});
