import { kindName, type OptionKind } from './check-values.js';

/**
 * Parses a URL; undefined for an invalid URL. `URL.canParse` is not used: in optimised code Node 20 rejects addresses
 * with letters such as ü.
 */
export function parseAddress(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Parses a URL of http or https; undefined for any other text. */
export function parseHttpUrl(text: unknown): URL | undefined {
  const url = typeof text === 'string' ? parseAddress(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The kind of an option for an http(s) URL. Credentials belong in headers. */
export const httpUrlKind: OptionKind<string> = {
  takes: 'an http(s) address without a user and a password',
  shown: (value) => (typeof value === 'string' ? 'another text' : kindName(value)),
  holds: (value) => parseHttpUrl(value)?.username === '' && parseHttpUrl(value)?.password === '',
};

/**
 * Normalises a host name as the URL parser does: lower case, punycode, no trailing dot; a leading `*.` is dropped.
 * Undefined for a text with a scheme, a port, a path or a further `*`.
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

/** The host of a URL without the brackets around an IPv6 address. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
