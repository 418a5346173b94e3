const run = /([A-Z]{2})?(\P{ASCII}+)/gu;
const sign = /[\u00a0-\u00bf\u2000-\u2bff\p{Emoji_Presentation}]/u;
const westernLetter = /[\u00c0-\u017f\u1e00-\u1eff]/u;
const lowerCase = /\p{Lowercase}/u;
// Phonetic letters, combining accents and rare scripts. They are no evidence of UTF-8: in western single-byte text, the
// same bytes are a capital letter or `ß` before a sign.
const accidental = /[\u0180-\u036f\u0700-\u07ff]/u;

/**
 * The evidence that a text was UTF-8. `good` adds up its valid multi-byte sequences, weighted by how unlikely they are
 * in other encodings; `broken` counts its invalid ones. In western single-byte text, an accented letter before signs
 * can form a valid sequence by chance: `É` before a no-break space, or `é` before a no-break space and `»`. Decoded as
 * UTF-8, such a sequence is a single letter of another script, or a lower-case letter after capitals.
 */
export function weighUtf8(text: string): { readonly good: number; readonly broken: number } {
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
