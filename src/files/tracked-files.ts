import type { CallScope } from '../core/context.js';
import type { FileSystem, NewContent } from '../host/file-system.js';
import { hashBytes } from '../text/content-hash.js';
import { changedSpan } from './changed-span.js';
import type { FileChanges } from './file-changes.js';
import { readWhole } from './open-file.js';

/** The same files, but every change is recorded, with the bytes that it takes to undo it. */
export function trackFiles(files: FileSystem, changes: FileChanges): FileSystem {
  return {
    root: files.root,
    resolve: (path, scope) => files.resolve(path, scope),
    stat: (path, scope) => files.stat(path, scope),
    open: (path, scope) => files.open(path, scope),
    list: (path, scope) => files.list(path, scope),
    glob: (query, scope) => files.glob(query, scope),
    grep: (query, scope) => files.grep(query, scope),
    async update(path, change, scope) {
      let before: { readonly bytes: Buffer; readonly mode: number } | undefined;
      let after: NewContent | undefined;
      const update = await files.update(
        path,
        async (current) => {
          after = await change(current);
          if (after === undefined) return undefined;
          before = current === undefined ? undefined : { bytes: asBuffer(await current.bytes()), mode: current.stat.mode };
          return after;
        },
        scope,
      );
      if (update === undefined || after === undefined) return update;
      record(changes, update.path, before, Buffer.concat(after.slices), scope, update.madeFolders);
      return update;
    },
    removeFolder: async (path, scope) => (await files.removeFolder?.(path, scope)) ?? false,
    async remove(path, scope) {
      const canonical = await files.resolve(path, scope);
      const before = await contentOf(files, canonical, scope);
      const removed = await files.remove(path, scope);
      if (removed && before !== undefined) record(changes, canonical, before, undefined, scope);
      return removed;
    },
  };
}

function record(
  changes: FileChanges,
  path: string,
  before: { readonly bytes: Buffer; readonly mode: number } | undefined,
  after: Buffer | undefined,
  scope: CallScope,
  madeFolders?: readonly string[],
): void {
  const nothing = Buffer.alloc(0);
  changes.add(scope.caller, {
    callId: 'callId' in scope && typeof scope.callId === 'string' ? scope.callId : undefined,
    path,
    operation: before === undefined ? 'create' : after === undefined ? 'remove' : 'update',
    span: changedSpan(before?.bytes ?? nothing, after ?? nothing),
    hashBefore: before && hashBytes([before.bytes]),
    hashAfter: after && hashBytes([after]),
    modeBefore: before?.mode,
    ...(madeFolders === undefined ? {} : { madeFolders }),
  });
}

async function contentOf(files: FileSystem, path: string, scope: CallScope): Promise<{ bytes: Buffer; mode: number } | undefined> {
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
