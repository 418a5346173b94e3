/** A new audit entry. The log does not scrub entries: leave secrets out. */
export interface NewAuditEntry {
  /** The user or program that acted, under the name that the installation uses. */
  readonly actor: string;
  /** The kind of change, such as `custom_tool.put`. */
  readonly action: string;
  /** The id of the changed object. */
  readonly object: string;
  /** More about the change, as JSON. Default none. */
  readonly details?: unknown;
}

/** A stored entry. */
export interface AuditEntry extends NewAuditEntry {
  /** A UUID. */
  readonly id: string;
  /** When the entry was appended, ISO 8601. */
  readonly at: string;
}

/** Selects the entries to list. */
export interface AuditPage {
  /** Only entries older than the entry with this id; no entries for an unknown id. Default: all. */
  readonly before?: string | undefined;
  /** The maximum number of entries. Default 100. */
  readonly limit?: number | undefined;
}

/** The append-only log of changes to an installation. */
export interface AuditLog {
  append(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  list(page?: AuditPage): Promise<readonly AuditEntry[]>;
}
