/** A parameter of a query; `undefined` is NULL. Values for JSON columns are JSON text. */
export type SqlValue = string | number | boolean | Uint8Array | Date | readonly string[] | undefined;

/** A row by column names. NULL becomes null, `timestamptz` a Date, `bytea` bytes, and `json` a parsed value. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs statements of PostgreSQL. */
export interface SqlQueries {
  /** Runs one statement; `$1`, `$2`, … stand for `values`. Rejects with `storage_failed` if the database fails. */
  query(text: string, values?: readonly SqlValue[]): Promise<{ readonly rows: readonly SqlRow[] }>;
}

/** A PostgreSQL database, version 15 or later, over any driver. */
export interface SqlClient extends SqlQueries {
  /**
   * Runs `run` in a transaction; its argument runs the statements. If `run` rejects, the transaction is rolled back,
   * and the method rejects with the same error. Rejects with `storage_failed` like `query`; if the connection ends
   * during the commit, it is unknown whether the transaction was committed.
   */
  transaction<Result>(run: (queries: SqlQueries) => Promise<Result>): Promise<Result>;
  /**
   * Calls back with the payload of each `NOTIFY` on a channel of at most 63 bytes; an empty text means that
   * notifications may have been missed. Resolves with a function that stops listening. Rejects with `storage_failed` if
   * the database cannot be reached now; a connection that is lost later is reopened.
   */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
}
