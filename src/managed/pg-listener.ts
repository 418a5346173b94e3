import type { Timers } from '../core/support/timers.js';
import type { SqlClient } from '../ports/sql-client.js';
import type { PgPool } from './from-pg.js';
import { fromDatabase, notify, quotedChannel } from './sql-driver.js';

interface Entry {
  readonly channel: string;
  readonly listener: (payload: string) => void;
}

/** A connection checked out from the pool. */
interface Listening {
  listenTo(channel: string): Promise<void>;
  close(): void;
}

const firstPauseMs = 250;
const longestPauseMs = 30_000;

/** Listens to channels over one connection of a pool, and reconnects whenever this connection is lost. */
export function pgListener(pool: PgPool, timers: Timers): SqlClient['listen'] {
  const entries = new Set<Entry>();
  let current: Promise<Listening> | undefined;
  let mayHaveMissed = false;
  let retry: unknown;

  const notifyAll = (payload: string, channel?: string): void => {
    for (const entry of entries)
      if (channel === undefined || entry.channel === channel) notify(entry.listener, payload);
  };

  const connect = async (lost: () => void): Promise<Listening> => {
    const connection = await fromDatabase(() => pool.connect());
    let isOpen = true;
    const close = () => {
      // A listening connection must not return to the pool.
      if (isOpen) connection.release(true);
      isOpen = false;
    };
    const end = () => {
      close();
      lost();
    };
    connection.on('error', end);
    connection.on('end', end);
    connection.on('notification', ({ channel, payload = '' }) => notifyAll(payload, channel));
    const listenTo = async (channel: string) => {
      await fromDatabase(() => connection.query(`LISTEN ${quotedChannel(channel)}`));
    };
    try {
      for (const { channel } of entries) await listenTo(channel);
    } catch (error) {
      close();
      throw error;
    }
    if (mayHaveMissed) notifyAll('');
    mayHaveMissed = false;
    return { listenTo, close };
  };

  const connected = (): Promise<Listening> => {
    if (current !== undefined) return current;
    const listening = connect(() => lost(listening));
    current = listening;
    listening.catch(() => lost(listening));
    return listening;
  };

  const lost = (listening: Promise<Listening>): void => {
    if (current !== listening) return;
    current = undefined;
    mayHaveMissed = true;
    connectAfter(firstPauseMs);
  };

  const connectAfter = (pauseMs: number): void => {
    timers.clear(retry);
    if (entries.size === 0 || pool.ending) return;
    const attempt = () => void connected().catch(() => connectAfter(Math.min(2 * pauseMs, longestPauseMs)));
    retry = timers.set(attempt, pauseMs);
  };

  const remove = async (entry: Entry): Promise<void> => {
    entries.delete(entry);
    if (entries.size > 0) return;
    mayHaveMissed = false;
    timers.clear(retry);
    const listening = current;
    current = undefined;
    (await listening?.catch(() => undefined))?.close();
  };

  return async (channel, listener) => {
    quotedChannel(channel);
    const entry = { channel, listener };
    entries.add(entry);
    try {
      await (await connected()).listenTo(channel);
    } catch (error) {
      await remove(entry);
      throw error;
    }
    return () => remove(entry);
  };
}
