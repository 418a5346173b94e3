import type { SqlQueries } from '../host/sql-client.js';

/** Forgets the sessions of a table that end, for which nobody waits who tells of it. */
export class SessionEnds {
  readonly #client: SqlQueries;
  readonly #table: string;
  #over: Promise<unknown> = Promise.resolve();

  constructor(client: SqlQueries, table: 'todos' | 'tasks') {
    this.#client = client;
    this.#table = table;
  }

  /** What could not be forgotten stays. */
  forget(sessionId: string): void {
    const gone = this.#client.query(`DELETE FROM ${this.#table} WHERE session_id = $1`, [sessionId]).catch(() => {});
    this.#over = Promise.all([this.#over, gone]);
  }

  /** Resolves when every session that has ended is forgotten: its id may be used again. */
  async over(): Promise<void> {
    await this.#over;
  }
}
