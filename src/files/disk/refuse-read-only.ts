import { ToolError } from '../../core/error.js';
import type { FileStat } from '../../ports/file-system.js';

/** Throws `storage_failed` for a file without write permission: a rename would replace it all the same. */
export function refuseReadOnly({ path, mode }: FileStat): void {
  if ((mode & 0o222) !== 0) return;
  throw new ToolError(
    'storage_failed',
    `The file is marked read-only: ${path}. Make it writable first (chmod u+w), if it may be changed.`,
  );
}
