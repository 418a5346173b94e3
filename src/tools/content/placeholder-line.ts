const noun = 'rest|remainder|remaining|existing|unchanged|others?|previous|original|same|omitted';
const word = String.raw`(?:(?:keep|the|all|your|code) )*(?:${noun})\b`;
const more = "[\\w ,'`/-]{0,80}";
const dots = String.raw`(?:\.{3,}|…)`;
const comment = String.raw`(?://+|#+|--+|;+|%+|\{?/\*+|<!--|\(\*|\{#|\{\{!--)[ \t]*`;
// A single word directly after dots may be a spread (`...rest`), so two words are needed there. Without a comment sign,
// white space must follow the dots.
const start = String.raw`(?:${comment}[([]?${dots}(?=[ \t]|\w+ \w)|[([]?${dots}(?=[ \t]+[([]?\w+ \w))`;
const left = String.raw`${start}[ \t]*[([]?${word}${more}[)\]]?|${comment}${word}${more}${dots}`;
const bracketed = `(?:${comment})?[([]rest of ${more}(?:unchanged|same|omitted)`;
const end = String.raw`[ \t]{0,8}${dots}?[)\]]?[ \t]{0,8}(?:\*+/\}?|-->|--\}\}|\*\)|#\})?[ \t\r]{0,8}$`;
const line = new RegExp(`^[ \\t]*(?:${left}|${bracketed})${end}`, 'im');

/** The first line that stands for omitted text, such as `// ... rest of the code`; undefined if there is none. */
export function placeholderLine(text: string): string | undefined {
  return line.exec(text)?.[0].trim();
}
