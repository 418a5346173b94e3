import type { ChangeBus } from './change-bus.js';
import { notify } from './sql-driver.js';

/** A change bus within this process. */
export function memoryBus(): ChangeBus {
  const listeners = new Map<string, Set<() => void>>();
  return {
    publish: async (channel) => {
      for (const listener of [...(listeners.get(channel) ?? [])]) notify(listener, '');
    },
    subscribe: async (channel, listener) => {
      const own = () => listener();
      const others = listeners.get(channel) ?? new Set();
      listeners.set(channel, others.add(own));
      return async () => void others.delete(own);
    },
  };
}
