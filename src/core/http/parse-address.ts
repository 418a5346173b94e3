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
