import type { SqlRows } from './sql-rows.js';

/** Forgets the rows of sessions that end. Who tells of an end waits for nothing, so what follows it does. */
export class SessionEnds {
  #over: Promise<unknown> = Promise.resolve();

  /** What could not be forgotten stays. */
  forget(rows: SqlRows, sessionId: string): void {
    const gone = rows.remove({ session_id: sessionId }).catch(() => {});
    this.#over = Promise.all([this.#over, gone]);
  }

  /** Resolves when the sessions that have ended are forgotten. */
  async over(): Promise<void> {
    await this.#over;
  }
}
