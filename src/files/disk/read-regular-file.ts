import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

// O_NONBLOCK is missing on Windows.
const { O_NONBLOCK = 0, O_RDONLY } = constants;

/**
 * The bytes of a regular file, following links; undefined if it does not exist or cannot be read. Never waits for the
 * other end of a FIFO, and does not read a device, which may be endless.
 */
export function readRegularFile(path: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
