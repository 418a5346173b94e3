import { stateNumbers } from '../core/fixed-limits.js';
import { LatestMap } from '../core/support/latest-map.js';
import { unlessAborted } from '../core/support/timers.js';
import type { SettledCall, SuspensionStore } from '../ports/suspension-store.js';

interface Claim {
  settled: SettledCall | undefined;
  readonly isSettled: Promise<void>;
  readonly settle: () => void;
}

/**
 * Stores suspended turns of one process. A claim for a running call waits for its result. Results of the latest
 * `stateNumbers.maxSuspendedTurns` turns are kept, and the ids of up to a hundred times as many older turns. For calls
 * of these older turns `claim` returns `claimed`, so that no call runs twice.
 */
export function memorySuspensions(): SuspensionStore {
  const { maxSuspendedTurns } = stateNumbers;
  const forgotten = new LatestMap<string, true>(100 * maxSuspendedTurns);
  const onDrop = (id: string, claims: ReadonlyMap<string, Claim>) => {
    forgotten.set(id, true);
    for (const { settle } of claims.values()) settle();
  };
  const turns = new LatestMap<string, Map<string, Claim>>(maxSuspendedTurns, { onDrop });
  return {
    async claim(id, callId, { signal }) {
      if (forgotten.has(id)) return 'claimed';
      const claims = turns.get(id) ?? new Map<string, Claim>();
      turns.set(id, claims);
      const known = claims.get(callId);
      if (known === undefined) {
        claims.set(callId, newClaim());
        return 'new';
      }
      await unlessAborted(known.isSettled, signal, () => {});
      return known.settled ?? 'claimed';
    },
    async settle(id, callId, settled) {
      const claim = turns.get(id)?.get(callId);
      if (claim === undefined) return;
      claim.settled = settled;
      claim.settle();
    },
  };
}

function newClaim(): Claim {
  let settle = () => {};
  const isSettled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { settled: undefined, isSettled, settle };
}
