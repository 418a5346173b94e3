import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { searchWorkerCode } from '#search-worker';
import { fileNumbers } from '../../../core/numbers.js';
import { unrefTimer } from '../../../core/support/timer.js';
import { systemTimers, type Timers } from '../../../core/support/timers.js';

/**
 * A thread that runs out of memory ends alone and takes nothing with it. Options of the host's own process are none of
 * its business.
 */
const options = {
  eval: true,
  env: {},
  execArgv: [],
  stdout: true,
  stderr: true,
  resourceLimits: { maxOldGenerationSizeMb: 1_024 },
};

/**
 * Threads for searches: at most one for each core, kept for a while when they are idle. They keep no process alive
 * until they are asked to.
 */
export class SearchPool {
  readonly #idle = new Map<Worker, unknown>();
  readonly #waiting = new Set<(worker: Worker) => void>();
  readonly #timers: Timers;
  #threads = 0;
  #users = 0;

  constructor(timers: Timers = systemTimers) {
    this.#timers = timers;
  }

  /** Counts one more who may search. */
  enter(): void {
    this.#users++;
  }

  /** Counts one less. With the last the idle threads end. */
  async leave(): Promise<void> {
    this.#users--;
    if (this.#users === 0) await Promise.all([...this.#idle.keys()].map((worker) => this.end(worker)));
  }

  /** Calls back with a thread as soon as one is free. The answer gives up the place in the queue. */
  take(begin: (worker: Worker) => void): () => void {
    const worker = this.#free();
    if (worker === undefined) this.#waiting.add(begin);
    else begin(worker);
    return () => this.#waiting.delete(begin);
  }

  /** Takes a thread back that has ended its job. */
  giveBack(worker: Worker): void {
    worker.unref();
    if (this.#users === 0) return void this.end(worker);
    this.#idle.set(worker, unrefTimer(this.#timers.set(() => void this.end(worker), fileNumbers.idleThreadMs)));
    this.#serveNext();
  }

  /** Ends a thread, whatever it does. */
  end(worker: Worker): Promise<unknown> {
    this.#forget(worker);
    return worker.terminate();
  }

  #serveNext(): void {
    for (const begin of this.#waiting) {
      const worker = this.#free();
      if (worker === undefined) return;
      this.#waiting.delete(begin);
      begin(worker);
    }
  }

  #free(): Worker | undefined {
    for (const worker of this.#idle.keys()) {
      this.#forget(worker);
      return worker;
    }
    return this.#threads < availableParallelism() ? this.#start() : undefined;
  }

  #start(): Worker {
    const worker = new Worker(searchWorkerCode(), options);
    this.#threads++;
    worker.unref();
    // Whoever has a job in it hears of it too.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.#threads--;
      this.#forget(worker);
      this.#serveNext();
    });
    return worker;
  }

  #forget(worker: Worker): void {
    this.#timers.clear(this.#idle.get(worker));
    this.#idle.delete(worker);
  }
}

/**
 * The one thing that all toolkits of a process share: a thread takes a core and ten megabytes, of which a process with
 * hundreds of toolkits has no more.
 */
export const searchPool = new SearchPool();
