import { fromPg, managedStores, migrate, type PgPool } from 'toolwright/managed';
import { expect } from 'vitest';
import { emptySchema } from './postgres.js';
import { RandomSource } from './random-tree.js';
import { seed } from './runs.js';

/**
 * Approves requests while the database ends their connection around the commit, and compares each with its grant.
 * Returns the number of stored decisions.
 */
export async function killedReviews(rounds: number): Promise<number> {
  const schema = await emptySchema();
  const [pool, others] = [schema.pool({ max: 2 }), schema.pool({ max: 2 })];
  const end = (pid: unknown) => others.query('SELECT pg_terminate_backend($1)', [pid]);
  const random = new RandomSource(seed);
  const killing: PgPool = {
    ending: false,
    query: (...given) => pool.query(...given),
    on: (event, listener) => pool.on(event, listener),
    async connect() {
      const connection = await pool.connect();
      // A connection whose end is noticed late fails here. Like in a pool, it is released and replaced.
      const failed = () => {};
      connection.on('error', failed);
      const answer = await connection.query('SELECT pg_backend_pid() AS pid').catch(() => undefined);
      if (answer === undefined) {
        connection.release(true);
        return await this.connect();
      }
      connection.off('error', failed);
      const { pid } = answer.rows[0];
      return {
        async query(text: string, values?: unknown[]) {
          if (text !== 'COMMIT') return await connection.query(text, values);
          const isBefore = random.next() < 0.2;
          if (isBefore) await end(pid);
          const committed = connection.query('COMMIT');
          const ended = isBefore ? undefined : end(pid);
          return await committed.finally(() => ended);
        },
        on: (event: string, listener: (...given: never[]) => void) => connection.on(event as never, listener as never),
        off: (event, listener) => connection.off(event, listener),
        release: (isBroken) => connection.release(isBroken),
      };
    },
  };
  const [client, healthy] = [fromPg(killing), fromPg(others)];
  await migrate(healthy);
  const { mcp } = managedStores(healthy);
  const { id: server } = await mcp.putServer({ name: 'notes', config: { command: 'x' } });
  const decided = async (id: string) => {
    const { rows } = await healthy.query(
      `SELECT r.status, g.tool_allow AS allow FROM mcp_access_requests r
      LEFT JOIN mcp_user_grants g ON g.server_id = r.server_id AND g.user_id = r.subject WHERE r.id = $1`,
      [id],
    );
    return [rows[0]?.status, rows[0]?.allow];
  };
  let kept = 0;
  for (let round = 0; round < rounds; round++) {
    const [subject, toolAllow] = [`user ${round}`, [`tool ${round}`]];
    const { id } = await mcp.createRequest({ server, scope: 'user', subject, toolAllow, requestedBy: subject });
    const answer = await managedStores(client)
      .mcp.reviewRequest(id, 'approve', { by: 'admin' })
      .catch((thrown: unknown) => thrown);
    const found = await decided(id);
    const approved = ['approved', toolAllow];
    expect([approved, ['pending', null]]).toContainEqual(found);
    // An answered decision must be stored; without an answer both outcomes are valid.
    if (answer instanceof Error) expect(answer).toMatchObject({ code: 'storage_failed' });
    else expect(found).toEqual(approved);
    if (found[0] === 'approved') kept++;
    await mcp.reviewRequest(id, 'approve', { by: 'admin' });
    expect(await decided(id)).toEqual(approved);
  }
  return kept;
}
