import { ToolError, type ToolErrorCode } from '../../core/error.js';
import { errorCode } from '../../core/support/os-error-code.js';

const errorsByCode: Readonly<Record<string, readonly [ToolErrorCode, string]>> = {
  ENOENT: ['file_not_found', 'There is no such file'],
  ENOTDIR: ['not_a_file', 'A folder of the path is a file'],
  EISDIR: ['not_a_file', 'This is a folder, not a file'],
  ENXIO: ['not_a_file', 'This is a socket or a device, not a regular file'],
  ELOOP: ['not_a_file', 'The links lead in a circle, or the file became a link while it was opened; use the real path'],
  ENAMETOOLONG: ['invalid_input', 'The path is too long; pass a shorter one'],
  ENOSPC: ['storage_failed', 'The disk is full; free some space, then try again'],
  EDQUOT: ['storage_failed', 'The disk quota is used up; free some space, then try again'],
  EFBIG: ['storage_failed', 'The file would exceed the size that the system allows; write less'],
  EROFS: ['storage_failed', 'The file system is read-only; write somewhere else'],
  EACCES: ['storage_failed', 'The operating system does not permit this; change the permissions, or use another file'],
  EPERM: ['storage_failed', 'The operating system does not permit this; change the permissions, or use another file'],
  EBUSY: ['storage_failed', 'The file is in use; try again later'],
  ETXTBSY: ['storage_failed', 'The file is a program that is running; stop it first'],
  EMFILE: ['storage_failed', 'Too many files are open; try again later'],
  ENFILE: ['storage_failed', 'Too many files are open; try again later'],
  EIO: ['storage_failed', 'The disk reports an error; check the disk, then try again'],
};

/** Converts a system error to a ToolError with the path and the next step. ToolErrors and aborts stay unchanged. */
export function storageError(thrown: unknown, path: string): unknown {
  const code = errorCode(thrown);
  if (ToolError.is(thrown) || code === undefined || code === 'ABORT_ERR') return thrown;
  const known = errorsByCode[code];
  if (known === undefined) {
    return new ToolError(
      'storage_failed',
      `The file operation failed (${code}): ${path}. Check the path, then try again.`,
      { cause: thrown },
    );
  }
  const [toolCode, message] = known;
  return new ToolError(toolCode, `${message}: ${path}${toolCode === 'storage_failed' ? ` (${code})` : ''}.`, {
    cause: thrown,
  });
}
