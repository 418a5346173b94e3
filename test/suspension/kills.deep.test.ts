import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendingToolkit } from '../support/append-log.js';
import { compiled } from '../support/compiled-programs.js';
import { RandomSource } from '../support/random-tree.js';
import { runs, seed } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const names = ['Append', 'Append', 'Look', 'Append', 'Look'] as const;
/** A quarter of a second each. */
const kills = 2 * runs(100);
/** More than a resume takes of {@link names}, so that some rounds end by themselves. */
const maxSteps = 34;

test('whenever a process that resumes a turn is killed, nothing runs twice and each call has one result', {
  timeout: 3_000 * kills,
}, async () => {
  let died = 0;
  let [interrupted, settled] = [0, 0];
  await Promise.all([rounds(kills / 2), rounds(kills / 2)]);
  expect(died).toBeGreaterThan(kills / 2);
  expect(interrupted).toBeGreaterThan(kills / 50);
  expect(settled).toBeGreaterThan(kills);

  async function rounds(count: number): Promise<void> {
    const random = new RandomSource(seed);
    const root = temporaryFolder();
    const toolkit = appendingToolkit(root);
    for (let round = 0; round < count; round++) {
      const line = (index: number) => `${round}.${index}`;
      const calls = names.map((name, index) => ({ id: `${index}`, name, input: { line: line(index) } }));
      const run = await toolkit.execute(calls, { approvals: 'suspend', caller: { sessionId: `${round}` } });
      if (run.status !== 'suspended') throw new Error('nothing was asked');
      const isRefused = (callId: string) => (round + Number(callId)) % 4 === 0;
      const answers = Object.fromEntries(
        run.questions.map(({ id, callId }) => [id, isRefused(callId) ? 'deny' : 'allow-once'] as const),
      );
      const request = join(root, 'request.json');
      writeFileSync(request, JSON.stringify({ suspension: run.suspension, answers }));
      const killAt = 1 + random.below(maxSteps);
      const child = spawn(process.execPath, [compiled('test/support/resuming-host'), root, request, String(killAt)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      if (signal === 'SIGKILL') died++;

      const after = await toolkit.resume(run.suspension, answers);
      const again = await toolkit.resume(run.suspension, answers);
      expect(after.status).toBe('done');
      expect(again.results.map((result) => result?.output)).toEqual(after.results.map((result) => result?.output));
      const path = join(root, 'lines');
      const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
      for (const [index, result] of after.results.entries()) {
        const times = lines.filter((one) => one === line(index)).length;
        const code = result?.ok === true ? 'ok' : result?.error.code;
        const where = `call ${index} of round ${round}, killed at ${killAt}`;
        if (isRefused(String(index))) {
          expect(times, where).toBe(0);
          // What was taken in hands and never settled may have been allowed by whoever had it.
          expect(['permission_denied', 'interrupted'], where).toContain(code);
        } else if (code === 'interrupted') {
          interrupted++;
          expect(result?.name, where).toBe('Append');
          expect(times, where).toBeLessThan(2);
        } else {
          settled++;
          expect(code, where).toBe('ok');
          // What only looks may be repeated where nobody knows whether it ended.
          expect(times >= 1 && (times === 1 || names[index] === 'Look'), where).toBe(true);
        }
      }
    }
    await toolkit.dispose();
  }
});
