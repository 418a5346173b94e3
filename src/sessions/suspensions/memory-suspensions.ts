import { stateNumbers } from '../../core/numbers.js';
import type { SettledCall, SuspensionStore } from '../../ports/suspension-store.js';

interface Claim {
  settled: SettledCall | undefined;
  readonly isSettled: Promise<void>;
  readonly settle: () => void;
}

/**
 * Stores suspended turns of one process. A claim for a running call waits for its result. Results of the latest
 * `stateNumbers.maxSuspendedTurns` turns are kept; For calls of older turns `claim` returns `claimed`, so that no call
 * runs twice.
 */
export function memorySuspensions(): SuspensionStore {
  const turns = new Map<string, Map<string, Claim>>();
  const forgotten = new Set<string>();
  return {
    async claim(id, callId, { signal }) {
      if (forgotten.has(id)) return 'claimed';
      const claims = turns.get(id) ?? new Map<string, Claim>();
      turns.set(id, claims);
      const [oldest] = turns.keys();
      if (turns.size > stateNumbers.maxSuspendedTurns && oldest !== undefined) {
        turns.delete(oldest);
        forgotten.add(oldest);
      }
      const known = claims.get(callId);
      if (known === undefined) {
        claims.set(callId, newClaim());
        return 'new';
      }
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      await Promise.race([known.isSettled, aborted]);
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
