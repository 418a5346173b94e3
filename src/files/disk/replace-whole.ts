import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Puts a text (0600) in the place of a file, in one step, when it is on the disk. One writer at a time. */
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
    // A part of a text, where the disk is full.
    rmSync(temporary, { force: true });
    throw thrown;
  }
}
