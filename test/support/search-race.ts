import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { defaultLimits } from 'toolwright';
import { expect } from 'vitest';
import { SearchEngines } from '../../src/files/search/engines.js';
import { globFiles } from '../../src/files/search/glob-files.js';
import { grepFiles } from '../../src/files/search/grep-files.js';
import { callScope } from './call-scope.js';
import { grepQuery } from './search.js';
import { temporaryFolder } from './temporary-folder.js';

const marker = 'OUTSIDE-MARKER';

const swapper = `
const { renameSync } = require('node:fs');
const { workerData: { name, spare, away } } = require('node:worker_threads');
for (;;) {
  renameSync(name, away); renameSync(spare, name);
  renameSync(name, spare); renameSync(away, name);
}`;

/**
 * Searches a folder that another thread constantly swaps for a link to a folder outside with files of the same names.
 * Checks that neither their content nor other names are returned. Returns how often the file inside was found.
 */
export async function searchRace(ripgrep: false | undefined, rounds: number): Promise<number> {
  const base = temporaryFolder();
  const [root, out] = [join(base, 'ws'), join(base, 'out')];
  const name = join(root, 'd');
  for (const folder of [root, out, name]) mkdirSync(folder);
  for (const index of Array.from({ length: 20 }).keys()) {
    writeFileSync(join(name, `f${index}.txt`), 'inside word\n');
    writeFileSync(join(out, `f${index}.txt`), `${marker} word\n`);
    writeFileSync(join(out, `${marker}${index}.txt`), 'word\n');
  }
  symlinkSync(out, join(root, 'spare'));
  const worker = new Worker(swapper, {
    eval: true,
    workerData: { name, spare: join(root, 'spare'), away: join(root, 'away') },
  });
  worker.on('error', () => {});
  const engines = new SearchEngines({ ripgrep });
  const options = { roots: [root], limits: defaultLimits, engines };
  let found = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const query = grepQuery({ pattern: 'word', mode: round % 3 === 0 ? 'files_with_matches' : 'content' });
      const { lines } = await grepFiles(options, query, callScope());
      expect(lines.join('\n')).not.toContain(marker);
      found += lines.length;
      if (round % 10 === 0)
        expect((await globFiles(options, { pattern: '**', maxFiles: 1_000 }, callScope())).paths.join()).not.toContain(
          marker,
        );
    }
  } finally {
    await worker.terminate();
    await engines.dispose();
  }
  return found;
}
