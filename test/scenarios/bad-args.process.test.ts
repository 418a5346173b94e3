import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caseWorld, fixture, outsideMarker, outsideOf, type SetupStep } from '../support/case-world.js';
import { sample } from '../support/runs.js';

interface Repeated {
  readonly repeat: readonly [string, number];
}

interface Case {
  readonly id: string;
  readonly why: string;
  readonly tool: string | Repeated;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly raw_args?: string | Repeated;
  readonly gen?: { readonly depth?: number; readonly keys?: number; readonly mb?: number };
  readonly expect: 'ok' | 'error' | 'any';
  readonly must_contain?: string;
  readonly must_not_contain?: string;
  readonly must_keep?: string;
  readonly must_not_exist?: string;
}

const cases = fixture<Case>('bad-args').map((one) => ({ ...one, name: `${one.why} (${one.id})` }));

const notebook = JSON.stringify({
  cells: [{ cell_type: 'code', id: 'a', metadata: {}, source: 'old', execution_count: null, outputs: [] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});
const setup: readonly SetupStep[] = [['file', 'n.ipynb', notebook]];

function textOf(value: string | Repeated): string {
  return typeof value === 'string' ? value : value.repeat[0].repeat(value.repeat[1]);
}

function inputOf({ args, raw_args, gen }: Case, expand: (text: string) => string): unknown {
  if (raw_args !== undefined) return expand(textOf(raw_args));
  if (gen?.depth !== undefined) return `${'{"a":'.repeat(gen.depth)}1${'}'.repeat(gen.depth)}`;
  if (gen?.keys !== undefined)
    return { ...args, ...Object.fromEntries(Array.from({ length: gen.keys }, (_, index) => [`k${index}`, index])) };
  if (gen?.mb !== undefined) return { ...args, content: 'x'.repeat(gen.mb * 1_048_576) };
  return args;
}

test.each(sample(cases, ({ gen }) => gen?.keys !== undefined))('$name', async (example) => {
  const { root, call, states, expand } = caseWorld(setup);
  const before = states();
  const result = await call(textOf(example.tool), inputOf(example, expand));
  const after = states();

  expect(outsideOf(after)).toEqual(outsideOf(before));
  if (example.expect !== 'any') expect(result.ok).toBe(example.expect === 'ok');
  if (!result.ok) {
    expect(result.error.code).not.toBe('execution_failed');
    expect(result.output).toMatch(/^Error: (?!Error: )/);
    expect(result.output.length).toBeLessThan(10_000);
    expect(after).toEqual(before);
  }
  expect(JSON.stringify(result)).not.toContain(outsideMarker);
  if (example.must_contain !== undefined) expect(result.output).toContain(example.must_contain);
  if (example.must_not_contain !== undefined) expect(result.output).not.toContain(example.must_not_contain);
  if (example.must_keep !== undefined) expect(after[`ws/${example.must_keep}`]).toBe(before[`ws/${example.must_keep}`]);
  if (example.must_not_exist !== undefined) expect(existsSync(join(root, example.must_not_exist))).toBe(false);
  expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
});
