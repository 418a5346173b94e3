import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromPg, managedStores, migrate, subagentLeases } from 'toolwright/managed';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compiled } from '../support/compiled-programs.js';
import { killedResumes } from '../support/killed-resumes.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';
import { runs } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const kills = runs(60);
const rounds = runs(3);

describe.runIf(await hasPostgres())('two processes on one PostgreSQL', () => {
  test(
    'if the resuming process is killed at any moment, the other loses nothing and runs nothing twice',
    {
      timeout: 5_000 * kills,
    },
    async () => {
      const schema = await emptySchema();
      const client = fromPg(schema.pool());
      await migrate(client);
      const { died, interrupted, settled } = await killedResumes(kills, {
        store: managedStores(client).suspensions,
        url: schema.url,
        expire: () => client.query(`UPDATE suspensions SET held_until = now() - interval '1 second'`),
      });
      expect(died).toBeGreaterThan(kills / 2);
      expect(interrupted).toBeGreaterThan(0);
      expect(settled).toBeGreaterThan(kills);
    },
  );

  test(
    'a subagent whose process is killed or paused is taken over once',
    {
      timeout: 60_000 * rounds,
    },
    async () => {
      const schema = await emptySchema();
      const client = fromPg(schema.pool());
      await migrate(client);
      const root = temporaryFolder();
      const started: ChildProcess[] = [];
      const host = (what: string) => {
        const program = [compiled('test/support/leasing-host'), root, schema.url, what];
        const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] });
        started.push(child);
        return child;
      };
      onTestFinished(() => {
        for (const child of started) child.kill('SIGKILL');
      });
      const takers = [host('take'), host('take')];
      const leases = subagentLeases(client);
      const ids: string[] = [];
      const ends: unknown[] = [];
      for (let round = 0; round < 2 * rounds; round++) {
        const child = host('start');
        const [id] = (await once(child.stdout, 'data')) as [Buffer];
        ids.push(String(id).trim());
        const isKilled = round % 2 === 0;
        child.kill(isKilled ? 'SIGKILL' : 'SIGSTOP');
        await expect.poll(() => leases.outcomeOf(ids[round] ?? '')).toMatchObject({ state: 'completed' });
        ends.push(await leases.outcomeOf(ids[round] ?? ''));
        if (isKilled) continue;
        const said = once(child.stdout, 'data');
        child.stdin.write('end with a result\n');
        child.kill('SIGCONT');
        expect(String(await said)).toBe('failed interrupted\n');
        await once(child, 'exit');
      }
      for (const child of takers) child.stdin.end();
      await Promise.all(takers.map((child) => once(child, 'exit')));
      const lines = readFileSync(join(root, 'runs'), 'utf8').trim().split('\n');
      const taken = lines.filter((line) => line.startsWith('take'));
      expect(taken).toHaveLength(ids.length);
      // The database keeps the result of one run, even if an old owner continues.
      expect(await Promise.all(ids.map((id) => leases.outcomeOf(id)))).toEqual(ends);
      const outputs = ends.map((end) => (end as { readonly output: string }).output);
      expect(outputs).toEqual(taken.map((line) => `done by ${line.split(' ')[1]}`));
    },
  );
});
