import * as z from 'zod/v4';
import type {
  McpAccessRequest,
  StoredMcpConfig,
  StoredMcpGrant,
  StoredMcpServer,
} from '../../ports/mcp-grant-store.js';
import { AdminError, type AdminRoute, found, invalid, pageRoute, resourceRoutes, route } from './route.js';

const list = () => z.array(z.string());
const secret = () => z.record(z.string(), z.string()).optional().describe('Never returned');
/** The names of the secrets of a config; responses never contain their values. */
const names = () => ({ envNames: list(), headerNames: list() });
const problems = () => ({ problem: z.string().optional().describe('Why the secrets cannot be decrypted') });
const tools = () => ({ toolAllow: list().optional(), toolDeny: list().optional() });
const overridable = () => ({
  args: list().optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  timeoutMs: z.number().min(0).optional(),
  roots: z.union([z.literal(false), z.literal('toolkit'), list()]).optional(),
});

/** The routes of `/v1/mcp/servers`, including grants. */
export function mcpServerRoutes(): readonly AdminRoute[] {
  const config = {
    ...{ type: z.enum(['stdio', 'http', 'streamable-http', 'sse']).optional(), command: z.string().optional() },
    ...{ ...overridable(), ...tools(), trusted: z.boolean().optional() },
  };
  const fields = { name: z.string(), enabled: z.boolean() };
  return [
    ...resourceRoutes({
      ...{ path: '/v1/mcp/servers', noun: 'MCP server', name: 'McpServer', scope: 'mcp', action: 'mcp_server' },
      body: z.strictObject({
        ...{ ...fields, enabled: fields.enabled.default(true) },
        config: z.strictObject({ ...config, env: secret(), headers: secret() }),
      }),
      response: z.object({
        ...{ id: z.string(), version: z.string(), ...fields, config: z.object(config), ...names() },
        ...problems(),
      }),
      list: ({ stores, query: { cursor, limit } }) => stores.mcp.listServers({ after: cursor, limit }),
      get: ({ mcp }, id) => mcp.getServer(id),
      put: ({ mcp }, definition, how) => mcp.putServer(definition, how),
      remove: ({ mcp }, id, how) => mcp.removeServer(id, how),
      merged(given, { problem, definition: { config: before } }) {
        const { env = before.env, headers = before.headers, ...others } = given.config;
        const isKept = given.config.env === undefined || given.config.headers === undefined;
        if (problem !== undefined && isKept) throw new AdminError(409, 'conflict', problem, { field: 'config.env' });
        return { body: { ...given, config: { ...others, env, headers } }, isKept };
      },
      toJson: serverToJson,
    }),
    ...grantRoutes('agent'),
    ...grantRoutes('user'),
  ];
}

function grantRoutes(scope: 'agent' | 'user'): readonly AdminRoute[] {
  const [listId, grant, revoke] =
    scope === 'agent'
      ? (['listAgentGrants', 'grantAgent', 'revokeAgent'] as const)
      : (['listUserGrants', 'grantUser', 'revokeUser'] as const);
  const path = `/v1/mcp/servers/{id}/grants/${scope}s`;
  const given = { ...tools(), enabled: z.boolean().default(true) };
  const overrides = z.strictObject({ ...overridable(), env: secret(), headers: secret() });
  const shownOverrides = { configOverrides: z.object(overridable()).optional(), ...names() };
  const shown = z.object({ subject: z.string(), ...given, ...shownOverrides, ...problems() });
  return [
    pageRoute(`GET ${path}`, listId, 'mcp:read', {
      ...{ summary: `Lists the grants of ${scope}s`, entry: shown },
      async list({ stores, params: { id = '' }, query: { cursor, limit } }) {
        found(await stores.mcp.getServer(id), 'MCP server');
        return await stores.mcp.listGrants(id, scope, { after: cursor, limit });
      },
      toJson: grantToJson,
    }),
    route(`PUT ${path}/{subject}`, grant, 'mcp:write', {
      summary: 'Grants access; replaces an earlier grant',
      action: `mcp_grant.${scope}.put`,
      body: z.strictObject(scope === 'agent' ? { ...given, configOverrides: overrides.optional() } : given),
      async run({ stores: { mcp }, params: { id = '', subject = '' }, body }) {
        found(await mcp.getServer(id), 'MCP server');
        await mcp[grant](id, subject, { ...body });
        return { object: `${id}/${subject}` };
      },
    }),
    route(`DELETE ${path}/{subject}`, revoke, 'mcp:write', {
      ...{ summary: 'Revokes a grant', action: `mcp_grant.${scope}.delete` },
      async run({ stores: { mcp }, params: { id = '', subject = '' } }) {
        if (!(await mcp[revoke](id, subject))) found(undefined, 'grant');
        return { object: `${id}/${subject}` };
      },
    }),
  ];
}

/** The routes of `/v1/mcp/requests`. */
export function mcpRequestRoutes(): readonly AdminRoute[] {
  const path = '/v1/mcp/requests';
  const asked = {
    ...{ server: z.string(), scope: z.enum(['agent', 'user']), subject: z.string().min(1).max(200) },
    toolAllow: list().optional(),
  };
  const status = z.enum(['pending', 'approved', 'rejected']);
  const response = z.object({
    ...{ id: z.string(), ...asked, requestedBy: z.string(), status, createdAt: z.string() },
    ...{ reviewedBy: z.string().optional(), reviewedAt: z.string().optional(), note: z.string().optional() },
  });
  const requestedBy = z.string().min(1).optional().describe('Default: the name of the token');
  return [
    pageRoute(`GET ${path}`, 'listMcpRequests', 'mcp:read', {
      ...{ summary: 'Lists requests for MCP servers', entry: response, query: { status: status.optional() } },
      list: ({ stores, query: { cursor, limit, status: wanted } }) =>
        stores.mcp.listRequests({ status: wanted as McpAccessRequest['status'], after: cursor, limit }),
    }),
    route(`POST ${path}`, 'createMcpRequest', 'mcp:request', {
      summary: 'Requests access; returns the pending request if there is one',
      ...{ status: 201, action: 'mcp_request.create', response, body: z.strictObject({ ...asked, requestedBy }) },
      async run({ stores: { mcp }, body, actor }) {
        if ((await mcp.getServer(body.server)) === undefined)
          throw invalid('server: there is no such MCP server', 'server');
        const request = await mcp.createRequest({ ...body, requestedBy: body.requestedBy ?? actor });
        return { body: request, object: request.id };
      },
    }),
    route(`POST ${path}/{id}/review`, 'reviewMcpRequest', 'mcp:review', {
      summary: 'Approves or rejects a request; returns the first decision',
      ...{ action: 'mcp_request.review', response },
      body: z.strictObject({ decision: z.enum(['approve', 'reject']), note: z.string().max(2_000).optional() }),
      async run({ stores: { mcp }, params: { id = '' }, body: { decision, note }, actor }) {
        found(await mcp.getRequest(id), 'request');
        return { body: await mcp.reviewRequest(id, decision, { by: actor, note }), object: id };
      },
    }),
  ];
}

function serverToJson({ id, version, definition: { name, config, enabled = true }, problem }: StoredMcpServer) {
  const [plain, secrets] = withoutSecrets(config);
  return { id, version, name, enabled, config: plain, ...secrets, problem };
}

function grantToJson({ subject, grant: { configOverrides = {}, ...grant }, problem }: StoredMcpGrant) {
  const [plain, secrets] = withoutSecrets(configOverrides);
  const shown = Object.keys(plain).length === 0 ? {} : { configOverrides: plain };
  return { subject, ...grant, ...shown, ...secrets, ...(problem === undefined ? {} : { problem }) };
}

function withoutSecrets({ env = {}, headers = {}, ...plain }: StoredMcpConfig) {
  return [plain, { envNames: Object.keys(env), headerNames: Object.keys(headers) }] as const;
}
