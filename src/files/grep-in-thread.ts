import { globOverride } from './glob-override.js';
import { grepFile } from './grep-file.js';
import { ReadBuffer } from './grep-file-bytes.js';
import { GrepMatcher } from './grep-matcher.js';
import { typeFilter } from './grep-types.js';
import type { SearchControl } from './search-control.js';
import type { FoundLine, GrepJob, SearchMessage } from './search-job.js';
import { walkFiles } from './search-walk.js';

const batchLines = 100;
const batchMs = 15;
const maxWaitingBatches = 16;

/** Runs a search with JavaScript expressions. Blocks its thread until it is done or stopped, and sends what it finds in batches. */
export function grepInThread(job: GrepJob, control: SearchControl, send: (message: SearchMessage) => void): void {
  control.enter(job.stallMs);
  const matcher = new GrepMatcher(job.query);
  control.leave();
  const batch = new Batch(control, send);
  const buffer = new ReadBuffer();
  let unreadable = 0;
  const search = (path: string, isNamed: boolean): boolean => {
    const emit = (line: string | undefined) => batch.add([path, line]);
    if (grepFile({ path, job, matcher, control, emit, isNamed, buffer }) === 'unreadable') unreadable++;
    buffer.reset();
    batch.tick();
    return !control.isStopped;
  };
  if (job.startKind === 'file') {
    search(job.start, true);
  } else {
    walkFiles({
      start: job.start,
      first: job.query.glob === undefined ? () => 'unknown' : globOverride(job.query.glob, job.start),
      last: job.query.type === undefined ? () => true : typeFilter(job.query.type),
      onFile: (path) => search(path, false),
      onUnreadable: () => unreadable++,
    });
  }
  batch.flush();
  send({ type: 'done', unreadable });
}

class Batch {
  readonly #control: SearchControl;
  readonly #send: (message: SearchMessage) => void;
  #lines: FoundLine[] = [];
  #sent = 0;
  #flushedMs = performance.now();

  constructor(control: SearchControl, send: (message: SearchMessage) => void) {
    this.#control = control;
    this.#send = send;
  }

  add(line: FoundLine): void {
    this.#lines.push(line);
    if (this.#lines.length >= batchLines) this.flush();
  }

  /** Sends what there is once it has waited long enough. */
  tick(): void {
    if (this.#lines.length > 0 && performance.now() - this.#flushedMs > batchMs) this.flush();
  }

  flush(): void {
    if (this.#lines.length === 0 || this.#control.isStopped) return;
    this.#send({ type: 'lines', lines: this.#lines });
    this.#lines = [];
    this.#flushedMs = performance.now();
    this.#control.waitForRoom(++this.#sent, maxWaitingBatches);
  }
}
