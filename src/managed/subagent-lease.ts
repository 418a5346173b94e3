import { ToolError } from '../core/error.js';
import { unrefTimer, waitFor } from '../core/support/timer.js';
import type { Timers } from '../core/support/timers.js';
import type { SqlQueries } from '../ports/sql-client.js';

/** How long leases hold, and when they are renewed. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly timers: Timers;
}

/** What came of a run. */
export type LeasedEnd =
  | { readonly state: 'completed'; readonly output: string; readonly usage?: object | undefined }
  | { readonly state: 'failed'; readonly error: { readonly code: string; readonly message: string } };

/**
 * The run of one subagent in this process, known by its fencing token: whoever takes the run over gets a higher one, and
 * what comes with the old one is not written any more.
 */
export class SubagentLease {
  readonly #queries: SqlQueries;
  readonly #token: string;
  readonly #times: LeaseTimes;
  readonly #lost = new AbortController();
  #renewal: unknown;
  #deadline: unknown;
  #isOver = false;

  /** `claimedAt`: the moment before the database was asked. */
  constructor(queries: SqlQueries, token: string, times: LeaseTimes, claimedAt: number) {
    this.#queries = queries;
    this.#token = token;
    this.#times = times;
    this.#heldSince(claimedAt);
    this.#renewLater();
  }

  /** Aborts when another process has taken the run over, or may have. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Writes what came of the run. Rejects with `interrupted` where it is not this process's any more. Where the database
   * is away, that is tried again for as long as the lease holds.
   */
  async settle(end: LeasedEnd): Promise<void> {
    const { renewMs, timers } = this.#times;
    const text = 'UPDATE subagent_leases SET settled = $2 WHERE token = $1 RETURNING id';
    try {
      for (;;) {
        const done = await this.#queries.query(text, [this.#token, JSON.stringify(end)]).catch((thrown: unknown) => {
          if (this.lost.aborted) throw thrown;
        });
        if (done?.rows.length === 0) this.#lose();
        if (done !== undefined && !this.lost.aborted) return;
        this.lost.throwIfAborted();
        await waitFor(renewMs, this.lost, timers);
      }
    } finally {
      this.#end();
    }
  }

  /** Leaves the run to whoever takes it over next. */
  async release(): Promise<void> {
    this.#end();
    await this.#queries.query('UPDATE subagent_leases SET held_until = now() WHERE token = $1', [this.#token]);
  }

  #renewLater(): void {
    const { renewMs, timers } = this.#times;
    this.#renewal = unrefTimer(timers.set(() => void this.#renew(), renewMs));
  }

  async #renew(): Promise<void> {
    const { leaseMs, timers } = this.#times;
    const askedAt = timers.now();
    const text = `UPDATE subagent_leases SET held_until = now() + $2 * interval '1 millisecond'
      WHERE token = $1 AND settled IS NULL RETURNING id`;
    const renewed = await this.#queries.query(text, [this.#token, leaseMs]).catch(() => undefined);
    if (this.#isOver) return;
    if (renewed?.rows.length === 0) this.#lose();
    else {
      if (renewed !== undefined) this.#heldSince(askedAt);
      this.#renewLater();
    }
  }

  /** By the clock of this process it holds no longer than by that of the database. */
  #heldSince(moment: number): void {
    const { leaseMs, timers } = this.#times;
    timers.clear(this.#deadline);
    this.#deadline = unrefTimer(timers.set(() => this.#lose(), Math.max(0, moment + leaseMs - timers.now())));
  }

  #lose(): void {
    this.#end();
    this.#lost.abort(new ToolError('interrupted', 'Another process has taken this subagent over.'));
  }

  #end(): void {
    const { timers } = this.#times;
    this.#isOver = true;
    timers.clear(this.#renewal);
    timers.clear(this.#deadline);
  }
}
