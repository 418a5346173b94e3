const minChars = 8;
/** How much of a value is looked at. */
const maxChars = 256;

/** What the letters and digits of a value look like. */
interface Texture {
  readonly digits: number;
  /** How often a letter stands next to a digit. */
  readonly switches: number;
  /** Words, as capitals and other characters divide them. */
  readonly words: number;
  /** Words of one letter or without a vowel. */
  readonly vowellessWords: number;
  /** Whether there is a long word with too few vowels to be one. */
  readonly hasGibberish: boolean;
  /** Different characters, at the most; folded to 64. */
  readonly variety: number;
  /** Whether there is nothing but letters, digits and the signs of base64. */
  readonly isPlain: boolean;
}

/** Whether the letters and digits of a value are mixed as no word, name or identifier mixes them. */
export function looksRandom(value: string): boolean {
  if (value.length < minChars) return false;
  const { digits, switches, words, vowellessWords, hasGibberish, variety, isPlain } = textureOf(value);
  if (variety < 6) return false;
  if (digits >= 2 && switches >= 3) return true;
  if (vowellessWords >= 3 && vowellessWords * 2 >= words) return true;
  return hasGibberish || (vowellessWords >= 2 && digits > 0 && value.length >= 10 && isPlain);
}

function textureOf(value: string): Texture {
  const length = Math.min(value.length, maxChars);
  let digits = 0;
  let switches = 0;
  let words = 0;
  let vowellessWords = 0;
  let hasGibberish = false;
  let isPlain = true;
  let low = 0;
  let high = 0;
  let wordLength = 0;
  let vowels = 0;
  let before = other;
  let code = value.charCodeAt(0);
  let sort = sortOf(code);
  for (let index = 0; index <= length; index++) {
    const nextCode = index + 1 < length ? value.charCodeAt(index + 1) : 0;
    const nextSort = sortOf(nextCode);
    const endsWord = sort !== lower && (sort !== upper || before === lower || nextSort === lower);
    if (wordLength > 0 && endsWord) {
      words++;
      if (wordLength === 1 || vowels === 0) vowellessWords++;
      if (wordLength >= 16 && vowels * 4 < wordLength) hasGibberish = true;
      wordLength = 0;
      vowels = 0;
    }
    if (sort === lower || sort === upper) {
      wordLength++;
      if (isVowel(code)) vowels++;
      if (before === digit) switches++;
    } else if (sort === digit) {
      digits++;
      if (before === lower || before === upper) switches++;
    } else if (index < length && !isBase64Sign(code)) isPlain = false;
    if (index < length && (code & 32) === 0) low |= 1 << (code & 31);
    else if (index < length) high |= 1 << (code & 31);
    before = sort;
    code = nextCode;
    sort = nextSort;
  }
  return { digits, switches, words, vowellessWords, hasGibberish, variety: bitsIn(low) + bitsIn(high), isPlain };
}

const other = 0;
const lower = 1;
const upper = 2;
const digit = 3;

function sortOf(code: number): number {
  const letter = code | 32;
  if (letter >= 97 && letter <= 122) return code === letter ? lower : upper;
  return code >= 48 && code <= 57 ? digit : other;
}

function isVowel(code: number): boolean {
  const letter = code | 32;
  return letter === 97 || letter === 101 || letter === 105 || letter === 111 || letter === 117;
}

function isBase64Sign(code: number): boolean {
  return code === 43 || code === 47 || code === 61;
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
