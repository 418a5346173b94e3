import type { Duplex } from 'node:stream';
import { systemTimers } from '../../core/support/timers.js';
import { checkedAddresses, checkedUrl } from './address-guard.js';
import { connected, systemConnect, systemLookup } from './http-exchange.js';
import type { RequestRules } from './http-requests.js';

/**
 * A plain stream to the host of an address, for a program that speaks HTTP by itself. The host is resolved once and
 * connected to at an address that was checked, as a request of the client is. Rejects with `url_blocked` for what the
 * rules refuse.
 */
export async function guardedConnection(
  address: string,
  { hosts, lookup = systemLookup, timers = systemTimers, connect = systemConnect(timers) }: RequestRules,
  signal: AbortSignal,
): Promise<Duplex> {
  const url = checkedUrl(address, hosts);
  const addresses = await checkedAddresses(url, hosts, lookup, signal);
  signal.throwIfAborted();
  return await connected({ url, addresses }, connect, signal);
}
