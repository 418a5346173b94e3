import type { ListPage } from '../ports/mcp-grants.js';
import type { SqlClient, SqlQueries, SqlRow } from '../ports/sql-client.js';
import { changeCount, publishChange } from './change-bus.js';
import { type Columns, SqlRows } from './sql-rows.js';

/** The channel of a {@link ChangeBus} that tells of changes of MCP servers and grants. */
export const mcpChannel = 'cache:mcp_servers';

/** Rows of one table, in a database or in memory. */
export interface Rows {
  find(where: Columns, columns?: string, sql?: string): Promise<readonly SqlRow[]>;
  page(where: Columns, page?: ListPage): Promise<readonly SqlRow[]>;
  put(key: Columns, values: Columns, change?: string): Promise<readonly SqlRow[]>;
  change(where: Columns, values: Columns, change: string): Promise<readonly SqlRow[]>;
  remove(where: Columns): Promise<boolean>;
}

/** The tables of MCP servers and their grants. */
export interface McpTables {
  readonly servers: Rows;
  readonly agent: Rows;
  readonly user: Rows;
  readonly requests: Rows;
  /** Tells that somebody may have more or less than before. */
  changed(): Promise<void>;
}

/** Where these tables are. */
export interface McpDatabase extends McpTables {
  transaction<Result>(run: (tables: McpTables) => Promise<Result>): Promise<Result>;
  /**
   * The servers with the grants of an agent and a user, as `agent_allow`, `agent_deny`, `config_overrides`, `user_allow`
   * and `user_deny`.
   */
  granted(agentId: string | undefined, userId: string | undefined): Promise<readonly SqlRow[]>;
  version(): Promise<string>;
}

/** Those of `migrate`. */
export function sqlMcpDatabase(client: SqlClient): McpDatabase {
  return {
    ...tablesOf(client),
    transaction: (run) => client.transaction((queries) => run(tablesOf(queries))),
    async granted(agentId, userId) {
      const text = `SELECT s.*, a.tool_allow AS agent_allow, a.tool_deny AS agent_deny, a.config_overrides,
          u.tool_allow AS user_allow, u.tool_deny AS user_deny
        FROM mcp_servers s
        LEFT JOIN mcp_agent_grants a ON a.server_id = s.id AND a.agent_id = $1::text AND a.enabled
        LEFT JOIN mcp_user_grants u ON u.server_id = s.id AND u.user_id = $2::text AND u.enabled
        WHERE s.enabled AND coalesce($1::text, $2::text) IS NOT NULL
          AND ($1::text IS NULL OR a.id IS NOT NULL) AND ($2::text IS NULL OR u.id IS NOT NULL)`;
      return (await client.query(text, [agentId, userId])).rows;
    },
    version: () => changeCount(client, mcpChannel),
  };
}

function tablesOf(queries: SqlQueries): McpTables {
  return {
    servers: new SqlRows(queries, 'mcp_servers'),
    agent: new SqlRows(queries, 'mcp_agent_grants'),
    user: new SqlRows(queries, 'mcp_user_grants'),
    requests: new SqlRows(queries, 'mcp_access_requests'),
    changed: () => publishChange(queries, mcpChannel),
  };
}
