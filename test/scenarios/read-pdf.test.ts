import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostFiles, pdfDocuments, ReadLedger } from 'toolwright/files';
import { readTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/index.js';
import { toolContext } from '../support/call-scope.js';
import { caseWorld } from '../support/case-world.js';
import { table } from '../support/each-row.js';
import { pdfOf } from '../support/pdf.js';

/** A workspace with one document, and a read of it. */
function reading(bytes: Buffer) {
  const { root, call } = caseWorld();
  const path = join(root, 'paper.pdf');
  writeFileSync(path, bytes);
  return {
    path,
    root,
    read: (input: Readonly<Record<string, unknown>> = {}) => call('Read', { file_path: path, ...input }),
  };
}

/** A read of a short document by a manually assembled tool. */
function readBy(more: Partial<Parameters<typeof readTool>[0]>) {
  const { path, root } = reading(pdfOf([['x']]));
  const tool = readTool({ files: hostFiles({ root }), ledger: new ReadLedger(), limits: defaultLimits.read, ...more });
  return tool.execute({ file_path: path }, toolContext());
}

const pagesOf = (count: number) => Array.from({ length: count }, (_, index) => [`text of page ${index + 1}`]);
const textOf = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `Page ${first + index}\ntext of page ${first + index}`).join(
    '\n\n',
  );

describe('a document of 45 pages', () => {
  test('is shown from the start, with the next step', async () => {
    const { read, path } = reading(pdfOf(pagesOf(45)));
    expect(await read()).toMatchObject({
      ok: true,
      output: `${textOf(1, 20)}\n\n[Pages 1-20 of 45; read on with pages: "21-40"]`,
      metadata: { filePath: path, mediaType: 'application/pdf', totalPages: 45, firstPage: 1, pageCount: 20 },
    });
  });

  table([
    ['3', 3, 3, '4-23'],
    ['1-5', 1, 5, '6-25'],
    ['10-', 10, 29, '30-45'],
    ['26-45', 26, 45, undefined],
    ['40-', 40, 45, undefined],
    ['44-60', 44, 45, undefined],
    [' 2 - 3 ', 2, 3, '4-23'],
    ['045', 45, 45, undefined],
  ])('is shown by the requested pages', async (pages, first, last, next) => {
    const { read } = reading(pdfOf(pagesOf(45)));
    const notice = next === undefined ? '' : `\n\n[Pages ${first}-${last} of 45; read on with pages: "${next}"]`;
    expect((await read({ pages })).output).toBe(textOf(first, last) + notice);
  });

  table([...'0 0-3 5-3 1-21 -3 1,3 1-2-3 all 1.5 one ٣ 1–5 46 100-110 9999999'.split(' '), '', ' '])(
    'invalid pages are rejected with the valid range',
    async (pages) => {
      const { read } = reading(pdfOf(pagesOf(45)));
      expect(await read({ pages })).toMatchObject({
        ok: false,
        error: { code: 'invalid_input', message: expect.stringContaining('pages') },
      });
    },
  );
});

test('lines, brackets and backslashes are kept, and an empty page says so', async () => {
  const { read } = reading(pdfOf([['Title (draft)', 'a \\ b'], []]));
  expect((await read()).output).toBe('Page 1\nTitle (draft)\na \\ b\n\nPage 2\n[no text on this page]');
});

test('too many pages are shown as far as they fit', async () => {
  const pageOf = (index: number) =>
    Array.from({ length: 40 }, (_, line) => `page ${index} line ${line} ${'x'.repeat(500)}`);
  const { read } = reading(pdfOf(Array.from({ length: 10 }, (_, index) => pageOf(index + 1))));
  const { output, metadata } = await read();
  const { pageCount } = metadata as { readonly pageCount: number };
  expect(pageCount).toBeGreaterThan(0);
  expect(pageCount).toBeLessThan(10);
  expect(output).toMatch(new RegExp(`\\[Pages 1-${pageCount} of 10; read on with pages: "${pageCount + 1}-10"\\]$`));
  expect((await read({ pages: `${pageCount + 1}-10` })).output).toMatch(new RegExp(`^Page ${pageCount + 1}\n`));
});

test('a page over the limit is cut with a notice', async () => {
  const { read } = reading(pdfOf([Array.from({ length: 40 }, () => 'x'.repeat(4_000)), ['the next']]));
  const { output, metadata } = await read();
  expect(metadata).toMatchObject({ pageCount: 1 });
  expect(output.length).toBeLessThan(101_000);
  expect(output).toMatch(
    /\[Page 1 is too long; its last \d+ characters are omitted\]\n\n\[Pages 1-1 of 2; read on with pages: "2-2"\]$/,
  );
});

table<[string, Buffer]>([
  ['with a password', pdfOf(pagesOf(2), { isEncrypted: true })],
  ['cut in the middle', pdfOf(pagesOf(5)).subarray(0, 400)],
  ['of its head only', Buffer.from('%PDF-1.7\n')],
  ['that is something else behind its head', Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(5_000, 'junk ')])],
])('an unreadable document is refused, with the reason', async (_, bytes) => {
  expect(await reading(bytes).read()).toMatchObject({
    ok: false,
    error: {
      code: 'unsupported_file',
      message: expect.stringMatching(/cannot be read \(.+\)\. Check that it is complete and has no password\.$/),
    },
  });
});

test('a document is detected by its first bytes, for any name', async () => {
  const { root, call } = caseWorld();
  writeFileSync(join(root, 'paper.txt'), pdfOf([['inside']]));
  writeFileSync(join(root, 'note.pdf'), 'only text\n');
  expect((await call('Read', { file_path: join(root, 'paper.txt') })).output).toBe('Page 1\ninside');
  expect((await call('Read', { file_path: join(root, 'note.pdf') })).output).toBe('1\tonly text');
});

test('a host can load the package itself', async () => {
  expect(await readBy({ documents: pdfDocuments(() => import('unpdf')) })).toMatchObject({ output: 'Page 1\nx' });
});

test('without the package the error names the package to install', async () => {
  const documents = pdfDocuments(async () => {
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  });
  await expect(readBy({ documents })).rejects.toMatchObject({
    code: 'not_configured',
    message: expect.stringContaining('npm install unpdf'),
  });
});

test('an unreadable page is named', async () => {
  const documents = pdfDocuments(async () => ({
    getDocumentProxy: async () => ({
      numPages: 2,
      getPage: () => Promise.reject(new Error('Bad (uncompressed) XRef entry')),
    }),
  }));
  const named = { code: 'unsupported_file', message: expect.stringContaining('Page 1 of') };
  await expect(readBy({ documents })).rejects.toMatchObject(named);
});

test('a document over the limit is not read', async () => {
  const limits = { ...defaultLimits.read, maxPdfBytes: 100 };
  await expect(readBy({ limits })).rejects.toMatchObject({ code: 'file_too_large' });
});
