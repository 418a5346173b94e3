import { parseAddress } from './parse-address.js';

/**
 * Normalises a host name as URLs do: lower case, punycode, no trailing dot; a leading `*.` is dropped. Undefined for a
 * text with a scheme, a port, a path or a further `*`.
 */
export function hostName(text: string): string | undefined {
  const written = text.trim().replace(/^\*\./, '').replace(/\.+$/, '');
  const host = /^[\da-f]*:[\da-f:.]*$/i.test(written) && written.split(':').length > 2 ? `[${written}]` : written;
  if (host === '' || /[\s*/\\?#@%]/.test(host) || /:\d*$/.test(host.replace(/^\[.*\]$/, ''))) return undefined;
  return parseAddress(`http://${host}/`)?.hostname;
}

/** Makes a test of whether a normalised host is one of `names` or a subdomain of one of them. */
export function hostMatcher(names: readonly string[]): (host: string) => boolean {
  const hosts = names.map((name) => hostName(name) ?? name);
  return (host) => {
    const queried = host.replace(/\.+$/, '');
    return hosts.some((name) => queried === name || queried.endsWith(`.${name}`));
  };
}

/** A host of a URL without the brackets around an IPv6 address. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
