import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { FileSystem } from '../../ports/file-system.js';
import type { FileChanges } from './change-log.js';
import type { FileChange } from './file-change.js';
import { currentState, hashOf } from './revert-change.js';

const tooLarge = 'its bytes were too large to record';
const changedSince = 'it has changed since';
const maxListed = 10_000;
const maxNamed = 10;
/** The largest difference between the clock of the file system and that of the process. */
const tickMs = 10;

/**
 * Plans the undo of a turn, given its changes, newest first. Returns in `stays` the files whose changes cannot be
 * undone, and in `left` the changes to undo; an earlier undo may have undone the others.
 */
export async function planTurn(files: FileSystem, turn: readonly FileChange[], scope: CallScope) {
  const stays: { readonly path: string; readonly why: string }[] = [];
  const left = new Set<FileChange>();
  for (const path of new Set(turn.map((change) => change.path))) {
    const changes = turn.filter((change) => change.path === path);
    const rest = await changesLeft(files, changes, scope);
    if (typeof rest === 'string') stays.push({ path, why: rest });
    else for (const change of rest) left.add(change);
  }
  return { stays, left: turn.filter((change) => left.has(change)) };
}

/** The error for a change whose bytes were not recorded. */
export function notOnRecord(path: string): ToolError {
  return new ToolError(
    'limit_reached',
    `The last change of ${path} cannot be undone: ${tooLarge}. Edit the file by hand, or restore it from ` +
      'version control.',
  );
}

/** The changes of one file that can be undone from its present content, or the reason why none can. */
async function changesLeft(
  files: FileSystem,
  changes: readonly FileChange[],
  scope: CallScope,
): Promise<readonly FileChange[] | string> {
  if (changes.some(({ isTooLarge }) => isTooLarge === true)) return tooLarge;
  const path = changes[0]?.path ?? '';
  if (!areConsecutive(changes)) return changedSince;
  try {
    const hash = hashOf((await currentState(files, path, scope)).bytes);
    const at = changes.findIndex(({ hashAfter }) => hashAfter === hash);
    if (at >= 0) return changes.slice(at);
    return changes.at(-1)?.hashBefore === hash ? [] : changedSince;
  } catch (thrown) {
    if (!ToolError.is(thrown)) throw thrown;
    return thrown.code === 'file_changed' ? changedSince : thrown.message.replace(/\.$/, '');
  }
}

function areConsecutive(newestFirst: readonly FileChange[]): boolean {
  return newestFirst.every((change, index) => {
    const older = newestFirst[index + 1];
    return older === undefined || older.hashAfter === change.hashBefore;
  });
}

/**
 * Returns a sentence that names the files with unrecorded changes, newest first; empty if there are none. Only changes
 * after a certain time count: after the start of the first turn, not before the undone turn, in which a command ran. If
 * nothing was undone, they count from the start of the last turn in which a command ran.
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
    // The undo is complete, so a failed search must not fail the call.
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
