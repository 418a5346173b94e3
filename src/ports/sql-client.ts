/** A parameter of a query; `undefined` is NULL. Values for JSON columns are JSON text. */
export type SqlValue = string | number | boolean | Uint8Array | Date | readonly string[] | undefined;

/** A row by column names. NULL becomes null, `timestamptz` a Date, `bytea` bytes, and `json` a parsed value. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs statements of PostgreSQL. */
export interface SqlQueries {
  /**
   * Runs one statement, in which `$1`, `$2`, … stand for `values`. Rejects with `storage_failed` for an error of the
   * database, and if the database cannot be reached.
   */
  query(text: string, values?: readonly SqlValue[]): Promise<{ readonly rows: readonly SqlRow[] }>;
}

/** A PostgreSQL database, version 15 or later, over any driver. */
export interface SqlClient extends SqlQueries {
  /**
   * Runs statements in a transaction. If `run` rejects, the transaction is rolled back and rejects with the same error.
   * `run` must use its argument, not the client. Rejects with `storage_failed` like `query`; if the connection ends
   * during the commit, it is unknown whether the transaction was committed.
   */
  transaction<Result>(run: (queries: SqlQueries) => Promise<Result>): Promise<Result>;
  /**
   * Calls back with the payload of each `NOTIFY` on a channel, whose name has at most 63 bytes. An empty text means
   * that some payloads may have been missed. Resolves with a function that stops listening. Rejects with
   * `storage_failed` if the database cannot be reached now; a connection that is lost later is reopened.
   */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
}
