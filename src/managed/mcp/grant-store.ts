import { randomUUID } from 'node:crypto';
import { ToolError } from '../../core/error.js';
import type {
  AccessibleMcpServer,
  ListPage,
  McpAccessRequest,
  McpAgentGrant,
  McpConfigOverrides,
  McpGrantScope,
  McpGrantStore,
  StoredMcpConfig,
  StoredMcpGrant,
  StoredMcpServer,
} from '../../ports/mcp-grant-store.js';
import type { SqlRow } from '../../ports/sql-client.js';
import type { SecretBox } from '../database/secret-box.js';
import { isUuid } from '../database/table-rows.js';
import { claimRow, type Database, json, newVersion, removeRow, type Tables } from '../database/tables.js';
import {
  assertGrant,
  assertRequest,
  assertReview,
  assertServer,
  openConfig,
  sealConfig,
  withOverrides,
} from './server-config.js';

/** The channel of a {@link ChangeBus} that announces changes of MCP servers and grants. */
const mcpChannel = 'cache:mcp_servers';

const what = 'MCP server';
const servers = 'mcp_servers';
const requests = 'mcp_access_requests';
const grants = { agent: 'mcp_agent_grants', user: 'mcp_user_grants' } as const;

/** MCP servers and their grants in tables. A change and its notification are one transaction. */
export function mcpGrantStore(database: Database, box: SecretBox | undefined): McpGrantStore {
  const grant =
    (scope: McpGrantScope) =>
    async (server: string, subject: string, given: McpAgentGrant = {}) =>
      await database.transaction(async (tables) => {
        const { definition } = storedServer(await lockedServer(tables, server), box);
        const method = scope === 'agent' ? 'grantAgent' : 'grantUser';
        assertGrant(method, subject, given, definition.name, definition.config);
        const { toolAllow, toolDeny, enabled = true, configOverrides = {} } = given;
        const [plain, sealed] = sealConfig(configOverrides, overridesContext(server, subject), box);
        const overrides = JSON.stringify({ ...plain, sealed });
        const values = {
          ...{ tool_allow: json(toolAllow), tool_deny: json(toolDeny), enabled },
          ...(scope === 'agent' ? { config_overrides: overrides } : {}),
        };
        await tables.rows(grants[scope]).put(keyOf(server, scope, subject), values, 'updated_at = now()');
        await tables.changed(mcpChannel);
      });
  const revoke = (scope: McpGrantScope) => (server: string, subject: string) =>
    database.transaction(async (tables) => {
      const isRevoked = await tables.rows(grants[scope]).remove(keyOf(server, scope, subject));
      if (isRevoked) await tables.changed(mcpChannel);
      return isRevoked;
    });
  const byId = async (tables: Tables, table: string, id: string) => (await tables.rows(table).find({ id }))[0];

  return {
    async listServers(page) {
      return (await database.rows(servers).page({}, checkedPage(page))).map((row) => storedServer(row, box));
    },
    async getServer(id) {
      const row = await byId(database, servers, id);
      return row && storedServer(row, box);
    },
    async putServer(definition, how = {}) {
      assertServer(definition);
      const { name, config, enabled = true } = definition;
      return await database.transaction(async (tables) => {
        const rows = tables.rows(servers);
        const id = await claimRow(rows, what, { name }, { config: '{}' }, how);
        const [plain, sealed] = sealConfig(config, secretsContext(id), box);
        const values = { name, config: JSON.stringify(plain), sealed_secrets: json(sealed), enabled };
        const [row = {}] = await rows.change({ id }, values, newVersion);
        await tables.changed(mcpChannel);
        return storedServer(row, box);
      });
    },
    removeServer: (id, { expected } = {}) =>
      database.transaction(async (tables) => {
        if (!(await removeRow(tables.rows(servers), what, id, expected))) return false;
        // In a database, foreign keys have already deleted these rows.
        for (const table of [grants.agent, grants.user, requests]) await tables.rows(table).remove({ server_id: id });
        await tables.changed(mcpChannel);
        return true;
      }),
    grantAgent: grant('agent'),
    grantUser: grant('user'),
    revokeAgent: revoke('agent'),
    revokeUser: revoke('user'),
    async listGrants(server, scope, page) {
      const rows = await database.rows(grants[scope]).page({ server_id: server }, checkedPage(page));
      return rows.map((row) => storedGrant(row, scope, box));
    },
    async listAccessible(agentId, userId) {
      const of = async (scope: McpGrantScope, subject: string) => {
        const rows = await database.rows(grants[scope]).find({ [`${scope}_id`]: subject, enabled: true });
        return new Map(rows.map((row) => [row.server_id, row]));
      };
      const granted = [
        ...(agentId === undefined ? [] : [await of('agent', agentId)]),
        ...(userId === undefined ? [] : [await of('user', userId)]),
      ];
      if (granted.length === 0 || granted.some(({ size }) => size === 0)) return [];
      return (await database.rows(servers).find({ enabled: true }))
        .filter(({ id }) => granted.every((rows) => rows.has(id)))
        .map((row) => [row, granted.map((rows) => rows.get(row.id) ?? {})] as const)
        .map(([row, own]) => accessibleServer(row, own, agentId ?? '', box))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    async createRequest(given) {
      assertRequest(given);
      const { server, scope, subject, toolAllow, requestedBy } = given;
      return await database.transaction(async (tables) => {
        await lockedServer(tables, server);
        const rows = tables.rows(requests);
        const key = { server_id: server, scope, subject };
        const [open] = await rows.find({ ...key, status: 'pending' });
        const asked = { ...key, tool_allow: json(toolAllow), requested_by: requestedBy };
        return storedRequest(open ?? (await rows.put({ id: randomUUID() }, asked))[0] ?? {});
      });
    },
    async getRequest(id) {
      const row = await byId(database, requests, id);
      return row && storedRequest(row);
    },
    async listRequests({ status, ...page } = {}) {
      const where = status === undefined ? {} : { status };
      return (await database.rows(requests).page(where, checkedPage(page))).map(storedRequest);
    },
    async reviewRequest(id, decision, review) {
      assertReview(decision, review);
      return await database.transaction(async (tables) => {
        const asked = await byId(tables, requests, id);
        // Every transaction locks the server first, which prevents deadlocks.
        if (asked !== undefined) await lockedServer(tables, String(asked.server_id));
        const found = await byId(tables, requests, id);
        if (found === undefined) throw new ToolError('invalid_input', `There is no request ${id}. List the requests.`);
        const request = storedRequest(found);
        if (request.status !== 'pending') return request;
        const status = decision === 'approve' ? 'approved' : 'rejected';
        const decided = { status, reviewed_by: review.by, note: review.note };
        const [row] = await tables.rows(requests).change({ id }, decided, 'reviewed_at = now()');
        if (status === 'approved') {
          const rows = tables.rows(grants[request.scope]);
          const key = keyOf(request.server, request.scope, request.subject);
          const [earlier] = await rows.find({ ...key, enabled: true });
          const granted = { tool_allow: json(mergedTools(earlier, request.toolAllow)), enabled: true };
          await rows.put(key, granted, 'updated_at = now()');
          await tables.changed(mcpChannel);
        }
        return storedRequest(row ?? {});
      });
    },
    version: () => database.version(mcpChannel),
  };
}

/** The row of a server, locked until the transaction ends. */
async function lockedServer(tables: Tables, id: string): Promise<SqlRow> {
  const [row] = await tables.rows(servers).find({ id }, '*', 'FOR UPDATE');
  if (row === undefined) throw new ToolError('invalid_input', `There is no MCP server ${id}. List the servers.`);
  return row;
}

function keyOf(server: string, scope: McpGrantScope, subject: string) {
  return { server_id: server, [`${scope}_id`]: subject };
}

/** The tools of an earlier grant and the requested tools; undefined means all tools. */
function mergedTools(earlier: SqlRow | undefined, asked: readonly string[] | undefined): readonly string[] | undefined {
  if (earlier === undefined || asked === undefined) return asked;
  return Array.isArray(earlier.tool_allow) ? [...new Set([...earlier.tool_allow, ...asked])] : undefined;
}

function checkedPage(page: ListPage = {}): ListPage {
  if (page.after !== undefined && !isUuid(page.after)) throw new TypeError('after must be the id of an entry');
  return page;
}

function storedServer(
  { id, version, name, config, sealed_secrets: sealed, enabled }: SqlRow,
  box: SecretBox | undefined,
): StoredMcpServer {
  const [opened, problem] = openConfig(config as StoredMcpConfig, sealed, secretsContext(String(id)), box);
  const definition = { name: String(name), config: opened, enabled: enabled === true };
  return { id: String(id), version: String(version), definition, ...(problem === undefined ? {} : { problem }) };
}

function storedGrant(row: SqlRow, scope: McpGrantScope, box: SecretBox | undefined): StoredMcpGrant {
  const { id, server_id: serverId, tool_allow: toolAllow, tool_deny: toolDeny, config_overrides, enabled } = row;
  const [server, subject] = [String(serverId), String(row[`${scope}_id`])];
  const [overrides, problem] = openOverrides(config_overrides, server, subject, box);
  const configOverrides = overrides && { configOverrides: overrides };
  return {
    ...{ id: String(id), server, scope, subject },
    grant: { ...filterOf(toolAllow, toolDeny), enabled: enabled === true, ...configOverrides },
    ...(problem === undefined ? {} : { problem }),
  };
}

function accessibleServer(
  row: SqlRow,
  granted: readonly SqlRow[],
  agentId: string,
  box: SecretBox | undefined,
): AccessibleMcpServer {
  const { id, definition, problem: ofServer } = storedServer(row, box);
  const stored = granted.find((grant) => grant.config_overrides !== undefined)?.config_overrides;
  const [overrides, ofGrant] = openOverrides(stored, id, agentId, box);
  const problem = ofServer ?? ofGrant;
  return {
    ...{ id, name: definition.name, config: withOverrides(definition.config, overrides ?? {}) },
    ...(overrides && { overrides }),
    filters: granted.map((grant) => filterOf(grant.tool_allow, grant.tool_deny)),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The overrides of a grant, and the reason if their secrets cannot be decrypted. */
function openOverrides(
  stored: unknown,
  server: string,
  agentId: string,
  box: SecretBox | undefined,
): readonly [McpConfigOverrides | undefined, string | undefined] {
  const { sealed, ...plain } = (stored ?? {}) as McpConfigOverrides & { readonly sealed?: string };
  const [overrides, problem] = openConfig(plain, sealed, overridesContext(server, agentId), box);
  return [Object.keys(overrides).length === 0 ? undefined : overrides, problem];
}

function storedRequest(row: SqlRow): McpAccessRequest {
  const optional = {
    reviewedBy: row.reviewed_by,
    reviewedAt: (row.reviewed_at as Date | null)?.toISOString(),
    note: row.note,
  };
  return {
    ...{ id: String(row.id), server: String(row.server_id), scope: row.scope as McpGrantScope },
    ...{ subject: String(row.subject), ...filterOf(row.tool_allow, null), requestedBy: String(row.requested_by) },
    ...{ status: row.status as McpAccessRequest['status'], createdAt: (row.created_at as Date).toISOString() },
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value != null)),
  };
}

function filterOf(toolAllow: unknown, toolDeny: unknown) {
  const lists = Object.entries({ toolAllow, toolDeny }).filter(([, list]) => Array.isArray(list));
  return Object.fromEntries(lists) as { toolAllow?: readonly string[]; toolDeny?: readonly string[] };
}

function secretsContext(id: string): string {
  return `mcp_servers/${id}/sealed_secrets`;
}

function overridesContext(server: string, agentId: string): string {
  return `mcp_agent_grants/${server}/${agentId}/config_overrides`;
}
