import { nodeDisk } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { writeBytes } from '../../src/files/disk/write-bytes.js';
import type { Disk } from '../../src/testing/index.js';
import { eachRow } from '../support/each-row.js';

/** A disk that records writes and accepts a limited number of bytes at once. */
function slowDisk(mostBytes: number): { readonly disk: Disk; readonly written: Buffer[]; readonly counts: number[] } {
  const written: Buffer[] = [];
  const counts: number[] = [];
  const disk: Disk = {
    ...nodeDisk,
    write: async (_descriptor, slices, position) => {
      const taken = Buffer.concat(slices).subarray(0, mostBytes);
      expect(position).toBe(Buffer.concat(written).length);
      written.push(taken);
      counts.push(slices.length);
      return taken.length;
    },
  };
  return { disk, written, counts };
}

test('writes all slices in order for any number of bytes per write', () =>
  eachRow([1, 3, 7, 1_000_000], async (mostBytes) => {
    const slices = Array.from({ length: 1_500 }, (_, index) =>
      Buffer.from(index % 4 === 0 ? '' : String(index).slice(0, index % 5)),
    );
    const { disk, written, counts } = slowDisk(mostBytes);
    await writeBytes(0, slices, 0, disk);
    expect(Buffer.concat(written)).toEqual(Buffer.concat(slices));
    expect(Math.max(...counts)).toBeLessThanOrEqual(1_024);
  }));

test('two million small slices are written in one pass, which yields and can be aborted', async () => {
  const slices = Array.from({ length: 2_000_000 }, () => Buffer.from('ab').subarray(1));
  const quick: Disk = { ...nodeDisk, write: async (_descriptor, parts) => parts.length };
  await writeBytes(0, slices, 0, quick);
  const controller = new AbortController();
  const writing = writeBytes(
    0,
    slices,
    0,
    { ...quick, write: (...all) => quick.write(...all).finally(() => setImmediate(() => controller.abort())) },
    controller.signal,
  );
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
});

test('a disk that accepts no more bytes is an error', async () => {
  const { disk } = slowDisk(0);
  await expect(writeBytes(0, [Buffer.from('a')], 0, disk)).rejects.toMatchObject({ code: 'storage_failed' });
});
