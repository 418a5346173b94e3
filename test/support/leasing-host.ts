import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createToolkit } from 'toolwright';
import { fromPg, leasedSpawner, subagentLeases, takeOverSubagents } from 'toolwright/managed';

// A process of its own with subagents that are leased. `start` starts one, which ends when the program is told to, and
// says what it hears of it; `take` takes over those of others until the program is told to end.
const [root = '/', connectionString, what] = process.argv.slice(2);
const pool = new Pool({ connectionString });
const leases = subagentLeases(fromPg(pool), { leaseMs: 5_000, renewMs: 1_000 });
const toolkit = createToolkit({
  root,
  hosts: {
    subagents: (toolkit) =>
      leasedSpawner(
        {
          spawn: async ({ id, prompt }) => {
            appendFileSync(join(root, 'runs'), `${what} ${process.pid} ${prompt}\n`);
            if (what === 'start') {
              process.stdout.write(`${id}\n`);
              await once(process.stdin, 'data');
            }
            return { output: `done by ${process.pid}` };
          },
        },
        { leases, toolkit },
      ),
  },
});
if (what === 'start') {
  const { state, error } = await toolkit.subagents.run({ description: 'count', prompt: 'Count the files.' });
  process.stdout.write(`${state} ${error?.code}\n`);
} else {
  const stop = takeOverSubagents(toolkit, leases);
  process.stdin.resume();
  await once(process.stdin, 'end');
  await stop();
}
process.stdin.destroy();
await toolkit.dispose();
await pool.end();
