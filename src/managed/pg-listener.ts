import type { Timers } from '../core/support/timer.js';
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
export class PgListener {
  readonly #pool: PgPool;
  readonly #timers: Timers;
  readonly #entries = new Set<Entry>();
  #listening: Promise<Listening> | undefined;
  #mayHaveMissed = false;
  #retry: unknown;

  constructor(pool: PgPool, timers: Timers) {
    this.#pool = pool;
    this.#timers = timers;
  }

  /** See `SqlClient.listen`. */
  async listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>> {
    quotedChannel(channel);
    const entry = { channel, listener };
    this.#entries.add(entry);
    try {
      const listening = await this.#connected();
      await listening.listenTo(channel);
    } catch (error) {
      await this.#remove(entry);
      throw error;
    }
    return () => this.#remove(entry);
  }

  async #remove(entry: Entry): Promise<void> {
    this.#entries.delete(entry);
    if (this.#entries.size > 0) return;
    this.#timers.clear(this.#retry);
    const listening = this.#listening;
    this.#listening = undefined;
    await listening?.then(
      ({ close }) => close(),
      () => {},
    );
  }

  #connected(): Promise<Listening> {
    if (this.#listening !== undefined) return this.#listening;
    const listening = this.#connect(() => this.#lost(listening));
    this.#listening = listening;
    listening.catch(() => this.#lost(listening));
    return listening;
  }

  async #connect(lost: () => void): Promise<Listening> {
    const connection = await fromDatabase(() => this.#pool.connect());
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
    connection.on('notification', ({ channel, payload = '' }) => this.#notify(payload, channel));
    const listenTo = async (channel: string) => {
      await fromDatabase(() => connection.query(`LISTEN ${quotedChannel(channel)}`));
    };
    try {
      for (const { channel } of this.#entries) await listenTo(channel);
    } catch (error) {
      close();
      throw error;
    }
    if (this.#mayHaveMissed) this.#notify('');
    this.#mayHaveMissed = false;
    return { listenTo, close };
  }

  #notify(payload: string, channel?: string): void {
    for (const entry of this.#entries) {
      if (channel === undefined || entry.channel === channel) notify(entry.listener, payload);
    }
  }

  #lost(listening: Promise<Listening>): void {
    if (this.#listening !== listening) return;
    this.#listening = undefined;
    this.#mayHaveMissed = true;
    this.#connectAfter(firstPauseMs);
  }

  #connectAfter(pauseMs: number): void {
    this.#timers.clear(this.#retry);
    if (this.#entries.size === 0 || this.#pool.ending) return;
    this.#retry = this.#timers.set(() => {
      this.#connected().catch(() => this.#connectAfter(Math.min(2 * pauseMs, longestPauseMs)));
    }, pauseMs);
  }
}
