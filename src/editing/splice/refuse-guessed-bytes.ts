import { ToolError } from '../../core/error.js';
import { decodeText, encodeText, namedCharacter, type TextEncoding } from '../encodings/codecs.js';
import { firstHighByte } from '../encodings/legacy.js';

// ASCII letters around a byte that is a lower-case letter in all encodings of `latinSets`. In the encodings of DOS and
// the Macintosh, the byte is a capital letter or a sign. Words of other scripts contain no ASCII letters.
const latinWord = /[a-z][\u00e8\u00e9\u00eb\u00ed]|[A-Za-z][\u00f3\u00f6\u00fc][a-z]/;
const latinSets = ['windows-1252', 'windows-1250', 'windows-1254', 'windows-1257', 'iso-8859-2'] as const;

/**
 * Throws `unsupported_file` for a new text with a character whose bytes are uncertain, because the encoding of the file
 * is a guess. The bytes are certain for a character that the file already contains. They are also certain for a
 * character with the same byte in all encodings that fit the words of the file.
 */
export function refuseGuessedBytes(
  text: string,
  bytes: Buffer,
  { name: encoding, knownBy, declares }: TextEncoding,
): void {
  if (knownBy !== 'guess' || !/\P{ASCII}/u.test(text)) return;
  const shown = new Set(decodeText(bytes, encoding));
  const isLatin = encoding === 'windows-1252' && latinWord.test(bytes.toString('latin1'));
  const unknown = [...text].find(
    (character) => character > '\u007f' && !shown.has(character) && !(isLatin && isSameInAll(character)),
  );
  if (unknown === undefined) return;
  const at = firstHighByte(bytes);
  const own = encodeText(unknown, encoding)?.toString('hex').toUpperCase();
  throw new ToolError(
    'unsupported_file',
    `The encoding of the file is a guess (${encoding}), in which ${namedCharacter(unknown)} ` +
      `${own === undefined ? 'has no byte' : `would be byte 0x${own}`}. Byte 0x${bytes[at]?.toString(16).toUpperCase()} ` +
      `of the file, shown as "${[...decodeText(bytes.subarray(at, at + 4), encoding)][0]}", may be another letter too. ` +
      'Use ASCII and characters that the file shows, or ' +
      (declares === undefined
        ? 'first declare the encoding in the file: a comment "-*- coding: NAME -*-" in line 1, encoding="NAME" in XML, ' +
          '@charset or <meta charset>. If the file cannot have a declaration, change it in Bash with a program that takes ' +
          'the encoding as an argument.'
        : 'change the file in Bash with a program that takes the encoding as an argument. ' +
          `The file declares ${declares}.`),
  );
}

function isSameInAll(character: string): boolean {
  const [first, ...others] = latinSets.map((set) => encodeText(character, set));
  return first !== undefined && others.every((bytes) => bytes?.equals(first));
}
