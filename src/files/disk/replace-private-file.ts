import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces a file (0600) in one step, after its text was flushed to the disk. Supports one writer at a time. */
export function replaceWhole(path: string, text: string | Uint8Array): void {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (thrown) {
    // A full disk may leave an incomplete temporary file.
    rmSync(temporary, { force: true });
    throw thrown;
  }
}
