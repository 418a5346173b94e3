import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { hostFiles } from 'toolwright/files';
import { afterAll, describe, expect } from 'vitest';
import { createToolkit, defaultLimits, type ToolCallResult } from '../../src/index.js';
import { fixture } from '../support/case-world.js';
import { table } from '../support/each-row.js';
import { sample } from '../support/runs.js';

interface Case {
  readonly id: string;
  readonly class: string;
  readonly why: string;
  readonly pattern: string;
  readonly text?: string;
  readonly hex?: string;
  readonly gen?: readonly [string, number, string];
  readonly multiline?: boolean;
  readonly matches?: number;
  readonly expect?: readonly ('ends' | 'ends_with_error' | 'error')[];
  readonly same?: boolean;
}

const cases = fixture<Case>('regex-cases').map((one) => ({
  ...one,
  name: `${JSON.stringify(one.pattern)}: ${one.why} (${one.id})`,
}));

/** One toolkit for all cases of an engine, because its start takes longer than a search. */
function searcher(ripgrep: string | false) {
  const root = mkdtempSync(join(tmpdir(), 'toolwright-test-'));
  const files = hostFiles({ root, limits: defaultLimits, ripgrep });
  const toolkit = createToolkit({ root, hosts: { files } });
  afterAll(async () => {
    await toolkit.dispose();
    await files[Symbol.asyncDispose]();
    rmSync(root, { recursive: true });
  });
  return async ({ id, pattern, text = '', hex, gen, multiline = false }: Case): Promise<ToolCallResult> => {
    const path = join(root, id);
    writeFileSync(
      path,
      hex === undefined ? (gen?.[0].repeat(gen[1]) ?? text) + (gen?.[2] ?? '') : Buffer.from(hex, 'hex'),
    );
    const { results } = await toolkit.execute([
      { id, name: 'Grep', input: { pattern, multiline, path, output_mode: 'count' } },
    ]);
    const [result] = results;
    if (result === undefined) throw new Error('no result');
    return result;
  };
}

/** Patterns that the JavaScript engine rejects, with the advice in the error. */
const beyond = new Set(['a**', '[a-z&&[^b]]', '[&&]', '\\Aa', 'a\\z', '[[:nope:]]']);

const inJavaScript = searcher(false);
const byRipgrep = searcher(rgPath);

function countOf({ output }: ToolCallResult): number {
  return output === 'No matches found' ? 0 : Number(/:(\d+)$/.exec(output)?.[1]);
}

function check(example: Case, result: ToolCallResult): void {
  if (!result.ok) {
    expect(example.expect?.some((one) => one === 'error' || one === 'ends_with_error')).toBe(true);
    expect(['invalid_input', 'timeout']).toContain(result.error.code);
    return;
  }
  expect(example.expect ?? ['ends']).toContain('ends');
  if (example.matches !== undefined) expect(countOf(result)).toBe(example.matches);
}

describe('in JavaScript', () => {
  table(sample(cases, ({ class: kind }) => kind === 'slow'))('in JavaScript', async (example) => {
    const result = await inJavaScript(example);
    if (beyond.has(example.pattern)) expect(result.output).toContain('this pattern needs ripgrep');
    else check(example, result);
  });
});

describe('by ripgrep', () => {
  table(cases)('by ripgrep', async (example) => {
    const result = await byRipgrep(example);
    check(example, result);
    if (example.same !== true || beyond.has(example.pattern)) return;
    const other = await inJavaScript(example);
    expect([other.ok, countOf(other)]).toEqual([result.ok, countOf(result)]);
  });
});
