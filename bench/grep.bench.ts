import { spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { alternate, report } from './alternate.js';
import { commonWord, handlerPattern, rareWord, writeSourceTree } from './source-tree.js';
import { expect, openWorkspace, type Workspace } from './workspace.js';

// Grep through the whole pipeline, with ripgrep and with the JavaScript engine, against the bare `rg -j4` process.
// Usage: npm run bench -- grep; BENCH_FILES=26000 makes the tree larger.

await using workspace = openWorkspace();
await using unassisted = openWorkspace(workspace.root);
const tree = writeSourceTree(workspace.root, Number(process.env.BENCH_FILES ?? 20_000));
console.log(`${tree.files} files, of which git ignores a quarter`);
await useJavaScript(unassisted);

const contentLines = 100;
const bareRipgrep = (pattern: string, found: number | 'content') => async () => {
  const mode = found === 'content' ? ['--line-number', '--no-heading'] : ['--files-with-matches'];
  const lines = await linesOf(
    [...mode, '--hidden', '-j4', pattern, workspace.root],
    found === 'content' ? contentLines : Number.POSITIVE_INFINITY,
  );
  expect(found === 'content' ? lines >= contentLines : lines === found, `rg found ${lines}`);
};
const grep =
  ({ call }: Workspace, engine: string, pattern: string, found: number | 'content') =>
  async () => {
    const shown = found === 'content' ? { output_mode: 'content', head_limit: contentLines } : { head_limit: 0 };
    const { metadata } = await call('Grep', { pattern, ...shown });
    expect(metadata?.engine === engine && metadata.timedOut === false, `${engine} ran`);
    expect(
      metadata?.count === (found === 'content' ? contentLines : found),
      `Grep found ${metadata?.count} of ${found}`,
    );
  };
const compareAt = async (
  title: string,
  pattern: string,
  found: number | 'content',
  goals: Record<'Grep' | 'withoutRipgrep', number>,
) => {
  const subjects = {
    'rg -j4': bareRipgrep(pattern, found),
    Grep: grep(workspace, 'ripgrep', pattern, found),
    'Grep, JavaScript engine': grep(unassisted, 'javascript', pattern, found),
  };
  const timings = await alternate(subjects, 11);
  report(title, timings, { Grep: goals.Grep, 'Grep, JavaScript engine': goals.withoutRipgrep });
};

await compareAt(`a rare word, ${tree.rare} files`, rareWord, tree.rare, { Grep: 1.1, withoutRipgrep: 3 });
await compareAt(`an expression, ${tree.handlers} files`, handlerPattern, tree.handlers, {
  Grep: 1.1,
  withoutRipgrep: 3,
});
await compareAt(`a common word, the first ${contentLines} lines`, commonWord, 'content', {
  Grep: 1.3,
  withoutRipgrep: 1.5,
});

/** The number of lines that ripgrep prints. It is ended at `maxLines`. */
function linesOf(words: readonly string[], maxLines: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let lines = 0;
    const child = spawn(rgPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
      if (lines >= maxLines) child.kill('SIGKILL');
    });
    child.on('error', reject).on('close', () => resolve(lines));
  });
}

/** A toolkit chooses its engine at its first search. */
async function useJavaScript({ call, root }: Workspace): Promise<void> {
  process.env.TOOLWRIGHT_RIPGREP = 'off';
  await call('Grep', { pattern: rareWord, path: `${root}/.gitignore` });
  delete process.env.TOOLWRIGHT_RIPGREP;
}
