import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles, MemoryDocuments, memoryStore, StoreFiles } from 'toolwright/files';
import { fileSystemConformance, memoryFiles } from 'toolwright/testing';
import { describe, test } from 'vitest';
import type { ConformanceSubject } from '../../src/conformance/kit.js';
import { cacheReads } from '../../src/files/cache-reads.js';
import { hideFiles } from '../../src/files/mounts/hidden-files.js';
import { mountFiles } from '../../src/files/mounts/mounted-files.js';
import { serveFolder } from '../../src/files/mounts/serve-folder.js';

/** A clock that never stands still. */
function ticks(): () => number {
  let time = 0;
  return () => ++time;
}

function onDisk(ripgrep?: false): ConformanceSubject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')));
  const files = hostFiles({ root, limits: defaultLimits, ...(ripgrep === undefined ? {} : { ripgrep }) });
  return {
    files,
    async dispose() {
      await files[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const storeAt = (root: string) => new StoreFiles({ root, store: memoryStore(new MemoryDocuments(ticks())) });

const subjects: Readonly<Record<string, () => ConformanceSubject>> = {
  'the disk': () => onDisk(),
  'the disk without ripgrep': () => onDisk(false),
  memory: () => ({ files: memoryFiles() }),
  'a store': () => ({ files: storeAt('/store') }),
  'a store mounted over the disk': () => {
    const disk = onDisk();
    const { root } = disk.files;
    return { ...disk, files: mountFiles(disk.files, [{ path: root, files: storeAt(root) }]) };
  },
  'the disk beside a mounted store': () => {
    const disk = onDisk();
    const path = `${disk.files.root}/elsewhere`;
    return { ...disk, files: mountFiles(disk.files, [{ path, files: storeAt(path) }]) };
  },
  'the disk behind a cache': () => {
    const disk = onDisk();
    return { ...disk, files: cacheReads(disk.files, { now: () => Date.now() + 60_000 }) };
  },
  'memory beside a served folder': () => ({
    files: serveFolder(memoryFiles(), { path: () => '/elsewhere', files: () => memoryFiles({ root: '/elsewhere' }) }),
  }),
  'memory of which nothing is hidden': () => ({ files: hideFiles(memoryFiles(), () => false) }),
};

describe.each(Object.entries(subjects))('%s', (_name, make) => {
  for (const { name, run } of fileSystemConformance) test(name, () => run(make));
});
