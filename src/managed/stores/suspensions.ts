import { randomUUID } from 'node:crypto';
import { stateNumbers } from '../../core/fixed-limits.js';
import { type Timers, unrefTimer, waitFor } from '../../core/support/timers.js';
import type { SqlClient } from '../../ports/sql-client.js';
import type { SettledCall, SuspensionStore } from '../../ports/suspension-store.js';

const renewMs = 10_000;
const days = 7;

/**
 * The suspended turns of all processes that share a database, kept for 7 days. A process that claims a call renews a
 * lease of 30 seconds. While the lease is valid, other claims wait for the result. After it expires, they resolve with
 * `claimed`.
 */
export function sqlSuspensions(client: SqlClient, timers: Timers): SuspensionStore {
  const held = new Map<string, string>();
  let isRenewing = false;
  const renewLater = () => {
    isRenewing = true;
    unrefTimer(timers.set(() => void renew(), renewMs));
  };
  const renew = async () => {
    isRenewing = held.size > 0;
    if (!isRenewing) return;
    const text = `UPDATE suspensions SET held_until = now() + interval '30 seconds'
      WHERE holder = ANY($1::uuid[]) AND settled IS NULL`;
    // A lease that is not renewed in time expires.
    await client.query(text, [[...held.values()]]).catch(() => {});
    renewLater();
  };
  return {
    keepMs: days * 24 * 60 * 60 * 1_000,
    async claim(id, callId, { signal }) {
      const holder = randomUUID();
      const { rows: taken } = await client.query(
        `WITH forgotten AS (DELETE FROM suspensions WHERE created_at < now() - interval '${days} days')
        INSERT INTO suspensions (turn_id, call_id, holder, held_until)
        VALUES ($1, $2, $3, now() + interval '30 seconds')
        ON CONFLICT (turn_id, call_id) DO NOTHING RETURNING id`,
        [id, callId, holder],
      );
      if (taken.length > 0) {
        held.set(keyOf(id, callId), holder);
        if (!isRenewing) renewLater();
        return 'new';
      }
      for (;;) {
        const text =
          'SELECT settled, held_until > now() AS is_held FROM suspensions WHERE turn_id = $1 AND call_id = $2';
        const { settled, is_held: isHeld } = (await client.query(text, [id, callId])).rows[0] ?? {};
        if (typeof settled === 'object' && settled !== null) return settled as SettledCall;
        if (isHeld !== true || signal.aborted) return 'claimed';
        await waitFor(stateNumbers.claimPollMs, signal, timers);
      }
    },
    async settle(id, callId, settled) {
      held.delete(keyOf(id, callId));
      const text = 'UPDATE suspensions SET settled = $3 WHERE turn_id = $1 AND call_id = $2';
      await client.query(text, [id, callId, JSON.stringify(settled)]);
    },
  };
}

function keyOf(id: string, callId: string): string {
  return JSON.stringify([id, callId]);
}
