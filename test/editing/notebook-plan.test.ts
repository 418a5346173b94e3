import * as fc from 'fast-check';
import { ToolError } from 'toolwright';
import { describe, expect, test } from 'vitest';
import { type NotebookEdit, planNotebookEdit } from '../../src/editing/notebook/plan.js';
import { eachRow, table } from '../support/each-row.js';
import { runs } from '../support/runs.js';
import {
  type Format,
  type Sample,
  type SampleCell,
  sampleNotebook,
  sourceText,
  unusualFormat,
  usualFormat,
  type WrittenNotebook,
  writeNotebook,
} from './notebook-samples.js';

const numRuns = runs(2_000);
const options = { path: '/w/a.ipynb', maxDiffLines: 100, createId: () => 'fresh001' };

async function edited(text: string, edit: NotebookEdit): Promise<string> {
  return planNotebookEdit(Buffer.from(text), edit, options).bytes.toString('utf8');
}

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return thrown;
  }
}

interface Trial {
  readonly sample: Sample;
  readonly format: Format;
  /** The selected cell; undefined inserts at the start. */
  readonly index: number | undefined;
  readonly edit: NotebookEdit;
}

function trials(formats: fc.Arbitrary<Format>): fc.Arbitrary<Trial> {
  const type = fc.constantFrom('code' as const, 'markdown' as const);
  const choice = fc.record({
    mode: fc.constantFrom('replace' as const, 'insert' as const, 'delete' as const),
    at: fc.nat(),
    source: sourceText,
    type,
    keepsType: fc.boolean(),
    byPlace: fc.constantFrom('', 'cell-', 'id'),
  });
  return fc
    .tuple(sampleNotebook, formats, choice)
    .map(([sample, format, { mode, at, source, type, keepsType, byPlace }]) => {
      const isFirst = sample.cells.length === 0 || (mode === 'insert' && at % (sample.cells.length + 1) === 0);
      const index = isFirst ? undefined : at % sample.cells.length;
      const id = sample.cells[index ?? 0]?.find(([name]) => name === 'id')?.[1];
      const cell = byPlace === 'id' && typeof id === 'string' ? id : `${byPlace === '' ? '' : 'cell-'}${index}`;
      if (index === undefined)
        return { sample, format, index, edit: { mode: 'insert', cell: undefined, source, type } };
      if (mode === 'delete') return { sample, format, index, edit: { mode, cell } };
      return {
        sample,
        format,
        index,
        edit:
          mode === 'insert' ? { mode, cell, source, type } : { mode, cell, source, type: keepsType ? undefined : type },
      };
    });
}

const field = (cell: SampleCell, name: string) => cell.find(([key]) => key === name)?.[1];
const joined = (source: unknown) => (Array.isArray(source) ? source.join('') : String(source));
const like = (old: unknown, text: string) => (Array.isArray(old) ? (text.match(/[^\n]*\n|[^\n]+$/g) ?? []) : text);
/** Lines end as in the existing cell, or in the cell beside it. */
const endedLike = (old: unknown, text: string) => {
  const there = joined(old);
  const plain = text.split('\r\n').join('\n');
  if (!there.includes('\r\n')) return plain;
  return there.replaceAll('\r\n', '').includes('\n') ? text : plain.split('\n').join('\r\n');
};
const sorted = (fields: SampleCell): SampleCell => [...fields].sort(([left], [right]) => (left < right ? -1 : 1));

/** The expected result of the edit; undefined if nothing changes. */
function expected({ sample, index, edit }: Trial): Sample | undefined {
  const { cells, minor } = sample;
  if (edit.mode === 'delete') return { ...sample, cells: cells.filter((_, place) => place !== index) };
  if (edit.mode === 'insert') {
    const neighbour = cells[index ?? 0];
    const beside = neighbour === undefined ? [] : field(neighbour, 'source');
    const source = like(beside, endedLike(beside, edit.source));
    const cell = sorted([
      ['cell_type', edit.type],
      ...(minor >= 5 ? ([['id', 'fresh001']] as const) : []),
      ['metadata', {}],
      ['source', source],
      ...(edit.type === 'code'
        ? ([
            ['execution_count', null],
            ['outputs', []],
          ] as const)
        : []),
    ]);
    return { ...sample, cells: cells.toSpliced(index === undefined ? 0 : index + 1, 0, cell) };
  }
  const old = cells[index ?? 0] ?? [];
  const oldType = String(field(old, 'cell_type'));
  const type = edit.type ?? oldType;
  const source = endedLike(field(old, 'source'), edit.source);
  const isSame = joined(field(old, 'source')) === source;
  if (type === oldType && isSame) return undefined;
  const kept = old
    .filter(
      ([name]) =>
        !(
          type === 'code'
            ? ['execution_count', 'outputs', ...(oldType === 'code' ? [] : ['attachments'])]
            : ['execution_count', 'outputs']
        ).includes(name),
    )
    .map(([name, value]): SampleCell[number] => {
      if (name === 'cell_type') return [name, type];
      return name === 'source' && !isSame ? [name, like(value, source)] : [name, value];
    });
  const cell = sorted(type === 'code' ? [...kept, ['execution_count', null], ['outputs', []]] : kept);
  return { ...sample, cells: cells.with(index ?? 0, cell) };
}

/** The bytes before and after the changed cell. */
function around({ text, list, cells }: WrittenNotebook, { index, edit }: Trial): readonly [head: string, tail: string] {
  const [inner, outer] = [list[0] + 1, list[1] - 1];
  if (edit.mode === 'replace') return [text.slice(0, cells[index ?? 0]?.[0]), text.slice(cells[index ?? 0]?.[1])];
  const before = edit.mode === 'delete' ? (index ?? 0) - 1 : (index ?? -1);
  const next = (index ?? -1) + 1;
  return [text.slice(0, cells[before]?.[1] ?? inner), text.slice(cells[next]?.[0] ?? outer)];
}

describe('a random edit of a random notebook', () => {
  test('in a usual layout gives the bytes that the usual program would write', async () => {
    await fc.assert(
      fc.asyncProperty(trials(usualFormat), async (trial) => {
        const goal = expected(trial);
        const run = edited(writeNotebook(trial.sample, trial.format).text, trial.edit);
        if (goal === undefined) await expect(run).rejects.toMatchObject({ code: 'no_change' });
        else expect(await run).toBe(writeNotebook(goal, trial.format).text);
      }),
      { numRuns },
    );
  });

  test('in any layout changes only the cell and gives the requested notebook', async () => {
    await fc.assert(
      fc.asyncProperty(trials(unusualFormat), async (trial) => {
        const goal = expected(trial);
        if (goal === undefined) return;
        const before = writeNotebook(trial.sample, trial.format);
        const after = await edited(before.text, trial.edit);
        const [head, tail] = around(before, trial);
        expect(after.slice(0, head.length)).toBe(head);
        expect(after.slice(after.length - tail.length)).toBe(tail);
        const plain = (text: string) => JSON.parse(text.replace(/^\ufeff/, ''));
        expect(plain(after)).toEqual(plain(writeNotebook(goal, trial.format).text));
      }),
      { numRuns },
    );
  });

  test('leaves the bytes unchanged if it is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        trials(usualFormat),
        fc.nat(),
        fc.constantFrom('', '}', ',', '"', '\u0000'),
        async (trial, at, put) => {
          const { text } = writeNotebook(trial.sample, trial.format);
          const place = at % text.length;
          const bytes = Buffer.from((text.slice(0, place) + put + text.slice(place + 1)).toWellFormed());
          const copy = Buffer.from(bytes);
          const plan = outcome(() => planNotebookEdit(bytes, trial.edit, options));
          expect(bytes.equals(copy)).toBe(true);
          if (plan instanceof Error) expect(ToolError.is(plan)).toBe(true);
          else expect(() => JSON.parse(copy.toString('utf8').replace(/^\ufeff/, ''))).not.toThrow();
        },
      ),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  });
});

const code = (id: string, source: unknown, rest: object = {}) => ({
  cell_type: 'code',
  execution_count: 1,
  id,
  metadata: {},
  outputs: [{ output_type: 'stream', name: 'stdout', text: '1' }],
  source,
  ...rest,
});
const markdown = (id: string, source: unknown, rest: object = {}) => ({
  cell_type: 'markdown',
  id,
  metadata: {},
  source,
  ...rest,
});
const book = (cells: unknown, rest: object = {}) =>
  JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5, ...rest }, undefined, 1);
const cellsOf = (text: string) => JSON.parse(text).cells;

async function failure(text: string | Buffer, edit: NotebookEdit): Promise<ToolError> {
  const thrown = outcome(() => planNotebookEdit(Buffer.from(text as string), edit, options));
  if (!ToolError.is(thrown)) throw new Error('it went through');
  return thrown;
}

const change: NotebookEdit = { mode: 'replace', cell: 'a', source: 'new', type: undefined };

describe('refused edits', () => {
  const rows: readonly (readonly [name: string, content: string | Buffer, words: RegExp])[] = [
    ['an empty file', '', /line 1, column 1: value expected/],
    ['broken JSON', '{\n "cells": [}', /line 2, column 12/],
    ['text behind the notebook', `${book([code('a', '')])}]`, /end of file expected/],
    ['a list', '[]', /not an object/],
    ['a number', '4', /not an object/],
    ['no format', '{"cells": []}', /no nbformat/],
    ['a format that is text', book([code('a', '')], { nbformat: '4' }), /no nbformat/],
    ['format 3', '{"nbformat": 3, "nbformat_minor": 0, "worksheets": []}', /format 3\.0/],
    ['format 2', '{"nbformat": 2, "worksheets": []}', /format 2\.0/],
    ['format 5', book([code('a', '')], { nbformat: 5 }), /format 5\.5/],
    ['format 4.6', book([code('a', '')], { nbformat_minor: 6 }), /format 4\.6/],
    ['a minor format that is text', book([code('a', '')], { nbformat_minor: '5' }), /format 4\.\?/],
    ['a minor format that is none', book([code('a', '')], { nbformat_minor: -1 }), /format 4\.-1/],
    ['no cells', '{"nbformat": 4, "nbformat_minor": 5}', /no list of cells/],
    ['cells that are an object', book({}), /no list of cells/],
    ['cells that are text', book('x'), /no list of cells/],
    ['cells that are null', book(null), /no list of cells/],
    ['a cell that is null', book([code('a', ''), null]), /cell-1 is not an object/],
    ['a cell that is a list', book([code('a', ''), []]), /cell-1 is not an object/],
    ['a source that is a number', book([code('a', 5)]), /source of cell a/],
    ['a source that is null', book([code('a', null)]), /source of cell a/],
    ['a source with a line that is no text', book([code('a', ['x', 5])]), /source of cell a/],
    ['a source with a line that is a list', book([code('a', ['x', ['y']])]), /source of cell a/],
    ['no source', book([code('a', undefined)]), /source of cell a/],
    ['an unknown type', book([code('a', 'x', { cell_type: 'heading' })]), /no valid cell_type/],
    ['no type', book([code('a', 'x', { cell_type: undefined })]), /no valid cell_type/],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(book([code('a', 'x')])), Buffer.from([0xff])]), /UTF-8/],
    ['UTF-16', Buffer.from(`\ufeff${book([code('a', 'x')])}`, 'utf16le'), /UTF-8/],
    ['Latin-1', Buffer.from(book([code('a', 'é')]), 'latin1'), /UTF-8/],
    ['nesting without end', `{"cells": ${'['.repeat(200_000)}`, /levels/],
  ];
  test('files other than notebooks of format 4', () =>
    eachRow(rows, async ([, content, words]) => {
      const error = await failure(content, change);
      expect(error.code).toBe('unsupported_file');
      expect(error.message).toMatch(words);
      expect(error.message).toContain('othing was changed');
    }));

  test('an unchanged source and type', async () => {
    const error = await failure(book([code('a', ['x\n', 'y'])]), { ...change, source: 'x\ny' });
    expect(error.code).toBe('no_change');
  });

  test('a redaction mark that the notebook does not contain', async () => {
    const mark = ['[REDACTED', ':token]'].join('');
    expect((await failure(book([code('a', 'x')]), { ...change, source: `k = "${mark}"` })).code).toBe(
      'redaction_in_edit',
    );
    expect((await failure(book([]), { mode: 'insert', cell: undefined, source: mark, type: 'code' })).code).toBe(
      'redaction_in_edit',
    );
    expect(await edited(book([code('a', `see ${mark}`)]), { ...change, source: `saw ${mark}` })).toContain(
      `saw ${mark}`,
    );
  });
});

describe('the selected cell', () => {
  const withIds = book([code('a', '1'), code('cell-0', '2'), code('7', '3'), code('b', '4')]);
  const withoutIds = book([code('', '1'), markdown('', '2')], { nbformat_minor: 4 }).replaceAll(/\n {3}"id": "",/g, '');
  const rows: readonly (readonly [text: string, reference: string, index: number])[] = [
    [withIds, 'a', 0],
    [withIds, 'cell-0', 1],
    [withIds, '7', 2],
    [withIds, '0', 0],
    [withIds, 'cell-3', 3],
    [withoutIds, 'cell-0', 0],
    [withoutIds, 'cell-1', 1],
    [withoutIds, '1', 1],
  ];
  test('is selected by id or position', () =>
    eachRow(
      rows.map(([text, cell, index]) => ({ text, cell, index })),
      async ({ text, cell, index }) => {
        const before = cellsOf(text);
        const after = cellsOf(await edited(text, { mode: 'delete', cell }));
        expect(after).toEqual(before.toSpliced(index, 1));
      },
    ));

  test('is not found by another name, and the error lists the ids', () =>
    eachRow(
      ['A', 'cell-4', '4', '-1', 'cell--1', '01', '1.0', ' a', '', '__proto__', 'length', 'cell-99999999999999'],
      async (cell) => {
        const error = await failure(withIds, { mode: 'delete', cell });
        expect(error.code).toBe('no_match');
        expect(error.message).toContain('Its cells are a, cell-0, 7, b.');
      },
    ));

  test('is not found among many cells, and the error lists similar ids first', async () => {
    const error = await failure(book(Array.from({ length: 50 }, (_, index) => code(`load-${index}`, ''))), {
      ...change,
      cell: 'laod-49',
    });
    expect(error.message).toContain('Did you mean "load-49"');
    expect(error.message).toContain('load-19 and 30 more');
  });

  test('has its id escaped if it is long or has control characters', async () => {
    const error = await failure(book([code('x'.repeat(100), ''), code('a\nb', '')]), change);
    expect(error.message).toContain(`${'x'.repeat(64)}…`);
    expect(error.message).toContain('"a\\nb"');
  });

  test('does not exist in an empty notebook', async () =>
    expect((await failure(book([]), change)).message).toContain('has no cells; leave cell_id out'));

  test('is selected by position if two cells have one id', async () => {
    const text = book([code('a', '1'), code('a', '2'), code('cell-1', '3')]);
    const error = await failure(text, change);
    expect(error).toMatchObject({ code: 'not_unique', message: expect.stringContaining(': cell-0, 1.') });
    expect(cellsOf(await edited(text, { ...change, cell: '1' }))[1].source).toBe('new');
  });
});

describe('the changed cell', () => {
  test('loses outputs and count with its source, if it is a code cell', async () => {
    const { notes, bytes } = planNotebookEdit(Buffer.from(book([code('a', 'x')])), change, options);
    expect(cellsOf(bytes.toString())[0]).toMatchObject({
      source: 'new',
      outputs: [],
      execution_count: null,
    });
    expect(notes).toEqual([expect.stringContaining('outputs were cleared')]);
  });

  test('gets no missing fields, and keeps other fields', async () => {
    const text = book([{ cell_type: 'code', id: 'a', source: 'x', vendor: { n: 1 } }]);
    expect(cellsOf(await edited(text, change))).toEqual([
      { cell_type: 'code', id: 'a', source: 'new', vendor: { n: 1 } },
    ]);
  });

  test('keeps attachments in text, and the result reports attachments that a code cell cannot hold', async () => {
    const text = book([markdown('a', 'x', { attachments: { 'i.png': { 'image/png': 'eA==' } } })]);
    expect(cellsOf(await edited(text, change))[0]).toHaveProperty('attachments');
    const { notes, bytes } = planNotebookEdit(Buffer.from(text), { ...change, type: 'code' }, options);
    expect(cellsOf(bytes.toString())[0]).not.toHaveProperty('attachments');
    expect(notes.join()).toContain('attachments were dropped');
  });

  test('gets new fields at its end if the order is unusual', async () => {
    const text = book([{ source: 'x', id: 'a', metadata: {}, cell_type: 'markdown' }]);
    const after = await edited(text, { ...change, type: 'code' });
    expect(Object.keys(cellsOf(after)[0])).toEqual([
      'source',
      'id',
      'metadata',
      'cell_type',
      'execution_count',
      'outputs',
    ]);
    const back = await edited(after, { ...change, source: 'x', type: 'markdown' });
    expect(back).toBe(text);
  });

  test('uses the last of duplicate fields, and removes all of them', async () => {
    const text =
      '{"cells":[{"id":"a","outputs":[1],"cell_type":"raw","source":"1","cell_type":"code","outputs":[2],"source":"2"}],"nbformat":4}';
    expect(await edited(text, change)).toBe(text.replace('"source":"2"', '"source":"new"').replace('[2]', '[]'));
    const { source, ...rest } = cellsOf(await edited(text, { ...change, type: 'markdown' }))[0];
    expect(source).toBe('new');
    expect(rest).toEqual({ id: 'a', cell_type: 'markdown' });
  });

  test('has escaped non-ASCII characters only in a file that escapes them', async () => {
    const [plain, escaped, both] = ['', '\\u00e9', '\\u00e9é'].map((title) =>
      book([code('a', 'x')], { metadata: { title: '@' } }).replace('@', title),
    );
    const edit: NotebookEdit = { ...change, source: 'ü\u007f👍' };
    expect(await edited(plain ?? '', edit)).toContain('"ü\u007f👍"');
    expect(await edited(escaped ?? '', edit)).toContain('"\\u00fc\\u007f\\ud83d\\udc4d"');
    expect(await edited(both ?? '', edit)).toContain('"ü\u007f👍"');
  });

  test('keeps unusual fields if its type stays', async () => {
    const text = book([code('a', 'x', { attachments: {} }), markdown('b', 'x', { outputs: [1] })]);
    expect(cellsOf(await edited(text, change))[0]).toHaveProperty('attachments');
    expect(cellsOf(await edited(text, { ...change, cell: 'b' }))[1]).toHaveProperty('outputs', [1]);
  });

  test('gets a new id that is not used yet', async () => {
    const ids = ['a', 'b', 'c'];
    const edit: NotebookEdit = { mode: 'insert', cell: undefined, source: '', type: 'code' };
    const plan = planNotebookEdit(Buffer.from(book([code('a', ''), code('b', '')])), edit, {
      ...options,
      createId: () => ids.shift() ?? '',
    });
    expect(plan.cell).toBe('c');
  });

  test('gets an id in format 4.5 only, and no other cell gets one', async () => {
    const text = book([{ cell_type: 'raw', source: '' }], { nbformat_minor: 4 });
    const insert: NotebookEdit = { mode: 'insert', cell: 'cell-0', source: '', type: 'code' };
    expect(await edited(text, insert)).not.toContain('"id"');
    const newer = cellsOf(await edited(text.replace('"nbformat_minor": 4', '"nbformat_minor": 5'), insert));
    expect(newer.map(({ id }: { readonly id?: string }) => id)).toEqual([undefined, 'fresh001']);
  });

  test('is reported with other cells whose names change', async () => {
    const text = book([{ cell_type: 'raw', source: '0' }, markdown('m', '1'), { cell_type: 'raw', source: '2' }]);
    const notes = async (edit: NotebookEdit) => planNotebookEdit(Buffer.from(text), edit, options).notes.join();
    expect(await notes({ mode: 'delete', cell: 'm' })).toContain('cell-2 is cell-1');
    expect(await notes({ mode: 'insert', cell: undefined, source: '', type: 'code' })).toContain(
      'cell-0 is cell-1, and so on',
    );
    expect(await notes({ mode: 'delete', cell: 'cell-2' })).toBe('');
  });

  test('can be deleted if it is invalid', async () => {
    const text = book([code('a', 5, { cell_type: 'x' }), code('b', '')]);
    const plan = planNotebookEdit(Buffer.from(text), { mode: 'delete', cell: 'a' }, options);
    expect(plan).toMatchObject({ type: undefined, oldSource: undefined });
    expect(cellsOf(plan.bytes.toString())).toEqual([code('b', '')]);
  });

  test('can be the last one to be deleted, and the first one to be inserted', async () => {
    const none = await edited(book([code('a', '')]), { mode: 'delete', cell: 'a' });
    expect(none).toBe(book([]));
    const insert: NotebookEdit = { mode: 'insert', cell: undefined, source: 'x', type: 'markdown' };
    expect(await edited(none, insert)).toBe(book([markdown('fresh001', ['x'])]));
  });
});

describe('the report', () => {
  table([
    [{ language_info: { name: 'R' }, kernelspec: { language: 'x' } }, 'R'],
    [{ kernelspec: { language: 'julia' } }, 'julia'],
    [{ language_info: 5, kernelspec: null }, 'python'],
    ['x', 'python'],
  ])('names the language of the metadata', async (metadata, language) =>
    expect(planNotebookEdit(Buffer.from(book([code('a', 'x')], { metadata })), change, options).language).toBe(
      language,
    ),
  );

  test('has a diff of the source without the final line break', async () => {
    const diffOf = async (old: string, source: string) =>
      planNotebookEdit(Buffer.from(book([code('a', old)])), { ...change, source }, options).diff.text;
    expect(await diffOf('x = 1\ny = 2', 'x = 1\ny = 3')).toBe('@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3');
    expect(await diffOf('x', 'x\n')).toContain('No newline');
    expect(await diffOf('', 'x')).toBe('@@ -0,0 +1 @@\n+x');
  });
});

test('a notebook of 60 MB is edited', () => {
  const outputs = [{ data: { 'image/png': 'x'.repeat(1_000_000) } }];
  const cells = Array.from({ length: 60 }, (_, index) => code(`c${index}`, '1', { outputs }));
  const { bytes } = planNotebookEdit(Buffer.from(book(cells)), { ...change, cell: 'c30' }, options);
  const goal = book(cells.with(30, code('c30', 'new', { outputs: [], execution_count: null })));
  expect(bytes.equals(Buffer.from(goal))).toBe(true);
});
