import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultLimits } from 'toolwright';
import { hostFiles } from 'toolwright/files';
import { isTemporaryName } from 'toolwright/testing';
import { expect } from 'vitest';
import { callScope } from './call-scope.js';
import { compiled } from './compiled-programs.js';
import { RandomSource } from './random-tree.js';
import { seed } from './runs.js';
import { temporaryFolder } from './temporary-folder.js';

const size = 4 * 1_048_576;

/**
 * Kills a process at a random moment while it writes a file, in each round. Returns the number of rounds that left a
 * temporary file.
 */
export async function killRounds(rounds: number): Promise<number> {
  const root = temporaryFolder();
  const path = join(root, 'f');
  const files = hostFiles({ root, limits: defaultLimits });
  const random = new RandomSource(seed);
  let leftBehind = 0;
  for (let round = 0; round < rounds; round++) {
    writeFileSync(path, 'c'.repeat(size));
    const child = spawn(process.execPath, [compiled('test/support/write-forever'), root, path, String(size)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await delay(random.next() * 60);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const content = readFileSync(path);
    expect(content.length).toBe(size);
    expect(content.equals(Buffer.alloc(size, content[0]))).toBe(true);
    if (temporaryNames(root).length > 0) leftBehind++;
    await files.update(join(root, 'next'), () => ({ slices: [Buffer.from('x')] }), callScope());
    expect(temporaryNames(root)).toEqual([]);
  }
  return leftBehind;
}

function temporaryNames(folder: string): string[] {
  return readdirSync(folder).filter(isTemporaryName);
}
