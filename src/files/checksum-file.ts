import type { OpenFile } from '../host/file-system.js';
import { ContentChecksum } from '../text/content-checksum.js';
import { Pause } from './pause.js';

/** The mark of the content of a whole open file, read block by block through `buffer`. */
export async function checksumFile(file: OpenFile, buffer: Uint8Array, signal: AbortSignal): Promise<string> {
  const checksum = new ContentChecksum();
  const pause = new Pause(signal);
  for (let position = 0; ; ) {
    const count = await file.read(buffer, position);
    if (count === 0) return checksum.toString();
    checksum.add(buffer.subarray(0, count));
    position += count;
    await pause.ifDue();
  }
}
