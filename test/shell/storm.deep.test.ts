import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ToolError } from '../../src/index.js';
import { toolContext } from '../support/call-scope.js';
import { runs } from '../support/runs.js';
import { leftoversOf, processesWith, shellBench, uniqueSeconds } from '../support/shell.js';
import { taskBench } from '../support/task-bench.js';

const rounds = runs(100);
const gigabytes = Number(process.env.TOOLWRIGHT_FLOOD ?? 1);
const atOnce = 5;

/**
 * A tree of five processes: in the group, ignoring TERM, in its own session, re-parented, and without its environment.
 */
const tree = (seconds: string) =>
  `sleep ${seconds} & (trap "" TERM; sleep ${seconds}) & setsid sleep ${seconds} & (setsid sleep ${seconds} &); env -i setsid /bin/sleep ${seconds} & wait`;

async function inRounds(round: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < rounds; index += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, rounds - index) }, (_, offset) => round(index + offset)));
}

test(`${rounds} time limits of process trees leave nothing`, async () => {
  const seconds = uniqueSeconds();
  const { run, shell } = shellBench({ overrides: { bash: { killGraceMs: 200 } } });
  await inRounds(async (index) => {
    expect(await run(tree(seconds), { timeoutMs: 1 + ((index * 37) % 300) })).toMatchObject({
      timedOut: true,
      survivors: [],
    });
  });
  expect(processesWith(seconds)).toEqual([]);
  expect(leftoversOf(shell)).toEqual([]);
});

test(`${rounds} aborts of process trees leave nothing`, async () => {
  const seconds = uniqueSeconds();
  const { run } = shellBench({ overrides: { bash: { killGraceMs: 200 } } });
  await inRounds(async (index) => {
    const abort = new AbortController();
    const running = run(tree(seconds), {}, abort.signal).catch((thrown: unknown) => ToolError.from(thrown).code);
    setTimeout(() => abort.abort(), (index * 37) % 300);
    expect(['interrupted', 'cancelled']).toContain(await running);
  });
  expect(processesWith(seconds)).toEqual([]);
});

test(`${gigabytes} GB of output need little memory, and the file keeps its limit`, async () => {
  const { run } = shellBench();
  const before = process.memoryUsage().rss;
  let peak = 0;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const { exitCode, output, outputFile } = await run(`head -c ${gigabytes}000000000 /dev/zero`, { timeoutMs: 200_000 });
  clearInterval(sampler);
  expect(exitCode).toBe(0);
  expect(peak - before).toBeLessThan(150_000_000);
  expect(statSync(outputFile).size).toBeLessThan(110_000_000);
  const [, omitted] = /\[(\d+) bytes omitted/.exec(output) ?? [];
  expect(Number(omitted)).toBeGreaterThan(gigabytes * 900_000_000);
});

test('a time limit ends a flood of output', async () => {
  const { run } = shellBench();
  expect(await run('yes', { timeoutMs: 1_000 })).toMatchObject({ timedOut: true, survivors: [] });
});

test('two hundred tasks at once all return', async () => {
  const { start, output } = taskBench();
  const started = await Promise.all(Array.from({ length: 200 }, (_, index) => start(`echo ${index}; sleep 0.2`)));
  const results = await Promise.all(
    started.map(({ task_id }) => output.execute({ task_id, timeout: 120_000 }, toolContext())),
  );
  expect(results.map((result) => result.output)).toEqual(started.map((_, index) => `Status: completed\n${index}\n`));
});
