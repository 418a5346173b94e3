import { normalPath } from '../../core/paths/normal-path.js';

/** Whether a path is a device file of a disk or memory, however it is spelled. */
export function isRawDevice(path: string): boolean {
  return /^\/dev\/(?:[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|sr\d|dm-\d|md\d|nbd\d|loop\d|zram\d|mapper\/|disk\/|block\/|zd\d|k?mem$|port$|mtd\w*\d)/.test(
    normalPath(path),
  );
}

/** Whether a path is the root, a whole home folder, or a system folder. */
export function isSystemRoot(path: string): boolean {
  const plain = path.replace(/\/+\*+$/, '');
  if (/^~[\w-]*\/?\.?$/.test(plain)) return true;
  if (!path.startsWith('/')) return false;
  const normal = normalPath(plain === '' ? '/' : plain);
  return /^\/(?:(?:bin|boot|dev|etc|home|lib(?:32|64|x32)?|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications|private|Volumes)(?:\/(?:bin|lib|local|share|log))?|home\/[\w.-]+|Users\/[\w.-]+|\*)?$/.test(
    normal,
  );
}

/** Whether a path may leave the working folder: absolute, from home, or with `..`. */
export function mayLeaveFolder(path: string): boolean {
  return /^[/~\\]|^[a-z]:[\\/]/i.test(path) || /(?:^|[/\\=:])\.\.(?:[/\\]|$)/.test(path);
}

const maxPieces = 8;

/**
 * The paths that a word may name: itself, and the part after each of its colons (`HEAD:path`, `:0:path`, `:(top)path`);
 * undefined for more than eight parts.
 */
export function namedPaths(word: string): readonly string[] | undefined {
  const pieces = word.split(':', maxPieces + 1);
  if (pieces.length > maxPieces) return undefined;
  const suffixes = pieces.map((_, index) =>
    pieces
      .slice(index)
      .join(':')
      .replace(/^(?:\([^)]*\)|[/!^]+)/, ''),
  );
  return [...new Set([word, ...suffixes])];
}

/** Caches a path test and limits it to `maxPaths` paths; the test is false for all further paths. */
export function memoized(test: (path: string) => boolean, maxPaths: number): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const answer = known.get(path);
    if (answer !== undefined || known.size >= maxPaths) return answer === true;
    const found = test(path);
    known.set(path, found);
    return found;
  };
}
