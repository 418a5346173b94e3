import { createHttpClient } from 'toolwright';
import { callScope } from './call-scope.js';

// Fetches the addresses in its arguments one after the other, FETCHES times, all from this machine. Prints each result
// and the peak of its memory.
const client = createHttpClient({ lookup: async () => ['127.0.0.1'], allowPrivate: true });
const outcomes: unknown[] = [];
const urls = process.argv.slice(2);
for (const url of Array(Number(process.env.FETCHES ?? 1))
  .fill(urls)
  .flat()) {
  const outcome = await client.get({ url }, callScope()).catch((error) => error);
  outcomes.push(outcome.code ?? outcome.status);
}
console.log(JSON.stringify({ outcomes, maxRssMb: process.resourceUsage().maxRSS / 1_024 }));
