import { readFileSync } from 'node:fs';
import { appendingToolkit } from './append-log.js';

// A process of its own that resumes a turn, and kills itself at one of the steps on the way.
const [root = '/', request = '', killAt = '0'] = process.argv.slice(2);
let steps = 0;
const toolkit = appendingToolkit(root, () => {
  if (++steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
});
const { suspension, answers } = JSON.parse(readFileSync(request, 'utf8')) as {
  readonly suspension: string;
  readonly answers: Record<string, 'allow-once' | 'deny'>;
};
await toolkit.resume(suspension, answers);
await toolkit.dispose();
