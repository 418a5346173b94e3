import type { Duplex } from 'node:stream';
import { systemTimers } from '../../core/support/timer.js';
import { checkedAddresses, checkedUrl } from './address-guard.js';
import { connected, systemConnect, systemLookup } from './http-exchange.js';
import type { RequestRules } from './http-requests.js';

/**
 * Opens a TCP connection to the host of a URL for a caller that speaks HTTP itself. The host is resolved once and
 * checked as for requests of the client. Rejects with `url_blocked` for a refused host.
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
