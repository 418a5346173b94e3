import { virtualFilter } from '../../store/virtual-walk.js';
import { globOverride } from '../glob/glob-override.js';
import { GrepMatcher } from '../query/grep-matcher.js';
import type { SearchControl } from '../threads/search-control.js';
import type { FoundLine, GrepJob, SearchMessage, VirtualFile } from '../threads/search-job.js';
import { virtualIgnore, virtualIgnoreSource } from '../walk/ignore-source.js';
import { type EntryFilter, isReached, walkFiles } from '../walk/search-walk.js';
import { typeFilter } from './file-type-filter.js';
import { type GrepFileEnd, grepBytes, grepFile, pieceBytes, type ReadBytes } from './grep-file.js';

const batchLines = 100;
const batchMs = 15;
const maxWaitingBatches = 16;

/**
 * Runs a search with JavaScript expressions. Blocks its thread until it is done or stopped, and sends what it finds in
 * batches.
 */
export function grepInThread(job: GrepJob, control: SearchControl, send: (message: SearchMessage) => void): void {
  control.enter(job.stallMs);
  const matcher = new GrepMatcher(job.query);
  control.leave();
  // Where a file is named they decide nothing, but a broken one is refused all the same.
  const { first, last } = filters(job);
  const batch = new Batch(control, send);
  const buffer = Buffer.allocUnsafeSlow(pieceBytes);
  let unreadable = 0;
  const goOn = (search: () => GrepFileEnd): boolean => {
    if (endOf(search) === 'unreadable') unreadable++;
    batch.tick();
    return !control.isStopped;
  };
  const options = (path: string, isNamed: boolean) => {
    return {
      path,
      job,
      matcher,
      control,
      emit: (line: string | undefined) => batch.add([path, line]),
      isNamed,
      buffer,
    };
  };
  if (job.files !== undefined) {
    for (const file of wantedFiles(job, job.files)) {
      if (!goOn(() => grepBytes(readFrom(file.bytes), options(file.path, file.path === job.start)))) break;
    }
  } else if (job.startKind === 'file') {
    goOn(() => grepFile(options(job.start, true)));
  } else {
    const onFile = (path: string) => goOn(() => grepFile(options(path, false)));
    if (isReached(job.start, job.query.relativeTo ?? job.start, first)) {
      walkFiles({ start: job.start, first, last, onFile, onUnreadable: () => unreadable++ });
    }
  }
  batch.flush();
  send({ type: 'done', unreadable });
}

/** A line that is too long for the pattern, in time or in memory, is the fault of its file alone. */
function endOf(search: () => GrepFileEnd): GrepFileEnd {
  try {
    return search();
  } catch (thrown) {
    if (thrown instanceof RangeError) return 'unreadable';
    throw thrown;
  }
}

function filters({ query, start }: GrepJob): { readonly first: EntryFilter; readonly last: (name: string) => boolean } {
  return {
    first: query.glob === undefined ? () => 'unknown' : globOverride(query.glob, query.relativeTo ?? start),
    last: query.type === undefined ? () => true : typeFilter(query.type),
  };
}

function wantedFiles(job: GrepJob, files: readonly VirtualFile[]): readonly VirtualFile[] {
  if (job.startKind === 'file') return files;
  const relativeTo = job.query.relativeTo ?? job.start;
  const rules = virtualIgnoreSource(job.ignore ?? virtualIgnore([]));
  const isWanted = virtualFilter({ start: job.start, relativeTo, rules, ...filters(job) });
  return files.filter(({ path }) => isWanted(path));
}

function readFrom(bytes: Uint8Array): ReadBytes {
  return (buffer, offset, length, position) => {
    const part = bytes.subarray(position, position + length);
    buffer.set(part, offset);
    return part.length;
  };
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
