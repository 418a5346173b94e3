import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const cores = availableParallelism();
let threads: Worker[] = [];
let SearchEngines: typeof import('../../src/files/search/search-engines.js').SearchEngines;
let searchedFolder: typeof import('../support/search.js').searchedFolder;
const note = (thread: Worker) => void threads.push(thread);

beforeEach(async () => {
  threads = [];
  // Other files of this process may hold threads of the pool that all share; these tests have one of their own.
  vi.resetModules();
  ({ SearchEngines } = await import('../../src/files/search/search-engines.js'));
  ({ searchedFolder } = await import('../support/search.js'));
  process.on('worker', note);
});

afterEach(() => {
  process.off('worker', note);
});

test('many toolkits search in no more threads than there are cores, which end with the last of them', async () => {
  const all = Array.from({ length: 3 * cores }, () => new SearchEngines({ ripgrep: false }));
  const folders = all.map((engines) => searchedFolder({ 'a.ts': 'foo\n' }, { engines }));
  const found = await Promise.all(folders.map((folder) => folder.glob('*.ts')));
  expect(found.map(({ total }) => total)).toEqual(folders.map(() => 1));
  expect(threads.length).toBeLessThanOrEqual(cores);
  await Promise.all(all.slice(1).map((engines) => engines.dispose()));
  expect((await folders[0]?.grep({ pattern: 'fo+' }))?.lines).toHaveLength(1);
  await all[0]?.dispose();
  // A thread that has ended has no number any more.
  expect(threads.map(({ threadId }) => threadId)).toEqual(threads.map(() => -1));
});

test('a search that waits for a thread ends at once when it is aborted or its toolkit disposed, and the others go on', async () => {
  const busy = searchedFolder({ 'a.txt': `${'b'.repeat(60)}\n` }, { ripgrep: false });
  const running = Array.from({ length: cores }, () => busy.grep({ pattern: '(b+)+$\\d' }).catch(({ code }) => code));
  const engines = new SearchEngines({ ripgrep: false });
  const waiting = searchedFolder({ 'a.txt': 'foo\n' }, { engines });
  const controller = new AbortController();
  const aborted = waiting.grep({ pattern: 'foo' }, controller.signal);
  const disposed = waiting.glob('*');
  const last = busy.glob('*');
  setImmediate(() => controller.abort());
  await expect(aborted).rejects.toMatchObject({ code: 'interrupted' });
  setImmediate(() => void engines.dispose());
  await expect(disposed).rejects.toMatchObject({ code: 'interrupted' });
  expect(threads.length).toBeLessThanOrEqual(cores);
  expect(await Promise.all(running)).toEqual(running.map(() => 'invalid_input'));
  expect((await last).total).toBe(1);
});

test('a host that was started with text as its module can search', async () => {
  const script = `
    import { SearchEngines } from './src/files/search/search-engines.ts';
    import { globFiles } from './src/files/search/search-glob.ts';
    import { defaultLimits } from './src/core/limits.ts';
    const options = { roots: [process.cwd()], limits: defaultLimits, engines: new SearchEngines({ ripgrep: false }) };
    const found = await globFiles(options, { pattern: 'package.json', maxFiles: 1 }, { signal: new AbortController().signal });
    console.log(found.paths.length);`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    script,
  ]);
  expect(stdout).toBe('1\n');
});
