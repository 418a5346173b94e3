import { readFileSync, writeFileSync } from 'node:fs';
import { diskToolkit, type ResumeRequest, resumed, storeBeside } from './disk-turns.js';

// A separate process that resumes a turn and writes the result to a file.
const [root = '/', request = '', answer = ''] = process.argv.slice(2);
const { suspension, answers, abortAt } = JSON.parse(readFileSync(request, 'utf8')) as ResumeRequest;
const abort = new AbortController();
const store = storeBeside(root);
let claims = 0;
const running: Promise<void>[] = [];
const ends = new Map<string, () => void>();
const toolkit = diskToolkit(root, {
  ...store,
  async claim(id, callId, scope) {
    const claimed = await store.claim(id, callId, scope);
    if (++claims === abortAt) {
      // An aborted command is stored as interrupted, so running commands end first.
      await Promise.all(running);
      abort.abort();
    } else if (claimed === 'new') running.push(new Promise((resolve) => ends.set(callId, resolve)));
    return claimed;
  },
  async settle(id, callId, settled, scope) {
    await store.settle(id, callId, settled, scope);
    ends.get(callId)?.();
  },
});
writeFileSync(
  answer,
  JSON.stringify(resumed(await toolkit.resume(suspension, answers, { signal: abort.signal }), root)),
);
await toolkit.dispose();
