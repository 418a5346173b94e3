/** For each plain character, the characters that look like it. */
const lookAlikes = {
  "'": '\u2018\u2019\u201a\u201b\u2032\u02bc\uff07',
  '"': '\u201c\u201d\u201e\u201f\u2033\uff02',
  '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d',
  ' ': '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
} as const;

const patterns = Object.entries(lookAlikes).map(([plain, alike]) => [plain, new RegExp(`[${alike}]`, 'g')] as const);
const namePatterns = patterns.filter(([plain]) => plain !== '-');
const any = new RegExp(`[${Object.values(lookAlikes).join('')}]`);

/** True for a text with a character that looks like a plain quote, dash or space. */
export function hasLookAlikes(text: string): boolean {
  return any.test(text);
}

/** A text with plain quotes, dashes and spaces. Each look-alike is replaced by one character. */
export function foldLookAlikes(text: string): string {
  return hasLookAlikes(text) ? folded(text, patterns) : text;
}

/** Normalises a name so that names that look the same are equal: composed (NFC), with plain quotes and spaces. */
export function plainForm(name: string): string {
  return /[^ -~]/.test(name) ? folded(name.normalize('NFC'), namePatterns) : name;
}

function folded(text: string, each: typeof patterns): string {
  return each.reduce((form, [plain, alike]) => form.replaceAll(alike, plain), text);
}
