import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Pool } from 'pg';
import { createToolkit } from 'toolwright';
import { changeBus, customTools, fromPg, managedStores } from 'toolwright/managed';
import { fakeTimers } from 'toolwright/testing';

// A separate process whose agent calls the custom tools of a database. A line of input is `call NAME`, or `later MS` to
// advance its clock. With `deaf`, it gets no notifications.
const [url = '', root = '/', hears = 'hears'] = process.argv.slice(2);
const pool = new Pool({ connectionString: url });
const client = fromPg(pool);
const timers = fakeTimers();
const listen: typeof client.listen = hears === 'deaf' ? async () => async () => {} : client.listen;
const tools = customTools({
  store: managedStores(client).customTools,
  bus: changeBus({ ...client, listen }),
  timers,
});
const toolkit = createToolkit({ root, permissions: 'bypassPermissions', registryFor: tools.registryFor });

for await (const line of createInterface(process.stdin)) {
  const [verb, word = ''] = line.split(' ');
  if (verb === 'later') await timers.advance(Number(word));
  const result = verb === 'call' ? await toolkit.call(word, {}) : undefined;
  writeSync(1, `${JSON.stringify(result?.output ?? null)}\n`);
}
await tools[Symbol.asyncDispose]();
await toolkit.dispose();
await pool.end();
