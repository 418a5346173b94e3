// Whoever opens an address drops the tabs and line breaks in it. Where it ends is clear in a text that is one address,
// and in quotes; elsewhere a line break ends it, and so does a tab, unless what follows could only go on with the host.
const whole = /^(?:https?|wss?|ftp):[\\/]{2}[^ "'`<>]*$/i;
const quoted = /(["'`])((?:https?|wss?|ftp):[\\/]{2}[^ "'`<>]*)\1/gi;
const running = /\b(?:https?|wss?|ftp):[\\/]{2}[^\s"'`<>]+(?:\t+[.@][^\s"'`<>]+)*/gi;
const beforeNext = /[\t\r\n]+(?=(?:https?|wss?|ftp):[\\/]{2})/i;

/**
 * The addresses of the web in a text, as they are written there: with the tabs and line breaks that are no part of what
 * they lead to.
 */
export function addressesIn(text: string): readonly string[] {
  const trimmed = text.trim();
  const delimited = whole.test(trimmed)
    ? [trimmed]
    : Array.from(text.matchAll(quoted), ([, , address = '']) => address);
  const broken = delimited
    .filter((address) => /[\t\r\n]/.test(address))
    .map((address) => address.split(beforeNext, 1)[0] ?? address);
  return [...broken, ...(text.match(running) ?? [])];
}
