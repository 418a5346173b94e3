import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from 'toolwright/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDirectory } from '../../src/files/disk/open-directory.js';
import { AbandonedFiles, temporaryName } from '../../src/files/disk/temporary-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A folder, and what looks through it. */
function sweptFolder() {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const root = temporaryFolder();
  const abandoned = new AbandonedFiles(nodeDisk);
  const sweep = () => {
    const directory = openDirectory(root, [root], nodeDisk);
    abandoned.sweep(directory);
    directory.close();
  };
  return { root, sweep };
}

// No process has an id so high.
const ofNobody = temporaryName().replace(/-\d+(?=-\d+-[0-9a-f]{16}\.tmp$)/, '-999999999');

test('what a killed writer left is gone after the first look, and after the next one ten minutes later', () => {
  const { root, sweep } = sweptFolder();
  writeFileSync(join(root, ofNobody), '');
  sweep();
  expect(readdirSync(root)).toEqual([]);
  writeFileSync(join(root, ofNobody), '');
  sweep();
  expect(readdirSync(root)).toEqual([ofNobody]);
  vi.advanceTimersByTime(600_000);
  sweep();
  expect(readdirSync(root)).toEqual([]);
});
