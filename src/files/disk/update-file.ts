import type { BigIntStats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ToolError } from '../../core/error.js';
import { fileNumbers } from '../../core/fixed-limits.js';
import { quietly } from '../../core/support/listeners.js';
import { errorCode, unless } from '../../core/support/os-error-code.js';
import { waitFor } from '../../core/support/timers.js';
import type { ContentChange, FileUpdate, NewContent } from '../../ports/file-system.js';
import { ensureDirectory, type OpenDirectory } from './folders.js';
import type { HardLinks } from './hard-links.js';
import { fileStat, openFile, openRegular, readWhole } from './open-file.js';
import { overwriteFile } from './overwrite-file.js';
import { CannotReplace, refuseReadOnly, replaceFile } from './replace-file.js';
import type { Disk } from './system-calls.js';
import type { AbandonedFiles } from './temporary-files.js';
import { writtenYetFailed } from './write-bytes.js';

export interface UpdateSettings {
  readonly roots: readonly string[];
  readonly disk: Disk;
  readonly abandoned: AbandonedFiles;
  readonly hardLinks: HardLinks;
  readonly signal: AbortSignal;
}

/** The file before the update. */
interface Before {
  readonly stats: BigIntStats;
  readonly bytes: () => Promise<Buffer>;
  readonly close: () => void;
}

/**
 * Repeats an update for a limited time if another program changed the file at the same time. Each attempt reads and
 * decides again, so that both changes are kept. A gap remains: the other program may still write between the last check
 * and the rename (TOCTOU), since no system call compares and renames in one step.
 */
export async function updateUntilFirst(update: () => Promise<FileUpdate | undefined>): Promise<FileUpdate | undefined> {
  const deadline = performance.now() + fileNumbers.raceMs;
  for (;;) {
    try {
      return await update();
    } catch (thrown) {
      if (!ToolError.is(thrown) || thrown.metadata?.race !== true || performance.now() > deadline) throw thrown;
    }
    // A random delay, so that two programs do not collide again and again.
    await waitFor(Math.random() * fileNumbers.maxRetryPauseMs);
  }
}

/** One update of the file at a canonical path: read, decide, write. Throws the error of the system, or a ToolError. */
export async function updateFile(
  path: string,
  change: ContentChange,
  settings: UpdateSettings,
): Promise<FileUpdate | undefined> {
  const before = openCurrent(path, settings);
  try {
    const current = before && { stat: fileStat(path, before.stats), bytes: before.bytes };
    const content = await change(current);
    if (content === undefined) return undefined;
    if (current !== undefined) refuseReadOnly(current.stat);
    return await write(path, content, before, settings);
  } finally {
    before?.close();
  }
}

function openCurrent(path: string, { roots, disk }: UpdateSettings): Before | undefined {
  const file = unless('ENOENT', () => openRegular(path, roots, disk));
  if (file === undefined) return undefined;
  const open = openFile(file, path, disk);
  let whole: Promise<Buffer> | undefined;
  return {
    stats: file.stats,
    bytes: () => (whole ??= readWhole(open)),
    close: () => disk.release(file.descriptor),
  };
}

async function write(
  path: string,
  content: NewContent,
  before: Before | undefined,
  settings: UpdateSettings,
): Promise<FileUpdate> {
  const { roots, disk, abandoned } = settings;
  const made: string[] = [];
  let directory: OpenDirectory | undefined;
  try {
    directory = ensureDirectory(dirname(path), roots, disk, made);
    abandoned.sweep(directory);
    const method = await writeContent(path, directory, content, before, settings);
    const stats = statAfterWrite(path, () => disk.statLink((directory as OpenDirectory).at(basename(path))));
    if (stats === undefined)
      throw new ToolError('file_changed', `The file was removed right after it was written: ${path}. Write it again.`);
    return {
      path,
      created: before === undefined,
      method,
      stat: fileStat(path, stats),
      ...(made.length === 0 ? {} : { madeFolders: made }),
    };
  } catch (thrown) {
    // Folders that are no longer empty are kept.
    quietly(() => {
      for (const folder of made.reverse()) disk.removeDirectory(folder);
    });
    throw thrown;
  } finally {
    directory?.close();
  }
}

async function writeContent(
  path: string,
  directory: OpenDirectory,
  content: NewContent,
  before: Before | undefined,
  { roots, disk, hardLinks, signal }: UpdateSettings,
): Promise<FileUpdate['method']> {
  const name = basename(path);
  const overwrite = async () => {
    if (before === undefined)
      throw new ToolError('storage_failed', `The file cannot be created: ${path}. Write to another path.`);
    const old = { roots, stats: before.stats, oldBytes: await before.bytes() };
    await overwriteFile({ directory, name, path }, old, content, disk);
    return 'overwritten' as const;
  };
  const isShared = before !== undefined && before.stats.nlink > 1n;
  if (isShared && (await hardLinks.allInside(path, before.stats, roots, signal))) return overwrite();
  try {
    await replaceFile({ directory, name, path }, content, before?.stats, disk, signal);
    return isShared ? 'detached' : 'replaced';
  } catch (thrown) {
    if (thrown instanceof CannotReplace && !isShared) return overwrite();
    throw thrown instanceof CannotReplace ? thrown.cause : thrown;
  }
}

// The new content is in place now, so an error must say so.
function statAfterWrite(path: string, look: () => BigIntStats | undefined): BigIntStats | undefined {
  try {
    return look();
  } catch (thrown) {
    const what = `its state cannot be read (${errorCode(thrown)}): ${path}. Read it before you go on.`;
    throw writtenYetFailed(path, what, thrown);
  }
}
