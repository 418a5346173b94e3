const minChars = 8;
/** Only this many characters of a value are checked. */
const maxChars = 96;

/**
 * Whether a value looks random: letters and digits alternate more often, or more vowels are missing, than in any word,
 * name or identifier.
 */
export function looksRandom(value: string): boolean {
  if (value.length < minChars) return false;
  const text = value.slice(0, maxChars);
  if (new Set(text).size < 6) return false;
  const digits = countOf(text, /\d/g);
  // How often a letter and a digit are neighbours.
  if (digits >= 2 && countOf(text, /[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) >= 3) return true;
  // The words of the value, split at capitals and other characters.
  const words = text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const vowelless = words.filter((word) => word.length === 1 || !/[aeiou]/i.test(word)).length;
  if (vowelless >= 3 && vowelless * 2 >= words.length) return true;
  // A real word of this length has more vowels.
  if (words.some((word) => word.length >= 16 && countOf(word, /[aeiou]/gi) * 4 < word.length)) return true;
  return vowelless >= 2 && digits > 0 && value.length >= 10 && /^[A-Za-z0-9+/=]*$/.test(text);
}

export function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
