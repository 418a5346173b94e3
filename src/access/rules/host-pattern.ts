import { parseAddress } from '../../text/parse-address.js';

/**
 * The host that `domain:…` names, as addresses write it: small letters, punycode, no trailing dot; `*.` before it says
 * nothing more. Undefined for what names none: no `domain:`, a scheme, a port, a path, a star.
 */
export function ruleHost(pattern: string): string | undefined {
  if (!pattern.startsWith('domain:')) return undefined;
  const written = pattern.slice('domain:'.length).trim().replace(/^\*\./, '').replace(/\.+$/, '');
  const host = /^[\da-f]*:[\da-f:.]*$/i.test(written) && written.split(':').length > 2 ? `[${written}]` : written;
  if (host === '' || /[\s*/\\?#@%]/.test(host) || /:\d*$/.test(host.replace(/^\[.*\]$/, ''))) return undefined;
  return parseAddress(`http://${host}/`)?.hostname;
}
