// A tool that does nothing, with a validated input: the whole pipeline against the minimal cost of such a call,
// alternated in one run. Measures the built package, because a loader of TypeScript adds time, and processor time,
// which other programs affect less than wall-clock time. Prints ratios, because only those can be compared between
// machines. Usage: npm run build && npm run bench -- dispatch
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/v4';
import type { ExecuteOptions, ToolCall, ToolRegistry } from '../src/core.js';

const core = new URL('../dist/core.js', import.meta.url);
if (!existsSync(core)) throw new Error('nothing is built yet: run npm run build first');
const {
  createPolicy,
  createRateLimiter,
  executeTools,
  Tool,
  ToolRegistry: Registry,
} = (await import(core.href)) as typeof import('../src/core.js');

const schema = z.object({ path: z.string(), limit: z.number().optional(), flag: z.boolean().optional() });
const text = JSON.stringify({ path: '/w/a.ts', limit: 10, flag: true });
const work = async ({ path }: { readonly path: string }) => `read ${path}`;
const page = 'const value = compute(index, total); // an ordinary line of a file\n'.repeat(64).slice(0, 4_096);

/** A registry with one allowed tool, so that no call asks. */
function offer(execute: typeof work): ToolRegistry {
  const noop = Tool.define('Noop', { description: 'Do nothing.', input: schema, sideEffect: 'none', execute });
  return new Registry().register(noop).allow('Noop');
}

const registry = offer(work);
const policy = createPolicy({ profile: 'full', allow: ['Noop'], deny: ['Danger*'] });
const configured: ExecuteOptions = {
  registry,
  hooks: { PreToolUse: [{ matcher: 'Noop', hooks: [async () => undefined] }] },
  rateLimiter: createRateLimiter({ max: Number.MAX_SAFE_INTEGER, windowMs: 1 }),
  onEvent: () => {},
};
const turns: Readonly<Record<string, ExecuteOptions>> = {
  default: { registry },
  'permissions of the host': { registry, permissions: { check: async () => ({ behavior: 'allow' }) } },
  'hook, rule, limiter, listener': configured,
  'the same and a policy': { ...configured, policy },
  'policy, result of 4 KB': { registry: offer(async () => page), policy },
};

type Subject = (count: number) => Promise<void>;

const floor: Subject = async (count) => {
  for (let index = 0; index < count; index++) await work(schema.parse(JSON.parse(text)));
};

const turn =
  (options: ExecuteOptions): Subject =>
  async (count) => {
    const calls: ToolCall[] = Array.from({ length: count }, (_, index) => ({
      id: `call_${index}`,
      name: 'Noop',
      input: text,
    }));
    const { results } = await executeTools(calls, options);
    if (!results.every((result) => result.ok)) throw new Error(results.find((result) => !result.ok)?.output);
  };

const subjects: Readonly<Record<string, Subject>> = {
  floor,
  ...Object.fromEntries(Object.entries(turns).map(([name, options]) => [name, turn(options)])),
};

/** Microseconds of processor time since the process began. */
function spentMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const rounds = 25;
const warmupRounds = 5;
const callsARound = 2_000;

/** Microseconds per call over rounds that alternate between the subjects, sorted. */
async function measure(count: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const repeats = Math.max(1, Math.round(callsARound / count));
  const samples = new Map(Object.keys(subjects).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      const start = spentMicros();
      for (let index = 0; index < repeats; index++) await subject(count);
      if (round >= warmupRounds) samples.get(name)?.push((spentMicros() - start) / (repeats * count));
    }
  }
  for (const values of samples.values()) values.sort((left, right) => left - right);
  return samples;
}

function print(title: string, samples: ReadonlyMap<string, readonly number[]>): void {
  console.log(`\n${title}`);
  const base = median(samples.get('floor') ?? []);
  for (const [name, values] of samples) {
    const micros = median(values);
    const least = (values[0] ?? Number.NaN).toFixed(2);
    console.log(
      `  ${name.padEnd(30)} ${micros.toFixed(2).padStart(7)} us/call (least ${least.padStart(6)})  ${(micros / base).toFixed(2).padStart(6)} x floor`,
    );
  }
}

function median(sorted: readonly number[]): number {
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

const coldTurns = 10;
const coldCount = 100;
const coldProcesses = 5;

/** The cost of the first turns of a process after one warm-up call, while most functions are not compiled yet. */
function measureCold(name: string): readonly number[] {
  const runs = Array.from({ length: coldProcesses }, () =>
    execFileSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), name], { encoding: 'utf8' }),
  );
  return runs.map(Number).sort((left, right) => left - right);
}

async function runCold(subject: Subject): Promise<void> {
  await subject(1);
  const start = spentMicros();
  for (let index = 0; index < coldTurns; index++) await subject(coldCount);
  console.log((spentMicros() - start) / (coldTurns * coldCount));
}

const [, , only] = process.argv;
const alone = only === undefined ? undefined : subjects[only];
if (alone !== undefined) {
  await runCold(alone);
} else {
  console.log('floor: JSON.parse and zod parse of an object of 3 fields, and an await of the tool itself');
  const cold = new Map(['floor', 'default', 'hook, rule, limiter, listener'].map((name) => [name, measureCold(name)]));
  print(
    `cold: the first ${coldTurns} turns of ${coldCount} calls in fresh processes, with the work of the compiler`,
    cold,
  );
  for (const count of [1, 10, 100, 1_000])
    print(`warm: ${count} ${count === 1 ? 'call' : 'calls'} a turn`, await measure(count));
}
