import * as z from 'zod/v4';
import { ToolError } from '../core/error.js';

/** What a route is asked. */
export interface AdminCall<Query = unknown, Body = unknown> {
  /** Of the path, by name. */
  readonly at: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The name of the token. */
  readonly actor: string;
  /** Of `If-Match`; undefined where there is none. */
  readonly expected: string | undefined;
  readonly signal: AbortSignal;
}

/** What a route answers. */
export interface AdminAnswer {
  readonly body?: unknown;
  /** Of what was read or changed, for `ETag`. */
  readonly version?: string | undefined;
  /** What was changed, for the audit; needed where the route has an action. */
  readonly object?: string;
}

/** One operation of the API: what it takes, who may ask it, what it does. The document and the checks are made of it. */
export interface AdminRoute {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With `{name}` for what varies. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  /** What a token must have. Default: it needs no token. */
  readonly scope?: string | undefined;
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
  readonly status: 200 | 201 | 204;
  readonly answer?: z.ZodType | undefined;
  /** Whether `If-Match` says which version is changed. Default false. */
  readonly isVersioned?: boolean | undefined;
  /** How the audit names it. Default: it changes nothing. */
  readonly action?: string | undefined;
  run(call: AdminCall): Promise<AdminAnswer>;
}

/** A route whose `run` gets what its schemas make of the request. */
export function route<Query extends z.ZodType = z.ZodNever, Body extends z.ZodType = z.ZodNever>(
  route: Omit<AdminRoute, 'query' | 'body' | 'run'> & {
    readonly query?: Query;
    readonly body?: Body;
    run(call: AdminCall<z.output<Query>, z.output<Body>>): Promise<AdminAnswer>;
  },
): AdminRoute {
  return route as AdminRoute;
}

/** A request that cannot be answered as it was meant. */
export class AdminError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    {
      field,
      headers = {},
    }: { readonly field?: string | undefined; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
    this.headers = headers;
  }
}

/** What is there; throws a 404 for undefined. */
export function found<Value>(value: Value | undefined, what: string): Value {
  if (value !== undefined) return value;
  throw new AdminError(404, 'not_found', `There is no such ${what}.`);
}

/** The error that an answer tells of, for whatever was thrown. Nothing is told of what nobody expected. */
export function adminErrorOf(thrown: unknown): AdminError {
  if (thrown instanceof AdminError) return thrown;
  const { message } = ToolError.from(thrown);
  // Stores begin with the field, or with the name of the function and the field.
  const field = /^(?:\w+: )?(\w+)(?::| takes)/.exec(message)?.[1];
  if (
    thrown instanceof TypeError &&
    /^(?:customTool|putServer|grantAgent|grantUser|createRequest|MCP server)\b/.test(message)
  )
    return new AdminError(400, 'invalid_input', message, { field });
  if (!ToolError.is(thrown)) return new AdminError(500, 'internal', 'Something failed that should not have.');
  if (thrown.code === 'storage_failed') return new AdminError(503, 'storage_failed', message);
  if (thrown.code === 'not_configured') return new AdminError(409, 'not_configured', message);
  if (thrown.code === 'file_changed') return new AdminError(409, 'conflict', message);
  if (thrown.code === 'invalid_input') return new AdminError(409, 'conflict', message, { field });
  return new AdminError(400, thrown.code, message);
}

/** The query of a list. */
export const pageQuery = {
  cursor: z.string().min(1).max(200).optional().describe('What `next` of the page before says'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};

/** A page of a list, and where the next begins. */
export function pageOf(entry: z.ZodType) {
  return z.object({ items: z.array(entry), next: z.string().optional().describe('Missing on the last page') });
}

/** What a page holds, of entries that are one more than it has room for where there is a next one. */
export function paged<Entry>(
  entries: readonly Entry[],
  limit: number,
  cursorOf: (entry: Entry) => string,
  shown: (entry: Entry) => unknown,
): AdminAnswer {
  const items = entries.slice(0, limit);
  const last = items.at(-1);
  const next = entries.length > limit && last !== undefined ? { next: cursorOf(last) } : {};
  return { body: { items: items.map(shown), ...next } };
}
