// Runs every gate, cheapest first, and stops at the first that fails. `--skip NAME` leaves one out.
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.mjs';

const gates = {
  format: 'biome check --error-on-warnings .',
  promises: 'eslint --max-warnings 0 src test examples bench .ci',
  types: 'tsc --noEmit',
  unused: 'knip',
  docs: 'tsx .ci/reference.ts --check',
  tests: 'vitest run --coverage',
  build: 'npm run --silent build',
  exports: 'publint --strict',
  resolution: 'attw --pack . --profile esm-only',
  package: 'node .ci/packed-files.mjs',
  examples: 'node .ci/examples.mjs',
};
const talkative = new Set(['tests', 'examples']);

const { skip } = parseArgs({ options: { skip: { type: 'string', multiple: true, default: [] } } }).values;
const unknown = skip.filter((name) => !(name in gates));
if (unknown.length > 0)
  throw new Error(`no gate is called ${unknown.join(', ')}; there are ${Object.keys(gates).join(', ')}`);

for (const [name, command] of Object.entries(gates)) {
  if (skip.includes(name)) continue;
  const { ok, output, seconds } = runCommand(command, { show: talkative.has(name) });
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(11)} ${seconds.padStart(6)} s`);
  if (ok) continue;
  console.log(`${output}\n${command}`);
  process.exit(1);
}
