import type { SqlRows } from './sql-rows.js';

/** Deletes the rows of ended sessions. `endSession` does not wait for the deletion; later calls of a store do. */
export class SessionEnds {
  #over: Promise<unknown> = Promise.resolve();

  /** Rows remain if the deletion fails. */
  forget(rows: SqlRows, sessionId: string): void {
    const gone = rows.remove({ session_id: sessionId }).catch(() => {});
    this.#over = Promise.all([this.#over, gone]);
  }

  /** Resolves when the rows of ended sessions are deleted. */
  async over(): Promise<void> {
    await this.#over;
  }
}
