import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { hashBytes } from '../../core/text/content-hash.js';
import type { CurrentFile, FileSystem, FileUpdate } from '../../ports/file-system.js';
import type { FileChange } from './file-change.js';

/** The result of undoing a change. */
export interface UndoneChange {
  readonly change: FileChange;
  /** Undefined if the file was removed again. */
  readonly update: FileUpdate | undefined;
  readonly before: Buffer;
  readonly after: Buffer;
  readonly mode?: number | undefined;
}

/**
 * Restores the bytes before a change, and the mode unless another program has changed it since. Throws `file_changed`
 * and changes nothing if the file no longer has the content that the change wrote.
 */
export async function undoChange(files: FileSystem, change: FileChange, scope: CallScope): Promise<UndoneChange> {
  const { bytes, mode } = await currentState(files, change.path, scope);
  requireHash(bytes, change);
  const before = bytes ?? Buffer.alloc(0);
  if (change.operation === 'create') {
    await files.remove(change.path, scope);
    await removeFolders(files, change.madeFolders ?? [], scope);
    return { change, update: undefined, before, after: Buffer.alloc(0), mode };
  }
  let after: Buffer = Buffer.alloc(0);
  const update = await files.update(
    change.path,
    async (current) => {
      const now = current === undefined ? undefined : Buffer.from(await current.bytes());
      requireHash(now, change);
      after = restored(now ?? Buffer.alloc(0), change);
      if (hashBytes([after]) !== change.hashBefore) throw changedSince(change.path);
      return { slices: [after], ...modeFor(change, current?.stat.mode) };
    },
    scope,
  );
  return { change, update, before, after, mode };
}

/**
 * Redoes changes that were just undone, the last first, so that a turn is undone as a whole or not at all. Continues if
 * the call is aborted. Returns the paths of the files that could not be redone.
 */
export async function putBack(
  files: FileSystem,
  undone: readonly UndoneChange[],
  { caller }: CallScope,
): Promise<readonly string[]> {
  const scope = { caller, signal: new AbortController().signal };
  const failed = new Set<string>();
  for (const { change, before, mode } of undone.toReversed()) {
    const { path } = change;
    const again = { slices: [before], ...(mode !== undefined && { mode }) };
    const made: Promise<unknown> =
      change.hashAfter === undefined ? files.remove(path, scope) : files.update(path, async () => again, scope);
    await made.catch(() => failed.add(path));
  }
  return [...failed];
}

/**
 * The content and permission bits of a file, both undefined if the file does not exist. Throws `file_changed` if the
 * path leads elsewhere through a link.
 */
export async function currentState(files: FileSystem, path: string, scope: CallScope) {
  if ((await files.resolve(path, scope)) !== path) throw changedSince(path);
  return seeFile(files, path, scope, async (current) => ({
    bytes: current && Buffer.from(await current.bytes()),
    mode: current?.stat.mode,
  }));
}

/** Reads a file through an update that writes nothing, so that `see` gets exactly what a later update would get. */
export async function seeFile<Seen>(
  files: FileSystem,
  path: string,
  scope: CallScope,
  see: (current: CurrentFile | undefined) => Promise<Seen>,
): Promise<Seen> {
  const seen: { value?: Seen } = {};
  const look = async (current: CurrentFile | undefined) => {
    seen.value = await see(current);
    return undefined;
  };
  await files.update(path, look, scope);
  if (!('value' in seen)) throw new ToolError('storage_failed', `The file could not be read: ${path}.`);
  return seen.value as Seen;
}

/** The hash of a content, as in `FileChange.hashAfter`; undefined without a content. */
export function hashOf(bytes: Buffer | undefined): string | undefined {
  return bytes && hashBytes([bytes]);
}

// Folders that are no longer empty are kept, with their parents.
async function removeFolders(files: FileSystem, folders: readonly string[], scope: CallScope): Promise<void> {
  for (const folder of folders.toReversed()) {
    if ((await files.removeFolder?.(folder, scope).catch(() => false)) !== true) return;
  }
}

function requireHash(bytes: Buffer | undefined, change: FileChange): void {
  if (hashOf(bytes) !== change.hashAfter) throw changedSince(change.path);
}

// A mode that another program set after the change is kept.
function modeFor({ modeBefore, modeAfter }: FileChange, current: number | undefined): { readonly mode?: number } {
  return modeBefore === undefined || (current !== undefined && current !== modeAfter) ? {} : { mode: modeBefore };
}

/** The bytes before a change, computed from the bytes after it. */
export function restored(bytes: Buffer, { span }: FileChange): Buffer {
  return Buffer.concat([
    bytes.subarray(0, span.offset),
    span.removed,
    bytes.subarray(span.offset + span.inserted.length),
  ]);
}

function changedSince(path: string): ToolError {
  return new ToolError(
    'file_changed',
    `The change cannot be undone, because the file was changed again later: ${path}. Read the file, then edit it by ` +
      'hand.',
  );
}
