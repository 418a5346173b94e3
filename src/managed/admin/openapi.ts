import * as z from 'zod/v4';
import { packageVersion } from '../../core/package-version.js';
import type { AdminRoute } from './route.js';

const errors: Readonly<Record<number, string>> = {
  400: 'Invalid request; `field` names the invalid field',
  401: 'The token is missing or unknown',
  403: 'The token lacks the scope',
  404: 'Not found',
  409: 'Concurrent change, or a part of the installation is not configured',
  413: 'The body is larger than 1 MB',
  429: 'Rate limit exceeded; `Retry-After` has the seconds to wait',
  503: 'The database is unavailable',
};

/** The OpenAPI 3.1 document of an API, generated from the schemas that validate its requests. */
export function adminDocument(routes: readonly AdminRoute[]): object {
  const error = z.object({ code: z.string(), message: z.string(), field: z.string().optional() });
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of routes) paths[one.path] = { ...paths[one.path], [one.method.toLowerCase()]: operationOf(one) };
  return {
    openapi: '3.1.0',
    info: { title: 'toolwright admin', version: packageVersion },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(z.object({ error }), 'output') },
    },
  };
}

function operationOf({ id, summary, path, scope, query, body, status, response, isVersioned }: AdminRoute): object {
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
  const { properties = {}, required = [] } = (query === undefined ? {} : schemaOf(query, 'input')) as {
    readonly properties?: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
  }));
  const description = 'The ETag of the version to change, or * for any version';
  const version = { name: 'If-Match', in: 'header', description, schema: { type: 'string' } };
  const needsToken = scope !== undefined;
  const refusals = [
    ...(needsToken ? [400, 401, 403, 429] : []),
    ...(inPath.length > 0 ? [404] : []),
    ...(body === undefined && isVersioned !== true ? [] : [409]),
    ...(body === undefined ? [] : [413]),
    503,
  ];
  return {
    operationId: id,
    summary,
    security: needsToken ? [{ bearer: [scope] }] : [],
    parameters: [...inPath, ...inQuery, ...(isVersioned === true ? [version] : [])],
    ...(body && { requestBody: { required: true, ...jsonOf(schemaOf(body, 'input')) } }),
    responses: {
      [status]: { description: 'Done', ...(response && jsonOf(schemaOf(response, 'output'))) },
      ...Object.fromEntries(refusals.map((code) => [code, { description: errors[code], ...refusal }])),
    },
  };
}

const jsonOf = (schema: object) => ({ content: { 'application/json': { schema } } });
const refusal = jsonOf({ $ref: '#/components/schemas/Error' });

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return plain;
}
