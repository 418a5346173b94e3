import { Readable } from 'node:stream';
import type * as hono from 'hono';
import type * as z from 'zod/v4';
import type { Toolkit } from '../../core/registry/toolkit.js';
import { neededPackage } from '../../core/require-package.js';
import { assertOptions, having, kindOf, type OptionKinds } from '../../core/support/check-values.js';
import { collected } from '../../core/support/collect-bytes.js';
import { isSameSecret } from '../../core/support/same-secret.js';
import { createRateLimiter } from '../../guards/limits/create-rate-limiter.js';
import type { RateLimiter } from '../../ports/rate-limiter.js';
import { memoryIndex } from '../memory/create-index.js';
import type { MemoryIndex } from '../memory/search.js';
import type { AdministeredStores, ManagedStores } from '../stores/in-database.js';
import { customToolRoutes } from './custom-tool-routes.js';
import { filesAndAuditRoutes } from './file-and-audit-routes.js';
import { mcpRequestRoutes, mcpServerRoutes } from './mcp-routes.js';
import { adminDocument } from './openapi.js';
import { AdminError, type AdminRoute, adminErrorOf, invalid } from './route.js';

/** The owner of a token, and the scopes of the token, such as `custom-tools:write`; `*` means all scopes. */
export interface AdminIdentity {
  /** The name in reviews and in the audit log. */
  readonly name: string;
  readonly scopes: readonly string[];
}

/**
 * Returns an `authorize` function for the tokens in a text. Each line has a token, its name (default `admin`) and its
 * scopes (default all), separated by spaces. Lines that begin with `#` are comments. Tokens are compared in constant
 * time. Throws a TypeError for a token of less than 16 characters, and for a text without tokens.
 */
export function bearerTokens(text: string): (token: string) => AdminIdentity | undefined {
  const known = text.split('\n').flatMap((line) => {
    const [token = '', name = 'admin', ...scopes] = line.trim().split(/\s+/);
    if (token === '' || token.startsWith('#')) return [];
    if (token.length < 16) throw new TypeError('bearerTokens: a token has at least 16 characters; write a longer one');
    return { token, identity: { name, scopes: scopes.length === 0 ? ['*'] : scopes } };
  });
  if (known.length === 0) throw new TypeError('bearerTokens: the text has no token; write one token on each line');
  // Compares with every token, so that the time does not depend on which token matches.
  return (given) => known.filter(({ token }) => isSameSecret(given, token))[0]?.identity;
}

/** Options of {@link adminApi}. */
export interface AdminApiOptions {
  /** The stores that `managedStores` or `memoryStores` returns. */
  readonly stores: ManagedStores;
  /** Returns the owner of a token; undefined for an unknown token. {@link bearerTokens} compares in constant time. */
  readonly authorize: (token: string) => AdminIdentity | undefined | Promise<AdminIdentity | undefined>;
  /**
   * Performs the test runs of custom tools and assesses their commands. Without a toolkit, test runs are refused, and
   * only the safety policy assesses commands.
   */
  readonly toolkit?: Toolkit | undefined;
  /** Searches memory. Default: an index of the documents of the stores; `memoryIndex({ client })` is faster. */
  readonly index?: MemoryIndex | undefined;
  /**
   * Limits the requests of each token name; all unknown tokens share one limit. Default: 600 requests a minute, counted
   * in this process.
   */
  readonly rateLimiter?: RateLimiter | undefined;
}

/**
 * The API as a fetch handler. Mount it in a hono app by `app.mount('/admin', api.fetch)`, or serve it by `serve({
 * fetch: api.fetch })`.
 */
export interface AdminApi {
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

const optionKinds: OptionKinds<AdminApiOptions> = {
  stores: kindOf.record,
  authorize: kindOf.callback,
  toolkit: kindOf.record,
  index: having('a memory index', 'search'),
  rateLimiter: having('a rate limiter', 'take'),
};

const maxBodyBytes = 1_000_000;

/**
 * Creates the HTTP API of an installation, with its OpenAPI document at `/openapi.json`. Responses never contain
 * secrets. Throws a TypeError for invalid options; rejects with `not_configured` if `hono` is not installed.
 */
export async function adminApi(options: AdminApiOptions): Promise<AdminApi> {
  assertOptions('adminApi', options, optionKinds, 'stores', 'authorize');
  const { stores, toolkit, index = memoryIndex({ stores }) } = options;
  const { Hono } = await neededPackage<Pick<typeof hono, 'Hono'>>('hono', 'adminApi needs');
  const mcpRoutes = [...mcpServerRoutes(), ...mcpRequestRoutes()];
  const routes = [...customToolRoutes(stores, toolkit), ...mcpRoutes, ...filesAndAuditRoutes(index)];
  const document = adminDocument(routes);
  const { rateLimiter = createRateLimiter({ max: 600, windowMs: 60_000 }) } = options;
  const app = new Hono();
  for (const one of routes) {
    const path = one.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(one.method, path, (context) => handle(context, one, { ...options, rateLimiter }));
  }
  app.get('/openapi.json', (context) => context.json(document));
  app.notFound(() => errorResponse(new AdminError(404, 'not_found', 'There is no such path. See /openapi.json.')));
  app.onError((thrown) => errorResponse(adminErrorOf(thrown)));
  return { fetch: (request) => app.fetch(request) };
}

type ServerOptions = AdminApiOptions & { readonly rateLimiter: RateLimiter };

async function handle({ req }: hono.Context, route: AdminRoute, options: ServerOptions): Promise<Response> {
  const { signal } = req.raw;
  const actor = route.scope === undefined ? '' : await authenticate(req.raw, route.scope, options);
  const ifMatch = req.header('if-match');
  if (ifMatch !== undefined && route.isVersioned !== true)
    throw invalid('If-Match is not supported here. Leave the header out.', 'If-Match');
  const [params, query] = [req.param() as Readonly<Record<string, string>>, req.query()];
  for (const [name, value] of Object.entries({ ...params, ...query })) checkStorable(name, value);
  // PostgreSQL cannot index a value of several thousand characters.
  for (const [name, value] of Object.entries(params))
    if (value.length > 200) throw invalid(`${name} must have at most 200 characters.`, name);
  const call = {
    ...{ params, actor, signal },
    query: route.query && validated(route.query, query),
    body: route.body && validated(route.body, parseJson(await readBody(req.raw))),
    expected: ifMatch?.replace(/^(?:W\/)?"?|"$/g, ''),
  };
  const { action } = route;
  const audited = async (inner: AdministeredStores) => {
    const done = await route.run({ ...call, stores: inner });
    if (action !== undefined) await inner.audit.append({ actor, action, object: done.object ?? '' });
    return done;
  };
  // A change and its audit entry are one transaction.
  const { stores } = options;
  const { body, version } = await (action === undefined ? audited(stores) : stores.transaction(audited));
  const headers = new Headers(version === undefined ? {} : { etag: `"${version}"` });
  if (body === undefined) return new Response(null, { status: 204, headers });
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(body), { status: route.status, headers });
}

/** Returns the name of the token. Throws a 401, 403 or 429 for a request that is not allowed. */
async function authenticate(request: Request, scope: string, options: ServerOptions): Promise<string> {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const identity = token === undefined ? undefined : await options.authorize(token);
  const { name, scopes } = identity ?? { name: 'An unknown token', scopes: [] };
  const limited = { caller: { sessionId: name }, signal: request.signal };
  const taken = await options.rateLimiter.take({ key: name, tool: 'admin' }, limited);
  if (!taken.ok) {
    const seconds = String(Math.min(3_600, Math.ceil(taken.retryAfterMs / 1_000)));
    const message = `${name} has exceeded its rate limit. Retry in ${seconds} seconds.`;
    throw new AdminError(429, 'rate_limited', message, { headers: { 'retry-after': seconds } });
  }
  if (identity === undefined) {
    const message = 'The token is missing or unknown. Send the header Authorization: Bearer TOKEN.';
    throw new AdminError(401, 'unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });
  }
  if (!scopes.includes(scope) && !scopes.includes('*'))
    throw new AdminError(403, 'forbidden', `The token of ${name} lacks the scope ${scope}.`);
  return name;
}

async function readBody(request: Request): Promise<string> {
  const body = await collected(request.body ?? Readable.from([]), maxBodyBytes);
  if (body === undefined) throw new AdminError(413, 'too_large', `The body has more than ${maxBodyBytes} bytes.`);
  return body.toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, checkStorable);
  } catch (thrown) {
    throw thrown instanceof AdminError ? thrown : invalid('The body is not valid JSON.');
  }
}

/** Throws a 400 for a text that a database cannot store. */
function checkStorable(name: string, value: unknown): unknown {
  const texts = typeof value === 'string' ? name + value : name;
  if (!/[\0\p{Surrogate}]/u.test(texts)) return value;
  throw invalid(`${JSON.stringify(name)} contains a NUL character or a lone surrogate.`);
}

/** Throws a 400 that names the field for a value that does not match its schema. */
function validated(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const field = [...(issue?.path ?? []), ...unknown].join('.') || undefined;
  throw invalid([field, issue?.message].filter(Boolean).join(': '), field);
}

function errorResponse({ status, code, message, field, headers }: AdminError): Response {
  return Response.json({ error: { code, message, field } }, { status, headers });
}
