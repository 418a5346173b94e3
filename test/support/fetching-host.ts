import { createHttpClient } from '../../src/web/create-http-client.js';
import { callScope } from './call-scope.js';

// Fetches its arguments one after the other, all from this machine, and prints what became of each, and how much memory
// it took at the most.
const client = createHttpClient({ lookup: async () => ['127.0.0.1'], allowPrivate: true });
const outcomes: unknown[] = [];
for (const url of process.argv.slice(2)) {
  const outcome = await client.get({ url }, callScope()).catch((error) => error);
  outcomes.push(outcome.code ?? outcome.status);
}
console.log(JSON.stringify({ outcomes, maxRssMb: process.resourceUsage().maxRSS / 1_024 }));
