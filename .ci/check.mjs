// Runs all gates in two parallel lanes: the tests, and the checks that run no tests. The first failure ends both lanes
// and shows the last lines of its output. `--skip NAME` omits a gate.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runLanes } from './lanes.mjs';

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
    mutants: 'node .ci/mutants.mjs --list',
    docs: 'tsx .ci/reference.ts --check',
    build: 'npm run --silent build',
    exports: 'publint --strict',
    package: 'node .ci/packed-files.mjs',
    tarball: 'node .ci/smoke-tarball.mjs',
  },
];

const { skip } = parseArgs({ options: { skip: { type: 'string', multiple: true, default: [] } } }).values;
const names = lanes.flatMap((lane) => Object.keys(lane));
const unknown = skip.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`unknown gate: ${unknown.join(', ')}. Gates: ${names.join(', ')}`);

const chosen = lanes.map((lane) => Object.fromEntries(Object.entries(lane).filter(([name]) => !skip.includes(name))));
const passed = await runLanes(chosen, () => rmSync(reports, { recursive: true }));

const results = readdirSync(reports).map((name) => JSON.parse(readFileSync(join(reports, name), 'utf8')));
rmSync(reports, { recursive: true });
const sum = (count) => results.reduce((total, result) => total + count(result), 0);
const passedTests = sum(({ numPassedTests }) => numPassedTests);
// A file that cannot be loaded or does not clean up fails without a failed test.
const broken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
const failedTests = sum(({ numFailedTests, testResults }) => numFailedTests + testResults.filter(broken).length);
console.log(`${passedTests} passed, ${Math.max(failedTests, passed ? 0 : 1)} failed`);
process.exitCode = passed ? 0 : 1;
