import type { OpenFile } from '../../ports/file-system.js';
import { storageError } from '../paths/storage-error.js';
import type { Disk } from './disk.js';
import { fileStat } from './file-version.js';
import type { OpenRegular } from './open-regular-file.js';

// Up to here a read from the system's cache is quicker than a trip to another thread.
const maxNowBytes = 1_048_576;

/** An open regular file as the port describes it. */
export function openFile(opened: OpenRegular, path: string, disk: Disk): OpenFile {
  let isOpen = true;
  return {
    stat: fileStat(path, opened.stats),
    async read(buffer, position) {
      try {
        if (buffer.length <= maxNowBytes) return disk.readNow(opened.descriptor, buffer, position);
        return await disk.read(opened.descriptor, buffer, position);
      } catch (thrown) {
        throw storageError(thrown, path);
      }
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      disk.close(opened.descriptor);
    },
  };
}

/** The whole content of an open file, as far as it was when it was opened, in one buffer. */
export async function readWhole(file: OpenFile): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(file.stat.size);
  let filled = 0;
  while (filled < bytes.length) {
    const count = await file.read(bytes.subarray(filled), filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
