import type { Worker } from 'node:worker_threads';
import { nodeThreads } from '../core/node-modules.js';

/** A thread that runs out of memory ends alone and takes nothing with it. */
const options = { env: {}, stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: 1_024 } } as const;

/** Starts a thread that waits for search jobs. It does not keep the process alive until it is asked to. */
export function startSearchThread(): Worker {
  const { Worker } = nodeThreads();
  const worker = import.meta.url.endsWith('.ts')
    ? new Worker(new URL('./search-worker-source.mjs', import.meta.url), { ...options, execArgv: [] })
    : new Worker(new URL('./search-worker.js', import.meta.url), options);
  worker.unref();
  return worker;
}
