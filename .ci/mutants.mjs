// Plants the mutations of .ci/mutants/*.json one at a time in a copy of the tree, runs the tests that each names, and
// reports the mutations that these tests do not detect. Usage: mutants.mjs [--list] [TEXT...]. With texts, only
// mutations whose title contains one of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { transformSync } from 'esbuild';
import { projectRoot } from './run-command.mjs';

const folder = join(projectRoot, '.ci/mutants');
// Some mutations make a test hang.
const [testMs, hangMs] = [180_000, 600_000];
const left = /^(?:node_modules|\.git|dist|coverage)$/;

const { values, positionals: wanted } = parseArgs({ options: { list: { type: 'boolean' } }, allowPositionals: true });
const all = readdirSync(folder).flatMap((file) =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')).map((mutant) => ({ part: basename(file, '.json'), ...mutant })),
);
const chosen = all.filter((mutant) => wanted.length === 0 || wanted.some((word) => titleOf(mutant).includes(word)));
if (chosen.length === 0) throw new Error(`no mutant has a title with ${wanted.join(' or ')}`);

const planted = new Map(chosen.map((mutant) => [mutant, plantedIn(mutant)]));
if (values.list) {
  // Mutants that do not apply come last, because the gate shows the last lines.
  const lines = [...planted].toSorted(
    ([, a], [, b]) => Number(a.problem !== undefined) - Number(b.problem !== undefined),
  );
  for (const [mutant, { problem }] of lines)
    console.log(`${titleOf(mutant)}${problem === undefined ? '' : `: ${problem}`}`);
  console.log(`${chosen.length} mutants, ${problems().length} that do not apply`);
  process.exit(problems().length === 0 ? 0 : 1);
}

const copy = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-mutants-')));
let [killed, failed] = [0, 0];
let running;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    endRunning();
    rmSync(copy, { recursive: true, force: true });
    process.exit(1);
  });
try {
  for (const name of readdirSync(projectRoot))
    if (!left.test(name)) cpSync(join(projectRoot, name), join(copy, name), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
  const plain = await run([...new Set(chosen.flatMap(({ tests }) => tests))]);
  if (!plain.ok) throw new Error(`the tests fail without any mutation: ${plain.problem ?? plain.failure}`);
  for (const [mutant, { problem, text }] of planted) {
    const [verdict, detail] = problem === undefined ? await judge(mutant, text) : ['NOT APPLIED', problem];
    if (verdict === 'killed') killed++;
    else if (verdict !== 'accepted') failed++;
    console.log(`${verdict.padEnd(11)} ${titleOf(mutant)}: ${detail}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${killed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function titleOf({ part, name }) {
  return `${part}: ${name}`;
}

function problems() {
  return [...planted.values()].flatMap(({ problem = [] }) => problem);
}

/** The text of the file with the mutation, or the reason why it does not apply. */
function plantedIn({ file, from, to }) {
  try {
    const source = readFileSync(join(projectRoot, file), 'utf8');
    const count = source.split(from).length - 1;
    if (count !== 1) return { problem: `"from" occurs ${count} times in ${file}` };
    const text = source.replace(from, () => to);
    transformSync(text, { loader: 'ts' });
    return { text };
  } catch (thrown) {
    return { problem: thrown.message };
  }
}

async function judge({ file, tests, accepted }, text) {
  const place = join(copy, file);
  const original = readFileSync(place);
  try {
    writeFileSync(place, text);
    const { ok, problem, failure } = await run(tests);
    if (problem !== undefined) return ['NOT APPLIED', problem];
    if (!ok) return ['killed', failure];
    return accepted === undefined ? ['SURVIVED', tests.join(' ')] : ['accepted', accepted];
  } finally {
    writeFileSync(place, original);
  }
}

/** Runs tests in the copy, and names the one that failed. */
async function run(tests) {
  const report = join(copy, 'report.json');
  const options = ['--bail=1', '--retry=0', `--testTimeout=${testMs}`, '--reporter=json', `--outputFile=${report}`];
  const child = spawn(join(copy, 'node_modules/.bin/vitest'), ['run', ...options, ...tests], {
    cwd: copy,
    stdio: 'ignore',
    // A test in an endless loop ends only with its process group.
    detached: true,
  });
  running = child.pid;
  const timer = setTimeout(endRunning, hangMs);
  const [status] = await once(child, 'exit');
  clearTimeout(timer);
  running = undefined;
  if (!existsSync(report)) return { ok: false, failure: 'no test has finished' };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  const idle = tests.filter((path) => !testResults.some(({ name }) => name.startsWith(join(copy, path))));
  if (status === 0 && idle.length > 0) throw new Error(`no test file begins with ${idle.join(' or ')}`);
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults).find((one) => one.status === 'failed');
  const broken = testResults.find((one) => one.status === 'failed' && one.assertionResults.length === 0);
  const problem = failed === undefined ? broken?.message : undefined;
  return { ok: status === 0, problem, failure: failed?.fullName ?? 'an error outside of tests' };
}

function endRunning() {
  if (running !== undefined) process.kill(-running, 'SIGKILL');
}
