import { parseAddress } from './parse-address.js';

/**
 * The host that a text names, as addresses write it: small letters, punycode, no trailing dot; `*.` before it says
 * nothing more. Undefined for what names none: a scheme, a port, a path, a star.
 */
export function hostName(text: string): string | undefined {
  const written = text.trim().replace(/^\*\./, '').replace(/\.+$/, '');
  const host = /^[\da-f]*:[\da-f:.]*$/i.test(written) && written.split(':').length > 2 ? `[${written}]` : written;
  if (host === '' || /[\s*/\\?#@%]/.test(host) || /:\d*$/.test(host.replace(/^\[.*\]$/, ''))) return undefined;
  return parseAddress(`http://${host}/`)?.hostname;
}

/** Tells of a host, as addresses write it, whether it is one of `names` or below one of them, by whole labels. */
export function hostMatcher(names: readonly string[]): (host: string) => boolean {
  const hosts = names.map((name) => hostName(name) ?? name);
  return (host) => {
    const asked = host.replace(/\.+$/, '');
    return hosts.some((name) => asked === name || asked.endsWith(`.${name}`));
  };
}
