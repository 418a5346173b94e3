import { adminApi, memoryStores, serveAdmin, sharedRateLimiter } from 'toolwright/managed';
import { afterEach, expect, test, vi } from 'vitest';
import { callScope } from '../support/call-scope.js';

const client = { eval: async () => [1, 1_000] };
const tokens = 'a token of at least 16 characters'.replaceAll(' ', '-');
const serve = (database: string) => () => serveAdmin({ database, port: 0, tokens });

/** An optional package, the function that needs it, and the message if it is missing. */
const packages: readonly (readonly [name: string, use: () => unknown, says: string])[] = [
  [
    'rate-limiter-flexible',
    () => sharedRateLimiter({ client, max: 5 }).take({ key: 'k', tool: 'T' }, callScope()),
    'Shared rate limits need the package rate-limiter-flexible. To install it, run: npm install rate-limiter-flexible',
  ],
  [
    'hono',
    () => adminApi({ stores: memoryStores(), authorize: () => undefined }),
    'adminApi needs the package hono. To install it, run: npm install hono',
  ],
  [
    '@hono/node-server',
    serve('/nowhere'),
    'toolwright admin needs the package @hono/node-server. To install it, run: npm install @hono/node-server',
  ],
  ['pg', serve('postgres://127.0.0.1/test'), 'The database needs the package pg. To install it, run: npm install pg'],
  [
    '@electric-sql/pglite',
    serve('/nowhere'),
    'The database needs the package @electric-sql/pglite. To install it, run: npm install @electric-sql/pglite',
  ],
];

afterEach(() => {
  for (const [name] of packages) vi.doUnmock(name);
});

test.each(packages)('without %s, one sentence says what to install', async (name, use, message) => {
  vi.doMock(name, () => {
    throw new Error('Cannot find package');
  });
  await expect((async () => use())()).rejects.toMatchObject({ code: 'not_configured', message });
});
