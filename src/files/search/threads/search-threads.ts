import type { Worker } from 'node:worker_threads';
import { ToolError } from '../../../core/error.js';
import { systemTimers, type Timers } from '../../../core/support/timers.js';
import { SearchControl } from './search-control.js';
import type { SearchJob, SearchMessage } from './search-job.js';
import type { SearchPool } from './search-pool.js';

/** How one job is run. */
export interface SearchRun {
  readonly job: SearchJob;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Gets every message but the last; false ends the job. */
  readonly onMessage: (message: SearchMessage) => boolean;
}

/** How a job ended. `stalled`: one step, such as a match, ran away and its thread was ended. */
export type SearchEnd =
  | { readonly kind: 'done'; readonly unreadable: number }
  | { readonly kind: 'enough' | 'timeout' | 'stalled' };

const watchMs = 100;
const graceMs = 300;

/** What one user runs in the threads of the process. */
export class SearchThreads {
  readonly #running = new Set<() => unknown>();
  readonly #timers: Timers;
  #pool: SearchPool | undefined;
  #disposals = 0;

  constructor(timers: Timers = systemTimers) {
    this.#timers = timers;
  }

  /**
   * Runs a job to its end, as soon as a thread is free. Rejects with a ToolError when the signal aborts, the query is
   * wrong or the thread breaks.
   */
  async run(run: SearchRun): Promise<SearchEnd> {
    const disposals = this.#disposals;
    const { searchPool } = await import('./search-pool.js');
    if (disposals !== this.#disposals) throw stopped();
    if (this.#pool === undefined) searchPool.enter();
    this.#pool = searchPool;
    return await new Promise((resolve, reject) => {
      if (run.signal.aborted) return reject(stopped());
      const begin = (worker: Worker) => {
        forget();
        resolve(this.#runIn(worker, run, searchPool));
      };
      let leaveQueue: (() => void) | undefined;
      const giveUp = () => {
        leaveQueue?.();
        forget();
        reject(stopped());
      };
      const forget = () => {
        run.signal.removeEventListener('abort', giveUp);
        this.#running.delete(giveUp);
      };
      run.signal.addEventListener('abort', giveUp, { once: true });
      this.#running.add(giveUp);
      try {
        leaveQueue = searchPool.take(begin);
      } catch (thrown) {
        forget();
        reject(broken(thrown));
      }
    });
  }

  /** Ends what runs or waits; it rejects with `interrupted`. */
  async dispose(): Promise<void> {
    this.#disposals++;
    const pool = this.#pool;
    this.#pool = undefined;
    await Promise.all([...this.#running].map((end) => end()));
    await pool?.leave();
  }

  #runIn(worker: Worker, run: SearchRun, pool: SearchPool): Promise<SearchEnd> {
    return new Promise((resolve, reject) => {
      const timers = this.#timers;
      const control = new SearchControl();
      const watch = new StallWatch(control, timers);
      let cut: SearchEnd | undefined;
      let failure: unknown;
      let grace: unknown;
      let ended: Promise<unknown> | undefined;

      const settle = (result: SearchEnd | undefined, keep: boolean) => {
        for (const one of [timer, grace, watcher]) timers.clear(one);
        run.signal.removeEventListener('abort', abort);
        worker.off('message', receive).off('error', breakDown).off('exit', breakDown);
        this.#running.delete(end);
        if (failure !== undefined) reject(failure);
        else if (result !== undefined) resolve(result);
        if (keep) pool.giveBack(worker);
        else ended = pool.end(worker);
      };
      const fail = (thrown: unknown, keep: boolean) => {
        failure ??= thrown;
        settle(undefined, keep);
      };
      const end = async () => {
        fail(stopped(), false);
        await ended;
      };
      const stop = () => {
        control.stop();
        grace ??= timers.set(() => settle(cut, false), graceMs);
      };
      const abort = () => {
        failure ??= stopped();
        stop();
      };
      const timer = Number.isFinite(run.timeoutMs)
        ? timers.set(() => {
            cut ??= { kind: 'timeout' };
            stop();
          }, run.timeoutMs)
        : undefined;
      const look = () => {
        watcher = timers.set(look, watchMs);
        if (!watch.isStalled()) return;
        cut ??= { kind: 'stalled' };
        settle(cut, false);
      };
      let watcher = timers.set(look, watchMs);

      run.signal.addEventListener('abort', abort, { once: true });
      this.#running.add(end);
      const receive = (message: SearchMessage) => {
        if (message.type === 'done') return settle(cut ?? { kind: 'done', unreadable: message.unreadable }, true);
        if (message.type === 'failed') return fail(new ToolError(message.code, message.message), true);
        control.take();
        if (cut !== undefined || failure !== undefined) return;
        try {
          if (run.onMessage(message)) return;
          cut = { kind: 'enough' };
        } catch (thrown) {
          failure = thrown;
        }
        stop();
      };
      const breakDown = (cause: unknown) => fail(broken(cause), false);
      worker.on('message', receive).on('error', breakDown).on('exit', breakDown);
      worker.ref();
      worker.postMessage({ job: run.job, memory: control.memory });
    });
  }
}

/** Sees that a step takes longer than it may: the beat stands still while an allowance is set. */
class StallWatch {
  readonly #control: SearchControl;
  readonly #timers: Timers;
  #beat = 0;
  #sinceMs = 0;

  constructor(control: SearchControl, timers: Timers) {
    this.#control = control;
    this.#timers = timers;
  }

  isStalled(): boolean {
    const { beat, allowanceMs } = this.#control;
    const nowMs = this.#timers.now();
    if (allowanceMs === 0 || beat !== this.#beat) {
      this.#beat = beat;
      this.#sinceMs = nowMs;
      return false;
    }
    return nowMs - this.#sinceMs > allowanceMs;
  }
}

function stopped(): ToolError {
  return new ToolError('interrupted', 'The search was stopped before it ended.');
}

function broken(cause: unknown): ToolError {
  const reason = cause instanceof Error ? cause.message : 'its thread ended';
  return new ToolError(
    'execution_failed',
    `The search failed: ${reason}. Search a narrower path, or install ripgrep.`,
    { cause },
  );
}
