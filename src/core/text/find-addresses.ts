// URL parsers drop tabs and line breaks inside an address, which attackers use to hide a host. The end of an address is
// clear in quotes, or where the whole text is one address. Elsewhere a line break or a tab ends it, unless `.` or `@`
// follows the tab and can only continue the host.
const whole = /^(?:https?|wss?|ftp):[\\/]{2}[^ "'`<>]*$/i;
const quoted = /(["'`])((?:https?|wss?|ftp):[\\/]{2}[^ "'`<>]*)\1/gi;
const running = /\b(?:https?|wss?|ftp):[\\/]{2}[^\s"'`<>]+(?:\t+[.@][^\s"'`<>]+)*/gi;
const beforeNext = /[\t\r\n]+(?=(?:https?|wss?|ftp):[\\/]{2})/i;

/** The web addresses in a text, as they are written: including the tabs and line breaks that URL parsers drop. */
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
