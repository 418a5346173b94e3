const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Colours a text, or returns it unchanged. */
export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>;

/**
 * Whether to use colours: `FORCE_COLOR` decides, then `NO_COLOR`, then whether the stream is a terminal with colours.
 */
export function createPaint(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const forced = env.FORCE_COLOR;
  const isColoured = forced
    ? forced !== '0' && forced !== 'false'
    : !env.NO_COLOR && stream.isTTY === true && env.TERM !== 'dumb';
  const style = (name: keyof typeof codes) => (text: string) => {
    const [open, close] = codes[name];
    return isColoured && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  };
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    cyan: style('cyan'),
  };
}

/**
 * The text with all control, format and bidirectional characters escaped, except line breaks and tabs, so that output
 * of a tool cannot move the cursor.
 */
export function plain(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, (character) =>
      character === '\n' || character === '\t' ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
}
