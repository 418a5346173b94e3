import { ToolError } from '../../core/error.js';
import { type Timers, unrefTimer, waitFor } from '../../core/support/timers.js';
import type { SqlQueries } from '../../ports/sql-client.js';

/** The duration of leases, and the interval of renewal. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly timers: Timers;
}

/** The result of a run. */
export type LeasedEnd =
  | { readonly state: 'completed'; readonly output: string; readonly usage?: object | undefined }
  | { readonly state: 'failed'; readonly error: { readonly code: string; readonly message: string } };

/**
 * The lease of a subagent's run in this process, with a fencing token. A process that takes the run over gets a higher
 * token.
 */
export class SubagentLease {
  readonly #queries: SqlQueries;
  readonly #token: string;
  readonly #times: LeaseTimes;
  readonly #lost = new AbortController();
  #renewal: unknown;
  #deadline: unknown;
  #isRenewing = true;

  /** `claimedAt`: the time just before the request to the database. */
  constructor(queries: SqlQueries, token: string, times: LeaseTimes, claimedAt: number) {
    this.#queries = queries;
    this.#token = token;
    this.#times = times;
    this.#heldSince(claimedAt);
    this.#renewLater();
  }

  /** Aborts when another process has taken the run over or may have done so. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Stores the result; retries while the lease is valid. Rejects with `interrupted` if the lease is lost. */
  async settle(end: LeasedEnd): Promise<void> {
    const { renewMs, timers } = this.#times;
    // Once the result is stored, a renewal would find no row and regard the lease as lost.
    this.#stopRenewing();
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

  /** Releases the run, so that another process can take it over. */
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
    if (!this.#isRenewing) return;
    if (renewed?.rows.length === 0) this.#lose();
    else {
      if (renewed !== undefined) this.#heldSince(askedAt);
      this.#renewLater();
    }
  }

  /**
   * Restarts the deadline from the time before the request, so this process never keeps the lease longer than the
   * database does.
   */
  #heldSince(moment: number): void {
    const { leaseMs, timers } = this.#times;
    timers.clear(this.#deadline);
    this.#deadline = unrefTimer(timers.set(() => this.#lose(), Math.max(0, moment + leaseMs - timers.now())));
  }

  #lose(): void {
    this.#end();
    this.#lost.abort(new ToolError('interrupted', 'Another process has taken this subagent over.'));
  }

  #stopRenewing(): void {
    this.#isRenewing = false;
    this.#times.timers.clear(this.#renewal);
  }

  #end(): void {
    this.#stopRenewing();
    this.#times.timers.clear(this.#deadline);
  }
}
