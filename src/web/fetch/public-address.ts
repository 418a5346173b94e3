import { BlockList, isIP } from 'node:net';
import { lazily } from '../../core/support/once.js';

/**
 * IPv4 ranges that are not public: special-purpose, multicast and reserved ranges, and the address of a cloud metadata
 * service outside of those ranges (168.63.129.16).
 */
const closed4 = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 ' +
  '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
).split(' ');

/** Prefixes of IPv6 addresses (mapped, NAT64) that are public if and only if their embedded IPv4 address is public. */
const embedding = ['::ffff:', '64:ff9b::'];

/** The global unicast range. It excludes loopback, link-local, unique local and multicast addresses. */
const open6 = ['2000::/3'];

/** Ranges of global unicast that are not public: protocols (Teredo), documentation, 6to4, the former 6bone. */
const closed6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'];

const lists = lazily(() => {
  const closed = closed4.map((net) => net.split('/') as [string, string]);
  const within = (prefix: string) => closed.map(([base, bits]) => `${prefix}${base}/${96 + Number(bits)}`);
  return {
    closed4: blockList(closed4, 'ipv4'),
    open6: blockList([...open6, ...embedding.map((prefix) => `${prefix}0.0.0.0/96`)], 'ipv6'),
    closed6: blockList([...closed6, ...embedding.flatMap(within)], 'ipv6'),
  };
});

/** Whether an IP address is a public unicast address. False for text that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  // A zone index names an interface of this machine.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !lists().closed4.check(address, 'ipv4');
  return family === 6 && lists().open6.check(address, 'ipv6') && !lists().closed6.check(address, 'ipv6');
}

/** The IPv4 address embedded in a mapped or NAT64 IPv6 address. */
export function embeddedAddress(address: string): string | undefined {
  if (isIP(address) !== 6 || address.includes('%')) return undefined;
  // `URL` normalises the spelling: the IPv4 address becomes one or two hexadecimal groups at the end.
  const { hostname } = new URL(`http://[${address}]`);
  const prefix = embedding.find((one) => hostname.startsWith(`[${one}`));
  const groups = prefix === undefined ? [] : hostname.slice(prefix.length + 1, -1).split(':');
  if (groups.length === 0 || groups.length > 2) return undefined;
  const [high, low] = groups.length === 2 ? groups : ['0', ...groups];
  const value = parseInt(high || '0', 16) * 65_536 + parseInt(low || '0', 16);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

function blockList(nets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const net of nets) {
    const [base = '', bits] = net.split('/');
    list.addSubnet(base, Number(bits), family);
  }
  return list;
}
