import * as z from 'zod/v4';
import { ToolError } from '../../core/error.js';
import type { RowCondition } from '../database/tables.js';
import type { AdministeredStores } from '../stores/in-database.js';

export interface AdminCall<Query = unknown, Body = unknown> {
  /** The parameters of the path by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The stores; if the route has an action, the stores of its transaction. */
  readonly stores: AdministeredStores;
  /** The name of the token. */
  readonly actor: string;
  /** The version in the header `If-Match`; `*` means any version, undefined that the header is missing. */
  readonly expected: string | undefined;
  readonly signal: AbortSignal;
}

export interface AdminResult {
  readonly body?: unknown;
  /** The version of the entry, for `ETag`. */
  readonly version?: string | undefined;
  /** The changed object, for the audit log; required if the route has an action. */
  readonly object?: string;
}

/** An operation of the API. Its schemas validate the requests and appear in the OpenAPI document. */
export interface AdminRoute extends RouteParts<z.ZodType, z.ZodType> {
  readonly method: string;
  /** The path with parameters as `{name}`. */
  readonly path: string;
  readonly id: string;
  /** The required scope of the token; undefined if no token is required. */
  readonly scope: string | undefined;
  readonly status: number;
}

interface RouteParts<Query extends z.ZodType, Body extends z.ZodType> {
  readonly summary: string;
  readonly query?: Query | undefined;
  readonly body?: Body | undefined;
  readonly response?: z.ZodType | undefined;
  /** Default: 200, or 204 without `response`. */
  readonly status?: number | undefined;
  /** Whether the route supports `If-Match`. Default false. */
  readonly isVersioned?: boolean | undefined;
  /** The action in the audit log. Default: none, for a route that changes nothing. */
  readonly action?: string | undefined;
  run(call: AdminCall<z.output<Query>, z.output<Body>>): Promise<AdminResult>;
}

/** Creates a route for a method and path such as `GET /v1/audit`. `run` gets the request parsed by the schemas. */
export function route<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType>(
  place: string,
  id: string,
  scope: string | undefined,
  parts: RouteParts<Query, Body>,
): AdminRoute {
  const [method = '', path = ''] = place.split(' ');
  const { status = parts.response === undefined ? 204 : 200 } = parts;
  return { ...(parts as RouteParts<z.ZodType, z.ZodType>), status, method, path, id, scope };
}

/** The parts of a route that lists entries. */
interface PageParts<Entry> {
  readonly summary: string;
  /** The schema of an entry in the response. */
  readonly entry: z.ZodType;
  /** Further parameters of the query. */
  readonly query?: Readonly<Record<string, z.ZodType>> | undefined;
  list(call: AdminCall<PageQuery>): Promise<readonly Entry[]>;
  /** Converts an entry for the response. Default: the entry itself. */
  toJson?(entry: Entry): unknown;
}

/** Creates a route that lists entries in pages. Requests one entry more than a page, to know whether a page follows. */
export function pageRoute<Entry extends { readonly id: string }>(
  place: string,
  id: string,
  scope: string,
  { summary, entry, query = {}, list, toJson = (one) => one }: PageParts<Entry>,
): AdminRoute {
  return route(place, id, scope, {
    summary,
    query: z.strictObject({ ...pageQuery, ...query }),
    response: z.object({ items: z.array(entry), next: z.string().optional().describe('Missing on the last page') }),
    async run(call) {
      const { limit, ...others } = call.query as PageQuery;
      const entries = await list({ ...call, query: { ...others, limit: limit + 1 } });
      const items = entries.slice(0, limit);
      return { body: { items: items.map(toJson), next: entries.length > limit ? items.at(-1)?.id : undefined } };
    },
  });
}

/** The query of a page, with further parameters of the route. */
export interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly [name: string]: unknown;
}

const pageQuery = {
  cursor: z
    .uuid({ error: 'must be the `next` of the page before' })
    .toLowerCase()
    .optional()
    .describe('`next` of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};

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
   * Adds the stored secrets that an update omits. `isKept`: whether the update omits any secret. Throws if the stored
   * secrets cannot be decrypted.
   */
  merged(body: z.output<Body>, before: Entry): { readonly body: z.output<Body>; readonly isKept: boolean };
  toJson(entry: Entry): unknown;
}

export function resourceRoutes<Entry extends Stored, Body extends z.ZodType>(
  resource: Resource<Entry, Body>,
): readonly AdminRoute[] {
  const { path, noun, name, scope, action, body, response, query, list, get, toJson } = resource;
  const [read, write] = [`${scope}:read`, `${scope}:write`];
  const one = `${path}/{id}`;
  const of = async ({ params: { id = '' }, stores }: AdminCall) => found(await get(stores, id), noun);
  const result = (entry: Entry): AdminResult => ({ body: toJson(entry), version: entry.version, object: entry.id });
  return [
    pageRoute(`GET ${path}`, `list${name}s`, read, {
      ...{ summary: `Lists the ${noun}s`, entry: response, query, list, toJson },
    }),
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
        const mustBeUnchanged = call.expected === '*' || (isKept && call.expected === undefined);
        const expected = mustBeUnchanged ? before.version : call.expected;
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

export class AdminError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { readonly field?: string | undefined; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = more.field;
    this.headers = more.headers ?? {};
  }
}

/** The response 400; `field` is the invalid field. */
export function invalid(message: string, field?: string): AdminError {
  return new AdminError(400, 'invalid_input', message, { field });
}

/** Returns the value; throws a 404 if it is undefined. */
export function found<Value>(value: Value | undefined, what: string): Value {
  if (value !== undefined) return value;
  throw new AdminError(404, 'not_found', `There is no such ${what}.`);
}

/** Converts a thrown value to an error response. The response to an unexpected error hides its message. */
export function adminErrorOf(thrown: unknown): AdminError {
  if (thrown instanceof AdminError) return thrown;
  const { message } = ToolError.from(thrown);
  // Messages of stores begin with the field, or with the function and the field.
  const field = /^(?:\w+: )?(\w+)(?::| takes)/.exec(message)?.[1];
  const checks = /^(?:customTool|putServer|grantAgent|grantUser|createRequest|MCP server)\b/;
  if (thrown instanceof TypeError && checks.test(message)) return invalid(message, field);
  if (!ToolError.is(thrown)) return new AdminError(500, 'internal', 'Internal error.');
  if (thrown.code === 'storage_failed') return new AdminError(503, 'storage_failed', message);
  if (thrown.code === 'not_configured') return new AdminError(409, 'not_configured', message);
  if (thrown.code === 'file_changed') return new AdminError(409, 'conflict', message);
  if (thrown.code === 'invalid_input') return new AdminError(409, 'conflict', message, { field });
  return new AdminError(400, thrown.code, message);
}
