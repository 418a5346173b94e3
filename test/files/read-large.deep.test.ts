import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles, ReadLedger } from 'toolwright/files';
import { readTool } from 'toolwright/tools';
import { expect, test } from 'vitest';
import { toolContext } from '../support/call-scope.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const lineBytes = 128;

function line(number: number): string {
  return `${String(number).padEnd(lineBytes - 1, '.')}\n`;
}

/** A file of equally long lines. */
function makeLines(path: string, count: number): void {
  const descriptor = openSync(path, 'w');
  for (let from = 1; from <= count; from += 100_000) {
    const until = Math.min(count, from + 99_999);
    writeSync(descriptor, Array.from({ length: until - from + 1 }, (_, index) => line(from + index)).join(''));
  }
  closeSync(descriptor);
}

/** The result of a job, and the peak growth of the memory of the process. */
async function measured<Result>(job: () => Promise<Result>) {
  globalThis.gc?.();
  const base = process.memoryUsage.rss();
  let peak = base;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 1);
  const result = await job();
  clearInterval(timer);
  return { result, grownMb: (Math.max(peak, process.memoryUsage.rss()) - base) / 1e6 };
}

function reader() {
  const root = temporaryFolder();
  const files = hostFiles({ root, limits: defaultLimits });
  const tool = readTool({ files, ledger: new ReadLedger(), limits: defaultLimits.read });
  const path = join(root, 'large.txt');
  return { path, read: (input: Record<string, number>) => tool.execute({ file_path: path, ...input }, toolContext()) };
}

test('a file of 1 GB is read at its first page, a late page and the next one, with constant memory', async () => {
  const { path, read } = reader();
  makeLines(path, 8_000_000);
  await read({ limit: 10 });
  const first = await measured(() => read({ limit: 200 }));
  const deep = await measured(() => read({ offset: 7_000_000, limit: 200 }));
  const next = await measured(() => read({ offset: 7_000_200, limit: 200 }));
  for (const { grownMb } of [first, deep, next]) expect(grownMb).toBeLessThan(50);
  expect(deep.result.output.split('\n')[0]).toBe(`7000000\t${line(7_000_000).trim()}`);
  expect(next.result.output.split('\n')[199]).toBe(`7000399\t${line(7_000_399).trim()}`);
});

test('one line of 10 MB is read page by page to its end', async () => {
  const { path, read } = reader();
  const descriptor = openSync(path, 'w');
  const text = Array.from({ length: 1_000_000 }, (_, index) => String(index).padStart(10, '0')).join('');
  writeSync(descriptor, `${text}\nend\n`);
  closeSync(descriptor);
  let seen = '';
  let column: number | undefined = 1;
  let pages = 0;
  while (column !== undefined) {
    const { output } = await read(column === 1 ? {} : { offset: 1, column });
    seen += /^1\t(.*)$/m.exec(output)?.[1] ?? '';
    const next = /read on with offset: 1, column: (\d+)/.exec(output);
    column = next === null ? undefined : Number(next[1]);
    pages++;
  }
  console.log(`${pages} pages`);
  expect(seen === text).toBe(true);
});
