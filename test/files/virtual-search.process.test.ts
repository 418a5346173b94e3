import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { StoreFiles } from 'toolwright/files';
import { memoryFiles } from 'toolwright/testing';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { SearchEngines } from '../../src/files/search/engines.js';
import { globFiles } from '../../src/files/search/glob-files.js';
import { grepFiles } from '../../src/files/search/grep-files.js';
import type { FileStore, FileSystem, GrepQuery } from '../../src/index.js';
import { callScope } from '../support/call-scope.js';
import { randomPattern } from '../support/random-pattern.js';
import { RandomSource, writeRandomTree } from '../support/random-tree.js';
import { sample } from '../support/runs.js';
import { grepQuery } from '../support/search.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const engines = new SearchEngines({ ripgrep: false });
afterAll(() => engines.dispose());

/** The same files in a folder on the disk and in memory, under the same paths, ignore rules among them. */
function twins(seed: number) {
  const root = temporaryFolder();
  const random = new RandomSource(seed);
  const files = writeRandomTree(root, random, 40);
  const memory = memoryFiles({ root, files: Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])) });
  onTestFinished(() => memory[Symbol.asyncDispose]());
  return { root, random, memory, files, disk: { roots: [root], limits: defaultLimits, engines } };
}

function some(random: RandomSource, values: readonly string[]): string | undefined {
  return random.chance(0.4) ? random.pick(values) : undefined;
}

async function outcome<Result>(promise: Promise<Result>, of: (result: Result) => unknown): Promise<unknown> {
  return promise.then(of, (thrown: { readonly code: string }) => thrown.code);
}

test('a search for paths that ends at its size limit has no total', async () => {
  const { root, memory, disk } = twins(5);
  const grep = { ...defaultLimits.grep, maxResultBytes: 1 };
  const query = grepQuery({ pattern: '', path: root, mode: 'files_with_matches', limit: 1, limits: grep });
  const places = [
    memory.grep(query, callScope()),
    grepFiles({ ...disk, limits: { ...defaultLimits, grep } }, query, callScope()),
  ];
  for (const { lines, truncated, total } of await Promise.all(places))
    expect({ lines: lines.length, truncated, total }).toEqual({ lines: 1, truncated: true, total: undefined });
});

test('a search of memory files returns the same lines as on the disk', async () => {
  const { root, random, memory, files, disk } = twins(7);
  const anywhere = files.filter(({ path }) => !path.startsWith('.git/')).map(({ path }) => join(root, path));
  for (let index = 0; index < 80; index++) {
    const query: GrepQuery = grepQuery({
      pattern: randomPattern(random),
      path: random.pick([root, root, root, random.pick(anywhere), join(random.pick(anywhere), '..')]),
      glob: some(random, ['*.ts', '!*.md', 'src/**', '!docs', '/lib/*', '**/x/*', '[']),
      type: some(random, ['ts', 'py', 'zzz']),
      mode: random.pick(['content', 'content', 'count', 'files_with_matches'] as const),
      before: random.below(3),
      after: random.below(3),
      lineNumbers: random.chance(0.8),
      ignoreCase: random.chance(0.3),
      onlyMatching: random.chance(0.2),
      multiline: random.chance(0.3),
      offset: random.pick([0, 0, 3]),
      limit: random.pick([Number.POSITIVE_INFINITY, 20]),
    });
    const lines = ({ lines: found }: { readonly lines: readonly string[] }) =>
      query.mode === 'files_with_matches' ? found.length : found;
    const wanted = await outcome(grepFiles(disk, query, callScope()), lines);
    expect(await outcome(memory.grep(query, callScope()), lines), JSON.stringify(query)).toEqual(wanted);
  }
});

test('memory files are found as on the disk', async () => {
  const { root, memory, disk } = twins(8);
  const patterns =
    '*|**|**/*.ts|*.{ts,js}|src/**|src/|./src/*|src/../lib/*|!**/*.md|{src,lib}/**/*.md|**/[a-m]*|src/!(x)/**|[id].ts|**/[id]*|none|..|../*';
  const odd = [
    '',
    '**\0',
    '{1..1000000}',
    '{'.repeat(500),
    '*'.repeat(100_000),
    '/etc/*',
    '/',
    `${root}/src/*`,
    `${root}/**/*.js`,
    '**/.git/*',
  ];
  for (const pattern of [...patterns.split('|'), ...odd]) {
    const query = { pattern, maxFiles: 1_000 };
    const paths = ({ paths: found, total }: { readonly paths: readonly string[]; readonly total: number }) => ({
      paths: [...found].sort(),
      total,
    });
    const wanted = await outcome(globFiles(disk, { ...query, path: root }, callScope()), paths);
    expect(await outcome(memory.glob(query, callScope()), paths), JSON.stringify(pattern.slice(0, 80))).toEqual(wanted);
  }
});

const text = `${'b'.repeat(36)}!\n${'a '.repeat(20_000)}\n`;
const long = 'ab\n'.repeat(1_000_000);
const store: FileStore = {
  read: async (name) => ({ bytes: Buffer.from(name === 'a.txt' ? text : long), mtimeMs: 0, version: '1' }),
  write: async () => undefined,
  remove: async () => false,
  names: async () => ['a.txt', 'long.md'],
};
const limits = { glob: { ...defaultLimits.glob, timeoutMs: 500 }, grep: defaultLimits.grep };
const stores: readonly (readonly [name: string, make: () => FileSystem & AsyncDisposable])[] = [
  ['memory', () => memoryFiles({ root: '/w', files: { 'a.txt': text, 'long.md': long }, limits })],
  ['a store', () => new StoreFiles({ root: '/w', store, limits })],
];

describe.each(stores)('a long search in %s', (_name, make) => {
  async function watched(search: (files: FileSystem, signal: AbortSignal) => Promise<unknown>, abortsAtTurn?: number) {
    await using files = make();
    await files.grep(grepQuery({ pattern: 'warm' }), callScope());
    const controller = new AbortController();
    let turns = 0;
    const pulse = setInterval(() => turns++, 1);
    const ended = outcome(search(files, controller.signal), () => 'ended');
    if (abortsAtTurn !== undefined) await until(() => turns >= abortsAtTurn);
    if (abortsAtTurn !== undefined) controller.abort();
    const code = await ended;
    clearInterval(pulse);
    return code;
  }

  const slow = ['(b+)+$', '(b|b)*c', '(.*)*x', '(b+)+\\s'];
  test.each(sample(slow))('ends for any pattern: %s', async (pattern) => {
    expect(
      await watched((files, signal) =>
        files.grep(grepQuery({ pattern, mode: 'files_with_matches' }), callScope({ signal })),
      ),
    ).toBe('ended');
  });

  test('ends at once when aborted, and does not block the event loop', async () => {
    const search = (files: FileSystem, signal: AbortSignal) =>
      files.grep(grepQuery({ pattern: '(?:a|b)[bc]$', mode: 'count' }), callScope({ signal }));
    expect(await watched(search, 2)).toBe('interrupted');
  });

  test('is not possible with any context', async () => {
    for (const after of [50_000_000, 5_000_000_000]) {
      expect(
        await watched(async (files, signal) => {
          const { lines } = await files.grep(
            grepQuery({ pattern: 'b!', glob: '*.txt', after, before: after }),
            callScope({ signal }),
          );
          expect(lines).toHaveLength(2);
        }),
      ).toBe('ended');
    }
  });

  test('is not possible with any glob', async () => {
    const pattern = `${'*b'.repeat(30)}x`;
    await watched((files, signal) => files.glob({ pattern, maxFiles: 10 }, callScope({ signal })));
    await watched((files, signal) => files.grep(grepQuery({ pattern: 'x', glob: pattern }), callScope({ signal })));
  });
});
