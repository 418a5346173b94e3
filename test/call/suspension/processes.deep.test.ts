import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolCall } from '../../../src/index.js';
import { compiled } from '../../support/compiled-programs.js';
import {
  answersFor,
  diskToolkit,
  newWorkspace,
  type Resumed,
  resumed,
  type Said,
  storeBeside,
  treeOf,
} from '../../support/disk-turns.js';
import { runs } from '../../support/runs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const moves = {
  'read a': { name: 'Read', input: { file_path: 'a.txt' } },
  'read b, which is asked': { name: 'Read', input: { file_path: 'b.txt' } },
  'write a': { name: 'Write', input: { file_path: 'a.txt', content: 'new\n' } },
  'write b, which is asked': { name: 'Write', input: { file_path: 'b.txt', content: 'new\n' } },
  'write what a hook rewrites, asked twice': { name: 'Write', input: { file_path: 'hooked.txt', content: 'new\n' } },
  'write what is denied': { name: 'Write', input: { file_path: 'secret.txt', content: 'new\n' } },
  'a command that looks': { name: 'Bash', input: { command: 'cat a.txt' } },
  'a command that acts, which is asked': { name: 'Bash', input: { command: 'echo line >> lines.txt' } },
  nonsense: { name: 'Bash', input: { command: 5 } },
} as const;

const plans = fc.record({
  moves: fc.array(fc.constantFrom(...(Object.keys(moves) as (keyof typeof moves)[])), { minLength: 1, maxLength: 6 }),
  said: fc.array(
    fc.constantFrom<Said[string]>('allow-once', 'allow-once', 'deny', { rewriteTo: 'as a person wants it\n' }),
    { minLength: 6, maxLength: 6 },
  ),
  /** The number of open questions that each process gets answers for. */
  atOnce: fc.integer({ min: 1, max: 3 }),
  /** The number of the call at which the first process of each round is aborted; 0 for none. */
  abortAt: fc.integer({ min: 0, max: 3 }),
});

test(
  'a turn that several processes resume in sequence ends like the turn with live answers',
  {
    timeout: 600_000,
  },
  async () => {
    const folder = temporaryFolder();
    let turns = 0;
    await fc.assert(
      fc.asyncProperty(plans, async ({ moves: wanted, said: words, atOnce, abortAt }) => {
        const at = join(folder, `${++turns}`);
        const callsIn = (root: string): ToolCall[] =>
          wanted.map((move, index) => {
            const { name, input } = moves[move];
            const placed = 'file_path' in input ? { ...input, file_path: join(root, input.file_path) } : input;
            return { id: `call_${index}`, name, input: placed };
          });
        // The input of Bash has no field that the test rewrites.
        const said: Said = Object.fromEntries(
          wanted.map((move, index) => {
            const word = words[index] ?? 'deny';
            return [`call_${index}`, typeof word === 'object' && !move.startsWith('write') ? 'allow-once' : word];
          }),
        );

        const liveRoot = newWorkspace(`${at}.live`);
        const live = diskToolkit(liveRoot, storeBeside(liveRoot), said);
        const expected = resumed(await live.execute(callsIn(liveRoot)), liveRoot);
        await live.dispose();

        const root = newWorkspace(`${at}.split`);
        const calls = callsIn(root);
        const first = diskToolkit(root, storeBeside(root));
        let run = resumed(await first.execute(calls, { approvals: 'suspend' }), root);
        await first.dispose();
        for (let round = 0; run.suspension !== undefined; round++) {
          expect(round).toBeLessThan(20);
          const answers = answersFor((run.questions ?? []).slice(0, atOnce), said, calls);
          const { suspension } = run;
          if (abortAt > 0) await resumeElsewhere(root, { suspension, answers, abortAt });
          run = await resumeElsewhere(root, { suspension, answers, abortAt: 0 });
        }
        expect(run.outcomes).toEqual(expected.outcomes);
        expect(treeOf(root)).toEqual(treeOf(liveRoot));
      }),
      { numRuns: runs(30) },
    );
  },
);

async function resumeElsewhere(root: string, request: object): Promise<Resumed> {
  const [asked, answer] = [`${root}.request`, `${root}.answer`];
  writeFileSync(asked, JSON.stringify(request));
  const program = compiled('test/support/resuming-turn');
  const child = spawn(process.execPath, [program, root, asked, answer], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  return JSON.parse(readFileSync(answer, 'utf8')) as Resumed;
}
