import { randomUUID } from 'node:crypto';
import type { AuditEntry, AuditLog } from '../ports/audit-log.js';

/** An audit log in memory with the last 10,000 entries. */
export function memoryAudit(): AuditLog {
  const entries: AuditEntry[] = [];
  return {
    async append(entry) {
      const kept = JSON.parse(JSON.stringify(entry)) as typeof entry;
      entries.unshift({ ...kept, id: randomUUID(), at: new Date().toISOString() });
      entries.splice(10_000);
    },
    async list({ before, limit = 100 } = {}) {
      const last = entries.findIndex(({ id }) => id === before);
      return before !== undefined && last === -1 ? [] : entries.slice(last + 1, last + 1 + limit);
    },
  };
}
