// Runs the deep tier of the tests: `npm run test:deep`, or `npm run test:deep -- files` for a part. First installs the
// packages that only this tier needs; `--install` ends there. `--all` also checks the packed package, its bundles, the
// oldest and newest versions of the peer ranges, the types of all examples, the conformance to the Model Context
// Protocol, and the mutants.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot, runCommand } from './run-command.mjs';

const { values, positionals } = parseArgs({
  options: { install: { type: 'boolean' }, all: { type: 'boolean' } },
  allowPositionals: true,
});

/** Installs `.ci/deep/package.json`, and links its packages into the project's node_modules. */
function install() {
  const folder = join(projectRoot, '.ci/deep');
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) run('npm ci --prefix .ci/deep');
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const place = join(projectRoot, 'node_modules', name);
    if (existsSync(place)) continue;
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(folder, 'node_modules', name), place);
  }
}

function run(line) {
  const { ok, seconds } = runCommand(line, { show: true });
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${typeof line === 'string' ? line : line.join(' ')} ${seconds} s`);
  if (!ok) process.exitCode = 1;
}

install();
if (!values.install) run(['vitest', 'run', '--project', 'deep', ...positionals]);
if (values.all) {
  run('knip');
  run('tsc --noEmit -p .ci/deep/tsconfig.json');
  run('node .ci/examples.mjs');
  run('npm run --silent build');
  run('node .ci/api-report.mjs');
  run('attw --pack . --profile esm-only');
  run('node .ci/smoke-tarball.mjs --all');
  run('node .ci/smoke.mjs');
  run('node .ci/sdk-ends.mjs');
  run('node .ci/bundles.mjs');
  run('node .ci/conformance.mjs');
  run('node .ci/mutants.mjs');
}
