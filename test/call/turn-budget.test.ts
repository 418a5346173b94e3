import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OutputStore } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

/** Stores spilled output where a test can read it. */
function store(): OutputStore & { readonly saved: Map<string, string> } {
  const saved = new Map<string, string>();
  return {
    saved,
    save: async (text) => {
      const path = `/spill/${saved.size}`;
      saved.set(path, text);
      return path;
    },
  };
}

const line = (index: number) => `line ${index} of a long result`;
const textOf = (chars: number) => {
  const lines: string[] = [];
  for (let index = 0, length = 0; length < chars; index++) {
    lines.push(line(index));
    length += line(index).length + 1;
  }
  return lines.join('\n').slice(0, chars);
};
const says = (name: string, chars: number) => tool(name, () => textOf(chars));
const total = (results: readonly { readonly output: string }[]) =>
  results.reduce((sum, { output }) => sum + output.length, 0);
const isCut = ({ output }: { readonly output: string }) => output.includes('characters omitted');

describe('the results of a turn together', () => {
  test('stay unchanged below the limit', async () => {
    const outputStore = store();
    const { results } = await run([says('A', 10_000), says('B', 20_000)], calls('A', 'B'), {
      outputStore,
      limits: { output: { maxTurnChars: 30_000 } },
    });
    expect(results.map(({ output }) => output)).toEqual([textOf(10_000), textOf(20_000)]);
    expect(outputStore.saved.size).toBe(0);
  });

  test('are cut from the last long result on, as far as needed', async () => {
    const outputStore = store();
    const names = ['A', 'B', 'C', 'D'];
    const { results } = await run(
      [...names.map((name) => says(name, 20_000)), says('Short', 100)],
      calls(...names, 'Short'),
      {
        outputStore,
        limits: { output: { maxTurnChars: 70_000 } },
      },
    );
    expect(results.map(({ name }) => name)).toEqual([...names, 'Short']);
    expect(results.map(isCut)).toEqual([false, false, false, true, false]);
    expect(total(results)).toBeLessThanOrEqual(70_000);
    const cut = results[3]?.output ?? '';
    expect(cut).toContain(line(0));
    expect(cut.endsWith(textOf(20_000).slice(-20))).toBe(true);
    expect(cut).toMatch(/\[\d+ characters omitted; full output: \/spill\/0\]\n\[.*Read.*\]/);
    expect(outputStore.saved.get('/spill/0')).toBe(textOf(20_000));
  });

  test('name the file with the full text of a result that was cut before', async () => {
    const outputStore = store();
    const names = Array.from({ length: 20 }, (_, index) => `Big${index}`);
    const { results } = await run(
      names.map((name) => says(name, 80_000)),
      calls(...names),
      { outputStore },
    );
    expect(results).toHaveLength(20);
    expect(total(results)).toBeLessThanOrEqual(200_000);
    for (const { output } of results) {
      const [notice, path = ''] = /\[\d+ characters omitted; full output: (\S+)\]/.exec(output) ?? [];
      expect(notice).toBeDefined();
      expect(outputStore.saved.get(path)).toBe(textOf(80_000));
      expect(output.match(/characters omitted/g)).toHaveLength(1);
      const omitted = Number(/\[(\d+) characters/.exec(output)?.[1]);
      const shown = output.replace(/\n?\[\d+ characters omitted[^\]]*\]\n(?:\[.*\]\n)?/, '').length;
      expect(Math.abs(omitted + shown - 80_000)).toBeLessThanOrEqual(1);
    }
  });

  test('include failures, which keep their prefix', async () => {
    const fails = tool('Fails', () => {
      throw new Error(textOf(20_000));
    });
    const { results } = await run([says('A', 10_000), fails], calls('A', 'Fails'), {
      outputStore: store(),
      limits: { output: { maxTurnChars: 15_000 } },
    });
    expect(total(results)).toBeLessThanOrEqual(15_000);
    expect(results[1]?.output.startsWith('Error: line 0')).toBe(true);
    expect(results[1]?.ok).toBe(false);
  });

  test('say what to do if nothing is stored', async () => {
    const { results } = await run([says('A', 10_000), says('B', 10_000)], calls('A', 'B'), {
      limits: { output: { maxTurnChars: 12_000 } },
    });
    expect(total(results)).toBeLessThanOrEqual(12_000);
    expect(results[1]?.output).toMatch(/\[\d+ characters omitted\]\n\[.*by itself.*\]/);
  });

  test('keep a part of every result', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `T${index}`);
    const { results } = await run(
      names.map((name) => says(name, 3_000)),
      calls(...names),
      { limits: { output: { maxTurnChars: 10_000 } } },
    );
    expect(results.map(({ name }) => name)).toEqual(names);
    for (const { output } of results) expect(output.length).toBeGreaterThan(400);
    expect(total(results)).toBeLessThan(300 * 1_000);
  });

  table([0, Number.POSITIVE_INFINITY])('have no limit if it is 0 or Infinity', async (maxTurnChars) => {
    const { results } = await run([says('A', 20_000), says('B', 20_000)], calls('A', 'B'), {
      limits: { output: { maxTurnChars } },
    });
    expect(total(results)).toBe(40_000);
  });

  test('are never cut inside a character', async () => {
    const emoji = tool('Emoji', () => '\u{1f600}'.repeat(15_000));
    const { results } = await run([emoji, emoji], calls('Emoji', 'Emoji'), {
      limits: { output: { maxTurnChars: 33_333 } },
    });
    expect(results.every(({ output }) => output.isWellFormed())).toBe(true);
  });
});

test('can be read further in the file', async () => {
  const root = temporaryFolder();
  const toolkit = testToolkit({
    root,
    permissions: 'bypassPermissions',
    limits: { output: { maxTurnChars: 20_000 } },
  });
  toolkit.registry.register(says('A', 18_000), says('B', 18_000));
  const { results } = await toolkit.execute(calls('A', 'B'));
  const path = /full output: ([^\]]+)\]/.exec(results[1]?.output ?? '')?.[1] ?? join(root, 'none');
  expect(readFileSync(path, 'utf8')).toBe(textOf(18_000));
  const read = await toolkit.execute([{ id: 'r', name: 'Read', input: { file_path: path } }]);
  expect(read.results[0]?.ok).toBe(true);
});
