import * as z from 'zod/v4';
import type { McpGrantStore, StoredMcpConfig, StoredMcpGrant, StoredMcpServer } from '../ports/mcp-grants.js';
import { AdminError, type AdminRoute, found, paged, pageOf, pageQuery, route } from './admin-route.js';

const list = () => z.array(z.string());
const texts = () => z.record(z.string(), z.string());
const secret = () => texts().optional().describe('Never answered');

/** What an answer tells of a config: its secrets by their names alone. */
const names = () => ({ envNames: list(), headerNames: list() });

const overridable = () => ({
  args: list().optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  timeoutMs: z.number().min(0).optional(),
  roots: z.union([z.literal(false), z.literal('toolkit'), list()]).optional(),
});

const tools = () => ({ toolAllow: list().optional(), toolDeny: list().optional() });

/** `/v1/mcp/servers`, with their grants. */
export function mcpServerRoutes(mcp: McpGrantStore): readonly AdminRoute[] {
  const config = {
    ...{ type: z.enum(['stdio', 'http', 'streamable-http', 'sse']).optional(), command: z.string().optional() },
    ...{ ...overridable(), ...tools(), trusted: z.boolean().optional() },
  };
  const body = z.strictObject({
    name: z.string(),
    config: z.strictObject({ ...config, env: secret(), headers: secret() }),
    enabled: z.boolean().default(true),
  });
  const answer = z.object({
    ...{
      id: z.string(),
      version: z.string(),
      name: z.string(),
      enabled: z.boolean(),
      config: z.object(config),
      ...names(),
    },
    problem: z.string().optional().describe('Why its secrets do not open'),
  });
  const serverAt = async ({ id = '' }: Readonly<Record<string, string>>) =>
    found(await mcp.getServer(id), 'MCP server');
  const put = async (definition: z.output<typeof body>, how: Parameters<McpGrantStore['putServer']>[1]) => {
    const { id } = await mcp.putServer(definition, how);
    return shownServer(found(await mcp.getServer(id), 'MCP server'));
  };
  const [read, write] = [{ scope: 'mcp:read' }, { scope: 'mcp:write' }];
  const one = { path: '/v1/mcp/servers/{id}', status: 200, answer } as const;
  return [
    route({
      ...{ method: 'get', path: '/v1/mcp/servers', id: 'listMcpServers', ...read, status: 200 },
      ...{ summary: 'The MCP servers', query: z.strictObject(pageQuery), answer: pageOf(answer) },
      async run({ query: { cursor, limit } }) {
        const servers = await mcp.listServers({ after: afterOf(cursor), limit: limit + 1 });
        return paged(
          servers,
          limit,
          ({ id }) => id,
          (server) => shownServer(server).body,
        );
      },
    }),
    route({
      ...{ method: 'post', path: '/v1/mcp/servers', id: 'createMcpServer', ...write, status: 201 },
      ...{ summary: 'Makes an MCP server known', action: 'mcp_server.create', body, answer },
      run: ({ body: given }) => put(given, { expected: null }),
    }),
    route({
      ...{ ...one, method: 'get', id: 'getMcpServer', ...read, summary: 'An MCP server' },
      run: async ({ at }) => shownServer(await serverAt(at)),
    }),
    route({
      ...{ ...one, method: 'put', id: 'putMcpServer', ...write, isVersioned: true, body },
      ...{ summary: 'Changes an MCP server; env and headers that are left out stay', action: 'mcp_server.update' },
      async run({ at, body: given, expected }) {
        const { id, problem, definition, version } = await serverAt(at);
        const { env = definition.config.env, headers = definition.config.headers, ...others } = given.config;
        const isKept = given.config.env === undefined || given.config.headers === undefined;
        if (problem !== undefined && isKept) throw new AdminError(409, 'conflict', problem, { field: 'config.env' });
        // What is kept is what stands there now, not what stood there before another change.
        const condition = isKept ? (expected ?? version) : expected;
        return await put({ ...given, config: { ...others, env, headers } }, { id, expected: condition });
      },
    }),
    route({
      ...{ method: 'delete', path: '/v1/mcp/servers/{id}', id: 'deleteMcpServer', ...write, status: 204 },
      ...{ summary: 'Removes an MCP server with its grants and requests', action: 'mcp_server.delete' },
      async run({ at: { id = '' } }) {
        if (!(await mcp.removeServer(id))) found(undefined, 'MCP server');
        return { object: id };
      },
    }),
    ...(['agent', 'user'] as const).flatMap((scope) => {
      const path = `/v1/mcp/servers/{id}/grants/${scope}s`;
      const [grant, revoke] = scope === 'agent' ? [mcp.grantAgent, mcp.revokeAgent] : [mcp.grantUser, mcp.revokeUser];
      const given = { ...tools(), enabled: z.boolean().default(true) };
      const overrides = z.strictObject({ ...overridable(), env: secret(), headers: secret() });
      const [listId, grantId, revokeId] =
        scope === 'agent'
          ? (['listAgentGrants', 'grantAgent', 'revokeAgent'] as const)
          : (['listUserGrants', 'grantUser', 'revokeUser'] as const);
      return [
        route({
          ...{ method: 'get', path, id: listId, ...read, status: 200 },
          ...{ summary: `The grants of ${scope}s`, query: z.strictObject(pageQuery) },
          answer: pageOf(
            z.object({
              subject: z.string(),
              ...given,
              configOverrides: z.object(overridable()).optional(),
              ...names(),
            }),
          ),
          async run({ at, query: { cursor, limit } }) {
            const { id } = await serverAt(at);
            const grants = await mcp.listGrants(id, scope, { after: afterOf(cursor), limit: limit + 1 });
            return paged(grants, limit, (one) => one.id, shownGrant);
          },
        }),
        route({
          ...{ method: 'put', path: `${path}/{subject}`, id: grantId, ...write, status: 204 },
          ...{ summary: `Grants it to ${scope === 'agent' ? 'an agent' : 'a user'}, in place of an earlier grant` },
          action: `mcp_grant.${scope}.put`,
          body: z.strictObject(scope === 'agent' ? { ...given, configOverrides: overrides.optional() } : given),
          async run({ at, body: { ...asked } }) {
            const [{ id }, { subject = '' }] = [await serverAt(at), at];
            await grant(id, subject, asked);
            return { object: `${id}/${subject}` };
          },
        }),
        route({
          ...{ method: 'delete', path: `${path}/{subject}`, id: revokeId, ...write, status: 204 },
          ...{ summary: 'Takes a grant back', action: `mcp_grant.${scope}.delete` },
          async run({ at: { id = '', subject = '' } }) {
            if (!(await revoke(id, subject))) found(undefined, 'grant');
            return { object: `${id}/${subject}` };
          },
        }),
      ];
    }),
  ];
}

/** `/v1/mcp/requests`. */
export function mcpRequestRoutes(mcp: McpGrantStore): readonly AdminRoute[] {
  const asked = {
    ...{ server: z.string(), scope: z.enum(['agent', 'user']), subject: z.string().min(1).max(200) },
    toolAllow: list().optional(),
  };
  const status = z.enum(['pending', 'approved', 'rejected']);
  const answer = z.object({
    ...{ id: z.string(), ...asked, requestedBy: z.string(), status, createdAt: z.string() },
    ...{ reviewedBy: z.string().optional(), reviewedAt: z.string().optional(), note: z.string().optional() },
  });
  return [
    route({
      ...{ method: 'get', path: '/v1/mcp/requests', id: 'listMcpRequests', scope: 'mcp:read', status: 200 },
      ...{ summary: 'Requests for access to MCP servers', answer: pageOf(answer) },
      query: z.strictObject({ ...pageQuery, status: status.optional() }),
      async run({ query: { cursor, limit, status: wanted } }) {
        const requests = await mcp.listRequests({ status: wanted, after: afterOf(cursor), limit: limit + 1 });
        return paged(
          requests,
          limit,
          ({ id }) => id,
          (request) => request,
        );
      },
    }),
    route({
      ...{ method: 'post', path: '/v1/mcp/requests', id: 'createMcpRequest', scope: 'mcp:request', status: 201 },
      ...{
        summary: 'Asks for access to a server, or answers the request that is open',
        action: 'mcp_request.create',
        answer,
      },
      body: z.strictObject({
        ...asked,
        requestedBy: z.string().min(1).optional().describe('Default: the name of the token'),
      }),
      async run({ body, actor }) {
        if ((await mcp.getServer(body.server)) === undefined)
          throw new AdminError(400, 'invalid_input', 'server: there is no such MCP server', { field: 'server' });
        const request = await mcp.createRequest({ ...body, requestedBy: body.requestedBy ?? actor });
        return { body: request, object: request.id };
      },
    }),
    route({
      ...{
        method: 'post',
        path: '/v1/mcp/requests/{id}/review',
        id: 'reviewMcpRequest',
        scope: 'mcp:review',
        status: 200,
      },
      ...{ summary: 'Decides about a request; answers what was decided first', action: 'mcp_request.review', answer },
      body: z.strictObject({ decision: z.enum(['approve', 'reject']), note: z.string().max(2_000).optional() }),
      async run({ at: { id = '' }, body: { decision, note }, actor }) {
        found(await mcp.getRequest(id), 'request');
        return { body: await mcp.reviewRequest(id, decision, { by: actor, note }), object: id };
      },
    }),
  ];
}

/** Throws a 400 for a cursor that no page has named. */
export function afterOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cursor)) return cursor;
  throw new AdminError(400, 'invalid_input', 'cursor takes what `next` of the page before says', { field: 'cursor' });
}

function shownServer({ id, version, definition: { name, config, enabled = true }, problem }: StoredMcpServer) {
  const [plain, secrets] = withoutSecrets(config);
  const body = { id, version, name, enabled, config: plain, ...secrets, ...(problem === undefined ? {} : { problem }) };
  return { body, version, object: id };
}

function shownGrant({ subject, grant: { configOverrides = {}, ...grant } }: StoredMcpGrant) {
  const [plain, secrets] = withoutSecrets(configOverrides);
  return { subject, ...grant, ...(Object.keys(plain).length === 0 ? {} : { configOverrides: plain }), ...secrets };
}

function withoutSecrets({ env = {}, headers = {}, ...plain }: StoredMcpConfig) {
  return [plain, { envNames: Object.keys(env), headerNames: Object.keys(headers) }] as const;
}
