import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const maxIndexBytes = 10_000_000;
/** Size of the fields before the name of an entry: times, device, mode, owner, size, SHA-1 and flags. */
const headBytes = 62;
const flagsAt = 60;
const extendedFlag = 0x4000;
/** Extensions of a split (`link`) and of a sparse (`sdir`) index, which list only some of the tracked files. */
const partial = /^(?:link|sdir)$/;

/**
 * The paths that git tracks in the repository whose top is `folder`, relative to it. Undefined if the folder is not the
 * top of a repository, or if its index is not of version 2 or 3 with SHA-1. See gitformat-index.
 */
export function trackedFiles(folder: string): readonly string[] | undefined {
  try {
    const path = join(folder, '.git', 'index');
    if (lstatSync(path).size > maxIndexBytes) return undefined;
    return namesIn(readFileSync(path));
  } catch {
    return undefined;
  }
}

function namesIn(index: Buffer): readonly string[] | undefined {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) return undefined;
  const names: string[] = [];
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const head = headBytes + (index.readUInt16BE(at + flagsAt) & extendedFlag ? 2 : 0);
    const end = index.indexOf(0, at + head);
    if (end <= at + head) return undefined;
    names.push(index.toString('utf8', at + head, end));
    // An entry is padded with one to eight zero bytes.
    at += (end - at + 8) & ~7;
  }
  for (const trailer = index.length - 20; at < trailer; at += 8 + index.readUInt32BE(at + 4))
    if (partial.test(index.toString('latin1', at, at + 4))) return undefined;
  return at === index.length - 20 ? names : undefined;
}
