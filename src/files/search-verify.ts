import { lstatSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { nodeDisk } from './disk.js';
import type { FileLines } from './grep-collector.js';
import { openRegular } from './open-regular.js';
import { isInside } from './search-start.js';

/** File systems stamp changes with a clock that is up to a tick behind. */
const clockTickMs = 20;
const binaryNotice = /: binary file matches \(found "\\0" byte around offset \d+\)$/;

/** What is needed to check lines. */
export interface VerifyOptions {
  readonly roots: readonly string[];
  /** When the search began, in milliseconds since 1970. */
  readonly sinceMs: number;
  readonly maxFileBytes: number;
}

/**
 * Takes out the lines of files that another program found by name, where a folder above the file has changed since the search began: the name may
 * have led out of the roots for a moment. Such a file is opened again without following links, and only lines that it really holds stay.
 */
export function verifiedFiles(files: readonly FileLines[], options: VerifyOptions): readonly FileLines[] {
  const folders = new Map<string, boolean>();
  const isSettled = (path: string): boolean => {
    const folder = dirname(path);
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const settled = isUnchanged(folder, options.sinceMs) && (!isInside(dirname(folder), options.roots) || isSettled(folder));
    folders.set(folder, settled);
    return settled;
  };
  return files.filter((file) => isSettled(file.path) || holdsLines(file, options));
}

function isUnchanged(folder: string, sinceMs: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.ctimeMs < sinceMs - clockTickMs;
}

function holdsLines({ path, lines }: FileLines, { roots, maxFileBytes }: VerifyOptions): boolean {
  const text = readConfined(path, roots, maxFileBytes);
  return text !== undefined && lines.every((line) => text.includes(shownPart(line, path)));
}

/** What a line shows of the file: without the path, the number, and the note that it was cut. */
function shownPart(line: string, path: string): string {
  if (!line.startsWith(path) || binaryNotice.test(line)) return '';
  return line
    .slice(path.length + 1)
    .replace(/^\d+[:-]/, '')
    .replace(/ \[cut; \d+ bytes in all\]$/, '');
}

function decode(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  return mark === 0xfffe || mark === 0xfeff
    ? new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes)
    : bytes.toString('utf8');
}

function readConfined(path: string, roots: readonly string[], maxBytes: number): string | undefined {
  try {
    const { descriptor, stats } = openRegular(path, roots, nodeDisk);
    try {
      return stats.size > maxBytes ? undefined : decode(readFileSync(descriptor));
    } finally {
      nodeDisk.close(descriptor);
    }
  } catch {
    return undefined;
  }
}
