import { describe, expect, test } from 'vitest';
import { ChildEnvironments } from '../../src/shell/run/child-environment.js';
import { eachRow } from '../support/each-row.js';
import { shellBench } from '../support/shell.js';

const make = (host: Record<string, string | undefined>, ...more: Record<string, string | undefined>[]) =>
  new ChildEnvironments().make(host, ...more);

describe('the environment of a command', () => {
  test('has the allowlisted variables of the host only', () => {
    const host = {
      PATH: '/bin',
      HOME: '/home/a',
      LC_TIME: 'de_DE',
      https_proxy: 'http://proxy:3128',
      XDG_CACHE_HOME: '/c',
      RANDOM_THING: 'x',
      NODE_OPTIONS: '--inspect',
    };
    const { env } = make(host);
    expect(env).toMatchObject({
      PATH: '/bin',
      HOME: '/home/a',
      LC_TIME: 'de_DE',
      https_proxy: 'http://proxy:3128',
      XDG_CACHE_HOME: '/c',
    });
    expect(env).not.toHaveProperty('RANDOM_THING');
    expect(env).not.toHaveProperty('NODE_OPTIONS');
  });

  test('turns off questions, pagers and colours, unless the host overrides it', () => {
    expect(make({}).env).toMatchObject({
      CI: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: 'true',
      PAGER: 'cat',
      DEBIAN_FRONTEND: 'noninteractive',
      npm_config_yes: 'true',
      TERM: 'dumb',
    });
    const { env } = make({}, { CI: undefined, PAGER: 'less' }, { PAGER: 'more', EXTRA: '1' });
    expect(env).toMatchObject({ PAGER: 'more', EXTRA: '1' });
    expect(env).not.toHaveProperty('CI');
  });

  test('has a locale for non-ASCII characters', () => {
    expect(make({}).env.LANG).toBe('C.UTF-8');
    expect(make({ LANG: 'de_DE.UTF-8' }).env.LANG).toBe('de_DE.UTF-8');
    expect(make({ LC_ALL: 'C' }).env).not.toHaveProperty('LANG');
  });

  test('is the environment that the command sees', async () => {
    process.env.SHELL_TEST_UNKNOWN = 'inherited';
    const { run } = shellBench({ env: { FROM_HOST: 'given', PAGER: 'less' } });
    const { output } = await run('echo "$FROM_HOST $PAGER $CI [$SHELL_TEST_UNKNOWN] $FROM_REQUEST"', {
      env: { FROM_REQUEST: 'asked' },
    });
    delete process.env.SHELL_TEST_UNKNOWN;
    expect(output).toBe('given less 1 [] asked\n');
  });
});

describe('values of variables', () => {
  const machineMade = ['Zq8', 'kT4v', 'W1xY7', 'bN3m', 'R6pL', 'c9Jd'].join('');

  const learned = [
    ['MY_PAT', machineMade.toLowerCase()],
    ['SOME_JWT', `${machineMade}.x`],
    ['ENCRYPTION_SALT', '0f1e2d3c4b5a69788796a5b4c3d2e1f0'],
    ['STRIPE_SK', machineMade],
    ['MNEMONIC', 'legal winner thank year wave sausage worth useful legal winner thank yellow'],
    ['NOTHING_SAID', machineMade],
    ['SOME_BLOB', `${machineMade}+/=`],
  ] as const;
  test('are scrubbed if they are secrets', () =>
    eachRow(learned, ([name, value]) => expect(make({ [name]: value }).secrets()).toEqual([value])));

  const notLearned = [
    ['GITHUB_SHA', '1f5b8e0d6c3a4f9b2e7d8c1a0b9f6e5d4c3b2a19'],
    ['APP_VERSION', `${machineMade}`],
    ['SOME_FOLDER', '/srv/Build9Cache/a1B2c3D4e5F6g7H8'],
    ['SERVICE', 'https://Example1.test/Some1Long2Path3Here4'],
    ['EDITION', 'JustSomeWordsWithoutDigits'],
    ['PATH', `/bin:${machineMade}`],
  ] as const;
  test('are not scrubbed otherwise', () =>
    eachRow(notLearned, ([name, value]) => expect(make({ [name]: value }).secrets()).toEqual([])));

  const told = [
    ['ANTHROPIC_API_KEY', 'k-1234567890'],
    ['GITHUB_TOKEN', 'gh0-1234567890'],
    ['AWS_SECRET_ACCESS_KEY', 'abc/def+1234567890'],
    ['DB_PASSWORD', 'hunter2hunter2'],
    ['MYSQL_PWD', 'hunter2hunter2'],
    ['SSH_PASSPHRASE', 'a long phrase'],
    ['DATABASE_URL', 'postgres://u:p@h/d'],
    ['BASIC_AUTH', 'user:password1'],
    ['stripe_key', 'sk_1234567890'],
  ] as const;
  test('are recognised by the name of the variable', () =>
    eachRow(told, ([name, value]) => {
      expect(make({ [name]: value }).secrets()).toEqual([value]);
      expect(make({}, { [name]: value }).secrets()).toEqual([value]);
    }));

  test('are recognised as a password in a URL', () =>
    expect(make({ HTTPS_PROXY: 'http://me:swordfish9@proxy:3128' }).secrets()).toEqual(['swordfish9']));

  const plain = [
    ['KEYBOARD', 'layout-de-1'],
    ['GIT_AUTHOR_EMAIL', 'a@example.com'],
    ['SSH_KEY_PATH', 'keys/id_rsa'],
    ['TOKEN_TYPE', 'bearer-like'],
    ['PWD', '/home/somebody'],
    ['USE_TOKENS', 'yes'],
    ['PASSWORD', 'short'],
    ['AUTH', 'disabled'],
    ['PRIVATE_THINGS', '/home/a/private'],
    ['SESSION_MANAGER', 'local/host:@/tmp'],
  ] as const;
  test('are not scrubbed if they are plain', () =>
    eachRow(plain, ([name, value]) => expect(make({ [name]: value }).secrets()).toEqual([])));
});
