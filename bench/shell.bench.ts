import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPermissions, createToolkit, type ToolCallResult, type TurnOptions } from '../src/index.js';
import { alternate, report } from './alternate.js';

// Whole calls of Bash, with permission, guard and scrubber, against a bare child_process.spawn of the same shell that
// only reads the pipes. Usage: npm run bench -- shell

const root = realpathSync(mkdtempSync(join(tmpdir(), 'shell-bench-')));
const toolkit = createToolkit({ root, permissions: createPermissions({ allow: ['Bash'] }) });
const listener: TurnOptions = { onEvent: () => {} };
let calls = 0;

try {
  const line = 'GET /api/items/12345?page=7 HTTP/1.1 200 4711 bytes in 12 ms, request 0a1b2c3d';
  const flood = `yes '${line}' | head -c 100000000`;
  await ours('seq 1 100000');
  const megabytes = await memoryOf(() => ours(flood));
  report('true, 400 times', await alternate(subjectsFor('true'), 400), { Bash: 1.25 });
  report('100 MB of lines', await alternate(subjectsFor(flood), 15), { Bash: 1.25 });
  console.log(`\nmemory over base while 100 MB pass: ${megabytes.toFixed(1)} MB  goal 8 MB`);
  console.log('\nfrom an abort to the answer, with nothing left alive, median of 11');
  await printAborts('a group of seven', 'for i in 1 2 3 4 5 6; do sleep S & done; wait', 10);
  await printAborts('a session of its own', 'setsid sleep S & wait', 100);
  await printAborts('a parent that is gone', '(nohup setsid sleep S >/dev/null 2>&1 &); sleep S', 100);
} finally {
  await toolkit.dispose();
  rmSync(root, { recursive: true, force: true });
}

function subjectsFor(command: string) {
  return {
    'bare spawn': () => bare(command),
    Bash: () => ours(command),
    'Bash, with a listener': () => ours(command, listener),
  };
}

async function ours(command: string, options?: TurnOptions): Promise<void> {
  const result = await call(command, options);
  if (!result.ok) throw new Error(result.output);
  // Long output stays on disk for the model, so it is removed after each round. A virtual machine needs several times
  // longer for memory that was never used, so each round reuses the memory of the previous one.
  if (result.metadata?.truncated === true) rmSync(String(result.metadata.outputFile));
}

async function call(command: string, options?: TurnOptions): Promise<ToolCallResult> {
  const { results } = await toolkit.execute([{ id: `call_${++calls}`, name: 'Bash', input: { command } }], options);
  const [result] = results;
  if (result === undefined) throw new Error('no result');
  return result;
}

/** The usual hand-written code: reads both pipes completely, and ends when both are closed. */
function bare(command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['-c', command], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let bytes = 0;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
    }
    child.once('error', reject);
    child.once('close', () => resolve(bytes));
  });
}

/** The peak growth of the memory of this process, in megabytes. */
async function memoryOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 2);
  await work();
  clearInterval(sampler);
  return (Math.max(peak, process.memoryUsage.rss()) - before) / 1e6;
}

async function printAborts(title: string, template: string, goalMs: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 11; round++) times.push(await abortTime(template));
  times.sort((left, right) => left - right);
  console.log(`  ${title.padEnd(34)} ${(times[5] ?? Number.NaN).toFixed(1).padStart(9)} ms  goal ${goalMs} ms`);
}

async function abortTime(template: string): Promise<number> {
  const seconds = `8${Math.random().toFixed(9).slice(2)}`;
  const wanted = template.includes('for') ? 7 : 2;
  const abort = new AbortController();
  const running = call(template.replaceAll('S', seconds), { signal: abort.signal });
  for (let tries = 0; livingWith(seconds) < wanted; tries++) {
    if (tries > 1_000) throw new Error(`${template} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const start = performance.now();
  abort.abort();
  await running;
  const ms = performance.now() - start;
  if (livingWith(seconds) > 0) throw new Error(`${template} outlived its abort`);
  return ms;
}

function livingWith(text: string): number {
  return readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && name !== String(process.pid) && commandLine(name).includes(text),
  ).length;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
