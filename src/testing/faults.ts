import { waitFor } from '../core/support/timers.js';
import { type Disk, nodeDisk } from '../files/disk/system-calls.js';
import { decorateFiles } from '../files/mounts/decorate-files.js';
import { storageError } from '../files/paths/storage-error.js';
import type { FileSystem, OpenFile } from '../ports/file-system.js';
import { type ScriptedShell, scriptedShell } from './scripted-shell.js';

/** Files on a full disk: every update fails with `storage_failed` and changes nothing. */
export function fullDisk(files: FileSystem): FileSystem {
  return faultyFiles(files, ({ operation }) => (operation === 'update' ? 'ENOSPC' : undefined));
}

/**
 * Files without access permission: all operations on denied paths except `resolve` and `removeFolder` fail with the
 * error of a disk. A glob or grep search fails only if the path where it starts is denied.
 */
export function deniedFiles(files: FileSystem, isDenied: (path: string) => boolean = () => true): FileSystem {
  return faultyFiles(files, ({ operation, path }) =>
    operation !== 'resolve' && isDenied(path) ? 'EACCES' : undefined,
  );
}

/** Files that open with a delay; an abort ends the wait. */
export function slowFiles(files: FileSystem, delayMs: number): FileSystem {
  return decorateFiles(files, {
    async open(path, scope) {
      await waitFor(delayMs, scope.signal);
      return files.open(path, scope);
    },
  });
}

/** A shell in which every command hangs until its abort or time limit. */
export function hangingShell(): ScriptedShell {
  return scriptedShell(() => 'hangs');
}

/** An operation of a file system; `read` reads an open file. */
export type FileOperation = 'resolve' | 'stat' | 'open' | 'read' | 'update' | 'remove' | 'list' | 'glob' | 'grep';

/** A request to a file system: its number from 1, its operation and its path. */
export interface FileRequest {
  readonly number: number;
  readonly operation: FileOperation;
  readonly path: string;
}

/**
 * Files with faults. A request for which `fault` returns a system error code, such as `ENOSPC` or `EIO`, fails with the
 * error of a disk. An update computes the new content before it fails, and does not store it.
 */
export function faultyFiles(files: FileSystem, fault: (request: FileRequest) => string | undefined): FileSystem {
  let number = 0;
  const check = (operation: FileOperation, path: string) => {
    const code = fault({ number: ++number, operation, path });
    if (code !== undefined) throw storageError(Object.assign(new Error(`${code}: injected`), { code }), path);
  };
  const checked =
    <Given extends readonly [string, ...unknown[]], Answer>(
      operation: FileOperation,
      ask: (...given: Given) => Promise<Answer>,
    ) =>
    async (...given: Given): Promise<Answer> => {
      check(operation, given[0]);
      return ask(...given);
    };
  return decorateFiles(files, {
    resolve: checked('resolve', (...given) => files.resolve(...given)),
    stat: checked('stat', (...given) => files.stat(...given)),
    open: checked('open', async (path, scope) => faultyFile(await files.open(path, scope), () => check('read', path))),
    update(path, change, ...more) {
      const checkedChange: typeof change = async (current) => {
        const content = await change(current);
        check('update', path);
        return content;
      };
      return files.update(path, checkedChange, ...more);
    },
    remove: checked('remove', (...given) => files.remove(...given)),
    list: checked('list', (...given) => files.list(...given)),
    async glob(query, scope) {
      check('glob', query.path ?? files.root);
      return files.glob(query, scope);
    },
    async grep(query, scope) {
      check('grep', query.path ?? files.root);
      return files.grep(query, scope);
    },
  });
}

function faultyFile(file: OpenFile, check: () => void): OpenFile {
  return {
    stat: file.stat,
    async read(buffer, position) {
      check();
      return file.read(buffer, position);
    },
    close: () => file.close(),
  };
}

/** A call to the operating system: its number from 1, its name and its arguments. */
export interface DiskCall {
  readonly number: number;
  readonly operation: keyof Disk;
  readonly parameters: readonly unknown[];
}

/**
 * A disk for `hostFiles({ disk })` with faults. A call for which `fault` returns a system error code, such as `ENOSPC`
 * or `EIO`, fails with that code and does nothing, except that a failed `close` still frees the descriptor. `release`
 * never fails. `disk` handles all other calls; default: the disk of this machine.
 */
export function faultyDisk(fault: (call: DiskCall) => string | undefined, disk: Disk = nodeDisk): Disk {
  let number = 0;
  const wrap = (operation: keyof Disk) => {
    const original = disk[operation] as (...parameters: readonly unknown[]) => unknown;
    return (...parameters: readonly unknown[]) => {
      const code = fault({ number: ++number, operation, parameters });
      if (code === undefined || operation === 'release') return original(...parameters);
      if (operation === 'close') original(...parameters);
      throw Object.assign(new Error(`${code}: injected into ${operation}`), { code });
    };
  };
  const operations = Object.keys(nodeDisk) as (keyof Disk)[];
  return Object.fromEntries(operations.map((operation) => [operation, wrap(operation)])) as unknown as Disk;
}
