import { parentPort } from 'node:worker_threads';
import { globInThread } from './glob/glob-in-thread.js';
import { grepInThread } from './javascript/grep-in-thread.js';
import { SearchControl } from './threads/search-control.js';
import { failureOf } from './threads/search-failure.js';
import type { SearchJob, SearchMessage } from './threads/search-job.js';

/** The entry of a search thread: one job at a time, each ended by `done` or `failed`. */
function serve(request: { readonly job: SearchJob; readonly memory: SharedArrayBuffer }): void {
  const send = (message: SearchMessage) => parentPort?.postMessage(message);
  const control = new SearchControl(request.memory);
  try {
    if (request.job.kind === 'grep') grepInThread(request.job, control, send);
    else globInThread(request.job, control, send);
  } catch (thrown) {
    send({ type: 'failed', ...failureOf(thrown) });
  } finally {
    control.leave();
  }
}

parentPort?.on('message', serve);
