import { type BigIntStats, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ifPossible } from '../../core/support/check-values.js';
import { Pause } from '../../core/support/event-loop-yield.js';
import { LatestMap } from '../../core/support/latest-map.js';
import { isAutoExecutedPath } from '../../core/text/sensitive-paths.js';

// Listing a folder takes well under a millisecond. The search for the other names ends after this time.
const maxMs = 2_000;
const maxFiles = 100;

/** Finds the other names (hard links) of files and remembers them. */
export class HardLinks {
  readonly #known = new LatestMap<string, readonly string[]>(maxFiles);

  /**
   * True if all names of the file are inside the roots and none of the other names is an auto-executed path. A name
   * elsewhere, for example in a package store or a backup, shares the content, so a write into the file would change
   * that copy too. Checks the names found before, then searches the folder of `path`, then the roots. False if the
   * search takes too long.
   */
  async allInside(path: string, stats: BigIntStats, roots: readonly string[], signal: AbortSignal): Promise<boolean> {
    const key = `${stats.dev} ${stats.ino}`;
    const wanted = Number(stats.nlink);
    const before = (this.#known.get(key) ?? []).filter((name) => isSameFile(name, stats) && isCanonical(name));
    const names = before.length >= wanted ? before : await findNames(path, stats, roots, signal);
    this.#known.delete(key);
    if (names.length < wanted || names.some((name) => name !== path && isAutoExecutedPath(name, roots))) return false;
    this.#known.set(key, names);
    return true;
  }
}

/** The canonical paths of a file inside the roots. Some are missing if the search takes too long. */
async function findNames(
  path: string,
  stats: BigIntStats,
  roots: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const names: string[] = [];
  const started = performance.now();
  const pause = new Pause(signal);
  const seen = new Set<string>();
  const pending = [...roots, dirname(path)];
  for (let folder = pending.pop(); folder !== undefined && names.length < stats.nlink; folder = pending.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const entry of ifPossible(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const name = join(folder, entry.name);
      if (entry.isDirectory()) pending.push(name);
      else if (entry.isFile() && isSameFile(name, stats)) names.push(name);
    }
    if (performance.now() - started > maxMs) break;
    await pause.ifDue();
  }
  return names;
}

// A parent folder may have been replaced by a link meanwhile.
function isCanonical(path: string): boolean {
  return ifPossible(() => realpathSync.native(path)) === path;
}

function isSameFile(path: string, stats: BigIntStats): boolean {
  const other = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return other !== undefined && other.dev === stats.dev && other.ino === stats.ino;
}
