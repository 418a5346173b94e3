import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createToolkit } from 'toolwright';
import { fromPg, leasedSpawner, subagentLeases, takeOverSubagents } from 'toolwright/managed';

// A separate process with leased subagents. `start` starts one, which ends on input, and prints its events. `take`
// takes over those of other processes until its input ends.
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
