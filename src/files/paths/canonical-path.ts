import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';

const maxLinks = 40;
const climbs = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

/**
 * The real path behind an absolute one: links followed, `..` taken from where a link leads, as the operating system
 * does it. It need not exist: past the deepest existing ancestor the names stand as they are, and a dangling link
 * counts as its target. Throws what the file system says, ELOOP for links in a circle and ENOTDIR for `..` behind a
 * file included.
 */
export function canonicalPath(path: string): string {
  if (!climbs.test(path)) {
    try {
      return realpathSync.native(path);
    } catch {
      // Missing, dangling or unreadable: the walk below finds out which.
    }
  }
  return walk(path);
}

function walk(path: string): string {
  const { root } = parse(path);
  let current = root;
  let links = 0;
  const pending = names(path.slice(root.length)).reverse();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '..') {
      refuseFile(current);
      current = dirname(current);
      continue;
    }
    const next = join(current, name);
    if (lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
      current = next;
      continue;
    }
    links++;
    if (links > maxLinks) throw Object.assign(new Error(`too many links: ${path}`), { code: 'ELOOP' });
    const target = readlinkSync(next);
    if (isAbsolute(target)) current = parse(target).root;
    pending.push(...names(isAbsolute(target) ? target.slice(parse(target).root.length) : target).reverse());
  }
  return current;
}

function refuseFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  throw Object.assign(new Error(`not a folder: ${path}`), { code: 'ENOTDIR' });
}

function names(path: string): string[] {
  const parts = sep === '\\' ? path.split(/[\\/]/) : path.split('/');
  return parts.filter((name) => name !== '' && name !== '.');
}
