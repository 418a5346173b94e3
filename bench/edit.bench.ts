import { closeSync, fsync, openSync, readFileSync, readSync, renameSync, writeFileSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { alternate, report } from './alternate.js';
import { expect, openWorkspace } from './workspace.js';

// Edit through the whole pipeline against the minimal steps of a safe replacement: read, splice, write a temporary
// file, flush it, rename it. Usage: npm run bench -- edit

const flush = promisify(fsync);
await using workspace = openWorkspace();

for (const [title, bytes, goal, rounds] of [
  ['10 KB', 10_000, 1.1, 301],
  ['1 MB', 1_000_000, 1.1, 41],
  ['50 MB', 50_000_000, 1.2, 11],
] as const) {
  const path = join(workspace.root, `${bytes}.txt`);
  const half = 'some line of a file that is edited\n'.repeat(bytes / 70);
  writeFileSync(path, `${half}mark 0;\n${half}`);
  let mark = 0;
  const expectMark = () =>
    expect(textAt(path, half.length, 20).startsWith(`mark ${mark};\n`), `mark ${mark} in ${path}`);
  const edit = async () => {
    const { metadata } = await workspace.call('Edit', {
      file_path: path,
      old_string: `mark ${mark};`,
      new_string: `mark ${++mark};`,
    });
    expect(metadata?.replacements === 1, `one edit of ${path}`);
    expectMark();
  };
  const bare = async () => {
    await replaceBare(path, `mark ${mark};`, `mark ${++mark};`);
    expectMark();
  };
  report(title, await alternate({ 'bare atomic replacement': bare, Edit: edit }, rounds), { Edit: goal });
}

async function replaceBare(path: string, from: string, to: string): Promise<void> {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(from);
  expect(at >= 0 && bytes.indexOf(from, at + 1) < 0, `one place in ${path}`);
  const temporary = `${path}.tmp`;
  const descriptor = openSync(temporary, 'wx');
  const slices = [bytes.subarray(0, at), Buffer.from(to), bytes.subarray(at + Buffer.byteLength(from))];
  expect(writevSync(descriptor, slices) === bytes.length + to.length - from.length, 'all is written');
  await flush(descriptor);
  closeSync(descriptor);
  renameSync(temporary, path);
}

function textAt(path: string, position: number, length: number): string {
  const descriptor = openSync(path, 'r');
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, position);
  closeSync(descriptor);
  return bytes.toString();
}
