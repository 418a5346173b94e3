import type { CallScope } from '../../core/context.js';
import type { FileSystem } from '../../ports/file-system.js';
import type { FileChange } from './file-change.js';
import type { FileChanges } from './file-changes.js';

const maxListed = 10_000;
const maxNamed = 10;
/** The largest difference between the clock of the file system and that of the process. */
const tickMs = 10;

/**
 * A sentence that names the files with unrecorded changes, newest first. Changes count from the start of the first turn
 * with a command at or after the undone turn. If nothing was undone, they count from the start of the last turn with a
 * command. Empty if there are no such files or no such turn.
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
      const { paths } = await files.glob({ pattern: '**/*', path, maxFiles: maxListed }, scope);
      for (const each of paths) {
        const stat = await files.stat(each, scope);
        if (stat === undefined) continue;
        // A file that was moved here, or whose time was set back, has an old mtime but a new ctime.
        const changedMs = Math.max(stat.mtimeMs, stat.ctimeMs ?? 0);
        if (changedMs >= sinceMs && changedMs > recordedMs(stat.path)) found.set(stat.path, changedMs);
      }
    }
  } catch {
    // The undo is done already, so a search that fails may not fail the call.
  }
  const named = [...found].sort(([, left], [, right]) => right - left).map(([path]) => path);
  if (named.length === 0) return '';
  const least = named.length < maxListed ? '' : 'at least ';
  const more = named.length > maxNamed ? `, and ${least}${named.length - maxNamed} more` : '';
  return (
    'These files changed since the start of a turn in which a command ran. They were not undone, since only changes ' +
    `by tools are recorded: ${named.slice(0, maxNamed).join(', ')}${more}.`
  );
}
