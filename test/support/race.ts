import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { defaultLimits, ToolError } from 'toolwright';
import { hostFiles } from 'toolwright/files';
import { expect } from 'vitest';
import { callScope } from './call-scope.js';
import { temporaryFolder } from './temporary-folder.js';

const marker = 'OUTSIDE-MARKER';

// Swaps two names as fast as possible until it is ended. A file that appears while a name is free is moved aside.
const swapper = `
const { renameSync } = require('node:fs');
const { workerData: { name, spare, away } } = require('node:worker_threads');
let aside = 0;
// It pauses now and then, so that some calls run without a swap.
function rest() {
  const until = performance.now() + (Math.random() < 0.02 ? 5 : Math.random() / 20);
  while (performance.now() < until);
}
function move(from, to) {
  for (;;) {
    try { return renameSync(from, to); }
    catch { renameSync(to, away + aside++); }
  }
}
for (;;) {
  move(name, away); move(spare, name); rest();
  move(name, spare); move(away, name); rest();
}`;

/** The result of {@link race}. */
export interface RaceCount {
  readonly inside: number;
  readonly refused: number;
}

/**
 * Reads and writes while another thread constantly swaps a folder for a link to a folder outside (`folder`), or a file
 * for a link to a file outside (`file`). Checks that nothing outside is read or changed.
 */
export async function race(kind: 'folder' | 'file', rounds: number): Promise<RaceCount> {
  const base = temporaryFolder();
  const ws = join(base, 'ws');
  const out = join(base, 'out');
  for (const folder of [ws, out]) mkdirSync(folder);
  writeFileSync(join(out, 'f.txt'), marker);
  const name = join(ws, kind === 'folder' ? 'd' : 'f.txt');
  const spare = join(ws, 'spare');
  if (kind === 'folder') {
    mkdirSync(name);
    writeFileSync(join(name, 'f.txt'), 'inside');
    symlinkSync(out, spare);
  } else {
    writeFileSync(name, 'inside');
    symlinkSync(join(out, 'f.txt'), spare);
  }
  const files = hostFiles({ root: ws, limits: defaultLimits });
  const before = JSON.stringify(listing(out));
  const worker = new Worker(swapper, { eval: true, workerData: { name, spare, away: join(ws, 'away') } });
  let isSwapping = true;
  const stopped = new Promise<void>((resolve) =>
    worker.once('exit', () => {
      isSwapping = false;
      resolve();
    }),
  );
  worker.on('error', () => {});
  const target = kind === 'folder' ? join(name, 'f.txt') : name;
  let inside = 0;
  let refused = 0;
  const count = (result: unknown) => {
    if (!(result instanceof Error)) inside++;
    else if (ToolError.is(result)) refused++;
    else throw result;
  };
  try {
    for (let round = 0; round < rounds; round++) {
      count(await readText(files, target).catch((thrown: unknown) => thrown));
      const change = () => ({ slices: [Buffer.from(`inside ${round}`)] });
      count(await files.update(target, change, callScope()).catch((thrown: unknown) => thrown));
      if (kind === 'folder')
        count(await files.update(join(name, 'x', 'y.txt'), change, callScope()).catch((thrown: unknown) => thrown));
    }
    expect(isSwapping).toBe(true);
  } finally {
    await worker.terminate();
    await stopped;
  }
  expect(JSON.stringify(listing(out))).toBe(before);
  return { inside, refused };
}

async function readText(files: ReturnType<typeof hostFiles>, path: string): Promise<string> {
  const file = await files.open(path, callScope());
  try {
    const buffer = Buffer.alloc(100);
    const text = buffer.toString('utf8', 0, await file.read(buffer, 0));
    expect(text).not.toContain(marker);
    return text;
  } finally {
    await file.close();
  }
}

function listing(folder: string): unknown {
  return readdirSync(folder).map((entry) => [
    entry,
    readFileSync(join(folder, entry), 'utf8'),
    statSync(join(folder, entry)).mtimeMs,
  ]);
}
