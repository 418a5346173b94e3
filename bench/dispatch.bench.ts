// A no-op tool with a validated input: the whole pipeline against a plain parse plus an async call, in one run.
// Prints ratios, because only those can be compared between machines. Usage: npm run bench -- dispatch
import * as z from 'zod/v4';
import { createRateLimiter, executeTools, Tool, type ToolCall, ToolRegistry } from '../src/core.js';

const schema = z.object({ path: z.string(), limit: z.number().optional(), flag: z.boolean().optional() });
const text = JSON.stringify({ path: '/w/a.ts', limit: 10, flag: true });
const work = async ({ path }: { readonly path: string }) => `read ${path}`;
const tool = Tool.define('Noop', { description: 'Do nothing.', input: schema, sideEffect: 'none', execute: work });
const registry = new ToolRegistry().register(tool);
const allowAll = { check: async () => ({ behavior: 'allow' as const }) };

const plain = { registry, permissions: allowAll };
const rich = {
  registry: registry.clone().allow('Noop'),
  hooks: { PreToolUse: [{ matcher: 'Noop', hooks: [async () => undefined] }] },
  rateLimiter: createRateLimiter({ max: Number.POSITIVE_INFINITY }),
  onEvent: () => {},
};

async function floor(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await work(schema.parse(JSON.parse(text)));
}

function turn(options: Parameters<typeof executeTools>[1]) {
  return async (count: number): Promise<void> => {
    const calls: ToolCall[] = Array.from({ length: count }, (_, index) => ({ id: `call_${index}`, name: 'Noop', input: text }));
    const { results } = await executeTools(calls, options);
    if (!results.every((result) => result.ok)) throw new Error(results.find((result) => !result.ok)?.output);
  };
}

/** Median microseconds per call over rounds that alternate between the subjects. */
async function measure(
  subjects: Readonly<Record<string, (count: number) => Promise<void>>>,
  count: number,
): Promise<Record<string, number>> {
  const repeats = Math.max(1, Math.round(2_000 / count));
  const samples = new Map(Object.keys(subjects).map((name) => [name, [] as number[]]));
  for (let round = 0; round < 25; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      const start = performance.now();
      for (let index = 0; index < repeats; index++) await subject(count);
      if (round >= 5) samples.get(name)?.push(((performance.now() - start) * 1_000) / (repeats * count));
    }
  }
  return Object.fromEntries(
    [...samples].map(([name, values]) => [name, values.sort((left, right) => left - right)[values.length >> 1] ?? 0]),
  );
}

const subjects = { floor, 'whole pipeline': turn(plain), 'with rule, hook, limiter, listener': turn(rich) };
for (const count of [1, 10, 100, 1_000]) {
  const medians = await measure(subjects, count);
  const base = medians.floor ?? 1;
  console.log(`\n${count} ${count === 1 ? 'call' : 'calls'} a turn`);
  for (const [name, micros] of Object.entries(medians)) {
    console.log(`  ${name.padEnd(36)} ${micros.toFixed(2).padStart(8)} us/call  ${(micros / base).toFixed(2).padStart(6)} x floor`);
  }
}
