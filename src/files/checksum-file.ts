import { createHash } from 'node:crypto';
import type { OpenFile } from '../host/file-system.js';
import { Pause } from './pause.js';

/** SHA-256 of a whole open file in base64, read block by block through `buffer`. */
export async function hashFile(file: OpenFile, buffer: Uint8Array, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const pause = new Pause(signal);
  for (let position = 0; ; ) {
    const count = await file.read(buffer, position);
    if (count === 0) return hash.digest('base64');
    hash.update(buffer.subarray(0, count));
    position += count;
    await pause.ifDue();
  }
}
