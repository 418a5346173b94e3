import { scrubCredentials } from 'toolwright';
import { describe, expect, it } from 'vitest';
import { eachRow, samples } from '../support/each-row.js';

const names = samples`
  password ¦ ToKeN ¦ pASSWORD ¦ api_key ¦ API_KEY ¦ secret ¦ DB_PASSWORD ¦ bearer ¦ client_secret ¦ apiKey ¦ aPi_KeY
  accessToken ¦ authorization
`;
/** Values that do not seem secret by themselves. */
const words = samples`
  swordfish ¦ hunter2 ¦ correct-horse-battery-9 ¦ MySecretPass123! ¦ abc ¦ Swordfish ¦ admin ¦ 123456 ¦ example123
  MyExamplePassw0rd ¦ sunshine_2020 ¦ Replace2024! ¦ f00ba7
`;
const phrases = ['correct horse battery staple', 'four blue fish swim', 'open sesame now please'];

type Form = readonly [name: string, write: (name: string, value: string) => string];

/** Data formats in which a value is one word. */
const wordForms: readonly Form[] = [
  ['a shell', (name, value) => `export ${name}=${value}\n`],
  ['before a command', (name, value) => `${name.toUpperCase()}=${value} node server.js\n`],
  ['an option of docker', (name, value) => `docker run -e ${name}=${value} image\n`],
  ['a list of compose', (name, value) => `  environment:\n    - ${name}=${value}\n`],
  ['YAML with a comment', (name, value) => `host: h\n${name}: ${value} # of the database\n`],
  ['ini, glued', (name, value) => `[db]\nhost=h\n${name}=${value}\n`],
  ['properties', (name, value) => `spring.datasource.${name}=${value}\n`],
  ['Dockerfile', (name, value) => `FROM node\nENV ${name}=${value}\n`],
  ['Dockerfile, argument', (name, value) => `ARG ${name}=${value}\n`],
  ['fish', (name, value) => `set -x ${name} ${value}\n`],
  ['csh', (name, value) => `setenv ${name} ${value}\n`],
  ['cmd', (name, value) => `set ${name}=${value}\r\n`],
  ['an option', (name, value) => `tool --${name.toLowerCase()}=${value} --verbose\n`],
  ['an option and its value', (name, value) => `tool --${name.toLowerCase()} ${value} --verbose\n`],
  ['a header', (name, value) => `POST / HTTP/1.1\r\nX-${name.replace('_', '-')}: ${value}\r\nHost: h\r\n`],
  ['a header of curl', (name, value) => `curl -H "X-${name.replace('_', '-')}: ${value}" https://h.example\n`],
  ['a query', (name, value) => `GET /x?a=b&${name}=${value}&page=2 HTTP/1.1\n`],
  ['a log', (name, value) => `2026-01-01 INFO login with ${name}=${value} ok\n`],
  ['a diff', (name, value) => `+${name}=${value}\n`],
  ['a search', (name, value) => `.env:3:${name}=${value}\n`],
  ['a page with numbers', (name, value) => `     3\t${name}=${value}\n`],
];

/** Data formats in which a value may contain blanks. */
const phraseForms: readonly Form[] = [
  ['.env', (name, value) => `HOST=h\n${name}=${value}\nPORT=80\n`],
  ['.env in quotes', (name, value) => `${name}="${value}"\n`],
  ['a shell in quotes', (name, value) => `export ${name}='${value}'; run it\n`],
  ['TOML', (name, value) => `[db]\n${name} = "${value}"\n`],
  ['JSON', (name, value) => `{\n  "host": "h",\n  "${name}": "${value}",\n  "port": 1\n}\n`],
  ['JSON on one line', (name, value) => `{"host":"h","${name}":"${value}","port":1}`],
  ['JSON in a string', (name, value) => `"{\\"host\\":\\"h\\",\\"${name}\\":\\"${value}\\"}"`],
  ['Dockerfile with a blank', (name, value) => `FROM node\nENV ${name} ${value}\n`],
  ['fish in quotes', (name, value) => `set --export ${name} '${value}'\n`],
  ['csh in quotes', (name, value) => `setenv ${name} "${value}"\n`],
  ['an option in quotes', (name, value) => `tool --${name.toLowerCase()} "${value}"\n`],
];

/** Data formats in which the first word of a value may be a scheme. */
const valueForms: readonly Form[] = [
  ['YAML', (name, value) => `db:\n  host: h\n  ${name}: ${value}\n  port: 80\n`],
  ['YAML in quotes', (name, value) => `  ${name}: "${value}"\n`],
  ['ini', (name, value) => `[db]\nhost = h\n${name} = ${value}\n`],
  ['XML', (name, value) => `<${name}>${value}</${name}>\n`],
  ['JavaScript', (name, value) => `const ${name} = 'x${value}';\n`],
  ['Python', (name, value) => `client = Client(${name}="x${value}", timeout=5)\n`],
  ['JavaScript in backticks', (name, value) => `const ${name} = \`x${value}\`;\n`],
  ['Python in three quotes', (name, value) => `${name} = """x${value}"""\n`],
  ['Go', (name, value) => `${name} := "x${value}"\n`],
];

const statements: readonly ((value: string) => string)[] = [
  (value) => `CREATE USER app WITH PASSWORD '${value}';`,
  (value) => `alter user app with encrypted password '${value}';`,
  (value) => `CREATE USER 'a'@'h' IDENTIFIED BY '${value}';`,
  (value) => `ALTER USER 'a'@'h' IDENTIFIED WITH mysql_native_password BY '${value}';`,
  (value) => `CREATE LOGIN a WITH PASSWORD = '${value}';`,
  (value) => `CREATE LOGIN a WITH PASSWORD = N'${value}';`,
  (value) => `SET PASSWORD FOR 'a'@'h' = '${value}';`,
  (value) => `SET PASSWORD = PASSWORD('${value}');`,
];

describe('a value after a name and a sign', () => {
  const expectHidden = (write: (value: string) => string, value: string) =>
    expect(scrubCredentials(write(value))).toBe(write('[REDACTED]').replace('x[REDACTED]', '[REDACTED]'));

  it('is hidden in data for any content', () =>
    eachRow([...wordForms, ...phraseForms], ([, write]) => {
      for (const name of names) for (const value of words) expectHidden((text) => write(name, text), value);
    }));

  it('is hidden with all its words', () =>
    eachRow(phraseForms, ([, write]) => {
      for (const name of names) for (const value of phrases) expectHidden((text) => write(name, text), value);
    }));

  it('is hidden with all its words if no scheme precedes it', () =>
    eachRow(valueForms, ([, write]) => {
      for (const name of names.filter((each) => each !== 'authorization'))
        for (const value of [...words, ...phrases]) expectHidden((text) => write(name, text), value);
    }));

  it('is hidden in SQL statements', () =>
    eachRow(statements, (write) => {
      for (const value of [...words, ...phrases]) expectHidden(write, value);
    }));

  it('is hidden after an option, also before a sign of the shell, a bracket or a quote', () =>
    eachRow(
      samples`
        deploy --password Tr0ub4dor3x9; ls ¦ deploy --token PAm1H5lrvb5SRjfna8jGn3pf; ls ¦ x --password Tr0ub4dor3x9 | y
        {"cmd":"deploy --api-key PAm1H5lrvb5SRjfna8jGn3pf","x":1} ¦ $(vault login --token PAm1H5lrvb5SRjfna8jGn3pf)
        run --password "Tr0ub4dor3x9"; x`,
      (text) => expect(scrubCredentials(text)).toMatch(/--[a-z-]+ "?\[REDACTED\]/),
    ));

  it('stays if it is code, a reference, a placeholder or a sentence', () =>
    eachRow(
      samples`
        password: string ¦ token?: string | null, ¦ token = nextToken ¦ token = parser.next() ¦ password = await ask()
        this.token = token ¦ self.token = token ¦ token=token, ¦ f(password=password) ¦ password: process.env.PASSWORD,
        password: pwd, ¦ API_KEY=<token> ¦ TOKEN=<your token> ¦ secret: your-secret-here ¦ API_KEY=your_api_key
        token: Token ¦ password: SecretStr ¦ token: Optional[str] = None ¦ let token = "" ¦ tokenType: "bearer"
        if (token === "comma") ¦ "password": "Enter your password" ¦ "token": "Token" ¦ password: true ¦ token: null
        password: &pw ¦ password: !vault x ¦ secret: [] ¦ --token <token> ¦ --password string   The password
        --token TOKEN ¦ Use --token to set the token ¦ The password: it must have 8 characters ¦ token - the token
        Unexpected token: end of input ¦ password: must be at least 8 characters ¦ * @param token: the token to use
        Authorization: the header to send ¦ password VARCHAR(255) NOT NULL ¦ WHERE password = ? ¦ password = :password
        password = $1 ¦ password = %s ¦ token = cond ? a : b ¦ return x ? 'password' : 'token'; ¦ id-token: write
        type Name = "token" | "password" ¦ token = new Token ¦ password=REPLACE_ME ¦ password: placeholder
        token=example-token ¦ password: TODO ¦ "@a/credential-provider": ">=3.972.0 <4" ¦ jwt: "o JWT"
        connect(user=u, password=cfg.db.password) ¦ SET name=n.name, password=n.password WHERE id=n.id AND token=t.col
        (--token case) ¦ --api-key KEY, -k ¦   --token  The token to use ¦ use --token case. ¦ IDENTIFIED BY :password ¦ the token 'before' it ¦ g.key===f.key?g.token:h.password;
      `,
      (text) => {
        expect(scrubCredentials(text)).toBe(text);
        expect(scrubCredentials(`${text}\n`)).toBe(`${text}\n`);
      },
    ));

  /** Text between « and » must be hidden, and all other text must stay. */
  it('is hidden in the rarer formats of data', () =>
    eachRow(
      samples`
        password=«12» ¦ PASSWORD=«7» ¦ password: «12» ¦ {"password": «12», "a": 1} ¦ password=«2026-01-31»
        password=«ann@web.org» ¦ password=«1.2.3» ¦ pwd = «90210» ¦ api_key=«5» ¦ token: «77»
        login user=joe password=«a.b.c» from 10.0.0.1 ¦ psql "host=h password=«moon.tide»" ¦ curl -d "token=«a.b.c»" h
        password=«a.b.c» ¦ password: «a.b.c» ¦ export token=«moon.tide» ¦ Secret=«red.fox.den»
        {password: «abc», user: x} ¦ - {user: x, token: «abc»} ¦ db: {host: h, password: «12»} ¦ { secret: «two words» }
        TOKEN:=«abc» ¦ TOKEN := «abc» ¦ DB_PASSWORD ?= «hunter2» ¦ API_KEY?=«abc» ¦ export SECRET:=«a.b»
        passphrase: «my voice is my passport» ¦ ssh_passphrase=«the owl is in the barn» ¦ passphrase: "«a cat is a cat»"
        {"passphrase": "«the sky is not the sea»"} ¦ keyPassphrase: '«it is a hidden garden by the sea»'
        https://«abcdef0123456789»@h.example/x ¦ redis://«k8s9x2q7»@h:6379 ¦ git+https://«a1B2c3D4e5»@h.example/r.git
        define('DB_PASSWORD', '«x»'); ¦ define("API_TOKEN","«abc»") ¦ os.getenv("PASSWORD", "«x»")
        os.environ.get('API_TOKEN', '«abc123»') ¦ env('DB_PASSWORD', '«x»') ¦ ENV.fetch("SECRET", "«sesame»")
        process.env.TOKEN || '«hunter2»' ¦ import.meta.env.PASSWORD ?? "«x»"
        \${PASSWORD:-«x»} ¦ a=\${DB_PASSWORD:-«hunter2»} ¦ \${TOKEN:=«a b»} ¦ "\${SECRET:-"«two words»"}"
        api_key%3D«x» ¦ ?next=%2F%3Ftoken%3D«abc»%26page%3D1 ¦ %22password%22%3A%22«hunter2»%22 ¦ password%3A%20«12»&a=b
      `.map((text) => text.replaceAll('\\$', '$')),
      (marked) => {
        const text = marked.replace(/[«»]/g, '');
        for (const [before, after] of [
          ['', ''],
          ['host=h\n', '\nport=1\n'],
        ])
          expect(scrubCredentials(`${before}${text}${after}`)).toBe(
            `${before}${marked.replace(/«.*»/, '[REDACTED]')}${after}`,
          );
      },
    ));

  it('stays in those formats if it is code, a reference, a placeholder or a sentence', () =>
    eachRow(
      samples`
        password=config.password ¦ password=process.env.PASSWORD ¦ token: ts.Token ¦ login(password=a.b.c)
        secret = cfg.vlt.ns ¦ {password: string, user: x} ¦ {token: accessToken, user: u} ¦ f({password: abc, user: x})
        const x = {password: abc, user: x} ¦ token := parser.next() ¦ token := abc ¦ TOKEN:=$(OTHER) ¦ TOKEN ?= <token>
        passphrase: the phrase to unlock the key ¦ passphrase: your own words here please ¦ passphrase: string
        https://git@github.com/a.git ¦ https://someuser@host/x ¦ ssh://deploy-user-1@host ¦ password=xxxx ¦ password=****
        https://0123456789abcdef0123456789abcdef@o1.h.example/1 ¦ define('DB_PASSWORD', getenv('X'))
        define('DB_PASSWORD', 'changeme') ¦ os.getenv("PASSWORD", default) ¦ os.getenv("PASSWORD", "")
        createToken('TOKEN', 'comma') ¦ env('DB_PASSWORD', 'required') ¦ \${PASSWORD} ¦ \${PASSWORD:-}
        \${PASSWORD:-$OTHER} ¦ \${PASSWORD:-\${OTHER}} ¦ \${PASSWORD:?must be set} ¦ \${PASSWORD:-changeme}
        \${TOKEN:=<token>} ¦ process.env.TOKEN || other ¦ process.env.TOKEN ?? '' ¦ api_key%3D%3Ctoken%3E
        api_key%3D%24TOKEN ¦ api_key%3Dchangeme ¦ next=%2Flogin%3Ftoken%3D%26a ¦ "jsonwebtoken": "^9.0.2",
        "pbkdf2-password": "1.2.1", ¦ x["UserPass"] = 2 ¦ PASSWORD_HASH_ROUNDS=12 ¦ <A ACCESSKEY="N">
        type A = { password?: string } ¦ token ? 'a' : 'b'
      `.map((text) => text.replaceAll('\\$', '$')),
      (text) => {
        expect(scrubCredentials(text)).toBe(text);
        expect(scrubCredentials(`a\n${text}\n`)).toBe(`a\n${text}\n`);
      },
    ));

  it('stays after lines of code', () =>
    eachRow(
      [
        'elif text:\n        token = Comment\n',
        'call(\n    token=token,\n    password=given)\n',
        'def of(self, request_token=None,\n       access_token=None):\n',
        '{\n  host: h,\n  token: given\n}\n',
        'interface Login {\n  password: Given\n}\n',
        'login(\npassword=a.b.c)\n',
        'class A {\n  token: lib.Name\n}\n',
        'const list = [\n  { password: abc, user: x },\n]\n',
      ],
      (text) => expect(scrubCredentials(text)).toBe(text),
    ));

  it('of a key of any owner is hidden if it seems random', () => {
    const value = ['e8hwspf91879g0u2', '67yq1bkoxquvwndk'].join('');
    for (const write of [
      (text: string) => `[DEBUG] Using Key=${text}\n`,
      (text: string) => `chartmogul_key: "${text}"\n`,
      (text: string) => `GET /v1/users?key=${text}\n`,
      (text: string) => `<secret>{x AQAAABAAA ${text}}</secret>\n`,
    ])
      expect(scrubCredentials(write(value))).not.toContain(value);
    expect(scrubCredentials('key: cache-entry-of-the-user\n')).toBe('key: cache-entry-of-the-user\n');
  });

  it('before a constant in a URL is the token', () => {
    const user = ['0123456789abcdef', '0123456789abcdef'].join('');
    for (const password of ['x-oauth-basic', 'x', ''])
      expect(scrubCredentials(`git+https://${user}:${password}@h.example/a/b.git`)).toBe(
        `git+https://[REDACTED]:${password}@h.example/a/b.git`,
      );
  });
});

it('is hidden completely if it has doubled quotes', () =>
  eachRow([`password: 'it''s hunter2'`, `ALTER USER a IDENTIFIED BY 'it''s hunter2'`], (text) =>
    expect(scrubCredentials(text)).toBe(text.replace(/'.*'/, "'[REDACTED]'")),
  ));

describe('a default value of a variable', () => {
  it('is hidden', () =>
    eachRow(
      [
        'curl -H "$X" ${API_TOKEN-@}',
        'run --url "h?${DB_PASSWORD-"@"}"',
        '${TOKEN:-@}',
        "$pass = getenv('DB_PASSWORD') ?: '@';",
        "$pass = env('DB_PASSWORD') ?? '@';",
        'password = os.getenv("DB_PASSWORD") or "@"',
      ],
      (text) => expect(scrubCredentials(text.replace('@', 'swordfish'))).toBe(text.replace('@', '[REDACTED]')),
    ));

  it('stays if it is computed', () =>
    eachRow(
      ['${token-1}', '${TOKEN-$OTHER}', '${MAX_TOKENS-100}', "getenv('DB_PASSWORD') ?: next()", '${ITEM-swordfish}'],
      (text) => expect(scrubCredentials(text)).toBe(text),
    ));
});

it('a value in the form of a member access is hidden in a log and stays in code', () => {
  expect(scrubCredentials('INFO password=a.b.c')).toBe('INFO password=[REDACTED]');
  expect(scrubCredentials('9:01 [main] [WARN] token=a.b.c ok')).toBe('9:01 [main] [WARN] token=[REDACTED] ok');
  expect(scrubCredentials('2026-01-01T00:00:00Z WARN retry password=blue.fish')).toBe(
    '2026-01-01T00:00:00Z WARN retry password=[REDACTED]',
  );
  expect(scrubCredentials('call(INFO, password=a.b.c)')).toBe('call(INFO, password=a.b.c)');
});

describe('a value in data', () => {
  it('is hidden in an option, a fragment, a directive or an appended variable, and if it begins with a sign', () =>
    eachRow(
      [
        'kubectl create secret generic s --from-literal=password=@',
        'helm x --set-string=auth.password=@',
        'terraform -var=db_password=@',
        'curl --data=token=@',
        'https://h.example/cb#access_token=@',
        'TOKEN+=@',
        'SetEnv DB_PASSWORD @',
        'set-env API_TOKEN @',
        '#define DB_PASSWORD "@"',
        'proxy_set_header Authorization "Bearer @";',
        "storePassword '@'",
        'machine h.example\n  login bob\n  password @\n',
        'password=!@',
        'password=*@',
      ],
      (text) => expect(scrubCredentials(text.replace('@', 'swordfish'))).not.toContain('swordfish'),
    ));

  it('is not a GraphQL type, a template expression or a macro', () =>
    eachRow(
      [
        'password: String!',
        'tokens: [ID!]!',
        '<input :password="form.password" v-bind:token="user.token">',
        '#define TOKEN_CHARS other_chars',
        '- password: !vault x',
      ],
      (text) => expect(scrubCredentials(text)).toBe(text),
    ));
});
