import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuspensionStore } from 'toolwright/core';
import { expect } from 'vitest';
import { appendingToolkit } from './append-log.js';
import { compiled } from './compiled-programs.js';
import { RandomSource } from './random-tree.js';
import { seed } from './runs.js';
import { temporaryFolder } from './temporary-folder.js';

const names = ['Append', 'Append', 'Look', 'Append', 'Look'] as const;
/** More than the steps of a resume, so that some rounds end by themselves. */
const maxSteps = 34;

/** A database of suspended turns, instead of files. */
export interface SharedDatabase {
  readonly store: SuspensionStore;
  /** The connection for another process. */
  readonly url: string;
  /** Lets the claims of ended processes expire at once. */
  expire(): Promise<unknown>;
}

/**
 * Kills processes while they resume a turn, and resumes it here. Checks that nothing runs twice and each call has one
 * result.
 */
export async function killedResumes(count: number, database?: SharedDatabase) {
  let [died, interrupted, settled] = [0, 0, 0];
  const random = new RandomSource(seed);
  const root = temporaryFolder();
  const toolkit = appendingToolkit(root, undefined, database?.store);
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
    const program = [compiled('test/support/resuming-host'), root, request, String(killAt)];
    const given = database === undefined ? [] : [database.url];
    const child = spawn(process.execPath, [...program, ...given], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (signal === 'SIGKILL') died++;
    await database?.expire();

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
        // A claimed call that never settled may have been allowed by the process that claimed it.
        expect(['permission_denied', 'interrupted'], where).toContain(code);
      } else if (code === 'interrupted') {
        interrupted++;
        expect(result?.name, where).toBe('Append');
        expect(times, where).toBeLessThan(2);
      } else {
        settled++;
        expect(code, where).toBe('ok');
        // A read-only call may be repeated if its end is unknown.
        expect(times >= 1 && (times === 1 || names[index] === 'Look'), where).toBe(true);
      }
    }
  }
  await toolkit.dispose();
  return { died, interrupted, settled };
}
