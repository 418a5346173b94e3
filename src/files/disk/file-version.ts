import type { BigIntStats } from 'node:fs';
import type { FileStat } from '../../ports/file-system.js';

/** What the port says about a file, from what the system says. */
export function fileStat(path: string, stats: BigIntStats): FileStat {
  return {
    path,
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other',
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeNs) / 1e6,
    mode: Number(stats.mode & 0o7777n),
    version: fileVersion(stats),
  };
}

/** Device, inode, size and both times in nanoseconds: equal only for the same state of the same file. */
export function fileVersion(stats: BigIntStats): string {
  return `${stats.dev}.${stats.ino}.${stats.size}.${stats.mtimeNs}.${stats.ctimeNs}`;
}
