/** A new audit entry. The log does not scrub it: leave secrets out. */
export interface NewAuditEntry {
  /** The user or program that acted, by a name of the installation. */
  readonly actor: string;
  /** Such as `custom_tool.put`. */
  readonly action: string;
  /** The id of the changed object. */
  readonly object: string;
  /** More about it, as JSON. Default none. */
  readonly details?: unknown;
}

/** A stored entry. */
export interface AuditEntry extends NewAuditEntry {
  /** A UUID. */
  readonly id: string;
  /** When it was appended, ISO 8601. */
  readonly at: string;
}

/** Which entries to list. */
export interface AuditPage {
  /** Only entries older than the one with this id; none for an unknown id. Default: all. */
  readonly before?: string | undefined;
  /** The most entries. Default 100. */
  readonly limit?: number | undefined;
}

/** The append-only log of changes to an installation. */
export interface AuditLog {
  append(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  list(page?: AuditPage): Promise<readonly AuditEntry[]>;
}
