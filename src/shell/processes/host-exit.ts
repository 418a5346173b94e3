const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ours: unique symbol = Symbol.for('toolwright.hostExit') as never;

type SignalListener = ((signal: NodeJS.Signals) => void) & { readonly [ours]?: true };

/**
 * Calls `cleanUp` when this process ends: by exit, an uncaught error, or a signal that nobody else listens to. It must
 * be synchronous. A signal keeps its meaning: without listeners of the host it ends the process with that signal, with
 * some it is theirs alone. The returned function takes the registration back.
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

// The package signal-exit, which many programs load, waits like this module for the process to end by somebody's hand;
// it is no listener of the host.
function hasListenersOfHost(signal: NodeJS.Signals): boolean {
  const waiting =
    (globalThis as Record<symbol, { readonly count?: number } | undefined>)[Symbol.for('signal-exit emitter')]?.count ??
    0;
  return process.listeners(signal).filter((listener) => !isOurs(listener)).length > waiting;
}

function isOurs(listener: unknown): boolean {
  return (listener as SignalListener)[ours] === true;
}

// Each registration brings one listener, so many toolkits in one process are no leak and no reason for a warning.
function allowListeners(more: number): void {
  const max = process.getMaxListeners();
  if (max > 0 && max < Number.POSITIVE_INFINITY) process.setMaxListeners(max + more);
}
