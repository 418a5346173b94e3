import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGibberish } from '../../src/text/secrets/scan/secret-gibberish.js';
import { scrubCredentials } from '../../src/text/secrets/scrubber.js';

const drawn = [
  'kqzvbtrwmxjh',
  'wlkjsdfhgqpz',
  'zxmvqpwrtkbd',
  'fjdkslaghtyrux',
  'QZXWVKJTRBNM',
  'ujmikolpnhybgt',
  'oyrqptbwnsxe',
  'hnyrfvtgbedcq',
  'bWqkTzNpLrVx',
];
const words = [
  'required',
  'undefined',
  'development',
  'configuration',
  'background',
  'strengths',
  'rhythm',
  'bcrypt',
  'scrypt',
  'kubernetes',
  'postgresql',
  'localStorage',
  'handleSubmit',
  'onPasswordChange',
  'XMLHttpRequest',
  'maxLengthError',
  'knowledge',
  'acknowledge',
  'Geschwindigkeit',
  'Wachtwoord',
  'Passwort',
  'mot de passe',
  'authentication',
  'README',
  'ENCRYPTED',
  'CHANGE_ME',
  'userCredentialsProvider',
  'getServerSideProps',
  'nbsp',
  'https',
  'stdin',
  'subsystem',
  'lengthwise',
  'twelfths',
  'correcthorsebattery',
  'jsonwebtoken',
  'abcdefghijkl',
  'ABCDEFGHIJKLMNOP',
];

describe('letters that make no words', () => {
  test.each(drawn)('%s', (value) => {
    expect(isGibberish(value) || /[a-z][A-Z]/.test(value)).toBe(true);
  });

  test.each(words)('but not %s', (value) => {
    expect(isGibberish(value)).toBe(false);
  });

  test('are found in most of what is drawn by lot', () => {
    const letter = fc.integer({ min: 97, max: 122 }).map((code) => String.fromCharCode(code));
    const values = fc.sample(fc.string({ unit: letter, minLength: 16, maxLength: 16 }), { numRuns: 1000, seed: 7 });
    expect(values.filter(isGibberish).length).toBeGreaterThan(900);
  });
});

describe('a password of letters alone', () => {
  const forms: readonly (readonly [string, (value: string) => string])[] = [
    ['a variable', (value) => `DB_PASSWORD=${value}`],
    ['a quoted variable', (value) => `export DB_PASSWORD="${value}"`],
    ['YAML', (value) => `db:\n  password: ${value}\n  host: a`],
    ['quoted YAML', (value) => `password: '${value}'`],
    ['JSON', (value) => `{"password": "${value}", "host": "a"}`],
    ['properties', (value) => `spring.datasource.password=${value}`],
    ['INI', (value) => `[db]\npassword = ${value}\n`],
    ['TOML', (value) => `passwd = "${value}"`],
    ['code', (value) => `const password = '${value}';`],
    ['an address', (value) => `postgres://user:${value}@host/db`],
    ['a query', (value) => `https://example.com/?user=a&password=${value}&x=1`],
    ['a connection string', (value) => `Server=a;User Id=b;Password=${value};`],
    ['an element', (value) => `<password>${value}</password>`],
    ['a secret', (value) => `"client_secret": "${value}"`],
  ];

  test.each(forms)('is withheld in %s', (_, write) => {
    for (const value of drawn) expect(scrubCredentials(write(value)), value).not.toContain(value);
  });

  test.each([
    'password: string',
    'password: string;',
    'password=required',
    'PASSWORD=${VAR}',
    'password: $PASSWORD',
    'the password is checked against the background configuration',
    'password: getPassword',
    'const password = passwordField;',
    'const token = tokenService;',
    '"password": "Wachtwoord"',
    '"password": "Geschwindigkeit"',
    'password: undefined',
    'password = bcrypt',
    'secret: kubernetes',
    'token: jsonwebtoken',
    'passwordHasher: scryptHasher',
  ])('is not seen in %s', (text) => {
    expect(scrubCredentials(text)).toBe(text);
  });
});
