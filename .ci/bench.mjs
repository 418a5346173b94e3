// Runs bench/*.bench.ts one after another. With words on the command line, only files whose name contains one of them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runCommand } from './run-command.mjs';

const wanted = process.argv.slice(2);
const benches = readdirSync(join(projectRoot, 'bench'))
  .filter((name) => name.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((word) => name.includes(word))))
  .sort();

for (const bench of benches) {
  console.log(`\n${bench}`);
  if (!runCommand(['tsx', join('bench', bench)], { show: true }).ok) process.exit(1);
}
