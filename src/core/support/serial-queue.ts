/** Runs jobs of one key one after the other, in order, and jobs of different keys concurrently. */
export class KeyQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the job after all earlier jobs of its key, even after failed ones. */
  run<Result>(key: string, job: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key);
    const result = before === undefined ? job() : before.then(job, job);
    this.#last.set(key, result);
    const forget = () => {
      if (this.#last.get(key) === result) this.#last.delete(key);
    };
    result.then(forget, forget);
    return result;
  }
}

/** Makes a function that runs jobs one after the other, even after a failed job. */
export function inTurn(): <Value>(job: () => Promise<Value>) => Promise<Value> {
  const queue = new KeyQueue();
  return (job) => queue.run('', job);
}
