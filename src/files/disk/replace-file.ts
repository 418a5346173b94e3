import { type BigIntStats, constants } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { quietly } from '../../core/support/listeners.js';
import type { FileStat, NewContent } from '../../ports/file-system.js';
import type { OpenDirectory } from './folders.js';
import { sameState } from './open-file.js';
import type { Disk } from './system-calls.js';
import { temporaryName } from './temporary-files.js';
import { unconfirmedWrite, writeBytes } from './write-bytes.js';

/** The file cannot be replaced under its name, but it may be possible to write into it. */
export class CannotReplace extends Error {
  override readonly name = 'CannotReplace';
}

/** The folder and name of a file, and its canonical path for messages. */
export interface Place {
  readonly directory: OpenDirectory;
  readonly name: string;
  readonly path: string;
}

const create = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Replaces the file `name` in one step: writes a private temporary file beside it, flushes it to the disk and renames
 * it over the old one. If a step before the rename fails, the old file is unchanged and the temporary file is removed.
 * Mode and owner are those of `current`. Throws CannotReplace if the folder does not permit the rename but the file may
 * be writable, and `file_changed` if the file differs from `current`. An error after the rename says that the file was
 * written.
 */
export async function replaceFile(
  { directory, name, path }: Place,
  content: NewContent,
  current: BigIntStats | undefined,
  disk: Disk,
  signal: AbortSignal,
): Promise<void> {
  const temporary = directory.at(temporaryName());
  const descriptor = openTemporary(temporary, content, current, disk);
  try {
    try {
      await writeBytes(descriptor, content.slices, 0, disk, signal);
      if (current !== undefined) keepOwner(descriptor, current, disk);
      const mode = content.mode ?? (current === undefined ? undefined : Number(current.mode & 0o7777n));
      if (mode !== undefined) disk.chmod(descriptor, mode);
      await disk.sync(descriptor);
    } finally {
      disk.close(descriptor);
    }
    signal.throwIfAborted();
    if (!sameState(disk.statLink(directory.at(name)), current)) throw changedMeanwhile(path);
    renameOver(temporary, directory.at(name), disk);
  } catch (thrown) {
    // The first error is the one to report.
    quietly(() => disk.remove(temporary));
    throw thrown;
  }
  // The name of a new file must survive a power cut. A replaced file may have its old content again after a power cut,
  // and that content is complete too.
  if (current !== undefined) return;
  try {
    await directory.sync();
  } catch (thrown) {
    throw unconfirmedWrite(path, thrown);
  }
}

/** The error for a file that another program changed while its new content was computed. */
export function changedMeanwhile(path: string): ToolError {
  const message = `Another program changed the file at the same time: ${path}. Read it again, then repeat the change.`;
  return new ToolError('file_changed', message, { metadata: { race: true } });
}

/** Throws `storage_failed` for a file without write permission, which a rename would replace without an error. */
export function refuseReadOnly({ path, mode }: FileStat): void {
  if ((mode & 0o222) !== 0) return;
  throw new ToolError(
    'storage_failed',
    `The file is marked read-only: ${path}. Make it writable first (chmod u+w), if it may be changed.`,
  );
}

function openTemporary(temporary: string, content: NewContent, current: BigIntStats | undefined, disk: Disk): number {
  // A new file gets its mode from the umask at once. The copy of an existing file is private until it gets the mode of
  // that file.
  const mode = current === undefined ? (content.mode ?? 0o666) : 0o600;
  try {
    return disk.open(temporary, create, mode);
  } catch (thrown) {
    if (current !== undefined && isRefusal(thrown))
      throw new CannotReplace('the folder permits no new file', { cause: thrown });
    throw thrown;
  }
}

function keepOwner(descriptor: number, current: BigIntStats, disk: Disk): void {
  const own = disk.stat(descriptor);
  if (own.uid === current.uid && own.gid === current.gid) return;
  try {
    disk.chown(descriptor, Number(current.uid), Number(current.gid));
  } catch (thrown) {
    throw new CannotReplace('the owner cannot be kept', { cause: thrown });
  }
}

function renameOver(temporary: string, target: string, disk: Disk): void {
  try {
    disk.rename(temporary, target);
  } catch (thrown) {
    if (isRefusal(thrown)) throw new CannotReplace('the name cannot be replaced', { cause: thrown });
    throw thrown;
  }
}

function isRefusal(thrown: unknown): boolean {
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
  return code === 'EACCES' || code === 'EPERM' || code === 'EBUSY' || code === 'EXDEV';
}
