import { describe, expect, it } from 'vitest';
import { secretStyleOf } from '../../src/secrets/rules/secret-names.js';
import { eachRow, samples, table } from '../support/each-row.js';

describe('secretStyleOf', () => {
  it('recognises names of passwords', () =>
    eachRow(['password', 'DB_PASSWORD', 'userPassword', 'PGPASSWORD', 'passcode', 'db_pass', 'MYSQL_PWD'], (name) =>
      expect(secretStyleOf(name)).toBe('password'),
    ));

  it('recognises names of pass phrases', () =>
    eachRow(samples`passphrase ¦ SSH_PASSPHRASE ¦ keyPassphrase ¦ pAssPhrase`, (name) =>
      expect(secretStyleOf(name)).toBe('phrase'),
    ));

  it('recognises names of tokens', () =>
    eachRow(
      samples`
        token ¦ FOO_TOKEN ¦ accessToken ¦ api_key ¦ apiKey ¦ APIKey ¦ X-Api-Key ¦ AWS_SECRET_ACCESS_KEY
        client_secret ¦ SECRET_KEY_BASE ¦ authtoken ¦ _authToken ¦ privateKey
      `,
      (name) => expect(secretStyleOf(name)).toBe('token'),
    ));

  it('treats keys of any owner, and names of often random values, as possible secrets', () =>
    eachRow(samples`key ¦ chartmogulKey ¦ signature ¦ JWT ¦ credentials`, (name) =>
      expect(secretStyleOf(name)).toBe('key'),
    ));

  it('recognises names in any letter case', () =>
    eachRow(samples`ToKeN ¦ pASSWORD ¦ aPi_KeY ¦ SeCrEt ¦ my_pAsSwOrD ¦ bEaReR ¦ aUTHORIZATION`, (name) =>
      expect(secretStyleOf(name)).toBeDefined(),
    ));

  table([
    ...samples`
      max_tokens ¦ tokenizer ¦ tokenType ¦ token_count ¦ passwordLength ¦ PASSWORD_FILE ¦ secretName ¦ nextPageToken
      eos_token ¦ primaryKey ¦ publicKey ¦ keyboard ¦ jsonwebtokens ¦ author ¦ pass_through ¦ compass
    `,
    '',
  ])('does not recognise other names', (name) => expect(secretStyleOf(name)).toBeUndefined());
});
