import { readFileSync } from 'node:fs';
import { Pool } from 'pg';
import { fromPg, managedStores } from 'toolwright/managed';
import { appendingToolkit } from './append-log.js';

// A separate process that resumes a turn and kills itself at one of the steps. With a database, the database records
// the started calls.
const [root = '/', request = '', killAt = '0', database] = process.argv.slice(2);
const pool = database === undefined ? undefined : new Pool({ connectionString: database });
let steps = 0;
const step = () => {
  if (++steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
};
const toolkit = appendingToolkit(root, step, pool && managedStores(fromPg(pool)).suspensions);
const { suspension, answers } = JSON.parse(readFileSync(request, 'utf8')) as {
  readonly suspension: string;
  readonly answers: Record<string, 'allow-once' | 'deny'>;
};
await toolkit.resume(suspension, answers);
await toolkit.dispose();
await pool?.end();
