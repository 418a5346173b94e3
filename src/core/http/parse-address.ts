import type { OptionKind } from '../support/option-kinds.js';

/**
 * Parses a URL; undefined for an invalid one. `URL.canParse` is not used: in optimised code Node 20 rejects addresses
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

/** The kind of an option for an http(s) URL. A user and a password belong in headers. */
export const httpUrlKind: OptionKind<string> = {
  takes: 'an http(s) address without a user and a password',
  holds: (value) => parseHttpUrl(value)?.username === '' && parseHttpUrl(value)?.password === '',
};
