import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { alternate, report } from './alternate.js';
import { writeSourceTree } from './source-tree.js';
import { expect, openWorkspace } from './workspace.js';

// Glob through the whole pipeline, newest first and without files that git ignores, against `rg --files` plus a `stat`
// of each match. Usage: npm run bench -- glob; BENCH_FILES=26000 makes the tree larger.

await using workspace = openWorkspace();
const tree = writeSourceTree(workspace.root, Number(process.env.BENCH_FILES ?? 20_000));
console.log(`${tree.files} files, ${tree.typescript} hits`);

const newest = (paths: readonly string[], found: number) => {
  expect(paths.length === found, `${paths.length} of ${found} found`);
  return paths.map((path) => ({ path, age: statSync(path).mtimeMs })).sort((left, right) => right.age - left.age);
};
const ripgrep = (from: string, found: number) => () => {
  const output = execFileSync(rgPath, ['--files', '--hidden', '--null', '-j4', from], {
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  });
  newest(
    output.split('\0').filter((path) => path.endsWith('.ts')),
    found,
  );
};
const glob = (from: string, found: number) => async () => {
  const { metadata } = await workspace.call('Glob', { pattern: '**/*.ts', path: from });
  expect(metadata?.count === found && metadata.timedOut === false, `Glob found ${metadata?.count} of ${found}`);
};

const compareAt = async (title: string, from: string, found: number, rounds: number) => {
  const subjects = {
    'rg --files -j4, stat': ripgrep(from, found),
    Glob: glob(from, found),
  };
  report(title, await alternate(subjects, rounds), { Glob: 1.3 });
};
await compareAt('the whole tree', workspace.root, tree.typescript, 15);
await compareAt('one area of thirty', join(workspace.root, 'packages', 'area-0'), await countIn('area-0'), 25);

async function countIn(area: string): Promise<number> {
  const { metadata } = await workspace.call('Glob', { pattern: `packages/${area}/**/*.ts` });
  return Number(metadata?.count);
}
