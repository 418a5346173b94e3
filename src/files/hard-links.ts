import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

// A folder is read in well under a millisecond; past this the search for the other names gives up.
const maxMs = 2_000;
const sliceMs = 10;

/**
 * True when every name of the file is found inside the roots, the folder of `path` first. A file that has names elsewhere is shared with
 * somebody outside (a package store, a backup), and what happens to its bytes happens there too.
 */
export async function allNamesInside(path: string, stats: BigIntStats, roots: readonly string[], signal: AbortSignal): Promise<boolean> {
  let missing = Number(stats.nlink);
  const started = performance.now();
  let resumed = started;
  const seen = new Set<string>();
  const pending = [...roots, dirname(path)];
  for (let folder = pending.pop(); folder !== undefined && missing > 0; folder = pending.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const entry of entries(folder)) {
      if (entry.isDirectory()) pending.push(join(folder, entry.name));
      else if (entry.isFile() && isSameFile(join(folder, entry.name), stats)) missing--;
    }
    const now = performance.now();
    if (now - started > maxMs) return false;
    if (now - resumed > sliceMs) {
      await setImmediate(undefined, { signal });
      resumed = performance.now();
    }
  }
  return missing <= 0;
}

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isSameFile(path: string, stats: BigIntStats): boolean {
  const other = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return other !== undefined && other.dev === stats.dev && other.ino === stats.ino;
}
