import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type * as pglite from '@electric-sql/pglite';
import type * as server from '@hono/node-server';
import type * as pg from 'pg';
import type { Toolkit } from '../../core/registry/toolkit.js';
import { neededPackage } from '../../core/require-package.js';
import { assertOptions, having, kindOf, type OptionKinds } from '../../core/support/check-values.js';
import { lazily } from '../../core/support/once.js';
import type { SqlClient } from '../../ports/sql-client.js';
import { fromPg } from '../database/from-pg.js';
import { fromPglite } from '../database/from-pglite.js';
import { migrate } from '../database/migrate.js';
import type { SecretBox } from '../database/secret-box.js';
import { memoryIndex } from '../memory/create-index.js';
import { managedStores } from '../stores/in-database.js';
import { adminApi, bearerTokens } from './http-api.js';

/** Options of {@link serveAdmin}. */
export interface ServeAdminOptions {
  /** `postgres://…`, or a folder for PGlite. */
  readonly database: string;
  /** 0 means a free port. */
  readonly port: number;
  /** Default: only this machine can connect. */
  readonly host?: string | undefined;
  /** The text for `bearerTokens`. */
  readonly tokens: string;
  readonly box?: SecretBox | undefined;
  readonly toolkit?: Toolkit | undefined;
}

const optionKinds: OptionKinds<ServeAdminOptions> = {
  ...{ database: kindOf.anyText, port: kindOf.port, host: kindOf.text, tokens: kindOf.anyText },
  ...{ box: having('a secret box', 'seal', 'open'), toolkit: kindOf.record },
};

/** Migrates the database and serves the admin API over HTTP. Rejects if the database or the port is not available. */
export async function serveAdmin(
  options: ServeAdminOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  assertOptions('serveAdmin', options, optionKinds, 'database', 'port', 'tokens');
  const { database, port, host = '127.0.0.1', tokens, box, toolkit } = options;
  const authorize = bearerTokens(tokens);
  const { serve } = await neededPackage<Pick<typeof server, 'serve'>>('@hono/node-server', 'toolwright admin needs');
  const { client, end } = await openDatabase(database);
  try {
    await migrate(client);
    const [stores, index] = [managedStores(client, { box }), memoryIndex({ client })];
    const { fetch } = await adminApi({ stores, index, authorize, toolkit });
    const server = serve({ fetch, port, hostname: host });
    await once(server, 'listening');
    const { port: taken } = server.address() as AddressInfo;
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
      // A server emits `close` only once, so later calls share the first one.
      close: lazily(async () => {
        const closed = once(server, 'close');
        server.close();
        // A slow client must not delay the end of the server.
        if ('closeAllConnections' in server) server.closeAllConnections();
        await closed;
        await end();
      }),
    };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

async function openDatabase(database: string): Promise<{ readonly client: SqlClient; end(): Promise<void> }> {
  if (/^postgres(?:ql)?:\/\//.test(database)) {
    const { Pool } = await neededPackage<typeof pg>('pg', 'The database needs');
    const pool = new Pool({ connectionString: database });
    return { client: fromPg(pool), end: () => pool.end() };
  }
  const { PGlite } = await neededPackage<typeof pglite>('@electric-sql/pglite', 'The database needs');
  const db = await PGlite.create(database);
  return { client: fromPglite(db), end: () => db.close() };
}
