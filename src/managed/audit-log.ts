import { randomUUID } from 'node:crypto';

/** Who did what to what. Holds no secrets: whoever appends it leaves them out. */
export interface NewAuditEntry {
  /** The name of who did it, as the installation knows it. */
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
  /** Only those that are older than the entry with this id: none where there is no such entry. */
  readonly before?: string | undefined;
  /** At most so many. Default 100. */
  readonly limit?: number | undefined;
}

/** What was changed in an installation, and by whom. Nothing is ever taken out. */
export interface AuditLog {
  append(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  list(page?: AuditPage): Promise<readonly AuditEntry[]>;
}

/** Keeps what was changed in memory: the last 10,000 entries. */
export function memoryAudit(now: () => number = Date.now): AuditLog {
  const entries: AuditEntry[] = [];
  return {
    async append({ actor, action, object, details }) {
      const kept = details === undefined ? {} : { details: JSON.parse(JSON.stringify(details)) as unknown };
      entries.unshift({ id: randomUUID(), actor, action, object, ...kept, at: new Date(now()).toISOString() });
      entries.splice(10_000);
    },
    async list({ before, limit = 100 } = {}) {
      const last = before === undefined ? -1 : entries.findIndex(({ id }) => id === before);
      if (before !== undefined && last === -1) return [];
      return entries.slice(last + 1, last + 1 + limit);
    },
  };
}
