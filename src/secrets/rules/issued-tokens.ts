import { type CredentialKind, type CredentialRule, endOfRun, formRule } from './rule.js';

const stops = {
  word: /[^A-Za-z0-9_-]/g,
  dotted: /[^A-Za-z0-9_.~-]|\.(?![A-Za-z0-9_~-])/g,
  base64: /[^A-Za-z0-9_+/=%-]/g,
  crypt: /[^A-Za-z0-9./=,$+]/g,
  path: /[^A-Za-z0-9_/-]/g,
};

/**
 * `issuer` is the issuer of a token. `heads` are the literal texts to search for; each `*` before a head stands for one
 * character of the token. `proof` is a bounded expression, without line breaks, for the text that must follow. `rest`
 * names the characters that continue the token (default `word`). `next` lists the characters that may follow a head
 * shorter than four characters.
 */
type Issued = readonly [issuer: string, heads: string, proof: string, rest?: keyof typeof stops, next?: string];

const a = '[A-Za-z0-9]';
const b = '[A-Za-z0-9+/]';
const h = '[a-f0-9]';
const w = '[A-Za-z0-9_-]';
const uuid = `${h}{8}-[0-9a-f-]{27}`;
const cryptStart = '$./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789=';

/** Credentials with a form that their issuers document, recognised in any text. */
const issued: Readonly<Partial<Record<CredentialKind, readonly Issued[]>>> = {
  'openai-key': [
    ['OpenAI and compatible services', 'sk-', `${a}{20}`],
    ['OpenAI projects, OpenRouter, Langfuse', 'sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1- sk-lf-', `${w}{20}`],
  ],
  'anthropic-key': [['Anthropic', 'sk-ant-', `${w}{20}`]],
  'github-token': [
    ['GitHub installation, newer form', 'ghs_', `${w}{10,500}\\.${w}{10,2000}\\.${w}{10}`, 'dotted'],
    ['GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', `${a}{36}`],
    ['GitHub fine-grained personal token', 'github_pat_', '[A-Za-z0-9_]{22}'],
    ['GitHub app token, older form', 'v1.', `${h}{40}(?![0-9A-Za-z])`, 'word', '0123456789abcdef'],
  ],
  'gitlab-token': [
    ['GitLab', 'glpat- gldt- glrt- glrtr- glptt- glft- gloas- glsoat-', `${w}{20}`, 'dotted'],
    ['GitLab', 'glcbt- glimt- glagent- glffct- glwt- GR1348941', `${w}{20}`, 'dotted'],
  ],
  'aws-key': [
    ['AWS access key id, long-lived and temporary', 'AKIA ASIA ABIA ACCA', '[A-Z0-9]{16}'],
    ['AWS Bedrock API key', 'ABSK', `${b}{60}`, 'base64'],
    ['Amazon Marketplace token', 'amzn.mws.', uuid],
  ],
  'google-key': [
    ['Google API key', 'AIza', `${w}{35}`],
    ['Google OAuth client secret', 'GOCSPX-', `${w}{24}`],
    ['Google OAuth access token', 'ya29.', `${w}{20}`, 'dotted'],
    ['Google OAuth refresh token', '1//0', `${w}{30}`],
    ['Firebase Cloud Messaging token', 'APA91b', `${w}{100}`],
  ],
  'slack-token': [
    ['Slack', 'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp-', '[A-Za-z0-9-]{10}'],
    ['Slack app-level and workflow tokens', 'xapp- xwfp-', '[0-9][A-Za-z0-9-]{17}'],
  ],
  'stripe-key': [
    ['Stripe', 'sk_live_ sk_test_ rk_live_ rk_test_ ek_live_ ek_test_ sk_org_live_ sk_org_test_', `${a}{16}`],
    ['webhook signing of Stripe and Svix', 'whsec_', `${b}{24}`, 'base64'],
  ],
  'npm-token': [['Npm access token', 'npm_', `${a}{36}`]],
  'sendgrid-key': [['SendGrid API key', 'SG.', `${w}{16,32}\\.${w}{16}`, 'dotted']],
  'telegram-token': [['Telegram; the number is public', ':AA', `(?<=(?<![0-9])[0-9]{8,10}:AA)${w}{32}`]],
  jwt: [['JSON Web Token', 'eyJ', `(?<!eyJ${w}{0,64}[_-]eyJ)${w}{10,2000}\\.${w}{10}`, 'dotted']],
  webhook: [
    ['Slack', 'hooks.slack.com/', '(?:services|workflows|triggers)/[A-Za-z0-9_/-]{20}', 'path'],
    ['Zapier', 'hooks.zapier.com/hooks/catch/', '[A-Za-z0-9/]{16}', 'path'],
    ['Discord', 'discord.com/api/webhooks/ discordapp.com/api/webhooks/', `[0-9]{16,20}/${w}{40}`, 'path'],
    ['Microsoft Teams', 'webhook.office.com/webhookb2/', `[0-9a-f@-]{36,80}/IncomingWebhook/${h}{16}`, 'path'],
  ],
  'url-signature': [
    ['Azure, AWS, Google, CloudFront', '?sig= &sig= Signature=', '[A-Za-z0-9%+/_=-]{20}', 'base64'],
    ['Azure function, authorization code', '?code= &code=', '[A-Za-z0-9%_-]{40}', 'base64'],
  ],
  'twilio-key': [['Twilio API key', 'SK', `${h}{32}(?![0-9A-Za-z])`, 'word', '0123456789abcdef']],
  'azure-secret': [['Entra client secret', '***7Q~ ***8Q~ ***9Q~', '[A-Za-z0-9_.~-]{31}', 'dotted']],
  'password-hash': [
    ['bcrypt', '$2a$ $2b$ $2y$', '[0-9]{2}\\$[A-Za-z0-9./]{53}'],
    ['crypt, as in shadow and htpasswd', '$1$ $5$ $6$ $y$ $apr1$', '[A-Za-z0-9./=$]{30}', 'crypt', cryptStart],
    ['LDAP', '{SSHA} {SHA} {SMD5} {SSHA256} {SSHA512} {PBKDF2}', '[A-Za-z0-9+/=$.]{20}', 'crypt'],
    ['Argon2', '$argon2i$ $argon2d$ $argon2id$', '[A-Za-z0-9=,$+/]{40}', 'crypt'],
  ],
  'service-token': [
    ['Age encryption identity', 'AGE-SECRET-KEY-1', '[A-Z0-9]{50}'],
    ['Atlassian, Grafana, Sentry', 'ATATT3 ATCTT3 ATSTT3 glsa_ glc_ sntrys_ sntryu_', '[\\w+/=-]{32}', 'base64'],
    ['Databricks, Mailgun, LangSmith, Split', 'dapi dose key- lsv2_pt_ lsv2_sk_ spu-', '(?:[a-f0-9]{32}|[A-F0-9]{32})'],
    ['Shopify', 'shpat_ shpca_ shppa_ shpss_ shpua_', `${a}{32}`],
    ['DigitalOcean, Brevo, Clojars', 'dop_v1_ doo_v1_ dor_v1_ xkeysib- xsmtpsib- CLOJARS_', `${h}{60}`],
    ['Docker Hub, Square', 'dckr_pat_ dckr_oat_ sq0atp- sq0csp-', `${w}{22}`],
    ['Heroku, PlanetScale', 'HRKU- pscale_tkn_ pscale_pw_ pscale_oauth_', `${w}{30}`],
    ['Doppler', 'dp.pt. dp.st. dp.ct. dp.sa.', '[A-Za-z0-9_.-]{40}', 'dotted'],
    ['Figma, NVIDIA, Fly.io (older form), Typeform, PyPI', 'figd_ figo_ figu_ nvapi- fo1_ tfp_ pypi-AgE', `${w}{40}`],
    ['Contentful, Duffel, dbt', 'CFPAT- duffel_test_ duffel_live_ dbtc_ dbtu_', `${w}{40}`],
    ['OpenShift, Frame.io, 1Password service account', 'sha256~ fio-u- ops_eyJ', `${w}{40}`],
    ['Groq, PostHog (`phc_` is public), Notion, Perplexity, xAI', 'gsk_ phx_ ntn_ pplx- xai-', `${a}{40}`],
    ['Hugging Face, Replicate', 'hf_ api_org_ r8_', `${a}{30}`],
    ['HashiCorp Vault, Ory', 'hvs. hvb. hvr. ory_at_ ory_rt_ ory_ac_', `${w}{20}`, 'dotted'],
    ['Linear, Flutterwave', 'lin_api_ lin_oauth_ FLWSECK- FLWSECK_TEST-', `${a}{32}`],
    ['Bitbucket, pganalyze, Rootly', 'ATBB pgar_ rootly_', `${a}{27}`],
    ['New Relic, Tavily', 'NRAK- NRJS- NRII- NRRA- tvly-', '[A-Za-z0-9-]{20}'],
    ['Postman', 'PMAK-', `${h}{24}-${h}{34}`],
    ['RubyGems, Buildkite, SonarQube, Pulumi', 'rubygems_ bkua_ bkct_ bkpt_ sqp_ squ_ sqa_ pul-', `${h}{40}`],
    ['Shippo, Packagist', 'shippo_live_ shippo_test_ packagist_ort_ packagist_uut_ packagist_oat_', `${h}{40}`],
    ['Supabase', 'sbp_ sb_secret_', '[A-Za-z0-9_]{20}'],
    ['Notion, Cloudflare, OpenAI, Jina, LlamaCloud', 'secret_ cfk_ cfut_ cfat_ sess- jina_ llx-', `${a}{40}`],
    ['Resend', 're_', `${a}{8}_(?=[A-Za-z]{0,30}[0-9])${a}{20}`],
    ['Crates.io', 'cio', `(?=[A-Za-z]{0,31}[0-9])${a}{32}(?![A-Za-z0-9_])`],
    ['NuGet', 'oy2', '(?=[a-z]{0,42}[0-9])[a-z0-9]{43}(?![A-Za-z0-9_])'],
    ['Fireworks, Render', 'fw_ rnd_', `(?=[A-Za-z]{0,21}[0-9])${a}{22}`],
    ['ElevenLabs', 'sk_', `${h}{48}`],
    ['Pinecone', 'pcsk_', `${a}{4,8}_?${a}{40}`],
    ['Cerebras, ReadMe, Neon, Honeycomb', 'csk- rdme_ napi_ hcaik_ hcxik_ hcaic_ hcxic_', '[a-z0-9]{40}'],
    ['CircleCI', 'CCIPAT_ CCIPRJ_', `${a}{20,24}_${h}{40}`],
    ['Netlify, Apify, Prefect', 'nfp_ nfc_ nfo_ apify_api_ pnu_ pnb_', `${a}{36}`],
    ['Vercel', 'vcp_ vck_ vci_ vca_ vcr_ vercel_blob_rw_', '[A-Za-z0-9]{16}_?[A-Za-z0-9]{8}'],
    ['Airtable', 'pat', `${a}{14}\\.${h}{64}`],
    ['Razorpay, Facebook', 'rzp_live_ EAACEdEose0cBA', `${a}{14}`],
    ['Fly.io', 'fm1r_ fm2_', `${b}{60}`, 'base64'],
    ['Dynatrace', 'dt0c01. dt0s01. dt0s02.', '[A-Z0-9]{24}\\.[A-Z0-9]{60}', 'dotted'],
    ['Cloudflare origin CA', 'v1.0-', `${h}{24}-${h}{100}`],
    ['Braintree', 'access_token$production$ access_token$sandbox$', `[a-z0-9]{16}\\$${h}{32}`],
    ['Plaid', 'access-sandbox- access-development- access-production-', uuid],
    ['Dropbox', 'sl.', `${w}{60}`, 'dotted'],
    ['Tailscale', 'tskey-', `[a-z]{3,10}-${a}{8,20}-${a}{20}`],
    ['HubSpot, LaunchDarkly, Axiom', 'pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1- sdk- mob- xaat- xapt-', uuid],
    ['EasyPost, Artifactory (keys and reference tokens)', 'EZAK EZTK AKCp cmVmdGtu', `${a}{50}`],
    ['HCP Terraform', '**************.atlasv1.', `${w}{60}`],
    [
      'PEM in base64',
      'LS0tLS1CRUdJTi',
      `(?:B${b}{0,9}(?:QUklWQVRF|UFJJVkFUR)|BPUEVOU1NI|BFTkNSWVBU)${b}{20}`,
      'base64',
    ],
    ['Docker swarm', 'SWMTKN-1-', '[a-z0-9]{40,60}-[a-z0-9]{20}'],
    ['logins of Docker in base64', 'eyJhdXRocyI6', `${b}{20}`, 'base64'],
    ['Lob', 'live_', `${h}{35}(?![A-Za-z0-9])`],
  ],
};

/** Kinds whose head is a URL or a public number, and stays visible. */
const keepsHead: ReadonlySet<string> = new Set<CredentialKind>(['webhook', 'telegram-token', 'url-signature']);

/** One rule for each form of a token. */
export const tokenRules: readonly CredentialRule[] = Object.entries(issued).flatMap(([kind, rows]) =>
  rows.map((row) => tokenRule(kind as CredentialKind, row)),
);

function tokenRule(kind: CredentialKind, [, words, proof, rest = 'word', next]: Issued): CredentialRule {
  const heads = words.replaceAll('*', '').split(' ');
  const before = words.search(/[^*]/);
  const form = new RegExp(`(?:${heads.map((head) => head.replace(/[.?$[{}]/g, '\\$&')).join('|')})${proof}`, 'y');
  const headed = { heads, ...(next !== undefined && { next }), startsWord: before === 0 };
  return formRule(headed, form, ({ text, start, end, lookbackStart }) => {
    if (before > 0 && !startsRun(text, start - before, start, lookbackStart)) return undefined;
    const kept = keepsHead.has(kind) ? (heads.find((head) => text.startsWith(head, start))?.length ?? 0) : 0;
    return { kind, start: start - before + kept, end: endOfRun(text, end, stops[rest]) };
  });
}

/**
 * The end of an escape in code or in a URL, or of a terminal sequence. The start of a terminal sequence may be cut off.
 */
const escapeEnd = new RegExp(
  [
    String.raw`\\[nrtbfv]|\\u[\da-f]{4}|\\x[\da-f]{2}|%[\da-f]{2}|\[[\d;]{0,12}m`,
    String.raw`(?:(?:\\(?:x1b|u001b|u\{1b\}|e|033)|\^\[|[\x1b\u241b])\[|\x9b)[0-?]{0,40}[ -/]{0,2}[@-~]`,
    String.raw`\x1b[ -/]{0,2}[0-~]`,
  ]
    .map((form) => `(?:${form})$`)
    .join('|'),
  'i',
);
const maxEscapeChars = 56;

/**
 * Whether a word starts here: after any character but a letter or digit, or after an escape such as `\n`, `%3D` or a
 * colour. Reads no further back than `lookbackStart`.
 */
export function startsWord(text: string, start: number, lookbackStart: number): boolean {
  if (start === lookbackStart || !/[A-Za-z0-9]{2}/.test(text.slice(start - 1, start + 1))) return true;
  return endsEscape(text, start, lookbackStart);
}

function endsEscape(text: string, end: number, lookbackStart: number): boolean {
  return escapeEnd.test(text.slice(Math.max(lookbackStart, end - maxEscapeChars), end));
}

/** Whether a run of word characters, `.`, `~` and `-` starts at `start` and reaches `end`. */
function startsRun(text: string, start: number, end: number, lookbackStart: number): boolean {
  if (start < lookbackStart || !/^[\w.~-]*$/.test(text.slice(start, end))) return false;
  return start === lookbackStart || !/[\w.~-]/.test(text[start - 1] ?? '') || endsEscape(text, start, lookbackStart);
}
