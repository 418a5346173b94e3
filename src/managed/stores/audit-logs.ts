import { randomUUID } from 'node:crypto';
import type { AuditEntry, AuditLog } from '../../ports/audit-log.js';
import type { SqlQueries } from '../../ports/sql-client.js';
import { isUuid } from '../database/table-rows.js';

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

/** An audit log in a table. With the queries of a transaction, `append` is part of the transaction. */
export function sqlAudit({ query }: SqlQueries): AuditLog {
  return {
    async append({ actor, action, object, details }) {
      const text = 'INSERT INTO audit (actor, action, object, details) VALUES ($1, $2, $3, $4)';
      await query(text, [actor, action, object, details === undefined ? undefined : JSON.stringify(details)]);
    },
    async list({ before, limit = 100 } = {}) {
      if (before !== undefined && !isUuid(before)) return [];
      const { rows } = await query(
        `SELECT * FROM audit WHERE $1::uuid IS NULL OR position < (SELECT position FROM audit WHERE id = $1)
        ORDER BY position DESC LIMIT $2`,
        [before, limit],
      );
      return rows.map(({ id, actor, action, object, details, created_at: at }) => ({
        ...{ id: String(id), actor: String(actor), action: String(action), object: String(object) },
        ...(details === null ? {} : { details }),
        at: (at as Date).toISOString(),
      }));
    },
  };
}
