import * as z from 'zod/v4';
import { contextFileNames, contextStore } from '../files/store/context-store.js';
import type { AuditLog } from '../ports/audit-log.js';
import { afterOf } from './admin-mcp.js';
import { type AdminCall, type AdminRoute, found, paged, pageOf, pageQuery, route } from './admin-route.js';
import type { ManagedStores } from './managed-stores.js';
import { memoryIndex } from './memory-index.js';

/** `/v1/context-files`, `/v1/memory`, `/v1/audit` and `/health`. */
export function fileRoutes(
  stores: Pick<ManagedStores, 'contextFiles' | 'memory' | 'audit' | 'customTools'>,
): readonly AdminRoute[] {
  const table = stores.contextFiles;
  const body = z.strictObject({ content: z.string() });
  const answer = z.object({ name: z.string(), content: z.string(), version: z.string(), updatedAt: z.string() });
  const names: readonly string[] = contextFileNames;
  const placeOf = ({ at: { agent, user, name = '' } }: Pick<AdminCall, 'at'>) => {
    found(names.includes(name) ? name : undefined, `context file; there are ${names.join(', ')}`);
    return { owner: { agentId: agent, userId: user }, name, object: [agent, user, name].filter(Boolean).join('/') };
  };
  const read = async (call: Pick<AdminCall, 'at'>) => {
    const { owner, name, object } = placeOf(call);
    const { bytes, mtimeMs, version } = found(await table.get(owner, name), 'context file');
    const updatedAt = new Date(mtimeMs).toISOString();
    return { body: { name, content: Buffer.from(bytes).toString(), version, updatedAt }, version, object };
  };
  const filesOf = (path: string, [get, put, remove]: readonly [string, string, string]) => {
    const shared = { path: `/v1/context-files/${path}/{name}` };
    return [
      route({
        ...{ ...shared, method: 'get', id: get, scope: 'context-files:read', status: 200, answer },
        ...{ summary: 'A context file', run: read },
      }),
      route({
        ...{ ...shared, method: 'put', id: put, scope: 'context-files:write', status: 204, body },
        ...{ summary: 'Writes a context file; an empty BOOTSTRAP.md is removed', isVersioned: true },
        action: 'context_file.put',
        async run(call) {
          const { owner, name, object } = placeOf(call);
          const [bytes, { expected }] = [Buffer.from(call.body.content), call];
          const scope = { caller: { sessionId: 'admin', ...defined(owner) }, signal: call.signal };
          if (name === 'BOOTSTRAP.md' && bytes.length === 0)
            await contextStore(table, () => (owner.userId === undefined ? 'predefined' : 'open')).write(
              name,
              bytes,
              scope,
              { expected },
            );
          else await table.put(owner, name, bytes, { expected });
          return { object, version: (await table.get(owner, name))?.version };
        },
      }),
      route({
        ...{ ...shared, method: 'delete', id: remove, scope: 'context-files:write', status: 204 },
        ...{ summary: 'Removes a context file', action: 'context_file.delete' },
        async run(call) {
          const { owner, name, object } = placeOf(call);
          if (!(await table.delete(owner, name))) found(undefined, 'context file');
          return { object };
        },
      }),
    ];
  };
  const hit = { path: z.string(), startLine: z.number(), endLine: z.number(), score: z.number(), snippet: z.string() };
  const index = memoryIndex({ stores });
  return [
    ...filesOf('agents/{agent}', ['getAgentFile', 'putAgentFile', 'deleteAgentFile']),
    ...filesOf('users/{agent}/{user}', ['getUserFile', 'putUserFile', 'deleteUserFile']),
    route({
      ...{ method: 'get', path: '/v1/memory/search', id: 'searchMemory', scope: 'memory:read', status: 200 },
      summary: 'Pieces of the memory of an agent and a user',
      query: z.strictObject({
        ...{ query: z.string().min(1), agentId: z.string().min(1).optional(), userId: z.string().min(1).optional() },
        maxResults: z.coerce.number().int().min(1).max(50).default(6),
        minScore: z.coerce.number().min(0).max(1).default(0),
      }),
      answer: z.object({ items: z.array(z.object(hit)) }),
      async run({ query: { query, maxResults, minScore, agentId, userId }, signal }) {
        const scope = { caller: { sessionId: 'admin', ...defined({ agentId, userId }) }, signal };
        return { body: { items: await index.search({ query, maxResults, minScore }, scope) } };
      },
    }),
    auditRoute(stores.audit),
    route({
      ...{ method: 'get', path: '/health', id: 'health', status: 200, summary: 'Whether the stores can be reached' },
      answer: z.object({ status: z.literal('ok') }),
      async run() {
        await stores.customTools.version();
        return { body: { status: 'ok' } };
      },
    }),
  ];
}

function auditRoute(audit: AuditLog): AdminRoute {
  const text = z.string();
  return route({
    ...{ method: 'get', path: '/v1/audit', id: 'listAudit', scope: 'audit:read', status: 200 },
    ...{ summary: 'What was changed by whom, newest first', query: z.strictObject(pageQuery) },
    answer: pageOf(
      z.object({ id: text, at: text, actor: text, action: text, object: text, details: z.unknown().optional() }),
    ),
    async run({ query: { cursor, limit } }) {
      const entries = await audit.list({ before: afterOf(cursor), limit: limit + 1 });
      return paged(
        entries,
        limit,
        ({ id }) => id,
        (entry) => entry,
      );
    },
  });
}

/** A caller has no undefined fields. */
function defined({ agentId, userId }: { readonly agentId: string | undefined; readonly userId: string | undefined }) {
  return { ...(agentId === undefined ? {} : { agentId }), ...(userId === undefined ? {} : { userId }) };
}
