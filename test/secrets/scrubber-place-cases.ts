import { samples } from '../support/each-row.js';
import { alphanumeric, hexadecimal, type RedactedCase, redacted, sample } from './scrubber-cases.js';

const value = `Kb9${alphanumeric(12)}`;
const long = alphanumeric(40);
const letters = 'abcdefghijklmnopqrstuvwxyz';
const word = (length: number) => sample(length, `${letters}${letters.toUpperCase()}0123456789_-`, 37);
const small = (length: number) => sample(length, `${letters}0123456789`, 41);
const uuid = `${hexadecimal(8)}-${hexadecimal(4)}-${hexadecimal(4)}-${hexadecimal(4)}-${hexadecimal(12)}`;
const jwt = `${['ey', 'JhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9'].join('')}.${word(60)}.${word(43)}`;
const azure = `${['Ab3', '8Q~'].join('')}${alphanumeric(34)}`;
const terraform = `${alphanumeric(14)}${['.atlas', 'v1.'].join('')}${word(67)}`;
const issued = (name: string, token: string): RedactedCase => redacted(name, 'use ', token, ' here');

/** Prefixes that tools put before lines. Line numbers count from 8. */
const linePrefixes: readonly (readonly [name: string, before: (index: number) => string])[] = [
  ['nothing', () => ''],
  ['line numbers', (index) => `${index + 8}\t`],
  ['line numbers in a column', (index) => `${String(index + 8).padStart(6)}\t`],
  ['line numbers and an arrow', (index) => `${String(index + 8).padStart(6)}→`],
  ['line numbers of grep', (index) => `${index + 8}:`],
  ['line numbers around a hit', (index) => `${index + 8}-`],
  ['a file and line numbers', (index) => `deploy/my-app.yml:${index + 8}:`],
  ['a file and line numbers around a hit', (index) => `deploy/my-app.yml-${index + 8}-`],
  ['the sign of what a diff adds', () => '+'],
  ['the sign of what a diff takes out', () => '-'],
  ['a service', () => 'web-1  | '],
  ['colours', () => '\u001b[36mweb-1  | \u001b[0m'],
  ['the colours of a diff', () => '\u001b[32m+\u001b[m'],
];

const forms: readonly (readonly [name: string, lines: readonly string[], secret: string])[] = [
  ['an entry of a list', ['- name: DB_PASSWORD', '  value: @', '- name: PORT'], value],
  ['an entry of a list, deeper', ['  env:', '    - name: API_TOKEN', '      value: "@"'], long],
  ['a block of YAML', ['auth:', '  token: |', '    @', '  host: h'], long],
  ['a block of YAML in a list', ['- api_key: |-', '    @'], long],
  ['pgpass', ['db.example:5432:shop:app:@'], value],
  ['netrc', ['machine h.example', 'login me', 'password @', 'x'], 'hunter2x'],
  ['a variable of Terraform', ['variable "db_password" {', '  default = "@"', '}'], value],
];

/** Secrets that are recognised by text on the same line or above, after such prefixes. */
const lineCases = forms.flatMap(([name, lines, secret]) =>
  linePrefixes.flatMap(([prefix, before]) => {
    // The end of a file name cannot be distinguished from the beginning of such a name.
    if (name === 'netrc' && before(0).endsWith('8-') && before(0) !== '8-') return [];
    const text = lines.map((line, index) => `${before(index)}${line}\n`).join('');
    const [first = '', last = ''] = text.split('@');
    return [redacted(`${name} behind ${prefix}`, first, secret, last)];
  }),
);

/** Secrets directly beside other text. */
export const placeCases: readonly RedactedCase[] = [
  ...lineCases,
  redacted('behind a written line break', '{"c":"A=1\\nDB_PASSWORD=', 'swordfish', '\\nB=2"}'),
  redacted('behind a written carriage return', '{"c":"A=1\\r\\nDB_PASSWORD=', 'swordfish', '\\r\\nB=2"}'),
  redacted('behind a written tabulator', '{"c":"A=1\\tDB_PASSWORD=', 'swordfish', '\\tB=2"}'),
  redacted('a token behind a written line break', '{"c":"a: 1\\ntoken: ', long, '\\nb: 2"}'),
  redacted('a new token behind a written line break', '{"c":"a: 1\\nnew_token=', long, '\\nb: 2"}'),
  redacted('before a written line break', '"client_secret = ', long, '\\n"'),
  redacted('a password before a written line break', '{"c":"password: ', value, '\\nhost: h"}'),
  redacted('before a line break that is written twice', '{\\"c\\":\\"password: ', value, '\\\\nhost: h\\"}'),
  redacted('a repr', "b'DB_PASSWORD=", value, "\\nX=1'"),
  redacted('an escaped quote', '\\"DB_PASSWORD=', value, '\\"'),
  redacted('a process and its environment', 'A=1\0API_TOKEN=', long, '\0B=2'),
  redacted('a password of an environment', 'A=1\0DB_PASSWORD=', 'swordfish', '\0B=2\0'),
  redacted('before another pair', 'API_TOKEN=', long, '&user=bob'),
  redacted('before another pair behind a bar', 'API_TOKEN=', long, '|USER=bob'),
  redacted('before another pair behind a comma', 'API_TOKEN=', long, ',USER=bob'),
  redacted('an ampersand within', 'DB_PASSWORD=', 'ab&cd|ef,gh9', '\n'),
  redacted('a backslash within', 'DB_PASSWORD=', 'ab\\cd9!xy', '\n'),
  redacted('before another pair, very long', 'API_TOKEN=', alphanumeric(700), '&user=bob'),
  redacted('docker login in colours', '\u001b[32mdocker login -u me -p ', value, '\u001b[0m'),
  redacted('ldapsearch in colours', '\u001b[1;32mldapsearch -D cn=a -w ', value, ' -b x'),
  redacted('curl, glued', 'curl -uadmin:', value, ' https://h.example'),
  redacted('curl, glued and quoted', 'curl -u"admin:', value, '" https://h.example'),
  redacted('curl with other options', 'curl -su admin:', value, ' https://h.example'),
  redacted('curl behind the address', 'curl https://h.example:80/ -sSLu "admin:', value, '"'),
  redacted('curl to a proxy', 'curl --proxy-user admin:', value, ' https://h.example'),
  redacted('curl to a proxy, short', 'curl -x h -U admin:', value, ' https://h.example'),
  issued('Entra in a sentence', azure),
  redacted('Entra behind a sign', 'x:', azure, ','),
  redacted('Entra in colours', '\u001b[32m', azure, '\u001b[0m'),
  redacted('Entra behind a written line break', '"x\\n', azure, '"'),
  redacted('Entra on a very long line', `${'word '.repeat(2_500)} `, azure, ` ${'x '.repeat(2_700)}`),
  issued('HCP Terraform', terraform),
  redacted('HCP Terraform in JSON', '{"x": "', terraform, '"}'),
  issued('GitHub installation', `${'gh'}s_1234567_${jwt}`),
  issued('GitHub installation, another', `${'gh'}s_${jwt}`),
  redacted('a web token behind a name', 'token_', jwt, ' here'),
  redacted('a web token behind a hyphen', 'x-', jwt),
  issued('Stripe organisation', `${'sk'}_org_live_${alphanumeric(60)}`),
  issued('Slack workflow', `${'xw'}fp-${sample(12, '0123456789')}-${alphanumeric(24)}`),
  issued('Neon', `${'na'}pi_${small(64)}`),
  issued('Apify', `${'apify'}_api_${alphanumeric(36)}`),
  issued('Prefect', `${'pn'}u_${alphanumeric(36)}`),
  issued('Prefect service', `${'pn'}b_${alphanumeric(36)}`),
  issued('dbt', `${'db'}tc_${word(44)}`),
  issued('dbt user', `${'db'}tu_${word(44)}`),
  issued('Vercel blobs', `${'vercel'}_blob_rw_${alphanumeric(16)}_${alphanumeric(30)}`),
  ...['vcp', 'vck', 'vci', 'vca', 'vcr'].map((head) => issued(head, `${head}_${alphanumeric(56)}`)),
  issued('Atlassian service', `ATST${'T3'}xFfGF0${word(170)}=${hexadecimal(8)}`),
  issued('New Relic insert', `${'NR'}II-${alphanumeric(32)}`),
  issued('New Relic REST', `${'NR'}RA-${hexadecimal(42)}`),
  issued('HubSpot', `${'pat'}-na3-${uuid}`),
  issued('HubSpot in Asia', `${'pat'}-ap1-${uuid}`),
  issued('Databricks OAuth', `${'do'}se${hexadecimal(32)}`),
  issued('Honeycomb', `${'hc'}aik_${small(58)}`),
  issued('Axiom', `${'xa'}at-${uuid}`),
  issued('Axiom, personal', `${'xa'}pt-${uuid}`),
  issued('LlamaCloud', `${'ll'}x-${alphanumeric(48)}`),
  issued('Google refresh', `${'1/'}/0${word(60)}`),
  issued('Firebase', `${'APA'}91b${word(130)}`),
  issued('npm', `${'np'}m_${alphanumeric(36)}`),
  issued('Argon2', `$${'argon2'}id$v=19$m=65536,t=3,p=4$${alphanumeric(22)}$${alphanumeric(43)}`),
  issued('age', `${'AGE-SECRET'}-KEY-1${sample(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`),
  issued('Fly machines', `${'fm'}2_${alphanumeric(100)}`),
  issued('OpenShift', `${'sha'}256~${word(43)}`),
  issued('Docker swarm', `${'SWM'}TKN-1-${small(50)}-${small(25)}`),
  redacted(
    'logins of Docker',
    '.dockerconfigjson: ',
    Buffer.from(`{"auths":{"h":{"auth":"${long}"}}}`).toString('base64'),
  ),
];

const other = `Zk8${alphanumeric(20)}`;
const awsKey = `AK${'IA'}${sample(16, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`;

/** Texts with several credentials. Each text between « and » is hidden, and all other text stays. */
export const severalCases: readonly string[] = [
  ...samples`
    curl -H "Authorization: Bearer «@»" -u admin:«correcthorse» https://h.example/v1
    curl -H "X-Api-Key: «@»" --user admin:«correcthorse» https://h.example/v1
    curl -H "X-Api-Key: «@»" -uadmin:«correcthorse» -sSU "me:«otherhorse»" https://h.example/v1
    curl -x http://me:«@»@proxy:8080 -u admin:«correcthorse» https://h.example
    curl -b "sid=«@»" -u admin:«correcthorse» https://h.example
    curl -b "sid=«@»; lang=en" -su admin:«correcthorse» https://h.example
    curl https://h.example/?id=«AWS» -u admin:«correcthorse»
    curl -u me:«correcthorse» -U you:«otherhorse» https://h.example ¦ curl -U me:«correcthorse» -uyou:«otherhorse» h
    mysqldump --password=«@» -u root -p«correcthorse» db
    mysql -u root -p«correcthorse» db -p«added_option»
    echo mysql -h db -p«correcthorse» app, then mysql -h db -p«otherhorse» app
    docker login https://me:«@»@reg.example -u me -p «correcthorse»
    docker login -u 'a;b' -p «correcthorse» reg.example ¦ docker login -u "a|\"&b" -p '«correct;horse»' reg.example
    docker login -u O'Brien -p «correcthorse» reg.example ¦ sshpass -p '«a;b c2d3»' ssh u@h
    redis-cli -n "a;b" -a «correct,horse» ping ¦ redis-cli -u redis://me:«correcthorse»@h.example:6379/0 PING
    ldapsearch "(|(a=b)(c=d))" -w «correcthorse» x ¦ mysql -e "select 1; select 2" -p«correcthorse» db
    alter user 'a;b' password '«swordfish»' ¦ export TOKEN=«ab\;cd9efGhij»; ls ¦ TOKEN=«ab\&cd9efGhij» x
    curl -u "me:«correct horse;battery»" h ¦ curl -u 'me:«correct"horse»' h ¦ wget --user "me:«correct horse»" h
    redis-cli --uri redis://u:«@»@h -a «correcthorse» ¦ TOKEN=«@» redis-cli -a «correcthorse»
    Cookie: theme=dark; curl https://x/?id=«AWS» -u bob:«hunter22pw»
    Cookie: theme=dark; IDENTIFIED WITH «AWS» BY '«hunter22pw»' ¦ IDENTIFIED WITH «AWS» BY '«hunter22pw»';
    Cookie: IDENTIFIED WITH sid=«@» BY '«hunter22pw»'
  `,
].map((text) => text.replaceAll('@', other).replaceAll(`»${other}`, '»@').replaceAll('AWS', awsKey));

/** Names and words that begin like a token, and code, which must stay unchanged. */
export const ordinaryTexts: readonly string[] = [
  'jina_embeddings_v2_base_something_something_something_long_name',
  'pypi-attestations-are-a-thing-that-is-very-long-and-hyphenated-name',
  'exports.jwt = require_middleware_jwt_jwt.jwt;',
  'secret = cfg.vlt.scrt.k8s.ns',
  'token = tkn_mgr_svc.get;',
  'auth = grpc.http2.srv.fn',
  'this.authKey = ctx.rq.hdrs.k',
  'curl -u "$USER:$PASSWORD" https://h.example',
  'curl -o user:name https://h.example:8080/a:b1c2d3',
  'arn:aws:lambda:*:123456789012:function:name1x',
  '1\t- name: LOG_LEVEL\n2\t  value: "debug2verbose"\n',
  '+description: |\n+  the token is here\n',
  'x\u001b[32m8Q~abc',
  'curl https://h.example; -uadmin:correcthorse',
  'curling -uadmin:correcthorse',
  'mysql "a"; ls -pcorrecthorse',
  'redis-cli -u redis://h.example/s3cretPw9',
  'Connecting to db1:5432:orders:alice:reading the config',
  'db1:5432:orders:alice:reading the config\n',
];
