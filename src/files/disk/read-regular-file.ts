import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

// O_NONBLOCK is missing on Windows.
const { O_NONBLOCK = 0, O_RDONLY } = constants;

/**
 * The bytes of a regular file, never of a FIFO or device; follows links. Undefined if it cannot be read; `onFailure`
 * gets the reason.
 */
export function readRegularFile(path: string, onFailure?: (thrown: unknown) => void): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor) : undefined;
  } catch (thrown) {
    onFailure?.(thrown);
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
