/**
 * The address that a text is; undefined where it is none. Not by `URL.canParse`: once its caller is compiled,
 * Node 20 takes addresses with letters such as ü for broken.
 */
export function parseAddress(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
