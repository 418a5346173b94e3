import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate, report } from './alternate.js';
import { expect, openWorkspace } from './workspace.js';

// Read through the whole pipeline against a `sed` process that prints the same lines, at every size of file.
// Usage: npm run bench -- read; BENCH_BIG_BYTES=10000000000 makes the largest file larger.

const bigBytes = Number(process.env.BENCH_BIG_BYTES ?? 1_000_000_000);
const atOnce = 10;
const [root, path, line] = process.argv.slice(2);
if (root !== undefined && path !== undefined) await measureMemory(root, path, Number(line));
else await compare();

async function compare(): Promise<void> {
  await using workspace = openWorkspace();
  const file = (name: string, bytes: number) => writeLines(join(workspace.root, name), bytes);
  const small = file('small.txt', 10_000);
  const medium = file('medium.txt', 1_000_000);
  const large = file('large.txt', 200_000_000);
  const huge = file('huge.txt', bigBytes);

  const read = (file: LinesFile, offset: number, limit: number) => async () => {
    const { output } = await workspace.call('Read', { file_path: file.path, offset, limit });
    const last = offset + limit - 1;
    expect(
      output.startsWith(`${offset}\t${lineText(offset)}\n`) && output.includes(`\n${last}\t${lineText(last)}`),
      `Read ${offset}`,
    );
  };
  const sed = (file: LinesFile, offset: number, limit: number) => () => {
    const last = offset + limit - 1;
    const output = execFileSync('sed', ['-n', `${offset},${last}p;${last}q`, file.path], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    expect(output.startsWith(`${lineText(offset)}\n`) && output.includes(`\n${lineText(last)}\n`), `sed ${offset}`);
  };
  // Several calls in a row: right after another process has run, cold caches would dominate the time of a single short
  // call.
  const compareAt = async (title: string, file: LinesFile, limit: number, goals: { readonly Read?: number }) => {
    const subjects = { sed: several(sed(file, 1, limit)), Read: several(read(file, 1, limit)) };
    report(`${title}, ${atOnce} times`, await alternate(subjects, 21), goals);
  };

  await compareAt('10 KB whole', small, small.lines, { Read: 0.05 });
  await compareAt('1 MB, first 800 lines', medium, 800, {});
  await compareAt('largest file, first 200 lines', huge, 200, { Read: 0.1 });

  // A new modification time makes the index of lines invalid, so that every page is a first page.
  let changes = 0;
  const readAnew = async () => {
    utimesSync(large.path, 1_000_000_000, 1_000_000_000 + ++changes);
    await read(large, 1_000_000, 200)();
  };
  const deep = {
    sed: sed(large, 1_000_000, 200),
    Read: readAnew,
    'indexOf over the same bytes': () => countLines(large.path, 1_000_000),
  };
  report('200 MB, 200 lines from 1,000,000 on, for the first time', await alternate(deep, 15), { Read: 0.35 });
  let at = 1_000_000;
  const readOn = () => {
    at += 200;
    return read(large, at, 200)();
  };
  const next = { sed: () => sed(large, at, 200)(), Read: readOn };
  report('200 MB, the page after that', await alternate(next, 9), { Read: 0.05 });

  console.log('\nGrowth of the memory of a fresh process, at the peak');
  for (const [title, file, line] of [
    ['10 KB', small, 1],
    ['200 MB, line 1,000,000', large, 1_000_000],
    ['largest file, the last lines', huge, huge.lines - 200],
  ] as const) {
    const child = ['--import', 'tsx', fileURLToPath(import.meta.url), workspace.root, file.path, String(line)];
    console.log(
      `  ${title.padEnd(34)} ${execFileSync(process.execPath, child, { encoding: 'utf8' }).trim()} MB  goal 10 MB`,
    );
  }
}

function several(subject: () => unknown): () => Promise<void> {
  return async () => {
    for (let time = 0; time < atOnce; time++) await subject();
  };
}

async function measureMemory(root: string, path: string, line: number): Promise<void> {
  await using workspace = openWorkspace(root);
  // The cost of the first call of a process does not depend on the file.
  await workspace.call('Read', { file_path: join(root, 'medium.txt'), limit: 200 });
  const before = process.memoryUsage.rss();
  let peak = before;
  const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
  const timer = setInterval(sample, 1);
  const { output } = await workspace.call('Read', { file_path: path, offset: line, limit: 200 });
  sample();
  clearInterval(timer);
  expect(output.startsWith(`${line}\t${lineText(line)}\n`), `line ${line}`);
  console.log(((peak - before) / 1e6).toFixed(1));
}

interface LinesFile {
  readonly path: string;
  readonly lines: number;
}

function writeLines(path: string, bytes: number): LinesFile {
  const descriptor = openSync(path, 'w');
  let line = 0;
  for (let written = 0; written < bytes; ) {
    let block = '';
    while (block.length < Math.min(1_000_000, bytes - written)) block += `${lineText(++line)}\n`;
    written += writeSync(descriptor, block);
  }
  closeSync(descriptor);
  return { path, lines: line };
}

/** Lines of 12 to 212 characters. */
function lineText(line: number): string {
  return `line ${line} `.padEnd(12 + ((line * 7_919) % 200), 'abcdefgh ');
}

function countLines(path: string, lines: number): void {
  const descriptor = openSync(path, 'r');
  const buffer = Buffer.allocUnsafeSlow(1_048_576);
  let left = lines;
  while (left > 0) {
    const block = buffer.subarray(0, readSync(descriptor, buffer));
    for (let at = block.indexOf(10); at >= 0 && left > 0; at = block.indexOf(10, at + 1)) left--;
  }
  closeSync(descriptor);
}
