import type { Timers } from '../../core/support/timers.js';

export interface HealthOptions {
  readonly timers: Timers;
  readonly pingMs: number;
  /** Resolves when the server responds. Otherwise the promise rejects or stays pending. */
  ping(): Promise<unknown>;
  onDead(): void;
}

export interface Health {
  /** A message of the server has arrived. */
  markAlive(): void;
  stop(): void;
}

const maxLost = 2;

/** Pings a server at an interval and reports it as dead after two pings without an answer. */
export function watchHealth({ timers, pingMs, ping, onDead }: HealthOptions): Health {
  let timer: unknown;
  let lost = 0;
  let isAsked = false;
  const markAlive = () => {
    lost = 0;
    isAsked = false;
  };
  const arm = () => {
    if (pingMs > 0) timer = timers.set(tick, pingMs);
  };
  const tick = () => {
    lost = isAsked ? lost + 1 : 0;
    if (lost >= maxLost) {
      onDead();
      return;
    }
    isAsked = true;
    ping().then(markAlive, () => {});
    arm();
  };
  arm();
  return { markAlive, stop: () => timers.clear(timer) };
}
