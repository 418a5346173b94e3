import type { OpenFile } from '../host/file-system.js';
import { ContentChecksum } from '../text/content-checksum.js';
import type { LineFeedCounter } from '../text/line-feed-counter.js';
import { Pause } from './pause.js';

/** What one look through a whole file tells. */
export interface FileChecksum {
  readonly hash: string;
  /** How many lines its bytes have, where `counter` counts them. */
  readonly lines: number | undefined;
}

/** The mark of the content of a whole open file, read block by block through `buffer`, which is the memory of `counter` where there is one. */
export async function checksumFile(
  file: OpenFile,
  buffer: Uint8Array,
  counter: LineFeedCounter | undefined,
  signal: AbortSignal,
): Promise<FileChecksum> {
  const checksum = new ContentChecksum();
  const pause = new Pause(signal);
  let [lines, last] = [0, 10];
  for (let position = 0; ; ) {
    const count = await file.read(buffer, position);
    if (count === 0) return { hash: checksum.toString(), lines: counter && (last === 10 ? lines : lines + 1) };
    checksum.add(buffer.subarray(0, count));
    lines += counter?.count(0, count) ?? 0;
    last = buffer[count - 1] ?? 10;
    position += count;
    await pause.ifDue();
  }
}
