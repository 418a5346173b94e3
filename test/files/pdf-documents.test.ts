import { pdfDocuments } from 'toolwright/files';
import { expect, test } from 'vitest';
import type { PdfPackage } from '../../src/files.js';
import { callScope } from '../support/call-scope.js';

function vendor(pages: readonly string[], closed: string[] = []): PdfPackage {
  return {
    getDocumentProxy: async () => ({
      numPages: pages.length,
      getPage: async (number) => ({
        getTextContent: async () => ({
          items: (pages[number - 1] ?? '').split(' ').map((str) => ({ str, hasEOL: true })),
        }),
      }),
      destroy: async () => void closed.push('closed'),
    }),
  };
}

test('the existing pages of the range, line by line, and the number of all pages', async () => {
  const closed: string[] = [];
  const documents = pdfDocuments(async () => vendor(['a b', 'c', 'd e'], closed));
  expect(await documents.readPages(Buffer.of(), { first: 2, last: 9 }, callScope())).toEqual({
    totalPages: 3,
    pages: ['c', 'd\ne'],
  });
  expect(closed).toEqual(['closed']);
});

test('a damaged document is refused with the reason', async () => {
  const documents = pdfDocuments(async () => ({
    getDocumentProxy: () => Promise.reject(new Error('Invalid PDF structure.')),
  }));
  const reading = documents.readPages(Buffer.of(), { first: 1, last: 1 }, callScope());
  await expect(reading).rejects.toMatchObject({
    code: 'unsupported_file',
    message: expect.stringContaining('Invalid PDF structure'),
  });
});

test('an abort between pages ends the conversion', async () => {
  const documents = pdfDocuments(async () => vendor(['a', 'b']));
  const reading = documents.readPages(Buffer.of(), { first: 1, last: 2 }, callScope({ signal: AbortSignal.abort() }));
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});
