/** For each letter from a to z those that hardly ever follow it inside of a word or a name. */
const rareFollowers =
  'aehjoqxz dfghjkmnpqtvwxyz bdfgjmnpqvwxz bcfhjkmnpqtvwxz jkz bcdghjkmnpqvwxz bcdfjkpqtvwxyz bcdfghjknpqsvwxyz hijkquwy abcdfghijklmnpqrtvwxyz abcdfghjklmnopqrtuvwxyz bfghjkmnqrwxz cdfghjknqrtvwxyz hjmqwxz hjqxyz bcdfgjkmnqvwxyz abcdefghijklmnopqrstvwxyz hjqwxz bdgjqrvz bdfgjkmnpqvxz hjkoquvwxyz bcdfghjklmnpqrstuvwxyz bcdfgjklmpqtuvwxyz abdfghjklmnoqrsuvwxyz abcdfghjklqrtuvwxyz bcdfghjklmnopqrstuvwxyz'.split(
    ' ',
  );

const minLetters = 8;
const minRarePairs = 3;
/** Of words one pair of letters in a hundred is rare, of letters drawn by lot every second one. */
const minRareShare = 0.25;
/** A short name of several words may hold one more than others. */
const shortLetters = 12;
const minShortRareShare = 0.35;
/** How much of a value is looked at. */
const maxChars = 256;

/**
 * Whether letters follow each other as in no word, name or abbreviation: what a machine has drawn. Capitals among small
 * letters begin words or shorten them, so nothing is said of what stands before them.
 */
export function isGibberish(letters: string): boolean {
  if (letters.length < minLetters) return false;
  const end = Math.min(letters.length, maxChars);
  const isLoud = !/[a-z]/.test(letters);
  let pairs = 0;
  let rarePairs = 0;
  for (let index = 1; index < end; index++) {
    const code = letters.charCodeAt(index);
    const before = letters.charCodeAt(index - 1);
    if (!isLetter(code) || !isLetter(before) || (!isLower(code) && !isLoud)) continue;
    pairs++;
    // As in the alphabet itself, which stands in many an example.
    if (code === before + 1) continue;
    if (rareFollowers[(before | 32) - 97]?.includes(String.fromCharCode(code | 32)) === true) rarePairs++;
  }
  return (
    rarePairs >= minRarePairs && rarePairs >= pairs * (letters.length < shortLetters ? minShortRareShare : minRareShare)
  );
}

function isLetter(code: number): boolean {
  const letter = code | 32;
  return letter >= 97 && letter <= 122;
}

function isLower(code: number): boolean {
  return code >= 97;
}
