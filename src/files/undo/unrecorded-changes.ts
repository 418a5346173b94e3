import type { CallScope } from '../../core/context.js';
import type { FileSystem } from '../../ports/file-system.js';
import type { FileChange } from './file-change.js';
import type { FileChanges } from './file-changes.js';

const maxLooked = 1_000;
const maxNamed = 10;
/** So far the clock that files are dated by may be from that of the process. */
const tickMs = 10;

/**
 * Names, newest first, the files that changed since the turn began which was just taken back (without changes: the last
 * turn with a command) and that the record does not have so; empty without any, or where no command ran since.
 */
export async function unrecordedChanges(
  files: FileSystem,
  changes: FileChanges,
  undone: readonly FileChange[],
  scope: CallScope,
): Promise<string> {
  const sinceMs = changes.commandsSinceMs(scope.caller, undone[0]?.turn);
  if (sinceMs === undefined) return '';
  const recordedMs = (path: string) =>
    undone.some((change) => change.path === path)
      ? Number.POSITIVE_INFINITY
      : Date.parse(changes.lastOf(scope.caller, path)?.at ?? '1970') + tickMs;
  const found = new Map<string, number>();
  try {
    for (const path of files.roots ?? [files.root]) {
      const { paths } = await files.glob({ pattern: '**/*', path, maxFiles: maxLooked }, scope);
      for (const each of paths) {
        const stat = await files.stat(each, scope);
        if (stat === undefined) continue;
        if (stat.mtimeMs < sinceMs) break;
        if (stat.mtimeMs > recordedMs(stat.path)) found.set(stat.path, stat.mtimeMs);
      }
    }
  } catch {
    // What was to be taken back is so by now: a search that fails names what it had.
  }
  const named = [...found].sort(([, left], [, right]) => right - left).map(([path]) => path);
  if (named.length === 0) return '';
  const least = named.length < maxLooked ? '' : 'at least ';
  const more = named.length > maxNamed ? `, and ${least}${named.length - maxNamed} more` : '';
  return (
    'These files changed since the turn began in which a command ran, and are not in the record, which holds only ' +
    `what tools changed: ${named.slice(0, maxNamed).join(', ')}${more}. They stay as they are.`
  );
}
