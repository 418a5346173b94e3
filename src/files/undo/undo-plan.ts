import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { FileSystem } from '../../host/file-system.js';
import type { FileChange } from './file-change.js';
import { requireAsLeft } from './undo-change.js';

/** A file that has to stay as it is, and why. */
interface StayingFile {
  readonly path: string;
  readonly why: string;
}

const noRoom = 'the record of changes had no room for its bytes';
const changedSince = 'it has changed since';

/** The files of a turn, whose changes are given newest first, that have to stay as they are, before any is taken back. */
export async function obstaclesOf(
  files: FileSystem,
  turn: readonly FileChange[],
  scope: CallScope,
): Promise<readonly StayingFile[]> {
  const stays: StayingFile[] = [];
  for (const path of new Set(turn.map((change) => change.path))) {
    const changes = turn.filter((change) => change.path === path);
    const why = await obstacle(files, changes, scope);
    if (why !== undefined) stays.push({ path, why });
  }
  return stays;
}

/** The error for a change whose bytes are not on record. */
export function notOnRecord(path: string): ToolError {
  return new ToolError(
    'limit_reached',
    `The last change of ${path} cannot be taken back: ${noRoom}. Edit the file by hand, or restore it from ` +
      'version control.',
  );
}

async function obstacle(
  files: FileSystem,
  changes: readonly FileChange[],
  scope: CallScope,
): Promise<string | undefined> {
  if (changes.some(({ isTooLarge }) => isTooLarge === true)) return noRoom;
  const [newest] = changes;
  if (newest === undefined || !areUnbroken(changes)) return changedSince;
  try {
    await requireAsLeft(files, newest, scope);
    return undefined;
  } catch (thrown) {
    if (!ToolError.is(thrown)) throw thrown;
    return thrown.code === 'file_changed' ? changedSince : thrown.message.replace(/\.$/, '');
  }
}

/** Whether each change began with what the one before had left. */
function areUnbroken(newestFirst: readonly FileChange[]): boolean {
  return newestFirst.every((change, index) => {
    const older = newestFirst[index + 1];
    return older === undefined || older.hashAfter === change.hashBefore;
  });
}
