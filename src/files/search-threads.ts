import type { Worker } from 'node:worker_threads';
import { ToolError } from '../core/error.js';
import { startTimer } from '../core/timer.js';
import { SearchControl } from './search-control.js';
import type { SearchJob, SearchMessage } from './search-job.js';
import { startSearchThread } from './search-thread.js';

/** How one job is run. */
export interface SearchRun {
  readonly job: SearchJob;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Gets every message but the last; false ends the job. */
  readonly onMessage: (message: SearchMessage) => boolean;
}

/** How a job ended. `stalled`: one step, such as a match, ran away and its thread was ended. */
export type SearchEnd = { readonly kind: 'done'; readonly unreadable: number } | { readonly kind: 'enough' | 'timeout' | 'stalled' };

// An agent thinks between two searches, and a thread that starts anew is slow at first.
const idleMs = 120_000;
const watchMs = 100;
const graceMs = 300;

/** Threads for searches: one for each job that runs, kept for the next while they are idle. */
export class SearchThreads {
  readonly #idle = new Map<Worker, () => void>();
  readonly #busy = new Map<Worker, () => void>();

  /** Runs a job to its end. Rejects with a ToolError when the signal aborts, the query is wrong or the thread breaks. */
  run(run: SearchRun): Promise<SearchEnd> {
    return new Promise((resolve, reject) => {
      if (run.signal.aborted) return reject(stopped());
      const worker = this.#take();
      const control = new SearchControl();
      const watch = new StallWatch(control);
      let cut: SearchEnd | undefined;
      let failure: unknown;
      let grace: NodeJS.Timeout | undefined;

      const settle = (end: SearchEnd | undefined, keep: boolean) => {
        clearTimeout(timer);
        clearTimeout(grace);
        clearInterval(watcher);
        run.signal.removeEventListener('abort', abort);
        worker.off('message', receive).off('error', breakDown).off('exit', breakDown);
        this.#busy.delete(worker);
        if (keep) this.#keep(worker);
        else discard(worker);
        if (failure !== undefined) reject(failure);
        else if (end !== undefined) resolve(end);
      };
      const fail = (thrown: unknown, keep: boolean) => {
        failure ??= thrown;
        settle(undefined, keep);
      };
      const stop = () => {
        control.stop();
        grace ??= startTimer(() => settle(cut, false), graceMs);
      };
      const abort = () => {
        failure ??= stopped();
        stop();
      };
      const timer = Number.isFinite(run.timeoutMs)
        ? startTimer(() => {
            cut ??= { kind: 'timeout' };
            stop();
          }, run.timeoutMs)
        : undefined;
      const watcher = setInterval(() => {
        if (!watch.isStalled()) return;
        cut ??= { kind: 'stalled' };
        settle(cut, false);
      }, watchMs);

      run.signal.addEventListener('abort', abort, { once: true });
      this.#busy.set(worker, () => fail(stopped(), false));
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

  /** Ends every thread; jobs that run reject with `interrupted`. */
  async dispose(): Promise<void> {
    const idle = [...this.#idle.keys()];
    for (const wake of [...this.#idle.values()]) wake();
    for (const end of [...this.#busy.values()]) end();
    await Promise.all(idle.map((worker) => worker.terminate()));
  }

  #take(): Worker {
    for (const [worker, wake] of this.#idle) {
      wake();
      return worker;
    }
    return startSearchThread();
  }

  #keep(worker: Worker): void {
    const wake = () => {
      clearTimeout(timer);
      worker.off('error', wake).off('exit', wake);
      this.#idle.delete(worker);
    };
    const timer = startTimer(() => {
      wake();
      discard(worker);
    }, idleMs);
    timer.unref();
    worker.unref();
    worker.on('error', wake).on('exit', wake);
    this.#idle.set(worker, wake);
  }
}

/** Sees that a step takes longer than it may: the beat stands still while an allowance is set. */
class StallWatch {
  readonly #control: SearchControl;
  #beat = 0;
  #sinceMs = 0;

  constructor(control: SearchControl) {
    this.#control = control;
  }

  isStalled(): boolean {
    const { beat, allowanceMs } = this.#control;
    const nowMs = performance.now();
    if (allowanceMs === 0 || beat !== this.#beat) {
      this.#beat = beat;
      this.#sinceMs = nowMs;
      return false;
    }
    return nowMs - this.#sinceMs > allowanceMs;
  }
}

function discard(worker: Worker): void {
  worker.on('error', () => undefined);
  void worker.terminate();
}

function stopped(): ToolError {
  return new ToolError('interrupted', 'The search was stopped before it ended.');
}

function broken(cause: unknown): ToolError {
  const reason = cause instanceof Error ? cause.message : 'its thread ended';
  return new ToolError('execution_failed', `The search failed: ${reason}. Search a narrower path, or install ripgrep.`, { cause });
}
