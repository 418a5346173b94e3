// Runs every gate in two lanes side by side: the tests, and all that is checked without running them. The first failure
// ends both lanes and shows the last lines of what failed. `--skip NAME` leaves a gate out.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from './run-command.mjs';

const reports = mkdtempSync(join(tmpdir(), 'toolwright-check-'));
const report = (name) => `-- --reporter=default --reporter=json --outputFile.json=${join(reports, `${name}.json`)}`;

const lanes = [
  {
    tests: `npm test --silent ${report('quick')}`,
    processes: `npm run --silent test:process ${report('process')}`,
  },
  {
    format: 'biome check --error-on-warnings .',
    types: 'tsc --noEmit',
    promises: 'eslint --max-warnings 0 src',
    docs: 'tsx .ci/reference.ts --check',
    build: 'npm run --silent build',
    exports: 'publint --strict',
    package: 'node .ci/packed-files.mjs',
    tarball: 'node .ci/smoke-tarball.mjs',
  },
];
const shownLines = 50;

const { skip } = parseArgs({ options: { skip: { type: 'string', multiple: true, default: [] } } }).values;
const names = lanes.flatMap((lane) => Object.keys(lane));
const unknown = skip.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`no gate is called ${unknown.join(', ')}; there are ${names.join(', ')}`);

const running = new Set();
let failed = false;

/** Ends a gate with all that it started. */
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Runs one gate; true when it passed. */
function passes(name, command) {
  const started = performance.now();
  const path = join(projectRoot, 'node_modules/.bin') + delimiter + process.env.PATH;
  const child = spawn('bash', ['-c', `exec 2>&1; ${command}`], {
    cwd: projectRoot,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  running.add(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      running.delete(child);
      if (failed) return resolve(false);
      const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(9)} ${seconds} s`);
      if (code === 0) return resolve(true);
      failed = true;
      console.log(`${output.trimEnd().split('\n').slice(-shownLines).join('\n')}\n${command}`);
      for (const other of running) end(other);
      resolve(false);
    });
  });
}

async function run(lane) {
  for (const [name, command] of Object.entries(lane)) {
    if (skip.includes(name)) continue;
    if (failed || !(await passes(name, command))) return;
  }
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of running) end(child);
    process.exit(1);
  });
await Promise.all(lanes.map(run));

const results = readdirSync(reports).map((name) => JSON.parse(readFileSync(join(reports, name), 'utf8')));
rmSync(reports, { recursive: true });
const sum = (count) => results.reduce((total, result) => total + count(result), 0);
const passedTests = sum(({ numPassedTests }) => numPassedTests);
const failedTests = sum(({ testResults }) => testResults.filter(({ status }) => status === 'failed').length);
console.log(`${passedTests} passed, ${Math.max(failedTests, failed ? 1 : 0)} failed`);
process.exitCode = failed ? 1 : 0;
