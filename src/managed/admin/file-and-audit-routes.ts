import * as z from 'zod/v4';
import { contextFileNames, contextStore } from '../../files/store/context-and-memory.js';
import type { MemoryIndex } from '../memory/search.js';
import { type AdminCall, type AdminRoute, found, pageRoute, route } from './route.js';

/** The routes of `/v1/context-files`, `/v1/memory/search`, `/v1/audit` and `/health`. */
export function filesAndAuditRoutes(index: MemoryIndex): readonly AdminRoute[] {
  const hit = { path: z.string(), startLine: z.number(), endLine: z.number(), score: z.number(), snippet: z.string() };
  const text = z.string();
  const entry = { id: text, at: text, actor: text, action: text, object: text, details: z.unknown().optional() };
  return [
    ...contextFileRoutes('agents/{agent}', 'AgentFile'),
    ...contextFileRoutes('users/{agent}/{user}', 'UserFile'),
    route('GET /v1/memory/search', 'searchMemory', 'memory:read', {
      summary: 'Searches the memory of an agent and a user',
      query: z.strictObject({
        ...{ query: text.min(1), agentId: text.min(1).optional(), userId: text.min(1).optional() },
        maxResults: z.coerce.number().int().min(1).max(50).default(6),
        minScore: z.coerce.number().min(0).max(1).default(0),
      }),
      response: z.object({ items: z.array(z.object(hit)) }),
      async run({ query: { query, maxResults, minScore, ...owner }, signal }) {
        return { body: { items: await index.search({ query, maxResults, minScore }, scopeOf(owner, signal)) } };
      },
    }),
    pageRoute('GET /v1/audit', 'listAudit', 'audit:read', {
      ...{ summary: 'Lists the audit log, newest first', entry: z.object(entry) },
      list: ({ stores, query: { cursor, limit } }) => stores.audit.list({ before: cursor, limit }),
    }),
    route('GET /health', 'health', undefined, {
      summary: 'Whether the database is available',
      response: z.object({ status: z.literal('ok') }),
      async run({ stores }) {
        await stores.customTools.version();
        return { body: { status: 'ok' } };
      },
    }),
  ];
}

const names: readonly string[] = contextFileNames;

function contextFileRoutes(place: string, name: string): readonly AdminRoute[] {
  const path = `/v1/context-files/${place}/{name}`;
  const response = z.object({ name: z.string(), content: z.string(), version: z.string(), updatedAt: z.string() });
  const placeOf = ({ params: { agent, user, name = '' } }: AdminCall) => {
    found(names.includes(name) ? name : undefined, `context file; there are ${names.join(', ')}`);
    return { owner: { agentId: agent, userId: user }, name, object: [agent, user, name].filter(Boolean).join('/') };
  };
  const read = async (call: AdminCall) => {
    const { owner, name } = placeOf(call);
    return found(await call.stores.contextFiles.get(owner, name), 'context file');
  };
  /** The version in `If-Match`; the current version for `*`. */
  const expectedOf = async (call: AdminCall) => (call.expected === '*' ? (await read(call)).version : call.expected);
  return [
    route(`GET ${path}`, `get${name}`, 'context-files:read', {
      ...{ summary: 'Reads a context file', response },
      async run(call) {
        const { bytes, mtimeMs, version } = await read(call);
        const times = { version, updatedAt: new Date(mtimeMs).toISOString() };
        return { body: { name: placeOf(call).name, content: Buffer.from(bytes).toString(), ...times }, version };
      },
    }),
    route(`PUT ${path}`, `put${name}`, 'context-files:write', {
      summary: 'Writes a context file; an empty BOOTSTRAP.md is removed',
      ...{ isVersioned: true, action: 'context_file.put', body: z.strictObject({ content: z.string() }) },
      async run(call) {
        const { owner, name, object } = placeOf(call);
        const table = call.stores.contextFiles;
        const [bytes, expected] = [Buffer.from(call.body.content), await expectedOf(call)];
        if (name !== 'BOOTSTRAP.md' || bytes.length > 0)
          return { object, version: await table.put(owner, name, bytes, { expected }) };
        const files = contextStore(table, () => (owner.userId === undefined ? 'predefined' : 'open'));
        await files.write(name, bytes, scopeOf(owner, call.signal), { expected });
        return { object };
      },
    }),
    route(`DELETE ${path}`, `delete${name}`, 'context-files:write', {
      ...{ summary: 'Removes a context file', isVersioned: true, action: 'context_file.delete' },
      async run(call) {
        const { owner, name, object } = placeOf(call);
        const how = { expected: await expectedOf(call) };
        if (!(await call.stores.contextFiles.delete(owner, name, how))) found(undefined, 'context file');
        return { object };
      },
    }),
  ];
}

/** The call scope of an owner of files. */
function scopeOf(
  owner: { readonly agentId?: string | undefined; readonly userId?: string | undefined },
  signal: AbortSignal,
) {
  const { agentId, userId } = owner;
  const ids = { ...(agentId === undefined ? {} : { agentId }), ...(userId === undefined ? {} : { userId }) };
  return { caller: { sessionId: 'admin', ...ids }, signal };
}
