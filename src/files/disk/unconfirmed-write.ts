import { ToolError } from '../../core/error.js';
import { errorCode } from '../paths/storage-error.js';

/**
 * The error for a disk that fails once new content stands: it must not sound as if the old content were still there.
 * `metadata` says so to programs: `written` is true and `filePath` the canonical path.
 */
export function unconfirmedWrite(path: string, thrown: unknown): ToolError {
  const message =
    `The file was written, but the disk did not confirm it (${errorCode(thrown)}), so a power cut could still ` +
    `lose it: ${path}. Check the disk, and read the file before you go on.`;
  return new ToolError('storage_failed', message, { cause: thrown, metadata: { filePath: path, written: true } });
}

/**
 * The canonical path of the file that was written although an error was thrown; undefined for an error that left
 * everything as it was.
 */
export function writtenPath(thrown: unknown): string | undefined {
  if (!ToolError.is(thrown) || thrown.metadata?.written !== true) return undefined;
  const { filePath } = thrown.metadata;
  return typeof filePath === 'string' ? filePath : undefined;
}
