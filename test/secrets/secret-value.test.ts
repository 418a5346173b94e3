import { describe, expect, it } from 'vitest';
import { looksRandom } from '../../src/core/text/looks-random.js';
import { isHarmlessValue, isPlaceholder } from '../../src/secrets/rules/secret-value.js';
import { eachRow, samples, table } from '../support/each-row.js';
import { alphanumeric, hexadecimal } from './scrubber-cases.js';

describe('looksRandom', () => {
  table([
    alphanumeric(16),
    alphanumeric(24, 3),
    alphanumeric(40, 5),
    hexadecimal(32),
    `${alphanumeric(10)}/${alphanumeric(10)}+${alphanumeric(8)}=`,
    'wHGumkFAKEYoaKlHtYjJ',
  ])('is true for random values', (value) => expect(looksRandom(value)).toBe(true));

  it('is false for other values', () =>
    eachRow(
      samples`
        getAccessTokenFromRequest ¦ base64Encode ¦ sha256 ¦ oauth2-client ¦ my_secret_name_v2 ¦ application/json
        aaaaaaaaaaaaaaaa ¦ xxxxxxxxxxxxxxxx ¦ correct-horse-battery-staple ¦ ReadonlyArray ¦ PRERELEASEIDENTIFIERLOOSE
        short1
      `,
      (value) => expect(looksRandom(value)).toBe(false),
    ));
});

describe('isHarmlessValue', () => {
  table([
    ...samples`
      [REDACTED] ¦ [REDACTED:npm-token#3] ¦ $NAME ¦ %NAME% ¦ {{ name }} ¦ <name> ¦ $(command) ¦ /run/secrets/name
      ~/.config/name.json ¦ C:\Users\me ¦ https://h.example/x ¦ ^9.0.2 ¦ 1.2.3-beta.4 ¦ 2026-01-02T03:04:05Z
      10.0.0.1:8080 ¦ me@h.example ¦ 30s
    `,
    '${NAME}',
    `sha256:${hexadecimal(64)}`,
  ])('is true for harmless values', (value) => expect(isHarmlessValue(value)).toBe(true));

  it('is false for other values', () =>
    eachRow(['hunter2', alphanumeric(20), 'correct-horse'], (value) => expect(isHarmlessValue(value)).toBe(false)));
});

describe('isPlaceholder', () => {
  it('is true for placeholders', () =>
    eachRow(
      ['changeme', 'change-me', 'your-api-key', 'xxxxxxxx', '********', 'REPLACE_ME', 'string', 'undefined', '...'],
      (value) => expect(isPlaceholder(value)).toBe(true),
    ));
});
