import { describe, expect, it } from 'vitest';
import { secretStyleOf } from '../../src/secrets/rules/key.js';
import { eachRow, samples, table } from '../support/each-row.js';

describe('secretStyleOf', () => {
  it('takes names for those of passwords', () =>
    eachRow(['password', 'DB_PASSWORD', 'userPassword', 'PGPASSWORD', 'passcode', 'db_pass', 'MYSQL_PWD'], (name) =>
      expect(secretStyleOf(name)).toBe('password'),
    ));

  it('takes names for those of pass phrases', () =>
    eachRow(samples`passphrase ¦ SSH_PASSPHRASE ¦ keyPassphrase ¦ pAssPhrase`, (name) =>
      expect(secretStyleOf(name)).toBe('phrase'),
    ));

  it('takes names for those of tokens', () =>
    eachRow(
      samples`
        token ¦ FOO_TOKEN ¦ accessToken ¦ api_key ¦ apiKey ¦ APIKey ¦ X-Api-Key ¦ AWS_SECRET_ACCESS_KEY
        client_secret ¦ SECRET_KEY_BASE ¦ authtoken ¦ _authToken ¦ privateKey
      `,
      (name) => expect(secretStyleOf(name)).toBe('token'),
    ));

  it('takes a key of any owner, and what is often random, for what may be one', () =>
    eachRow(samples`key ¦ chartmogulKey ¦ signature ¦ JWT ¦ credentials`, (name) =>
      expect(secretStyleOf(name)).toBe('key'),
    ));

  it('takes names in any letters', () =>
    eachRow(samples`ToKeN ¦ pASSWORD ¦ aPi_KeY ¦ SeCrEt ¦ my_pAsSwOrD ¦ bEaReR ¦ aUTHORIZATION`, (name) =>
      expect(secretStyleOf(name)).toBeDefined(),
    ));

  table([
    ...samples`
      max_tokens ¦ tokenizer ¦ tokenType ¦ token_count ¦ passwordLength ¦ PASSWORD_FILE ¦ secretName ¦ nextPageToken
      eos_token ¦ primaryKey ¦ publicKey ¦ keyboard ¦ jsonwebtokens ¦ author ¦ pass_through ¦ compass
    `,
    '',
  ])('takes other names for no secret ones', (name) => expect(secretStyleOf(name)).toBeUndefined());
});
