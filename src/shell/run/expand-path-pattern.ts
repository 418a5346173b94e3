import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { accessNumbers } from '../../core/numbers.js';
import { globMatcher } from '../../core/paths/glob-matcher.js';

/**
 * The current matches of an absolute shell pattern as real paths, folder by folder with symlinks followed; dangling
 * links match nothing. Undefined after more than `maxLooks` folder and name lookups; a large folder takes several.
 * Never throws: an unreadable folder is empty.
 */
export function matchedPaths(pattern: string, maxLookups: number): readonly string[] | undefined {
  let folders: readonly string[] = ['/'];
  let lookups = 0;
  for (const segment of pattern.split('/').filter((part) => part !== '' && part !== '.')) {
    const found = new Set<string>();
    const isNamed = namedBy(segment);
    for (const folder of folders) {
      if (++lookups > maxLookups) return undefined;
      const entries = isNamed === undefined ? [undefined] : entriesOf(folder);
      lookups += Math.floor(entries.length / accessNumbers.namesPerLook);
      for (const entry of entries) {
        if (entry !== undefined && isNamed?.(entry.name) !== true) continue;
        if (entry?.isSymbolicLink() === true && ++lookups > maxLookups) return undefined;
        const path = join(folder, entry?.name ?? segment);
        const real = entry === undefined || entry.isSymbolicLink() ? realOf(path) : path;
        if (real !== undefined) found.add(real);
      }
    }
    folders = [...found];
  }
  return folders;
}

/** Which names match a segment; undefined for a segment without a pattern. */
function namedBy(segment: string): ((name: string) => boolean) | undefined {
  if (!/[*?[]/.test(segment)) return undefined;
  const isMatch = globMatcher(segment, { nocase: true });
  // A shell reads a pattern without matches, such as `[id]`, as a literal name.
  return (name) => name === segment || isMatch(name);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
