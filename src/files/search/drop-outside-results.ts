import { lstatSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ifPossible } from '../../core/support/check-values.js';
import { isInside } from '../../core/text/path-names.js';
import type { FileLines } from '../../ports/file-system.js';
import { openDirectory } from '../disk/folders.js';
import { openRegular } from '../disk/open-file.js';
import { nodeDisk } from '../disk/system-calls.js';
import { decodeUtf16 } from './query/decoded-text.js';
import { binaryNoticePattern } from './query/output-line.js';

/** File timestamps may be up to one clock tick older than `Date.now()`. */
const clockTickMs = 20;

export interface VerifyOptions {
  readonly roots: readonly string[];
  /** When the search began, in milliseconds since 1970. */
  readonly sinceMs: number;
}

/**
 * Removes lines that ripgrep may have read outside the roots. ripgrep opens files by name, and a parent folder may have
 * been replaced by a link for a moment (TOCTOU). If a parent has changed since the search began, the file is opened
 * again without following links. Its lines are kept only if the file contains them.
 */
export function verifiedFiles(
  files: readonly FileLines[],
  options: VerifyOptions & { readonly maxFileBytes: number },
): readonly FileLines[] {
  const isSettled = settledFolders(options);
  return files.filter((file) => isSettled(dirname(file.path)) || holdsLines(file, options));
}

/**
 * Like {@link verifiedFiles}, for a list of paths. If a parent folder has changed, a path must exist when its folder is
 * opened without following links.
 */
export function verifiedPaths(paths: readonly string[], options: VerifyOptions): readonly string[] {
  const isSettled = settledFolders(options);
  return paths.filter((path) => isSettled(dirname(path)) || isReallyThere(path, options.roots));
}

/** A test whether a folder and its parents up to the root are unchanged since the search began. */
function settledFolders({ roots, sinceMs }: VerifyOptions): (folder: string) => boolean {
  const known = new Map<string, boolean>();
  const isSettled = (folder: string): boolean => {
    let settled = known.get(folder);
    if (settled === undefined) {
      const above = dirname(folder);
      settled = isUnchanged(folder, sinceMs) && (above === folder || !isInside(above, roots) || isSettled(above));
      known.set(folder, settled);
    }
    return settled;
  };
  return isSettled;
}

function isUnchanged(folder: string, sinceMs: number): boolean {
  const found = ifPossible(() => lstatSync(folder));
  return found?.isDirectory() === true && found.ctimeMs < sinceMs - clockTickMs;
}

function isReallyThere(path: string, roots: readonly string[]): boolean {
  const found = ifPossible(() => {
    const folder = openDirectory(dirname(path), roots, nodeDisk);
    try {
      return lstatSync(folder.at(basename(path)));
    } finally {
      folder.close();
    }
  });
  return found !== undefined;
}

function holdsLines(
  { path, lines }: FileLines,
  { roots, maxFileBytes }: VerifyOptions & { readonly maxFileBytes: number },
): boolean {
  const text = readConfined(path, roots, maxFileBytes);
  return text !== undefined && lines.every((line) => text.includes(shownPart(line, path)));
}

/** The part of an output line that comes from the file: without the path, the number and the note `[cut; …]`. */
function shownPart(line: string, path: string): string {
  if (!line.startsWith(path) || binaryNoticePattern.test(line)) return '';
  return line
    .slice(path.length + 1)
    .replace(/^\d+[:-]/, '')
    .replace(/ \[cut; \d+ bytes in all\]$/, '');
}

function readConfined(path: string, roots: readonly string[], maxBytes: number): string | undefined {
  return ifPossible(() => {
    const { descriptor, stats } = openRegular(path, roots, nodeDisk);
    try {
      if (stats.size > maxBytes) return undefined;
      const bytes = readFileSync(descriptor);
      return decodeUtf16(bytes) ?? bytes.toString('utf8');
    } finally {
      nodeDisk.close(descriptor);
    }
  });
}
