import { randomUUID } from 'node:crypto';
import type { SqlRow, SqlValue } from '../ports/sql-client.js';
import type { McpDatabase, Rows } from './mcp-tables.js';
import type { Columns } from './sql-rows.js';

const jsonColumns = ['config', 'sealed_secrets', 'tool_allow', 'tool_deny', 'config_overrides'];

/** The tables of MCP servers and their grants in the memory of this process. */
export function memoryMcpDatabase(): McpDatabase {
  const servers = new MemoryRows(() => ({ version: randomUUID() }));
  const [agent, user] = [new MemoryRows(), new MemoryRows()];
  const requests = new MemoryRows(() => ({ reviewed_at: new Date() }));
  const tables = [servers, agent, user, requests];
  let changes = 0;
  let last: Promise<unknown> = Promise.resolve();
  const changed = async () => void changes++;
  return {
    ...{ servers, agent, user, requests, changed },
    transaction(run) {
      const done = last.then(async () => {
        const before = tables.map(({ rows }) => new Map(rows));
        try {
          return await run({ servers, agent, user, requests, changed });
        } catch (thrown) {
          for (const [at, table] of tables.entries()) table.rows = before[at] ?? new Map();
          throw thrown;
        }
      });
      last = done.catch(() => {});
      return done;
    },
    async granted(agentId, userId) {
      if (agentId === undefined && userId === undefined) return [];
      const grants = [
        [agent, 'agent_id', agentId],
        [user, 'user_id', userId],
      ] as const;
      return [...servers.rows.values()].flatMap((row) => {
        if (row.enabled !== true) return [];
        const [ofAgent, ofUser] = grants.map(([table, column, subject]) =>
          subject === undefined
            ? {}
            : table.matching({ server_id: String(row.id), [column]: subject, enabled: true })[0],
        );
        if (ofAgent === undefined || ofUser === undefined) return [];
        return {
          ...row,
          ...{ agent_allow: ofAgent.tool_allow, agent_deny: ofAgent.tool_deny },
          ...{ config_overrides: ofAgent.config_overrides },
          ...{ user_allow: ofUser.tool_allow, user_deny: ofUser.tool_deny },
        };
      });
    },
    version: async () => String(changes),
  };
}

/** What `SqlRows` does, for tables whose changes are the given ones. */
class MemoryRows implements Rows {
  rows = new Map<string, SqlRow>();
  readonly #anew: () => SqlRow;

  constructor(anew: () => SqlRow = () => ({})) {
    this.#anew = anew;
  }

  matching(where: Columns): readonly SqlRow[] {
    const wanted = Object.entries(where);
    return [...this.rows.values()].filter((row) => wanted.every(([name, value]) => row[name] === (value ?? null)));
  }

  find = async (where: Columns) => this.matching(where);

  page: Rows['page'] = async (where, { after = '', limit = 100 } = {}) =>
    this.matching(where)
      .filter(({ id }) => String(id) > after)
      .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
      .slice(0, limit);

  put: Rows['put'] = async (key, values, change) => {
    if (this.matching(key).length > 0) return change === undefined ? [] : await this.change(key, values);
    const made = { id: randomUUID(), version: randomUUID(), created_at: new Date(), enabled: true, status: 'pending' };
    const row = { ...made, ...parsed({ ...key, ...values }) };
    this.rows.set(String(row.id), row);
    return [row];
  };

  change = async (where: Columns, values: Columns) =>
    this.matching(where).map((row) => {
      const next = { ...row, ...parsed(values), ...this.#anew() };
      this.rows.set(String(row.id), next);
      return next;
    });

  remove = async (where: Columns) => {
    const found = this.matching(where);
    for (const { id } of found) this.rows.delete(String(id));
    return found.length > 0;
  };
}

function parsed(values: Columns): SqlRow & { readonly id?: string } {
  const kept = (name: string, value: SqlValue) =>
    value === undefined ? null : jsonColumns.includes(name) ? JSON.parse(String(value)) : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, kept(name, value)]));
}
