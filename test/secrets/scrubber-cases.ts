import { samples } from '../support/each-row.js';
/**
 * Letters and digits that seem random and are the same in every run. They are generated, so that no file contains a
 * whole secret-like text.
 */
export function sample(length: number, alphabet: string, start = 7): string {
  let state = start * 7919 + length;
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return alphabet[Math.floor(state / 65536) % alphabet.length];
  }).join('');
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const mixed = lower + lower.toUpperCase() + digits;

export const alphanumeric = (length: number, start?: number): string => sample(length, mixed, start);
export const hexadecimal = (length: number, start?: number): string => sample(length, `${digits}abcdef`, start);
const capitals = (length: number): string => sample(length, lower.toUpperCase() + digits);
const wordy = (length: number): string => sample(length, `${mixed}_-`);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A text in which `secret` must be hidden and the rest must stay. */
export interface RedactedCase {
  readonly name: string;
  readonly before: string;
  readonly secret: string;
  readonly after: string;
}

export const redacted = (name: string, before: string, secret: string, after = ''): RedactedCase => ({
  name,
  before,
  secret,
  after,
});
const value = alphanumeric(20);
const jwt = [
  `ey${'J'}hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9`,
  base64('{"sub":"1234567890","name":"A"}').replace(/=/g, ''),
  wordy(43),
].join('.');

export const redactedCases: readonly RedactedCase[] = [
  redacted('a cell of a table', ' api_key        | ', alphanumeric(18), ' | production'),
  redacted('a cell of a table in Markdown', '| `DB_PASSWORD` | ', `Kb9${alphanumeric(12)}`, ' |'),
  redacted('a setting of a database', "ALTER ROLE me SET app.password TO '", `Kb9${alphanumeric(12)}`, "';"),
  redacted('OpenAI, alone', '', `sk${'-'}${alphanumeric(48)}`),
  redacted('OpenAI, shortest', 'a ', `sk${'-'}${alphanumeric(20)}`, ' b'),
  redacted('OpenAI project', 'key: ', `sk${'-proj-'}${wordy(60)}`, '\n'),
  redacted('OpenAI service account', '', `sk${'-svcacct-'}${wordy(60)}`),
  redacted('OpenRouter', '', `sk${'-or-v1-'}${hexadecimal(64)}`),
  redacted('Anthropic', 'key=', `sk${'-ant-'}api03-${wordy(90)}AA`),
  redacted('Anthropic, in quotes', '{"k":"', `sk${'-ant-'}admin01-${wordy(40)}`, '"}'),
  ...['p', 'o', 'u', 's', 'r'].map((letter) =>
    redacted(`GitHub gh${letter}`, 'remote: ', `gh${letter}_${alphanumeric(36)}`, ' done'),
  ),
  redacted('GitHub fine-grained', '', `github${'_pat_'}${alphanumeric(22)}_${alphanumeric(59)}`),
  redacted('GitHub, longer than usual', '', `gh${'s_'}${alphanumeric(60)}`, '.'),
  redacted('GitHub in an address', 'https://', `gh${'p_'}${alphanumeric(36)}`, '@github.com/a/b.git'),
  redacted('GitHub behind a line break of JSON', '{"log":"x\\n', `gh${'p_'}${alphanumeric(36)}`, '\\n"}'),
  redacted('PostHog', 'see ', `ph${'x_'}${alphanumeric(43)}`),
  redacted('a control character within', 'password=', `${value.slice(0, 9)}\u007f${value.slice(9)}`, '\n'),
  redacted('what grep marks', '\u001b[01;31m\u001b[Kpassword\u001b[m\u001b[K=', value, '\n'),
  redacted('what grep marks, a name of two words', '\u001b[01;31m\u001b[Kapi_key\u001b[m\u001b[K=', value, '\n'),
  redacted('behind the end of all colours', 'password=\u001b(B\u001b[m', value, '\n'),
  redacted('a colour in eight bits', 'password=\u009b31m', value, '\u009b0m'),
  redacted('a password in colour', 'password=\u001b[31m', value, '\u001b[0m'),
  redacted('a password before the end of a colour', 'password=', value, '\u001b[0m done'),
  redacted('behind a name in bold', '\u001b[1mpassword\u001b[0m: ', value, '\n'),
  redacted(
    'name, sign and value in colours',
    '\u001b[32mAPI_KEY\u001b[0m\u001b[2m=\u001b[m\u001b[38;5;214m',
    value,
    '\u001b[0m rest',
  ),
  redacted('coloured JSON', '"\u001b[34mapi_key\u001b[0m": "\u001b[32m', value, '\u001b[0m"'),
  redacted('an inspected object in colours', "{ password: \u001b[32m'", value, "'\u001b[39m }"),
  redacted('GitHub behind a colour sequence', '\u001b[32m', `gh${'p_'}${alphanumeric(36)}`, '\u001b[0m'),
  redacted('GitHub percent-encoded', 'q=%22', `gh${'p_'}${alphanumeric(36)}`, '%22'),
  redacted('GitLab', 'PRIVATE-TOKEN: ', `glp${'at-'}${wordy(20)}`),
  redacted('GitLab deploy', '', `gld${'t-'}${wordy(20)}`),
  redacted('AWS key id', 'id ', `AK${'IA'}${capitals(16)}`, ', region eu-west-1'),
  redacted('AWS temporary key id', '', `AS${'IA'}${capitals(16)}`),
  redacted('AWS secret key', 'aws_secret_access_key = ', `${alphanumeric(18)}/${alphanumeric(12)}+${alphanumeric(8)}`),
  redacted(
    'AWS secret key, exported',
    'export AWS_SECRET_ACCESS_KEY=',
    alphanumeric(40),
    '\nexport AWS_REGION=eu-west-1',
  ),
  redacted('AWS session token', 'AWS_SESSION_TOKEN=', `IQoJb3JpZ2luX2VjE${alphanumeric(200)}==`),
  redacted('Google API key', '"', `AI${'za'}${wordy(35)}`, '"'),
  redacted('Google OAuth', '', `ya${'29.'}${wordy(60)}`),
  redacted('Google client secret', '', `GOC${'SPX-'}${wordy(28)}`),
  redacted('Slack bot', '', `xo${'xb-'}${sample(12, digits)}-${sample(12, digits)}-${alphanumeric(24)}`),
  redacted('Slack app', '', `xa${'pp-'}1-A0123-${sample(12, digits)}-${hexadecimal(40)}`),
  redacted('Slack webhook', 'https://hooks.slack.com/', `services/T${capitals(8)}/B${capitals(8)}/${alphanumeric(24)}`),
  redacted('Stripe', '', `sk${'_live_'}${alphanumeric(24)}`),
  redacted('Stripe restricted', '', `rk${'_test_'}${alphanumeric(24)}`),
  redacted('Stripe webhook', '', `wh${'sec_'}${alphanumeric(32)}`),
  redacted('npm', '//packages.example.org/:_authToken=', `np${'m_'}${alphanumeric(36)}`),
  redacted(
    'npm, legacy',
    '//packages.example.org/:_authToken=',
    `${hexadecimal(8)}-${hexadecimal(4)}-${hexadecimal(4)}-${hexadecimal(4)}-${hexadecimal(12)}`,
  ),
  redacted('Telegram', 'https://api.telegram.org/bot123456789:AA', wordy(33), '/getMe'),
  redacted('SendGrid', '', `S${'G.'}${wordy(22)}.${wordy(43)}`),
  redacted('Twilio key', '', `S${'K'}${hexadecimal(32)}`),
  redacted('Twilio token', 'TWILIO_AUTH_TOKEN=', hexadecimal(32)),
  redacted('Hugging Face', '', `h${'f_'}${alphanumeric(34)}`),
  redacted('Groq', '', `gs${'k_'}${alphanumeric(52)}`),
  redacted('DigitalOcean', '', `do${'p_v1_'}${hexadecimal(64)}`),
  redacted('Shopify', '', `shp${'at_'}${hexadecimal(32)}`),
  redacted('PyPI', '', `py${'pi-'}AgEIcHlwaS5vcmc${wordy(80)}`),
  redacted('Docker Hub', '', `dckr${'_pat_'}${wordy(27)}`),
  redacted('Vault', '', `hv${'s.'}${wordy(90)}`),
  redacted('Databricks', '', `da${'pi'}${hexadecimal(32)}`),
  redacted('Mailgun', '', `ke${'y-'}${hexadecimal(32)}`),
  redacted('JSON Web Token', 'got ', jwt, ' from it'),
  redacted('JSON Web Token at the end of a sentence', 'got ', jwt, '. Then'),
  redacted('Bearer', 'Authorization: Bearer ', alphanumeric(32), '\n'),
  redacted('Bearer in a command', 'curl -H "Authorization: Bearer ', alphanumeric(24), '" https://h.example/'),
  redacted('Bearer in JSON', '{"Authorization":"Bearer ', alphanumeric(24), '"}'),
  redacted('bearer, lower case, no header', 'sent bearer ', alphanumeric(24)),
  redacted('bearer=', 'bearer=', value),
  redacted('Basic', 'Authorization: Basic ', base64(`user:${value}`), '\r\n'),
  redacted('token scheme', 'Authorization: token ', hexadecimal(40)),
  redacted('authorization=', 'authorization=', value),
  redacted('X-Api-Key', 'X-Api-Key: ', alphanumeric(24)),
  redacted('X-Auth-Token in a command', "curl -H 'X-Auth-Token: ", alphanumeric(24), "' x"),
  redacted('api-key header', 'api-key: ', hexadecimal(32)),
  redacted('cookie', 'Cookie: theme=dark; sessionid=', alphanumeric(32), '; lang=en'),
  redacted(
    'set-cookie',
    'Set-Cookie: connect.sid=',
    `s%3A${alphanumeric(32)}.${alphanumeric(20)}`,
    '; Path=/; HttpOnly',
  ),
  redacted('password=', 'password=', value, '\n'),
  redacted('password: in YAML', 'db:\n  password: ', value, '\n  host: h'),
  redacted('password in quotes', 'password: "', value, '",'),
  redacted('password with signs', 'password=', 'Tr0ub4dor&3x!', '\n'),
  redacted('password people choose', 'password=', 'hunter2', '\n'),
  redacted('password people choose, JSON', '{"user":"a","password":"', 'hunter2!', '"}'),
  redacted('password in the environment', 'DB_PASSWORD=', 'correct-horse-battery', '\nDB_HOST=h'),
  redacted('password in quotes in the environment', 'export DB_PASSWORD="', 'p4ss w0rd#1', '"'),
  redacted('PGPASSWORD', 'PGPASSWORD=', 's3cr3tPw', ' psql -h h'),
  redacted('MYSQL_PWD', 'MYSQL_PWD=', value),
  redacted('api_key=', 'api_key=', value),
  redacted('API key in JSON', '"api_key": "', value, '"'),
  redacted('API key in escaped JSON', '{\\"apiKey\\":\\"', value, '\\"}'),
  redacted('API key, camel case', "const apiKey = '", value, "';"),
  redacted('API key with a type', 'const apiKey: string = "', value, '";'),
  redacted('API key, Rust', 'let api_key: &str = "', value, '";'),
  redacted('API key, Go', 'apiKey := "', value, '"'),
  redacted('API key, PHP', "'api_key' => '", value, "',"),
  redacted('API key, Ruby', ':api_key => "', value, '"'),
  redacted('API key, Python keyword', 'Client(api_key="', value, '", timeout=5)'),
  redacted('API key by index', 'os.environ["API_KEY"] = "', value, '"'),
  redacted('API key as a call', 'client.setApiKey("', value, '")'),
  redacted('API key as an argument', 'config.set("api_key", "', value, '")'),
  redacted('API key in XML', '<apiKey>', value, '</apiKey>'),
  redacted('API key in an XML attribute', '<add key="ApiKey" value="', value, '" />'),
  redacted('API key as an entry', '{"name": "API_KEY", "value": "', value, '"}'),
  redacted('secret of a client', 'client_secret=', value, '&grant_type=x'),
  redacted('secret key base', 'SECRET_KEY_BASE=', hexadecimal(128)),
  redacted('secret in TOML', 'secret = "', value, '"'),
  redacted('Django secret key', "SECRET_KEY = '", `django-insecure-${alphanumeric(20)}#^&(z)`, "'"),
  redacted('API key in two words', 'API Key: ', value, ' (keep it safe)'),
  redacted('private key of a wallet', 'PRIVATE_KEY=', `0x${hexadecimal(64)}`),
  redacted('token, upper case', 'TOKEN=', value),
  redacted('token in a query', 'GET /x?access_token=', value, '&page=2'),
  redacted('token in a query, second', 'https://h.example/?page=2&token=', value, '#top'),
  redacted('API key in a query', 'https://h.example/?api_key=', value, ' HTTP/1.1'),
  redacted('FOO_TOKEN', 'FOO_TOKEN=', value, '\nBAR=1'),
  redacted('GITHUB_TOKEN, old form', 'GITHUB_TOKEN=', hexadecimal(40)),
  redacted('HEROKU_API_KEY', 'HEROKU_API_KEY=', '01234567-89ab-cdef-0123-456789abcdef'),
  redacted('token as an option', 'tool --token=', value, ' --verbose'),
  redacted('token as a separate option', 'tool --token ', value, ' --verbose'),
  redacted('password as an option', 'mysql --password=', 'hunter2x', ' db'),
  redacted('set by PowerShell', '$env:API_TOKEN = "', value, '"'),
  redacted('set by cmd', 'set API_TOKEN=', value, '\r\n'),
  redacted('in a Dockerfile', 'ENV API_TOKEN=', value),
  redacted('in a diff', '+  api_key: ', value, '\n'),
  redacted('in search output', 'config.yml:12:  api_key: ', value, '\n'),
  redacted('numbered', '    12\tapi_key = "', value, '"'),
  redacted('in a sentence', 'the api key is ', value, '.'),
  redacted('netrc', 'machine h.example login me password ', value),
  redacted('netrc on lines', 'machine h.example\n  login me\n  password ', 'hunter2x', '\n'),
  redacted('user and password of curl', 'curl -u me:', 'hunter2x', ' https://h.example/'),
  redacted('a password with an at sign', 'curl -u me:', 'p@ssw0rd-9x', ' https://h.example/'),
  redacted('behind a file of htpasswd', 'htpasswd -b f me ', 'hunter2x', ' -n'),
  redacted(
    'a key of Kubernetes',
    'tls.key: ',
    base64(`-----BEGIN RSA PRIV${'ATE KEY-----'}\n${alphanumeric(80)}`),
    '\n',
  ),
  redacted('a token behind an empty block', 'token: |\ntoken: ', value, '\n'),
  redacted('a password behind an empty block', 'token: |\npassword=', value, '\n'),
  redacted('user and password of curl, long and quoted', "curl --user 'me:", 'hunter2x', "' https://h.example/"),
  redacted('URL', 'postgres://user:', alphanumeric(12), '@h.example:5432/db'),
  redacted('URL without a user', 'redis://:', alphanumeric(16), '@h.example:6379'),
  redacted('URL in JSON', '"url": "mongodb+srv://app:', 'Pa%24%24w0rd', '@c.example/db?x=1"'),
  redacted('URL of a proxy', 'HTTPS_PROXY=http://me:', 'hunter2', '@proxy.example:8080'),
  redacted('URL with @ in the password', 'amqp://u:', 'p@ssw0rd1', '@h.example/'),
  redacted('connection string', 'Server=h;Database=d;User Id=sa;Password=', 'Str0ng!Pass', ';Encrypt=true'),
  redacted('Azure account key', 'AccountName=a;AccountKey=', `${alphanumeric(86)}==`, ';EndpointSuffix=x'),
  redacted('Azure shared access', 'SharedAccessKeyName=n;SharedAccessKey=', `${alphanumeric(43)}=`),
  redacted('Azure signature', 'https://a.example/c?sv=2022&sig=', `${alphanumeric(40)}%3D`, '&se=x'),
  redacted('signed address', 'https://b.example/o?X-Amz-Expires=60&X-Amz-Signature=', hexadecimal(64)),
  redacted('docker config', '{"auths":{"h.example":{"auth":"', base64(`user:${value}`), '"}}}'),
];

/** Texts that must stay unchanged. */
export const survivingTexts: readonly string[] = [
  ...samples`
    sk-short ¦ AKIA1234 ¦ risk-assessmentsAndOtherWordsThatAreLong ¦ task-0123456789abcdefghijklmnop
    sk-folding-cube sk-child sk-loading-spinner-large ¦ token: string; ¦ token?: string | undefined;
    readonly password: string, ¦ password = readPassword() ¦ password: str = Form(...) ¦ const token = tokens[i];
    const token = await getAccessToken(user.id); ¦ const secret = process.env.CLIENT_SECRET;
    const secret = process.env['CLIENT_SECRET']; ¦ secret = os.environ["APP_SECRET"]
    token := r.Header.Get("Authorization") ¦ let token: &str = config.token.as_ref(); ¦ private final String password;
    this.password = password; ¦ self.api_key = api_key ¦ Client(api_key=api_key, password=password, token=token)
    Client(api_key=settings.OPENAI_API_KEY) ¦ connect(password=None, token=null, secret=undefined)
    if (token === "undefined") return; ¦ if (tokenType === 'bearer') { ¦ type: 'password'
    <input type="password" name="password" autocomplete="current-password">
    { username: "Username", password: "Password" } ¦ "forgotPassword": "Forgot your password?"
    "password": "Must be at least 8 characters" ¦ passwordLabel: "Enter your password" ¦ password: z.string().min(8)
    password: { type: String, required: true } ¦ password: required ¦ max_tokens: 256 ¦ maxTokens: 128000,
    max_tokens=4096, temperature=0.7 ¦ "total_tokens": 1234567, ¦ tokens: 12,345 ¦ password_min_length = 12
    PASSWORD_MIN_LENGTH=12 ¦ TOKEN_EXPIRY=3600s ¦ token_type: Bearer ¦ "token_type": "bearer", "expires_in": 3600
    PASSWORD=$DB_PASSWORD ¦ API_KEY=$(pass show api/key1) ¦ DB_PASSWORD=%DB_PASSWORD%
    password: {{ .Values.db.password }} ¦ password: <%= ENV["DB_PASSWORD"] %> ¦ password: "#{ENV['PW']}"
    Authorization: Bearer $TOKEN ¦ Authorization: Bearer <token> ¦ "Authorization": f"Bearer {api_key}"
    Authorization: Bearer YOUR_API_KEY ¦ postgres://$USER:$PASSWORD@h.example/db
    postgres://user:password@localhost:5432/db ¦ postgres://<user>:<password>@h.example/db
    https://h.example:8443/@scope/name ¦ http://localhost:3000/users/@me ¦ git@github.com:owner/repo.git
    ssh://git@github.com:22/owner/repo.git ¦ api_key: YOUR_API_KEY ¦ API_KEY=your-api-key-here ¦ API_KEY=<your key>
    API_KEY=xxxxxxxxxxxxxxxxxxxx ¦ API_KEY= ¦ password: changeme ¦ password: ******** ¦ password=[REDACTED]
    token: [REDACTED], password: "[REDACTED]" ¦ PASSWORD_FILE=/run/secrets/db_password
    POSTGRES_PASSWORD_FILE: /run/secrets/pg_pass1 ¦ GOOGLE_APPLICATION_CREDENTIALS=/home/me/keys/service1.json
    credentials: "same-origin" ¦ credentials: 'include', ¦ secretName: db-credentials-v2
    tokenUrl: https://h.example/oauth2/token ¦ token_endpoint = "https://h.example/v1/token" ¦ PWD=/home/me/project1
    PWD=/tmp/tmp.Xy12abCD ¦ OLDPWD=/home/me/proj-8f3kQ2Zp ¦ "pwd":"/var/folders/8x/9kd82jsn3k1l_2j3n/T"
    PWD=C:\Users\me\tmp.Xy12abCD ¦ SSH_AUTH_SOCK=/tmp/ssh-XXXX1a2b/agent.123 ¦ "jsonwebtoken": "^9.0.2"
    "passport-jwt": "~4.0.1", ¦ "js-tokens": "^4.0.0" ¦ import { tokenize } from './tokenizer2.js';
    import jwt from 'jsonwebtoken'; ¦ import { createSecretKey } from 'node:crypto'; ¦ from secrets import token_hex
    tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased") ¦ eos_token: "<|endoftext|>"
    "nextPageToken": "CAoQAA1b2c3d4e5f6" ¦ class="token keyword" .token-punctuation { color: red }
    .sk-circle-fade-dot:nth-child(12) {} ¦ The password is required and must be 8 characters long.
    The token is invalid or expired. ¦ A bearer of good news; Bearer authentication is used here.
    Basic authentication is not supported; use Basic knowledge. ¦ secret sauce, key insight, token of appreciation
    Press any key: Enter ¦ primary key: user_id2 ¦ <Item key={item.id} key="item1" /> ¦ key: value1
    for (const [key, token] of Object.entries(map1)) { ¦ keyboard: qwerty2, monkey = "banana12" ¦ author: "Ann2 Other3"
    public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE4yw user@host
    if (text.includes('-----BEGIN RSA PRIVATE KEY-----')) { ¦ const header = '-----BEGIN PRIVATE KEY-----';
    123e4567-e89b-12d3-a456-426614174000 ¦ 2024-01-01T12:00:00.000Z password changed for user42
    password reset link sent to user1@h.example ¦ Cookie: theme=dark; lang=en-US; consent=yes
    Set-Cookie: lang=en; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT ¦ cookie: { httpOnly: true, secure: true }
    machine learning login page password field ¦ (prompt user for password again) ¦ PASS test/e2e/s3.test.ts
    PASS src/v1/a1b2.spec.tsx ¦ GET /reset?token=:token HTTP/1.1 ¦ app.get('/verify?token={token}') ¦ --password-stdin
    docker run -u 1000:1000 image2 ¦ docker run --user $(id -u):$(id -g) image2
    docker login --password-stdin --username me2 ¦ hasToken = !!token && token.length > 10
    token ? token.slice(0, 8) : "none" ¦ secret ||= SecureRandom.hex(64) ¦ API_KEY = os.getenv("API_KEY", "")
    const { token, secret, apiKey } = options1; ¦ function setPassword(password: Password2): void {
    SyntaxKind.CloseBraceToken = 20, ¦ CancellationToken cancellationToken = default(CancellationToken)
    arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
    secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf ¦ password: !vault |
    password: op://vault1/item2/password ¦ | password | required | The password of the user |
    | token | string | undefined | ¦ type Answer = Password | undefined ¦ get-token | sha256sum
    echo "$password" | base64 -d ¦ the password to authenticate with
  `,
  `gh${'p_'}tooshort`,
  'secret: ${{ secrets.X }}',
  'token: ${{ secrets.GITHUB_TOKEN }}',
  'password: ${DB_PASSWORD}',
  'password: ${DB_PASSWORD:-default}',
  'Authorization: Bearer ${token}',
  'Authorization: `Bearer ${accessToken}`',
  'postgres://user:${PASSWORD}@h.example/db',
  'secretKeyRef:\n  name: app1-secret\n  key: password',
  '-----BEGIN CERTIFICATE-----\nMIIB1a2b3c4d\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYH1a2b\n-----END PUBLIC KEY-----',
  'files start with `-----BEGIN PRIVATE KEY-----` in PEM',
  hexadecimal(40),
  hexadecimal(64),
  `commit ${hexadecimal(40)}\nAuthor: A <a@b.example>`,
  `"integrity": "sha512-${alphanumeric(86)}=="`,
  `integrity sha1-${alphanumeric(27)}=`,
  `digest: sha256:${hexadecimal(64)}`,
  `image: h.example/app@sha256:${hexadecimal(64)}`,
  `checksum = "${hexadecimal(64)}"`,
  `h1:${alphanumeric(43)}=`,
  `<script integrity="sha384-${alphanumeric(64)}" crossorigin="anonymous">`,
  `data:image/png;base64,iVBORw0KGgo${alphanumeric(80)}`,
  `/static/js/main.${hexadecimal(8)}.chunk.js`,
  `pk${'_live_'}${alphanumeric(24)}`,
  `tls.crt: ${base64(`-----BEGIN CERTIFICATE-----\n${alphanumeric(80)}`)}`,
  'password required\npassword reset2 needed',
];
