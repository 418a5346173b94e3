import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from 'toolwright/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDirectory } from '../../src/files/disk/folders.js';
import { AbandonedFiles, temporaryName } from '../../src/files/disk/temporary-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A folder that is slow to list, and the scanner of it. */
function slowFolder(moreNames: readonly string[] = []) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const root = temporaryFolder();
  let listings = 0;
  const names = (path: string): string[] => {
    listings++;
    vi.advanceTimersByTime(50);
    return [...nodeDisk.names(path), ...moreNames];
  };
  const abandoned = new AbandonedFiles({ ...nodeDisk, names });
  const sweep = () => {
    const directory = openDirectory(root, [root], nodeDisk);
    abandoned.sweep(directory);
    directory.close();
  };
  return { root, sweep, listings: () => listings };
}

// No process has such a high id.
const ofNobody = temporaryName().replace(/-\d+(?=-\d+-[0-9a-f]{16}\.tmp$)/, '-999999999');

test('temporary files of a killed writer are removed by the next scan, after a scan of any duration', () => {
  const { root, sweep } = slowFolder();
  sweep();
  writeFileSync(join(root, ofNobody), '');
  sweep();
  expect(readdirSync(root)).toEqual([]);
});

test('a folder with many names is not scanned again at once', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `f${index}`);
  const { sweep, listings } = slowFolder(many);
  sweep();
  sweep();
  expect(listings()).toBe(1);
});
