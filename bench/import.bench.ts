import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// The cost of importing the library in a new process, against importing zod alone: the minimum of the processor time,
// which other work on the machine hardly affects. Measures the built package. Decision 0006 has the goals and results.

const rounds = 9;
const built = (name: string) => new URL(`../dist/${name}.js`, import.meta.url).href;
const subjects = {
  zod: pathToFileURL(
    createRequire(import.meta.url)
      .resolve('zod')
      .replace(/\.cjs$/, '.js'),
  ).href,
  'toolwright/core': built('core'),
  toolwright: built('index'),
};

if (!existsSync(new URL(subjects.toolwright))) throw new Error('nothing is built yet: run npm run build first');

const samples = new Map(Object.keys(subjects).map((name) => [name, { ms: [] as number[], mb: [] as number[] }]));
for (let round = 0; round <= rounds; round++) {
  const order = Object.entries(subjects);
  if (round % 2 === 1) order.reverse();
  for (const [name, url] of order) {
    const { ms, mb } = importInFreshProcess(url);
    if (round === 0) continue; // The first round only warms the page cache.
    samples.get(name)?.ms.push(ms);
    samples.get(name)?.mb.push(mb);
  }
}

const zodMs = Math.min(...(samples.get('zod')?.ms ?? []));
for (const [name, { ms, mb }] of samples) {
  const time = Math.min(...ms);
  console.log(
    `${name.padEnd(16)} ${time.toFixed(1).padStart(7)} ms  ${(time / zodMs).toFixed(2)} × zod  ${median(mb).toFixed(1)} MB`,
  );
}

function importInFreshProcess(url: string): { ms: number; mb: number } {
  const script = `
    const rss = process.memoryUsage.rss();
    const before = process.cpuUsage();
    await import(${JSON.stringify(url)});
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ ms: (user + system) / 1_000, mb: (process.memoryUsage.rss() - rss) / 1e6 }));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
