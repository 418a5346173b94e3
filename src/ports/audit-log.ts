/** Who did what to what. It is kept as it is: whoever appends it leaves secrets out. */
export interface NewAuditEntry {
  /** Who did it, by a name that the installation knows. */
  readonly actor: string;
  /** Such as `custom_tool.put`. */
  readonly action: string;
  /** The id of what was changed. */
  readonly object: string;
  /** More about it, as JSON. Default none. */
  readonly details?: unknown;
}

/** An entry that is kept. */
export interface AuditEntry extends NewAuditEntry {
  /** A UUID. */
  readonly id: string;
  /** When it was appended, ISO 8601. */
  readonly at: string;
}

/** Which entries to list. */
export interface AuditPage {
  /** Only what is older than the entry with this id: nothing where there is none. Default: everything. */
  readonly before?: string | undefined;
  /** At most so many. Default 100. */
  readonly limit?: number | undefined;
}

/** What was changed in an installation, and by whom. Nobody changes it or takes anything out. */
export interface AuditLog {
  append(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  list(page?: AuditPage): Promise<readonly AuditEntry[]>;
}
