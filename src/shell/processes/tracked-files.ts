import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const maxIndexBytes = 10_000_000;
/** Before the name of an entry: times, device, mode, owner, size, SHA-1 and flags. */
const headBytes = 62;
const flagsAt = 60;
const isExtended = 0x4000;
/** Extensions by which the index holds only some of the tracked names: a split and a sparse index. */
const partial = /^(?:link|sdir)$/;

/**
 * The paths that git tracks in the repository whose top is `folder`, relative to it. Undefined if they are not known:
 * the folder is no such top, or its index has a form that this reader does not know (only versions 2 and 3 with SHA-1).
 * See gitformat-index.
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
    const head = headBytes + (index.readUInt16BE(at + flagsAt) & isExtended ? 2 : 0);
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
