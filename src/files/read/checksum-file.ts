import { Pause } from '../disk/yield-to-event-loop.js';
import { ContentChecksum } from './content-checksum.js';
import type { TextFile } from './find-line.js';

/**
 * The mark of the content of a whole open file, read block by block through `buffer`, and its lines where there is a
 * counter.
 */
export async function checksumFile({ file, buffer, counter, signal }: Omit<TextFile, 'encoding' | 'index'>) {
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
