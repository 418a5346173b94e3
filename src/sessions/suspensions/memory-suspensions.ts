import { stateNumbers } from '../../core/numbers.js';
import type { SettledCall, SuspensionStore } from '../../ports/suspension-store.js';

interface Claim {
  settled: SettledCall | undefined;
  readonly isSettled: Promise<void>;
  readonly settle: () => void;
}

/**
 * Suspended turns of one process: who asks for a call that is being run waits for what becomes of it. Of the latest
 * `stateNumbers.maxSuspendedTurns` the results are known; the calls of older ones answer `claimed`, so that none runs
 * twice.
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
