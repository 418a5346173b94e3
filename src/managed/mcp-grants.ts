import { randomUUID } from 'node:crypto';
import { ToolError } from '../core/error.js';
import type {
  AccessibleMcpServer,
  McpAccessRequest,
  McpAgentGrant,
  McpConfigOverrides,
  McpGrantScope,
  McpGrantStore,
  StoredMcpConfig,
  StoredMcpGrant,
  StoredMcpServer,
} from '../ports/mcp-grants.js';
import type { SqlRow } from '../ports/sql-client.js';
import type { SecretBox } from './aes-gcm-box.js';
import {
  assertGrant,
  assertRequest,
  assertReview,
  assertServer,
  openConfig,
  sealConfig,
  withOverrides,
} from './mcp-definitions.js';
import type { McpDatabase, McpTables } from './mcp-tables.js';
import { isUuid } from './sql-rows.js';

const anew = 'version = gen_random_uuid(), updated_at = now()';

/** MCP servers and their grants in some tables. Each change and its notice take effect together. */
export function mcpGrantStore(database: McpDatabase, box: SecretBox | undefined): McpGrantStore {
  const grant =
    (scope: McpGrantScope) =>
    async (server: string, subject: string, given: McpAgentGrant = {}) =>
      await database.transaction(async (tables) => {
        const { definition } = storedServer(await lockedServer(tables, server), box);
        const what = scope === 'agent' ? 'grantAgent' : 'grantUser';
        assertGrant(what, subject, given, definition.name, definition.config);
        const { toolAllow, toolDeny, enabled = true, configOverrides = {} } = given;
        const [plain, sealed] = sealConfig(configOverrides, placeOfOverrides(server, subject), box);
        const overrides = JSON.stringify({ ...plain, ...(sealed === undefined ? {} : { sealed }) });
        await tables[scope].put(
          { server_id: server, [`${scope}_id`]: subject },
          {
            ...{ tool_allow: json(toolAllow), tool_deny: json(toolDeny), enabled },
            ...(scope === 'agent' ? { config_overrides: overrides } : {}),
          },
          'updated_at = now()',
        );
        await tables.changed();
      });
  const revoke = (scope: McpGrantScope) => async (server: string, subject: string) =>
    isUuid(server) &&
    (await database.transaction(async (tables) => {
      const isRevoked = await tables[scope].remove({ server_id: server, [`${scope}_id`]: subject });
      if (isRevoked) await tables.changed();
      return isRevoked;
    }));
  const requestOf = async ({ requests }: McpTables, id: string) => {
    const [row] = isUuid(id) ? await requests.find({ id }) : [];
    return row && storedRequest(row);
  };

  return {
    listServers: async (page) => (await database.servers.page({}, checked(page))).map((row) => storedServer(row, box)),
    async getServer(id) {
      const [row] = isUuid(id) ? await database.servers.find({ id }) : [];
      return row && storedServer(row, box);
    },
    async putServer(definition, { id, expected } = {}) {
      assertServer(definition);
      const { name, config, enabled = true } = definition;
      return await database.transaction(async ({ servers, changed }) => {
        const made = randomUUID();
        if (id === undefined) await servers.put({ name }, { id: made, config: '{}' });
        const [ofName] = await servers.find({ name }, '*', 'FOR UPDATE');
        if (id !== undefined && ofName !== undefined && ofName.id !== id)
          throw new ToolError('invalid_input', `name: there is another MCP server ${name} already. Change that one.`);
        const [found] = id === undefined ? [ofName] : isUuid(id) ? await servers.find({ id }, '*', 'FOR UPDATE') : [];
        const version = found?.id === made ? null : found?.version;
        if (found === undefined || (expected !== undefined && version !== expected))
          throw new ToolError(
            'file_changed',
            `The MCP server ${name} is not the one that was read. Read it again, then repeat the change.`,
          );
        const [plain, sealed] = sealConfig(config, placeOfSecrets(String(found.id)), box);
        const values = { name, config: JSON.stringify(plain), sealed_secrets: json(sealed), enabled };
        const [row] = await servers.change({ id: String(found.id) }, values, anew);
        await changed();
        return { id: String(found.id), version: String(row?.version) };
      });
    },
    removeServer: async (id) =>
      isUuid(id) &&
      (await database.transaction(async ({ servers, agent, user, requests, changed }) => {
        // Before its grants and requests: whoever changes these waits for it.
        await servers.find({ id }, 'id', 'FOR UPDATE');
        for (const rows of [agent, user, requests]) await rows.remove({ server_id: id });
        const isRemoved = await servers.remove({ id });
        if (isRemoved) await changed();
        return isRemoved;
      })),
    grantAgent: grant('agent'),
    grantUser: grant('user'),
    revokeAgent: revoke('agent'),
    revokeUser: revoke('user'),
    async listGrants(server, scope, page) {
      const rows = isUuid(server) ? await database[scope].page({ server_id: server }, checked(page)) : [];
      return rows.map((row) => storedGrant(row, scope, box));
    },
    async listAccessible(agentId, userId) {
      const rows = await database.granted(agentId, userId);
      return rows
        .map((row) => accessibleServer(row, agentId ?? '', box))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    async createRequest(given) {
      assertRequest(given);
      const { server, scope, subject, toolAllow, requestedBy } = given;
      return await database.transaction(async (tables) => {
        await lockedServer(tables, server);
        const key = { server_id: server, scope, subject };
        const [open] = await tables.requests.find({ ...key, status: 'pending' });
        const asked = { ...key, tool_allow: json(toolAllow), requested_by: requestedBy };
        const [row] = open === undefined ? await tables.requests.put({ id: randomUUID() }, asked) : [open];
        return storedRequest(row ?? {});
      });
    },
    getRequest: (id) => requestOf(database, id),
    listRequests: async ({ status, ...page } = {}) =>
      (await database.requests.page(status === undefined ? {} : { status }, checked(page))).map(storedRequest),
    async reviewRequest(id, decision, review) {
      assertReview(decision, review);
      return await database.transaction(async (tables) => {
        const asked = await requestOf(tables, id);
        // In the order in which everybody locks.
        if (asked !== undefined) await lockedServer(tables, asked.server);
        const request = await requestOf(tables, id);
        if (request === undefined)
          throw new ToolError('invalid_input', `There is no request ${id}. List the requests.`);
        if (request.status !== 'pending') return request;
        const status = decision === 'approve' ? 'approved' : 'rejected';
        const decided = { status, reviewed_by: review.by, note: review.note };
        const [row] = await tables.requests.change({ id, status: 'pending' }, decided, 'reviewed_at = now()');
        if (status === 'approved') {
          const key = { server_id: request.server, [`${request.scope}_id`]: request.subject };
          const granted = { tool_allow: json(request.toolAllow), enabled: true };
          await tables[request.scope].put(key, granted, 'updated_at = now()');
          await tables.changed();
        }
        return storedRequest(row ?? {});
      });
    },
    version: () => database.version(),
  };
}

/** The row of a server, which nobody else changes until the transaction ends, nor anything of it. */
async function lockedServer({ servers }: McpTables, id: string): Promise<SqlRow> {
  const [row] = isUuid(id) ? await servers.find({ id }, '*', 'FOR UPDATE') : [];
  if (row === undefined) throw new ToolError('invalid_input', `There is no MCP server ${id}. List the servers.`);
  return row;
}

function checked({
  after,
  limit = 100,
}: {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
} = {}) {
  if (after !== undefined && !isUuid(after)) throw new TypeError('after takes the id of an entry');
  return { after, limit };
}

function storedServer(
  { id, version, name, config, sealed_secrets: sealed, enabled }: SqlRow,
  box: SecretBox | undefined,
): StoredMcpServer {
  const [opened, problem] = openConfig(config as StoredMcpConfig, sealed, placeOfSecrets(String(id)), box);
  const definition = { name: String(name), config: opened, enabled: enabled === true };
  return { id: String(id), version: String(version), definition, ...(problem === undefined ? {} : { problem }) };
}

function storedGrant(row: SqlRow, scope: McpGrantScope, box: SecretBox | undefined): StoredMcpGrant {
  const { id, server_id: serverId, tool_allow: toolAllow, tool_deny: toolDeny, config_overrides, enabled } = row;
  const [server, subject] = [String(serverId), String(row[`${scope}_id`])];
  const [overrides] = openOverrides(config_overrides, server, subject, box);
  const configOverrides = overrides && { configOverrides: overrides };
  return {
    ...{ id: String(id), server, scope, subject },
    grant: { ...filterOf(toolAllow, toolDeny), enabled: enabled === true, ...configOverrides },
  };
}

function accessibleServer(row: SqlRow, agentId: string, box: SecretBox | undefined): AccessibleMcpServer {
  const { id, definition, problem: ofServer } = storedServer(row, box);
  const [overrides, ofGrant] = openOverrides(row.config_overrides, id, agentId, box);
  const problem = ofServer ?? ofGrant;
  return {
    ...{ id, name: definition.name, config: withOverrides(definition.config, overrides ?? {}) },
    ...(overrides && { overrides }),
    filters: [filterOf(row.agent_allow, row.agent_deny), filterOf(row.user_allow, row.user_deny)],
    ...(problem === undefined ? {} : { problem }),
  };
}

/** What a grant sets otherwise, and why its secrets do not open where they do not. */
function openOverrides(
  stored: unknown,
  server: string,
  agentId: string,
  box: SecretBox | undefined,
): readonly [McpConfigOverrides | undefined, string | undefined] {
  const { sealed, ...plain } = (stored ?? {}) as McpConfigOverrides & { readonly sealed?: string };
  const [overrides, problem] = openConfig(plain, sealed, placeOfOverrides(server, agentId), box);
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

function placeOfSecrets(id: string): string {
  return `mcp_servers/${id}/sealed_secrets`;
}

function placeOfOverrides(server: string, agentId: string): string {
  return `mcp_agent_grants/${server}/${agentId}/config_overrides`;
}

function json(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
