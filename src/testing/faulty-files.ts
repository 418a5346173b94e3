import { decorateFiles } from '../files/mounts/decorate-files.js';
import { storageError } from '../files/paths/storage-error.js';
import type { FileSystem, OpenFile } from '../ports/file-system.js';

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
 * error that disk files give for it. A failed update has called for the new content and dropped it.
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
    update: (path, change, ...more) =>
      files.update(
        path,
        async (current) => {
          const content = await change(current);
          check('update', path);
          return content;
        },
        ...more,
      ),
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
