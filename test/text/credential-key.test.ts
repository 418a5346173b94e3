import { describe, expect, it } from 'vitest';
import { secretStyleOf } from '../../src/text/secrets/scan/credential-key.js';

describe('secretStyleOf', () => {
  it.each(['password', 'DB_PASSWORD', 'userPassword', 'PGPASSWORD', 'passphrase', 'db_pass', 'MYSQL_PWD'])(
    'takes %s for the name of a password',
    (name) => {
      expect(secretStyleOf(name)).toBe('password');
    },
  );

  it.each([
    'token',
    'FOO_TOKEN',
    'accessToken',
    'api_key',
    'apiKey',
    'APIKey',
    'X-Api-Key',
    'AWS_SECRET_ACCESS_KEY',
    'client_secret',
    'SECRET_KEY_BASE',
    'authtoken',
    '_authToken',
    'privateKey',
  ])('takes %s for the name of a token', (name) => {
    expect(secretStyleOf(name)).toBe('token');
  });

  it.each([
    'max_tokens',
    'tokenizer',
    'tokenType',
    'token_count',
    'passwordLength',
    'PASSWORD_FILE',
    'secretName',
    'nextPageToken',
    'eos_token',
    'key',
    'primaryKey',
    'publicKey',
    'keyboard',
    'jsonwebtokens',
    'author',
    'pass_through',
    'compass',
    '',
  ])('takes %s for no secret name', (name) => {
    expect(secretStyleOf(name)).toBeUndefined();
  });
});
