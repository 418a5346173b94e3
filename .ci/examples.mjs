// Runs every script directly in examples/, offline. Each script checks its results, and exits non-zero if a check
// fails.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runCommand } from './run-command.mjs';

const scripts = readdirSync(join(projectRoot, 'examples'))
  .filter((name) => name.endsWith('.ts'))
  .sort();

for (const script of scripts) {
  const { ok, output, seconds } = runCommand(['tsx', join('examples', script)], { timeoutMs: 60_000 });
  console.log(`${ok ? 'ok    ' : 'FAILED'} examples/${script} ${seconds} s`);
  if (ok) continue;
  console.log(output);
  process.exit(1);
}
