import {
  chmodSync,
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
import { notebookEditTool, readTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../src/index.js';
import { assessed } from '../support/assessed.js';
import { callScope, toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { codeOf } from '../support/undo-workspace.js';

interface Cell {
  readonly id?: string;
  readonly source: string | readonly string[];
  readonly outputs?: readonly unknown[];
  readonly execution_count?: number | null;
}

interface Call {
  readonly new_source?: string;
  readonly cell_id?: string;
  readonly cell_type?: 'code' | 'markdown';
  readonly edit_mode?: 'replace' | 'insert' | 'delete';
}

interface Case {
  readonly id: string;
  readonly why: string;
  readonly notebook?: { readonly cells: readonly Cell[] };
  readonly raw?: string;
  readonly call: Call;
  readonly indent?: number;
  readonly crlf?: boolean;
  readonly bom?: boolean;
  readonly trailing_newline?: boolean;
  readonly mode?: string;
  readonly checks: readonly string[];
}

function workspace(options: { readonly readBeforeWrite?: boolean } = {}, read: Partial<Limits['read']> = {}) {
  const root = temporaryFolder();
  const limits = { ...defaultLimits, read: { ...defaultLimits.read, ...read } };
  const files = hostFiles({ root, limits });
  const ledger = new ReadLedger(limits.read);
  const tool = notebookEditTool({ files, ledger, limits: defaultLimits.write, ...options });
  const reader = readTool({ files, ledger, limits: limits.read });
  const path = join(root, 'a.ipynb');
  return {
    root,
    path,
    tool,
    put: (content: string | Uint8Array) => writeFileSync(path, content),
    text: () => readFileSync(path, 'utf8'),
    cells: (): Cell[] => JSON.parse(readFileSync(path, 'utf8')).cells,
    read: () => reader.execute({ file_path: path }, toolContext()),
    edit: (call: Call, notebook_path = path) => tool.execute({ notebook_path, new_source: '', ...call }, toolContext()),
  };
}

function fileOf({ notebook, raw, indent = 1, crlf, bom, trailing_newline = true }: Case): string {
  if (raw !== undefined) return raw;
  const text = JSON.stringify(notebook, undefined, indent) + (trailing_newline ? '\n' : '');
  return (bom === true ? '\ufeff' : '') + (crlf === true ? text.replaceAll('\n', '\r\n') : text);
}

/** A notebook before and after a call. */
interface Outcome {
  readonly before: string;
  readonly after: string;
  /** Octal. */
  readonly mode: string;
  readonly call: Call;
}

const cellsIn = (text: string): Cell[] => JSON.parse(text.replace(/^\ufeff/, '')).cells;
const cellIn = (text: string, id: string | undefined) => cellsIn(text).find((cell) => cell.id === id);
const othersIn = (text: string, id: string | undefined) => cellsIn(text).filter((cell) => cell.id !== id);

/** The checks of the case file. `value` is the text after the colon. */
const verify: Readonly<Record<string, (outcome: Outcome, value: string) => void>> = {
  unchanged: ({ before, after }) => expect(after).toBe(before),
  source: ({ after }, value) => {
    const [id, source] = value.split(/=(.*)/s);
    expect([cellIn(after, id)?.source].flat().join('')).toBe(source);
  },
  outputs_cleared: ({ after }, id) => expect(cellIn(after, id)).toMatchObject({ outputs: [], execution_count: null }),
  others_same: ({ before, after, call }) =>
    expect(othersIn(after, call.cell_id)).toEqual(othersIn(before, call.cell_id)),
  order: ({ before, after }, value) => {
    const known = new Set(cellsIn(before).map(({ id }) => id));
    expect(cellsIn(after).map(({ id }) => (known.has(id) ? id : '*'))).toEqual(value.split(','));
  },
  new_id_unique: ({ after }) => {
    const ids = cellsIn(after).map(({ id }) => id ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[a-zA-Z0-9-_]{1,64}$/.test(id))).toBe(true);
  },
  indent: ({ after }, value) => expect(after).toBe(`${JSON.stringify(JSON.parse(after), undefined, Number(value))}\n`),
  no_trailing_newline: ({ after }) => expect(after.endsWith('}')).toBe(true),
  crlf: ({ after }) => expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/),
  mode: ({ mode }, value) => expect(mode).toBe(value),
};

const cases: Case[] = JSON.parse(readFileSync(new URL('../fixtures/notebook-cases.json', import.meta.url), 'utf8'));

describe('the examples', () => {
  test('have the expected results', () =>
    eachRow(cases, async (example) => {
      const { put, path, text, edit, root } = workspace();
      const before = fileOf(example);
      put(before);
      if (example.mode !== undefined) chmodSync(path, Number.parseInt(example.mode, 8));
      const code = await codeOf(edit(example.call));
      expect(code !== 'ok').toBe(example.checks.includes('error'));
      const outcome = { before, after: text(), mode: (statSync(path).mode & 0o7777).toString(8), call: example.call };
      for (const check of example.checks.filter((each) => each !== 'error')) {
        const [name = '', value = ''] = check.split(/:(.*)/s);
        expect(verify).toHaveProperty(name);
        verify[name]?.(outcome, value);
      }
      expect(readdirSync(root)).toEqual(['a.ipynb']);
    }));
});

const notebook = (cells: readonly object[], minor = 5) =>
  `${JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: minor }, undefined, 1)}\n`;
const code = (id: string, source: string | readonly string[]) => ({
  cell_type: 'code',
  execution_count: 1,
  id,
  metadata: {},
  outputs: [],
  source,
});
const bare = (source: string) => ({ cell_type: 'markdown', metadata: {}, source });

describe('refused edits, which leave the notebook unchanged', () => {
  const rows: readonly (readonly [name: string, call: Call, code: string])[] = [
    ['a replace of no cell', { new_source: 'x' }, 'invalid_input'],
    ['a delete of no cell', { edit_mode: 'delete' }, 'invalid_input'],
    ['an insert of no type', { edit_mode: 'insert', cell_id: 'a', new_source: 'x' }, 'invalid_input'],
    ['half a surrogate pair', { cell_id: 'a', new_source: '\ud83d' }, 'invalid_input'],
    ['a cell that is not there', { cell_id: 'z', new_source: 'x' }, 'no_match'],
    ['an insert behind none', { edit_mode: 'insert', cell_id: 'z', cell_type: 'code', new_source: 'x' }, 'no_match'],
    ['a place past the last cell', { edit_mode: 'delete', cell_id: 'cell-2' }, 'no_match'],
    ['the source it has', { cell_id: 'a', new_source: 'one' }, 'no_change'],
    ['a mark of redaction', { cell_id: 'a', new_source: ['k = "[REDACTED', ']"'].join('') }, 'redaction_in_edit'],
  ];
  test('by example', () =>
    eachRow(rows, async ([, call, expected]) => {
      const { put, text, edit, root } = workspace();
      const before = notebook([code('a', 'one'), code('b', 'two')]);
      put(before);
      expect(await codeOf(edit(call))).toBe(expected);
      expect(text()).toBe(before);
      expect(readdirSync(root)).toEqual(['a.ipynb']);
    }));

  test('a file without the extension of a notebook', async () => {
    const { root, edit } = workspace();
    const path = join(root, 'a.json');
    writeFileSync(path, notebook([code('a', 'one')]));
    expect(await codeOf(edit({ cell_id: 'a', new_source: 'x' }, path))).toBe('unsupported_file');
    expect(readFileSync(path, 'utf8')).toBe(notebook([code('a', 'one')]));
  });

  test('the error for a missing file suggests a similar one, and none is created', async () => {
    const { put, edit, root, path } = workspace();
    put(notebook([]));
    await expect(edit({ edit_mode: 'insert', cell_type: 'code' }, join(root, 'b.ipynb'))).rejects.toMatchObject({
      code: 'file_not_found',
      message: expect.stringContaining(path),
    });
    expect(readdirSync(root)).toEqual(['a.ipynb']);
  });

  test('a folder, a path outside and a relative path', async () => {
    const { edit, root } = workspace();
    mkdirSync(join(root, 'd.ipynb'));
    const call: Call = { cell_id: 'a', new_source: 'x' };
    expect(await codeOf(edit(call, join(root, 'd.ipynb')))).toBe('not_a_file');
    expect(await codeOf(edit(call, join(root, '..', 'x.ipynb')))).toBe('path_outside_root');
    expect(await codeOf(edit(call, 'a.ipynb'))).toBe('path_not_absolute');
  });

  test('a read-only file', async () => {
    const { put, edit, path, text } = workspace();
    put(notebook([code('a', 'one')]));
    chmodSync(path, 0o444);
    expect(await codeOf(edit({ cell_id: 'a', new_source: 'x' }))).toBe('storage_failed');
    expect(text()).toBe(notebook([code('a', 'one')]));
  });

  test('an aborted call', async () => {
    const { put, tool, path, text } = workspace();
    put(notebook([code('a', 'one')]));
    const call = tool.execute(
      { notebook_path: path, cell_id: 'a', new_source: 'x' },
      toolContext({ signal: AbortSignal.abort() }),
    );
    await expect(call).rejects.toThrow();
    expect(text()).toBe(notebook([code('a', 'one')]));
  });
});

describe('changes since the notebook was read', () => {
  test('a cell that another program changed is not overwritten', async () => {
    const { put, read, edit, text } = workspace();
    put(notebook([code('a', 'one')]));
    await read();
    put(notebook([code('a', 'other')]));
    expect(await codeOf(edit({ cell_id: 'a', new_source: 'x' }))).toBe('file_changed');
    expect(text()).toBe(notebook([code('a', 'other')]));
    await read();
    expect(await codeOf(edit({ cell_id: 'a', new_source: 'x' }))).toBe('ok');
  });

  test('rewriting the same content and own edits are not changes', async () => {
    const { put, read, edit, cells } = workspace();
    put(notebook([code('a', 'one'), code('b', 'two')]));
    await read();
    put(notebook([code('a', 'one'), code('b', 'two')]));
    await edit({ cell_id: 'a', new_source: '1' });
    await edit({ cell_id: 'b', new_source: '2' });
    expect(cells().map(({ source }) => source)).toEqual(['1', '2']);
  });

  test('own edits of a notebook too large to hash are recognised', async () => {
    const { put, read, edit } = workspace({}, { hashMaxBytes: 1_000 });
    put(notebook([code('a', 'one'), { ...bare('x'), metadata: { blob: 'x'.repeat(400_000) } }]));
    await read();
    await edit({ cell_id: 'a', new_source: '1' });
    expect(await codeOf(edit({ cell_id: 'a', new_source: '2' }))).toBe('ok');
  });

  test('with readBeforeWrite, it must be read', async () => {
    const { put, read, edit } = workspace({ readBeforeWrite: true });
    put(notebook([code('a', 'one')]));
    expect(await codeOf(edit({ cell_id: 'a', new_source: 'x' }))).toBe('file_changed');
    await read();
    expect(await codeOf(edit({ cell_id: 'a', new_source: 'x' }))).toBe('ok');
  });
});

describe('line endings in a cell', () => {
  const rows: readonly [string, string | readonly string[], string, string | readonly string[]][] = [
    ['CRLF that is sent becomes LF', 'a\nb', 'x\r\ny', 'x\ny'],
    ['CRLF that is sent becomes LF in a list', ['a\n', 'b'], 'x\r\ny', ['x\n', 'y']],
    ['one line says nothing, so LF', 'a', 'x\r\ny\r\n', 'x\ny\n'],
    ['CRLF that is there stays', 'a\r\nb', 'x\ny', 'x\r\ny'],
    ['CRLF that is there stays in a list', ['a\r\n', 'b'], 'x\ny\r\nz', ['x\r\n', 'y\r\n', 'z']],
    ['where both are there, what is sent is written', 'a\r\nb\nc', 'x\r\ny\nz', 'x\r\ny\nz'],
    ['a lone CR is a character like any other', 'a\nb', 'x\ry', 'x\ry'],
  ];
  test('are kept', () =>
    eachRow(rows, async ([, before, new_source, after]) => {
      const { put, edit, cells } = workspace();
      put(notebook([code('a', before)]));
      await edit({ cell_id: 'a', new_source });
      expect(cells()[0]?.source).toEqual(after);
    }));

  test('of a new cell are those of the previous cell', async () => {
    const { put, edit, cells } = workspace();
    put(notebook([code('a', 'one\r\ntwo')]));
    await edit({ edit_mode: 'insert', cell_type: 'code', cell_id: 'a', new_source: 'x\ny' });
    expect(cells()[1]?.source).toBe('x\r\ny');
  });

  test('that alone differ are not a change', async () => {
    const { put, edit } = workspace();
    put(notebook([code('a', 'one\ntwo')]));
    expect(await codeOf(edit({ cell_id: 'a', new_source: 'one\r\ntwo' }))).toBe('no_change');
  });
});

describe('names of cells', () => {
  test('without ids are counted again after each call', async () => {
    const { put, edit, cells } = workspace();
    put(notebook([bare('0'), bare('1'), bare('2')], 4));
    const calls: readonly Call[] = [
      { edit_mode: 'delete', cell_id: 'cell-0' },
      { cell_id: 'cell-0', new_source: 'was 1' },
      { edit_mode: 'insert', cell_type: 'code', new_source: 'first' },
      { cell_id: 'cell-2', new_source: 'was 2' },
    ];
    await Promise.all(calls.map((call) => edit(call)));
    expect(cells().map(({ source }) => [source].flat().join(''))).toEqual(['first', 'was 1', 'was 2']);
  });

  test('are those that Read shows, for every cell', async () => {
    const { put, read, edit, cells } = workspace();
    put(notebook([bare('0'), code('b-2', '1'), { ...bare('2'), id: '' }, { ...bare('3'), id: 7 }, code('ü x', '4')]));
    const { output } = await read();
    const names = [...output.matchAll(/\[Cell (.*?): /g)].map(([, name]) => name ?? '');
    expect(names).toHaveLength(5);
    for (const cell_id of names) await edit({ cell_id, new_source: `now ${cell_id}` });
    expect(cells().map(({ source }) => source)).toEqual(names.map((name) => `now ${name}`));
  });

  test('are new ids of eight characters that no other cell has', async () => {
    const { put, edit, cells } = workspace();
    put(notebook([]));
    for (let count = 0; count < 20; count++)
      await edit({ edit_mode: 'insert', cell_type: 'code', new_source: String(count) });
    const ids = cells().map(({ id }) => id ?? '');
    expect(new Set(ids).size).toBe(20);
    expect(ids.every((id) => /^[a-zA-Z0-9-_]{8}$/.test(id))).toBe(true);
    expect(cells().map(({ source }) => source)).toEqual(Array.from({ length: 20 }, (_, count) => [String(19 - count)]));
  });
});

describe('the result of an edit', () => {
  test('shows the change of the source, with facts in metadata', async () => {
    const { put, edit, path } = workspace();
    put(
      notebook([
        { ...code('a', ['x = 1\n', 'y = 2']), outputs: [{ output_type: 'stream', name: 'stdout', text: '1' }] },
      ]),
    );
    const { output, title, metadata } = await edit({ cell_id: 'a', new_source: 'x = 1\ny = 3' });
    expect(title).toBe('NotebookEdit a.ipynb');
    expect(output).toBe(
      `Replaced the source of code cell a in ${path}.\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n[Its outputs were cleared; they came from the old source]`,
    );
    expect(metadata).toEqual({
      filePath: path,
      cell_id: 'a',
      cell_type: 'code',
      language: 'python',
      edit_mode: 'replace',
      new_source: 'x = 1\ny = 3',
      old_source: 'x = 1\ny = 2',
      added: 1,
      removed: 1,
      diff: `--- ${path}\n+++ ${path}\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3`,
    });
  });

  test('gives the place of a new cell, and the new names of cells without ids', async () => {
    const { put, edit, path } = workspace();
    put(notebook([bare('0'), bare('1')], 4));
    const first = await edit({ edit_mode: 'insert', cell_type: 'markdown', new_source: 'x' });
    expect(first.output).toBe(
      `Inserted markdown cell cell-0 at the start in ${path}.\n@@ -0,0 +1 @@\n+x\n[Cells after it have other names now: cell-0 is cell-1, and so on]`,
    );
    const second = await edit({ edit_mode: 'insert', cell_type: 'code', cell_id: 'cell-2', new_source: '' });
    expect(second.output).toBe(`Inserted code cell cell-3 after cell-2 in ${path}.`);
  });

  test('shows the deleted cell', async () => {
    const { put, edit, path } = workspace();
    put(notebook([code('a', 'one'), code('b', 'two')]));
    const { output, metadata } = await edit({ edit_mode: 'delete', cell_id: 'a' });
    expect(output).toBe(`Deleted code cell a of ${path}.\n@@ -1 +0,0 @@\n-one`);
    expect(metadata).toMatchObject({ old_source: 'one', new_source: '', edit_mode: 'delete' });
  });
});

describe('the assessment of a call', () => {
  test('has the real path as a write, and the change in words', async () => {
    const { put, tool, path, root } = workspace();
    put(notebook([]));
    symlinkSync(path, join(root, 'link.ipynb'));
    const input = { notebook_path: join(root, 'link.ipynb'), new_source: 'x = 1', cell_id: 'a' };
    expect((await assessed(tool, input)).title).toBe('NotebookEdit link.ipynb');
    expect((await assessed(tool, input, toolContext())).preview).toBe('link.ipynb: replace cell a\nx = 1');
    expect((await assessed(tool, input, callScope())).targets).toEqual([
      { kind: 'edit', path, given: join(root, 'link.ipynb'), root, isInside: true },
    ]);
    expect((await assessed(tool, input, callScope())).footprint).toEqual({ reads: [path], writes: [path] });
    expect((await assessed(tool, input, callScope())).verdict).toBeUndefined();
    expect(tool).toMatchObject({ sideEffect: 'mutating', groups: ['fs'], literalFields: ['new_source'] });
  });

  const previews = [
    [{ edit_mode: 'insert', cell_type: 'code', new_source: 'x' } as const, 'a.ipynb: insert code cell at the start\nx'],
    [
      { edit_mode: 'insert', cell_type: 'code', cell_id: 'b', new_source: 'x' } as const,
      'a.ipynb: insert code cell after b\nx',
    ],
    [{ edit_mode: 'delete', cell_id: 'b', new_source: '' } as const, 'a.ipynb: delete cell b'],
  ] as const;
  test('has a preview for each mode', () =>
    eachRow(previews, async ([call, preview]) => {
      const { tool, path } = workspace();
      expect((await assessed(tool, { notebook_path: path, ...call }, toolContext())).preview).toBe(preview);
    }));

  test('asks for an auto-executed notebook', async () => {
    const { tool, root } = workspace();
    const input = { notebook_path: join(root, '.git', 'hooks', 'a.ipynb'), new_source: '', cell_id: 'a' };
    expect((await assessed(tool, input, callScope())).verdict).toMatchObject({ behavior: 'ask' });
  });
});

test('fifty edits of one notebook at once are all applied', async () => {
  const { put, edit, cells } = workspace();
  const ids = Array.from({ length: 50 }, (_, index) => `id-${index}`);
  put(notebook(ids.map((id) => code(id, 'old'))));
  await Promise.all(ids.map((id) => edit({ cell_id: id, new_source: `new ${id}` })));
  expect(cells().map(({ source }) => source)).toEqual(ids.map((id) => `new ${id}`));
});

test('a link and the mode of its file stay', async () => {
  const { put, edit, path, root, cells } = workspace();
  put(notebook([code('a', 'one')]));
  chmodSync(path, 0o640);
  const link = join(root, 'link.ipynb');
  symlinkSync('a.ipynb', link);
  await edit({ cell_id: 'a', new_source: 'x' }, link);
  expect(cells()[0]?.source).toBe('x');
  expect(statSync(path).mode & 0o7777).toBe(0o640);
  expect(readdirSync(root)).toEqual(['a.ipynb', 'link.ipynb']);
});

test('a notebook with a hard link outside is detached, and its old content is not shown', async () => {
  const { edit, path, text } = workspace();
  const outside = join(temporaryFolder(), 'theirs.ipynb');
  const cells = [
    { id: 'a', cell_type: 'code', metadata: {}, outputs: [], execution_count: null, source: 'private words' },
  ];
  writeFileSync(outside, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
  linkSync(outside, path);
  const result = await edit({ cell_id: 'a', new_source: 'mine' });
  expect(result.output).toContain('hard links');
  expect(JSON.stringify(result)).not.toContain('private words');
  expect([text().includes('mine'), readFileSync(outside, 'utf8').includes('private words')]).toEqual([true, true]);
});
