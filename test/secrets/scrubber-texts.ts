import fc from 'fast-check';
import { samples } from '../support/each-row.js';
import { alphanumeric, redactedCases, survivingTexts } from './scrubber-cases.js';
import { ordinaryTexts, placeCases, severalCases } from './scrubber-place-cases.js';

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
  ...samples`
    " ¦ ' ¦ \" ¦ \n ¦ 8Q~ ¦ 12: ¦ = ¦ & ¦ . ¦ password ¦ token= ¦ api_key: " ¦ Cookie: a= ¦ ://u: ¦ @h ¦ eyJ
    [REDACTED] ¦ [REDA ¦ word ¦ -----
  `,
  '\n',
  ' ',
  '\0',
  'web-1  | ',
  ': ',
  '; ',
  'Authorization: Bearer ',
  'curl ',
  ' -u me:',
  ' -sSu me:',
  'mysql ',
  ' -p',
  " IDENTIFIED BY '",
  `sk${'-'}`,
  `AK${'IA'}`,
  alphanumeric(9),
  alphanumeric(40),
  'é\u{1f600}',
  '\u001b[31m',
];

/** Text of credentials, parts of credentials, and similar text, joined in random order. */
export const suspiciousText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...fragments, ...key),
      fc.constantFrom(...redactedCases, ...placeCases).map(({ before, secret, after }) => before + secret + after),
      fc.constantFrom(...redactedCases, ...placeCases).map(({ secret }) => secret),
      fc.constantFrom(...survivingTexts, ...ordinaryTexts, ...severalCases.map((text) => text.replace(/[«»]/g, ''))),
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

/** Repeated pieces that make a scan quadratic if it looks far ahead or back at each place. */
export const alikeUnits: readonly string[] = [
  ...samples`
    token ¦ token= ¦ A_TOKEN= ¦ password=" ¦ \"token\":\" ¦ Basic aaaaaaaaaaaa: ¦ sk-ghp_eyJAKIAxoxb-SG. ¦ eyJ-eyJ-
    eyJa ¦ eyJaaaaaaaaaa.a. ¦ ://a:b ¦ ://a:b@ ¦ Cookie: a=b; cookie: c=d; ¦ cookie: sid=a1b2c3d4e5f6g7; ¦ 0123456789
    12345678:AA ¦ curl -u a:b -U ¦ mysql -pabcdefg ¦ %3D%3Dtoken%3D ¦ a1B2 ¦ curl -su a:b ¦ a:*:a:b: ¦ 8Q~a. ¦ A_TOKEN=ab1&a
  `,
  'token="token=\'token=`',
  'password        ',
  'bearer bearer ',
  ['-----BEGIN PRIV', 'ATE KEY-----\n'].join(''),
  ['-----BEGIN PRIV', 'ATE KEY-----MIIEabcd'].join(''),
  '\u001b[0;0;0m',
  '- name: a_token\n  value: ',
  'a_token: |\n  a1b2c3d4\n',
  `gh${'s_'}a-a.`,
  '12:password ',
];
