import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveLimits } from '../src/core/resolve-limits.js';
import { HostShell } from '../src/shell/host-shell.js';
import { SpillFolder } from '../src/state/spill-folder.js';
import { createScrubber } from '../src/text/secrets/scrubber.js';
import { alternate, report } from './alternate.js';

// Commands through the shell of the library against a bare child_process.spawn with pipes.
// Usage: npm run bench -- shell

const root = realpathSync(mkdtempSync(join(tmpdir(), 'shell-bench-')));
const folder = new SpillFolder();
const shell = new HostShell({ roots: [root], folder, limits: resolveLimits(), scrubber: createScrubber() });
const scope = { caller: { sessionId: 'bench' }, signal: new AbortController().signal };

try {
  const flood = 'head -c 100000000 /dev/zero';
  await ours('seq 1 100000');
  const megabytes = await memoryOf(() => ours(flood));
  report('true, 200 times', await alternate(subjectsFor('true'), 200), { shell: 1.1 });
  report('100 MB of output', await alternate(subjectsFor(flood), 9), { shell: 1.1 });
  console.log(`\nmemory over base while 100 MB pass: ${megabytes.toFixed(1)} MB  goal 8 MB`);
  console.log('\nfrom an abort to the answer, with nothing left alive, median of 11');
  await printAborts('a group of seven', 'for i in 1 2 3 4 5 6; do sleep S & done; wait', 10);
  await printAborts('a session of its own', 'setsid sleep S & wait', 100);
  await printAborts('a parent that is gone', '(nohup setsid sleep S >/dev/null 2>&1 &); sleep S', 100);
} finally {
  await shell.dispose();
  folder.dispose();
  rmSync(root, { recursive: true, force: true });
}

function subjectsFor(command: string) {
  return { 'bare spawn': () => bare(command), shell: () => ours(command) };
}

async function ours(command: string): Promise<void> {
  const { exitCode } = await shell.run({ command }, scope);
  if (exitCode !== 0) throw new Error(`${command} answered ${exitCode}`);
}

/** What programs write by hand: pipes, every byte taken up, done when both are closed. */
function bare(command: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const words = ['--noprofile', '--norc', '-c', command];
    const child = spawn('/bin/bash', words, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** The most memory this process took up over what it had before, megabytes. */
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
  const running = shell
    .run({ command: template.replaceAll('S', seconds) }, { ...scope, signal: abort.signal })
    .catch(() => undefined);
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
