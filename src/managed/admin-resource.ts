import type * as z from 'zod/v4';
import {
  type AdminCall,
  type AdminResult,
  type AdminRoute,
  found,
  type PageQuery,
  pageRoute,
  route,
} from './admin-route.js';
import type { RowCondition } from './database.js';
import type { AdministeredStores } from './managed-stores.js';

/** The part of a stored entry that routes use. */
interface Stored {
  readonly id: string;
  readonly version: string;
}

/** A resource with routes to list, create, read, update and delete it. */
export interface Resource<Entry extends Stored, Body extends z.ZodType> {
  readonly path: string;
  /** Such as `MCP server`. */
  readonly noun: string;
  /** The name in operation ids, such as `McpServer`. */
  readonly name: string;
  /** The prefix of its scopes, such as `mcp`. */
  readonly scope: string;
  /** The prefix of its actions in the audit log, such as `mcp_server`. */
  readonly action: string;
  readonly body: Body;
  readonly response: z.ZodType;
  readonly query?: Readonly<Record<string, z.ZodType>>;
  list(call: AdminCall<PageQuery>): Promise<readonly Entry[]>;
  get(stores: AdministeredStores, id: string): Promise<Entry | undefined>;
  put(stores: AdministeredStores, body: z.output<Body>, how: RowCondition): Promise<Entry>;
  remove(stores: AdministeredStores, id: string, how: { readonly expected?: string | undefined }): Promise<boolean>;
  /**
   * Adds the stored secrets that an update omits; `isKept` is whether it omits any. Throws if they cannot be decrypted.
   */
  merged(body: z.output<Body>, before: Entry): { readonly body: z.output<Body>; readonly isKept: boolean };
  toJson(entry: Entry): unknown;
}

/** The routes of a resource. */
export function resourceRoutes<Entry extends Stored, Body extends z.ZodType>(
  resource: Resource<Entry, Body>,
): readonly AdminRoute[] {
  const { path, noun, name, scope, action, body, response, query, list, get, toJson } = resource;
  const [read, write] = [`${scope}:read`, `${scope}:write`];
  const one = `${path}/{id}`;
  const of = async ({ params: { id = '' }, stores }: AdminCall) => found(await get(stores, id), noun);
  const result = (entry: Entry): AdminResult => ({ body: toJson(entry), version: entry.version, object: entry.id });
  return [
    pageRoute(`GET ${path}`, `list${name}s`, read, `Lists each ${noun}, in pages`, response, list, toJson, query),
    route(`POST ${path}`, `create${name}`, write, {
      ...{ summary: `Creates a new ${noun}`, status: 201, action: `${action}.create`, body, response },
      run: async ({ stores, body: given }) => result(await resource.put(stores, given, { expected: null })),
    }),
    route(`GET ${one}`, `get${name}`, read, {
      ...{ summary: `Reads one ${noun}`, response },
      run: async (call) => result(await of(call)),
    }),
    route(`PUT ${one}`, `put${name}`, write, {
      summary: `Updates one ${noun}; omitted secrets stay`,
      ...{ isVersioned: true, action: `${action}.update`, body, response },
      async run(call) {
        const before = await of(call);
        const { body: given, isKept } = resource.merged(call.body, before);
        // Kept secrets must be current, so the entry must not have changed since it was read.
        const isOfRead = call.expected === '*' || (isKept && call.expected === undefined);
        const expected = isOfRead ? before.version : call.expected;
        return result(await resource.put(call.stores, given, { id: before.id, expected }));
      },
    }),
    route(`DELETE ${one}`, `delete${name}`, write, {
      summary: `Deletes one ${noun} and all that belongs to it`,
      ...{ isVersioned: true, action: `${action}.delete` },
      async run({ stores, params: { id = '' }, expected }) {
        const how = { expected: expected === '*' ? undefined : expected };
        if (!(await resource.remove(stores, id, how))) found(undefined, noun);
        return { object: id };
      },
    }),
  ];
}
