import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createToolkit, type ToolCall, type ToolCallResult, type Toolkit } from '../../src/index.js';
import { memoryFiles } from '../../src/testing/index.js';
import { runs } from '../support/runs.js';

const names = ['a.txt', 'b.txt', 'c.txt'];

type Step = readonly [tool: 'Read' | 'Write' | 'Edit' | 'Grep' | 'Glob', file: number, text: number];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('Read', 'Write', 'Edit', 'Edit', 'Grep', 'Glob'),
  fc.nat({ max: names.length - 1 }),
  fc.nat({ max: 3 }),
);

function toCall([tool, file, text]: Step, index: number, root: string): ToolCall {
  const path = join(root, names[file] ?? '');
  const inputs = {
    Read: { file_path: path },
    Write: { file_path: path, content: `line ${text}\nshared\n` },
    Edit: { file_path: path, old_string: `line ${text}`, new_string: `line ${(text + 1) % 4}` },
    Grep: { pattern: `line ${text}`, output_mode: 'count' },
    Glob: { pattern: '*.txt' },
  };
  return { id: `call_${index}`, name: tool, input: inputs[tool] };
}

/** The order by age depends on the clock of the disk, which may be coarser than a call. */
function comparable({ name, output }: ToolCallResult, root: string): string {
  const text = output.replaceAll(root, '');
  return name === 'Glob' || name === 'Grep' ? text.split('\n').sort().join('\n') : text;
}

describe('for any overlap, results and files are those of sequential calls', () => {
  test('on the disk', async () => {
    const roots = [1, 2].map(() => realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-'))));
    const toolkits = roots.map((root, index) =>
      createToolkit({ root, permissions: 'bypassPermissions', concurrency: index === 0 ? 10 : 1 }),
    );
    const play = async (steps: readonly Step[], toolkit: Toolkit, root: string) => {
      for (const name of readdirSync(root)) rmSync(join(root, name));
      for (const [index, name] of names.entries()) writeFileSync(join(root, name), `line ${index}\n`);
      const { results } = await toolkit.execute(steps.map((one, index) => toCall(one, index, root)));
      const files = readdirSync(root).map((name) => [name, readFileSync(join(root, name), 'utf8')]);
      return { outputs: results.map((result) => comparable(result, root)), files };
    };
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
          const [together, alone] = await Promise.all(
            toolkits.map((toolkit, index) => play(steps, toolkit, roots[index] ?? '')),
          );
          expect(together).toEqual(alone);
        }),
        { numRuns: runs(200) },
      );
    } finally {
      await Promise.all(toolkits.map((toolkit) => toolkit.dispose()));
      for (const root of roots) rmSync(root, { recursive: true, force: true });
    }
  }, 300_000);

  test('in memory', async () => {
    await using together = memoryFiles({ root: '/ws' });
    await using alone = memoryFiles({ root: '/ws' });
    const play = async (steps: readonly Step[], concurrency: number) => {
      const files = concurrency === 1 ? alone : together;
      for (const [index, name] of names.entries()) files.set(name, `line ${index}\n`);
      await using toolkit = createToolkit({
        root: '/ws',
        hosts: { files },
        permissions: 'bypassPermissions',
        concurrency,
      });
      const { results } = await toolkit.execute(steps.map((one, index) => toCall(one, index, '/ws')));
      const left = await toolkit.execute(
        names.map((name, index) => ({ id: `${index}`, name: 'Read', input: { file_path: `/ws/${name}` } })),
      );
      return [...results, ...left.results].map((result) => comparable(result, '/ws'));
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        expect(await play(steps, 10)).toEqual(await play(steps, 1));
      }),
      { numRuns: runs(500) },
    );
  }, 300_000);
});
