import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { verifiedFiles, verifiedPaths } from '../../src/files/search/drop-outside-results.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const later = Number.MAX_SAFE_INTEGER;
let root: string;
let path: string;

beforeEach(() => {
  const base = temporaryFolder();
  root = join(base, 'ws');
  path = join(root, 'd', 'f.txt');
  for (const folder of ['ws/d', 'out']) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(path, 'needle inside\n');
  writeFileSync(join(base, 'out', 'f.txt'), 'needle outside\n');
});

function swapWithLink(): void {
  renameSync(join(root, 'd'), join(root, 'away'));
  symlinkSync('../out', join(root, 'd'));
}

const shown = (text: string, sinceMs: number) =>
  verifiedFiles([{ path, lines: [`${path}:1:needle ${text}`] }], { roots: [root], sinceMs, maxFileBytes: 1_000 });
const named = (sinceMs: number) => verifiedPaths([path], { roots: [root], sinceMs });

describe('results of a search by path', () => {
  test('stay without a check if no folder above changed since the search began', () => {
    expect(shown('outside', later)).toHaveLength(1);
    expect(named(later)).toEqual([path]);
  });

  test('are checked after a change of a folder: lines that are not in the file are removed', () => {
    expect(shown('inside', 0)).toHaveLength(1);
    expect(shown('outside', 0)).toEqual([]);
    expect(named(0)).toEqual([path]);
  });

  test.each([0, later])('are removed if the folder is now a link (search began at %d)', (sinceMs) => {
    swapWithLink();
    expect(shown('outside', sinceMs)).toEqual([]);
    expect(shown('inside', sinceMs)).toEqual([]);
    expect(named(sinceMs)).toEqual([]);
  });
});
