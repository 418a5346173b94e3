import type { CallScope } from '../core/context.js';
import { hashBytes } from '../core/text/content-hash.js';
import type { FileSystem, FileUpdate, NewContent } from '../ports/file-system.js';
import { readWhole } from './disk/open-file.js';
import { writtenPath } from './disk/write-bytes.js';
import { decorateFiles } from './mounts/decorate-files.js';
import type { FileChanges } from './undo/change-log.js';
import { changedSpan } from './undo/file-change.js';

interface FileState {
  readonly bytes: Buffer;
  readonly mode: number | undefined;
}

/** Records every change with the bytes needed to undo it. */
export function trackFiles(files: FileSystem, changes: FileChanges): FileSystem {
  return decorateFiles(files, {
    async update(path, change, scope, spelling) {
      let before: FileState | undefined;
      let after: NewContent | undefined;
      const update = await updateNoted(
        files.update(
          path,
          async (current) => {
            after = await change(current);
            if (after === undefined) return undefined;
            before =
              current === undefined ? undefined : { bytes: asBuffer(await current.bytes()), mode: current.stat.mode };
            return after;
          },
          scope,
          spelling,
        ),
        (written) =>
          after && record(changes, written, before, { bytes: Buffer.concat(after.slices), mode: undefined }, scope),
      );
      if (update === undefined || after === undefined) return update;
      const left = { bytes: Buffer.concat(after.slices), mode: update.stat.mode };
      const isKept = record(changes, update.path, before, left, scope, update);
      return isKept ? update : { ...update, cannotBeUndone: true };
    },
    async remove(path, scope) {
      const canonical = await files.resolve(path, scope);
      const before = await contentOf(files, canonical, scope);
      const removed = await files.remove(path, scope);
      if (removed && before !== undefined) record(changes, canonical, before, undefined, scope);
      return removed;
    },
  });
}

/** Awaits an update. If the update rejects although the file was written, calls `onWritten` first. */
async function updateNoted(
  updating: Promise<FileUpdate | undefined>,
  onWritten: (path: string) => unknown,
): Promise<FileUpdate | undefined> {
  try {
    return await updating;
  } catch (thrown) {
    const path = writtenPath(thrown);
    if (path !== undefined) onWritten(path);
    throw thrown;
  }
}

function record(
  changes: FileChanges,
  path: string,
  before: FileState | undefined,
  after: FileState | undefined,
  scope: CallScope,
  { madeFolders, method }: Partial<FileUpdate> = {},
): boolean {
  const nothing = Buffer.alloc(0);
  return changes.add(scope, {
    callId: 'callId' in scope && typeof scope.callId === 'string' ? scope.callId : undefined,
    path,
    operation: before === undefined ? 'create' : after === undefined ? 'remove' : 'update',
    span: changedSpan(before?.bytes ?? nothing, after?.bytes ?? nothing),
    hashBefore: before && hashBytes([before.bytes]),
    hashAfter: after && hashBytes([after.bytes]),
    modeBefore: before?.mode,
    modeAfter: after?.mode,
    ...(madeFolders === undefined ? {} : { madeFolders }),
    ...(method === 'detached' ? { isFromOutside: true } : {}),
  });
}

async function contentOf(files: FileSystem, path: string, scope: CallScope): Promise<FileState | undefined> {
  if ((await files.stat(path, scope))?.kind !== 'file') return undefined;
  const file = await files.open(path, scope);
  try {
    return { bytes: await readWhole(file), mode: file.stat.mode };
  } finally {
    await file.close();
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Calls `onChanged` for the path of each file that was written or removed, even if an error followed. */
export function announceChanges(files: FileSystem, onChanged: (path: string, scope: CallScope) => void): FileSystem {
  return decorateFiles(files, {
    async update(path, change, scope, spelling) {
      const update = await updateNoted(files.update(path, change, scope, spelling), (written) =>
        onChanged(written, scope),
      );
      if (update !== undefined) onChanged(update.path, scope);
      return update;
    },
    async remove(path, scope) {
      const canonical = await files.resolve(path, scope);
      const removed = await files.remove(path, scope);
      if (removed) onChanged(canonical, scope);
      return removed;
    },
  });
}
