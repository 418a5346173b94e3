import { appendFileSync, writeSync } from 'node:fs';
import { Pool } from 'pg';
import { fileSchedule, pgSchedule, type ScheduledJob } from 'toolwright/extras/cron';
import { fromPg } from 'toolwright/managed';

// A separate process that runs the jobs of a file or a PostgreSQL schema until its input ends, or adds jobs. It starts
// at the first line of input.
const [kind = 'file', place = '', log = '', adds = '0'] = process.argv.slice(2);
const onDue = ({ id }: ScheduledJob) => appendFileSync(log, `${id} ${process.pid}\n`);
const pool =
  kind === 'pg'
    ? new Pool({ host: '127.0.0.1', user: 'postgres', database: 'test', options: `-c search_path=${place}` })
    : undefined;
writeSync(1, 'ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const ended = new Promise((resolve) => process.stdin.once('end', resolve));
const schedule = pool === undefined ? fileSchedule(place, { onDue }) : pgSchedule(fromPg(pool), { onDue });
const scope = { caller: { sessionId: 's1' }, signal: new AbortController().signal };
for (let added = 0; added < Number(adds); added++) {
  const job = { name: `job ${process.pid}`, schedule: '0 0 29 2 *', prompt: 'Do it.', session: 's1' };
  writeSync(1, `${(await schedule.add(job, scope)).id}\n`);
}
if (adds === '0') await ended;
await schedule.dispose();
await pool?.end();
process.stdin.destroy();
