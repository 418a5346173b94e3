/**
 * How much a text looks like UTF-8: its valid multi-byte sequences, weighed by how unlikely they are in other encodings,
 * and the number of broken ones.
 */
export interface Sequences {
  readonly good: number;
  readonly broken: number;
}

const run = /([A-Z]{2})?(\P{ASCII}+)/gu;
const sign = /[\u00a0-\u00bf\u2000-\u2bff\p{Emoji_Presentation}]/u;
const westernLetter = /[\u00c0-\u017f\u1e00-\u1eff]/u;
const lowerCase = /\p{Lowercase}/u;
// Phonetic letters, accents by themselves and rare scripts begin with what in western text is a capital, or `ß`, before
// a sign.
const accidental = /[\u0180-\u036f\u0700-\u07ff]/u;

/**
 * Weighs what text reads as in UTF-8. Western text of one byte a letter makes such sequences by chance where an
 * accented letter stands before a sign: `É` and a no-break space, `é` with the end of a French quotation behind it.
 * What that gives is a single letter of another script, or a small letter behind capitals.
 */
export function weighUtf8(text: string): Sequences {
  let good = 0;
  let broken = 0;
  for (const [, capitals, characters = ''] of text.matchAll(run)) {
    const each = [...characters];
    for (const [index, character] of each.entries()) {
      if (character === '\ufffd') broken++;
      else if (sign.test(character)) good += Buffer.byteLength(character);
      else if (westernLetter.test(character))
        good += index === 0 && capitals !== undefined && lowerCase.test(character) ? 0 : 2;
      else if (isForeign(each[index - 1]) || isForeign(each[index + 1])) good += weightOf(character);
    }
  }
  return { good, broken };
}

function isForeign(character: string | undefined): boolean {
  return character !== undefined && character !== '\ufffd' && !sign.test(character) && !westernLetter.test(character);
}

function weightOf(character: string): number {
  if (accidental.test(character)) return 0;
  return Math.max(1, Buffer.byteLength(character) * 2 - 3);
}
