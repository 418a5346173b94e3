/** What a query may be given; `undefined` is NULL. Values for JSON columns are JSON text. */
export type SqlValue = string | number | boolean | Uint8Array | Date | readonly string[] | undefined;

/** A row by the names of its columns: NULL is null, `timestamptz` a Date, `bytea` bytes, `json` parsed. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs statements of PostgreSQL. */
export interface SqlQueries {
  /**
   * Runs one statement with `$1`, `$2`, … for its values. Rejects with `storage_failed` for whatever the database
   * refuses, and where it cannot be reached.
   */
  query(text: string, values?: readonly SqlValue[]): Promise<{ readonly rows: readonly SqlRow[] }>;
}

/** A database of PostgreSQL, at least version 15, reached by whatever driver. */
export interface SqlClient extends SqlQueries {
  /**
   * Runs statements that take effect together or not at all: not at all where `run` rejects, with what it rejected.
   * `run` uses the queries that it is given, never the client. Rejects with `storage_failed` like `query`; where the
   * connection ends during the commit, nobody knows which of the two it was.
   */
  transaction<Result>(run: (queries: SqlQueries) => Promise<Result>): Promise<Result>;
  /**
   * Calls back with the payload of each `NOTIFY` on a channel (at most 63 bytes), and with an empty text where some may
   * have been missed. Answers how to stop listening. Rejects with `storage_failed` where the database cannot be reached
   * now; a connection that is lost later is made again.
   */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
}
