/**
 * Numbers that a search thread shares with the thread that started it: whether to stop, a beat that moves while work
 * goes on, how long the current step may take, and how many batches have been taken.
 */
export class SearchControl {
  readonly #cells: Int32Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.#cells = new Int32Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#cells.buffer as SharedArrayBuffer;
  }

  get isStopped(): boolean {
    return Atomics.load(this.#cells, 0) === 1;
  }

  /** Asks the thread to stop at the next file. */
  stop(): void {
    Atomics.store(this.#cells, 0, 1);
    Atomics.notify(this.#cells, 3);
  }

  get beat(): number {
    return Atomics.load(this.#cells, 1);
  }

  /** Milliseconds that the step in hand may take; 0 when there is none that could run away. */
  get allowanceMs(): number {
    return Atomics.load(this.#cells, 2);
  }

  /** Begins a step that could run away, such as one match of a regular expression. */
  enter(allowanceMs: number): void {
    this.#cells[1] = (this.#cells[1] ?? 0) + 1;
    this.#cells[2] = allowanceMs;
  }

  /** Ends that step. */
  leave(): void {
    this.#cells[2] = 0;
  }

  /** Counts a batch as taken. */
  take(): void {
    Atomics.add(this.#cells, 3, 1);
    Atomics.notify(this.#cells, 3);
  }

  /** Blocks the thread until fewer than `maxWaiting` of `sent` batches wait to be taken, or the search is stopped. */
  waitForRoom(sent: number, maxWaiting: number): void {
    for (;;) {
      const taken = Atomics.load(this.#cells, 3);
      if (sent - taken < maxWaiting || this.isStopped) return;
      Atomics.wait(this.#cells, 3, taken, 1_000);
    }
  }
}
