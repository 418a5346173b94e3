import fc from 'fast-check';
import { alphanumeric, redactedCases, survivingTexts } from './scrubber-cases.js';
import { ordinaryTexts, placeCases } from './scrubber-place-cases.js';

const key = [
  '-----BEGIN PRIV',
  'ATE KEY-----',
  '\n',
  '-----END PRIV',
  'ATE KEY-----',
  'MIIEa1b2C3d4',
  'YWJjZA==\r\n',
  `${alphanumeric(64)}\n`,
  `   12\t${alphanumeric(64)}\n`,
  '\n',
  '  \n',
  `\n-${alphanumeric(48)}\n`,
];
const fragments = [
  '\n',
  ' ',
  '"',
  "'",
  '\\"',
  '\\n',
  '\0',
  '8Q~',
  'web-1  | ',
  '12:',
  ': ',
  '=',
  '; ',
  '&',
  '.',
  'password',
  'token=',
  'api_key: "',
  'Authorization: Bearer ',
  'Cookie: a=',
  '://u:',
  '@h',
  'eyJ',
  `sk${'-'}`,
  `AK${'IA'}`,
  '[REDACTED]',
  '[REDA',
  alphanumeric(9),
  alphanumeric(40),
  'word',
  'é\u{1f600}',
  '\u001b[31m',
  '-----',
];

/** Text that is full of credentials, halves of credentials, and what looks like them, joined in any order. */
export const suspiciousText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...fragments, ...key),
      fc.constantFrom(...redactedCases, ...placeCases).map(({ before, secret, after }) => before + secret + after),
      fc.constantFrom(...redactedCases, ...placeCases).map(({ secret }) => secret),
      fc.constantFrom(...survivingTexts, ...ordinaryTexts),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** Cuts text into pieces of the given sizes. */
export function pieces(text: string, sizes: Iterable<number>): readonly string[] {
  const cut: string[] = [];
  let start = 0;
  for (const size of sizes) {
    if (start >= text.length) break;
    cut.push(text.slice(start, start + size));
    start += size;
  }
  return cut;
}
