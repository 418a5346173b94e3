const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ours: unique symbol = Symbol.for('toolwright.hostExit') as never;

type SignalListener = ((signal: NodeJS.Signals) => void) & { readonly [ours]?: true };

/**
 * Calls `cleanUp` when this process ends: by exit, an uncaught error, or a signal without other listeners. `cleanUp`
 * must be synchronous. If the host has no listener for a signal, the process still ends by that signal; otherwise the
 * host decides. The returned function removes the registration.
 */
export function onHostExit(cleanUp: () => void): () => void {
  const onSignal: SignalListener = Object.assign(
    (signal: NodeJS.Signals) => {
      if (hasListenersOfHost(signal)) return;
      cleanUp();
      detach();
      if (!process.listeners(signal).some(isOurs)) process.kill(process.pid, signal);
    },
    { [ours]: true as const },
  );
  const detach = () => {
    process.off('exit', cleanUp);
    for (const signal of signals) process.off(signal, onSignal);
    allowListeners(-1);
  };
  allowListeners(1);
  process.on('exit', cleanUp);
  for (const signal of signals) process.on(signal, onSignal);
  return detach;
}

// The listener of the package signal-exit, which many programs load, only cleans up as `onHostExit` does. This listener
// is not counted as a listener of the host.
function hasListenersOfHost(signal: NodeJS.Signals): boolean {
  const signalExitListeners =
    (globalThis as Record<symbol, { readonly count?: number } | undefined>)[Symbol.for('signal-exit emitter')]?.count ??
    0;
  return process.listeners(signal).filter((listener) => !isOurs(listener)).length > signalExitListeners;
}

function isOurs(listener: unknown): boolean {
  return (listener as SignalListener)[ours] === true;
}

// Each registration raises the listener limit, so that many toolkits in one process cause no leak warning.
function allowListeners(more: number): void {
  const max = process.getMaxListeners();
  if (max > 0 && max < Number.POSITIVE_INFINITY) process.setMaxListeners(max + more);
}
