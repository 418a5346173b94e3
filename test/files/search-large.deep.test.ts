import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { expect, test } from 'vitest';
import { SearchEngines } from '../../src/files/search/engines.js';
import { globFiles } from '../../src/files/search/glob-files.js';
import { grepFiles } from '../../src/files/search/grep-files.js';
import { callScope } from '../support/call-scope.js';
import { grepQuery } from '../support/search.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The number of turns of the event loop while `work` ran. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  const pulse = setInterval(() => turns++, 5);
  await work();
  clearInterval(pulse);
  return turns;
}

test('a tree of 200,000 files is searched within the limits without blocking the event loop', async () => {
  const root = temporaryFolder();
  for (let folder = 0; folder < 1_000; folder++) {
    const path = join(root, `d${folder % 40}`, `e${folder}`);
    mkdirSync(path, { recursive: true });
    for (let index = 0; index < 200; index++)
      writeFileSync(join(path, `f${index}.${index % 2 === 0 ? 'md' : 'ts'}`), index === 7 ? 'needle\n' : '');
  }
  const engines = new SearchEngines({ ripgrep: false });
  const options = { roots: [root], limits: defaultLimits, engines };
  try {
    await globFiles(options, { pattern: 'none', maxFiles: 1 }, callScope());
    const before = process.memoryUsage.rss();
    const turns = await turnsDuring(async () => {
      expect(await globFiles(options, { pattern: '**', maxFiles: 100 }, callScope())).toMatchObject({
        total: 200_000,
        timedOut: false,
      });
      const { lines } = await grepFiles(options, grepQuery({ pattern: 'needle', limit: 250 }), callScope());
      expect(lines).toHaveLength(250);
    });
    const grownBytes = process.memoryUsage.rss() - before;
    expect(turns).toBeGreaterThan(10);
    expect(grownBytes).toBeLessThan(400_000_000);
  } finally {
    await engines.dispose();
  }
});

test.each([undefined, false] as const)(
  'a file of 300 MB is searched with constant memory (ripgrep: %s)',
  async (ripgrep) => {
    const root = temporaryFolder();
    const block = Buffer.from('some line of text that is not looked for\n'.repeat(25_000));
    const path = join(root, 'large.txt');
    for (let written = 0; written < 300_000_000; written += block.length) writeFileSync(path, block, { flag: 'a' });
    writeFileSync(path, 'needle at the end\n', { flag: 'a' });
    const engines = new SearchEngines({ ripgrep });
    const options = { roots: [root], limits: defaultLimits, engines };
    try {
      await grepFiles(options, grepQuery({ pattern: 'none' }), callScope());
      const before = process.memoryUsage.rss();
      const { lines } = await grepFiles(options, grepQuery({ pattern: 'needle', before: 1 }), callScope());
      expect(lines).toHaveLength(2);
      const many = await grepFiles(options, grepQuery({ pattern: 'text', limit: 250 }), callScope());
      expect(many.lines).toHaveLength(250);
      expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
    } finally {
      await engines.dispose();
    }
  },
);
