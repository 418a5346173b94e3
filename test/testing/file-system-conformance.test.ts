import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { defaultLimits } from '../../src/core/limits.js';
import { hostFiles } from '../../src/files/host-files.js';
import { type ConformanceSubject, fileSystemConformance } from '../../src/testing/file-system-conformance.js';
import { memoryFiles } from '../../src/testing/memory-files.js';

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

const subjects: readonly (readonly [name: string, make: () => ConformanceSubject])[] = [
  ['the disk', () => onDisk()],
  ['the disk without ripgrep', () => onDisk(false)],
  ['memory', () => ({ files: memoryFiles() })],
];

describe.each(subjects)('%s', (_name, make) => {
  for (const { name, run } of fileSystemConformance) test(name, () => run(make));
});
