import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrepCollector } from '../../src/files/search/query/grep-collector.js';

const files = fc.uniqueArray(
  fc.record({
    path: fc.string({ minLength: 1, maxLength: 4 }),
    lines: fc.array(fc.constantFrom('a', 'bb', '--'), { minLength: 1, maxLength: 40 }),
  }),
  { selector: ({ path }) => path, maxLength: 60 },
);
const order = (left: { readonly path: string }, right: { readonly path: string }) => (left.path < right.path ? -1 : 1);

test('a page by offset is that part of all results in path order, in any order of files', () => {
  const page = fc.record({
    limit: fc.integer({ min: 1, max: 30 }),
    offset: fc.integer({ min: 0, max: 400 }),
    context: fc.boolean(),
  });
  fc.assert(
    fc.property(files, page, (found, { limit, offset, context }) => {
      const query = { mode: 'content', before: context ? 1 : 0, after: 0, limit, offset } as const;
      const collector = new GrepCollector({ query, maxChars: 1e9, isHidden: () => false });
      for (const { path, lines } of found) for (const line of lines) collector.add(path, line);
      const all = [...found]
        .sort(order)
        .flatMap(({ lines }, index) => (context && index > 0 ? ['--', ...lines] : lines));
      const wanted = all.slice(offset, offset + limit);
      const isCut = all.length > offset + limit;
      if (isCut && wanted.at(-1) === '--') wanted.pop();
      const got = collector.page();
      // If a file has more lines than the page needs, a search may have omitted some.
      const isKnown = !isCut || found.every(({ lines }) => lines.length <= offset + limit);
      expect(got).toMatchObject({ lines: wanted, truncated: isCut, total: isKnown ? all.length : undefined });
      expect(got.files.flatMap(({ lines }) => lines)).toEqual(
        [...found]
          .sort(order)
          .flatMap(({ path, lines }, index) => [
            ...(context && index > 0 ? [{}] : []),
            ...lines.map((line) => ({ path, line })),
          ])
          .slice(offset, offset + limit)
          .flatMap((entry) => ('line' in entry ? [entry.line] : [])),
      );
    }),
    { numRuns: 300 },
  );
});

test('a first page ends as soon as it is full, and stores only what it needs', () => {
  const collector = new GrepCollector({
    query: { mode: 'content', before: 0, after: 0, limit: 5 },
    maxChars: 1e9,
    isHidden: () => false,
  });
  let taken = 0;
  while (collector.add(`/f${Math.floor(taken / 3)}`, 'x')) taken++;
  expect(taken).toBe(5);
  expect(collector.page()).toMatchObject({ lines: ['x', 'x', 'x', 'x', 'x'], truncated: true });
});

test('a page by offset stores only the needed part of one file', () => {
  const query = { mode: 'content', before: 0, after: 0, limit: 5, offset: 10 } as const;
  const collector = new GrepCollector({ query, maxChars: 1e9, isHidden: () => false });
  for (let line = 0; line < 5_000; line++) expect(collector.add('/long', `${line}`)).toBe(true);
  collector.add('/after', 'x');
  expect(collector.files().map(({ lines }) => lines.length)).toEqual([1, 15]);
  expect(collector.page()).toMatchObject({ lines: ['9', '10', '11', '12', '13'], truncated: true });
});

test('stores a limited number of characters', () => {
  const collector = new GrepCollector({
    query: { mode: 'content', before: 0, after: 0, limit: Number.POSITIVE_INFINITY },
    maxChars: 100,
    isHidden: () => false,
  });
  let taken = 0;
  while (collector.add('/f', '0123456789')) taken++;
  expect(taken).toBe(10);
  expect(collector.more).toBe(true);
});

test('hidden files do not affect the result', () => {
  const collector = new GrepCollector({
    query: { mode: 'files_with_matches', before: 0, after: 0, limit: 10 },
    maxChars: 1e9,
    isHidden: (path) => path.endsWith('.env'),
  });
  for (const path of ['/a', '/.env', '/b', '/b/.env']) expect(collector.add(path, undefined)).toBe(true);
  expect(collector.files().map(({ path }) => path)).toEqual(['/a', '/b']);
});
