/** What sort of credential a pattern finds; a marker may name it. */
export type CredentialKind =
  | 'openai-key'
  | 'anthropic-key'
  | 'github-token'
  | 'gitlab-token'
  | 'aws-key'
  | 'google-key'
  | 'slack-token'
  | 'stripe-key'
  | 'npm-token'
  | 'telegram-token'
  | 'sendgrid-key'
  | 'twilio-key'
  | 'jwt'
  | 'webhook'
  | 'service-token'
  | 'private-key'
  | 'url-password'
  | 'url-signature'
  | 'header'
  | 'cookie'
  | 'assignment'
  | 'known-value';

/** A credential that is recognised by its own form, wherever it stands. */
export interface TokenPattern {
  readonly kind: CredentialKind;
  /** How it begins: one of these literal texts, which are what is searched for. */
  readonly heads: readonly string[];
  /** An expression for the least that must follow to prove it; bounded, and without line breaks. What goes on after it is the `tail`. */
  readonly proof: string;
  /** Which characters go on with it: word characters (default), these and inner dots, base64, or an address path. */
  readonly tail?: 'word' | 'dotted' | 'base64' | 'path';
  /** What it is a credential for. */
  readonly about: string;
}

const w = '[A-Za-z0-9_-]';

/** Credentials with a form of their own, as their issuers document it. */
export const tokenPatterns: readonly TokenPattern[] = [
  { kind: 'openai-key', heads: ['sk-'], proof: '[A-Za-z0-9]{20}', about: 'OpenAI, and the many services that took over its form' },
  {
    kind: 'openai-key',
    heads: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-', 'sk-or-v1-', 'sk-lf-'],
    proof: `${w}{20}`,
    about: 'OpenAI project, service and admin keys, OpenRouter, Langfuse',
  },
  { kind: 'anthropic-key', heads: ['sk-ant-'], proof: `${w}{20}`, about: 'Anthropic API, OAuth and admin keys' },
  {
    kind: 'github-token',
    heads: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    proof: '[A-Za-z0-9]{36}',
    about: 'GitHub personal, OAuth, user, server and refresh tokens',
  },
  { kind: 'github-token', heads: ['github_pat_'], proof: '[A-Za-z0-9_]{22}', about: 'GitHub fine-grained personal token' },
  {
    kind: 'gitlab-token',
    heads: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glptt-',
      'glft-',
      'gloas-',
      'glsoat-',
      'glcbt-',
      'glimt-',
      'glagent-',
      'glffct-',
      'GR1348941',
    ],
    proof: `${w}{20}`,
    about: 'GitLab personal, deploy, runner, trigger, feed and agent tokens',
  },
  { kind: 'aws-key', heads: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], proof: '[A-Z0-9]{16}', about: 'AWS access key id, long-lived and temporary' },
  { kind: 'aws-key', heads: ['ABSK'], proof: '[A-Za-z0-9+/]{60}', tail: 'base64', about: 'AWS Bedrock API key' },
  { kind: 'google-key', heads: ['AIza'], proof: `${w}{35}`, about: 'Google API key' },
  { kind: 'google-key', heads: ['GOCSPX-'], proof: `${w}{24}`, about: 'Google OAuth client secret' },
  { kind: 'google-key', heads: ['ya29.'], proof: `${w}{20}`, tail: 'dotted', about: 'Google OAuth access token' },
  { kind: 'google-key', heads: ['1//0'], proof: `${w}{30}`, about: 'Google OAuth refresh token' },
  {
    kind: 'slack-token',
    heads: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe.xoxb-', 'xoxe.xoxp-'],
    proof: '[A-Za-z0-9-]{10}',
    about: 'Slack bot, user, app, refresh, cookie and legacy tokens',
  },
  { kind: 'slack-token', heads: ['xapp-'], proof: '[0-9]-[A-Za-z0-9-]{16}', about: 'Slack app-level token' },
  {
    kind: 'stripe-key',
    heads: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    proof: '[A-Za-z0-9]{16}',
    about: 'Stripe secret and restricted keys (pk_ keys are public)',
  },
  { kind: 'stripe-key', heads: ['whsec_'], proof: '[A-Za-z0-9+/]{24}', tail: 'base64', about: 'webhook signing secret of Stripe and Svix' },
  { kind: 'npm-token', heads: ['npm_'], proof: '[A-Za-z0-9]{36}', about: 'npm access token' },
  { kind: 'sendgrid-key', heads: ['SG.'], proof: `${w}{16,32}\\.${w}{16}`, tail: 'dotted', about: 'SendGrid API key' },
  {
    kind: 'telegram-token',
    heads: [':AA'],
    proof: `(?<=(?<![0-9])[0-9]{8,10}:AA)${w}{32}`,
    about: "Telegram bot token; the bot's number in front of it is public",
  },
  {
    kind: 'jwt',
    heads: ['eyJ'],
    proof: `(?<![_-]eyJ)${w}{10,2000}\\.${w}{10}`,
    tail: 'dotted',
    about: 'JSON Web Token: its header and the start of its payload',
  },
  {
    kind: 'webhook',
    heads: ['hooks.slack.com/'],
    proof: '(?:services|workflows|triggers)/[A-Za-z0-9_/-]{20}',
    tail: 'path',
    about: 'Slack webhook address; the host stays',
  },
  {
    kind: 'webhook',
    heads: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    proof: `[0-9]{16,20}/${w}{40}`,
    tail: 'path',
    about: 'Discord webhook address; the host stays',
  },
  {
    kind: 'url-signature',
    heads: ['?sig=', '&sig=', '?Signature=', '&Signature=', '-Signature=', ' Signature='],
    proof: '[A-Za-z0-9%+/_=-]{20}',
    tail: 'base64',
    about: 'signature of a signed address or request: Azure, AWS, Google, CloudFront',
  },
  { kind: 'service-token', heads: ['AGE-SECRET-KEY-1'], proof: '[A-Z0-9]{50}', about: 'age encryption identity' },
  { kind: 'service-token', heads: ['ATATT3'], proof: `${w}{40}`, tail: 'base64', about: 'Atlassian API token' },
  { kind: 'service-token', heads: ['dapi'], proof: '[a-f0-9]{32}', about: 'Databricks' },
  { kind: 'service-token', heads: ['dop_v1_', 'doo_v1_', 'dor_v1_'], proof: '[a-f0-9]{64}', about: 'DigitalOcean' },
  { kind: 'service-token', heads: ['dckr_pat_', 'dckr_oat_'], proof: `${w}{24}`, about: 'Docker Hub' },
  { kind: 'service-token', heads: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], proof: '[A-Za-z0-9_.-]{40}', tail: 'dotted', about: 'Doppler' },
  { kind: 'service-token', heads: ['figd_', 'figo_', 'figu_'], proof: `${w}{40}`, about: 'Figma' },
  {
    kind: 'service-token',
    heads: ['glsa_', 'glc_'],
    proof: '[A-Za-z0-9+/]{32}',
    tail: 'base64',
    about: 'Grafana service account and cloud tokens',
  },
  { kind: 'service-token', heads: ['gsk_'], proof: '[A-Za-z0-9]{40}', about: 'Groq' },
  { kind: 'service-token', heads: ['hf_'], proof: '[A-Za-z0-9]{30}', about: 'Hugging Face' },
  { kind: 'service-token', heads: ['hvs.', 'hvb.', 'hvr.'], proof: `${w}{24}`, tail: 'dotted', about: 'HashiCorp Vault' },
  { kind: 'service-token', heads: ['HRKU-'], proof: `${w}{30}`, about: 'Heroku' },
  { kind: 'service-token', heads: ['key-'], proof: '[a-f0-9]{32}', about: 'Mailgun' },
  { kind: 'service-token', heads: ['lin_api_', 'lin_oauth_'], proof: '[A-Za-z0-9]{32}', about: 'Linear' },
  { kind: 'service-token', heads: ['lsv2_pt_', 'lsv2_sk_'], proof: '[a-f0-9]{32}', about: 'LangSmith' },
  { kind: 'service-token', heads: ['NRAK-', 'NRJS-'], proof: '[A-Z0-9]{24}', about: 'New Relic' },
  { kind: 'service-token', heads: ['ntn_'], proof: '[A-Za-z0-9]{40}', about: 'Notion' },
  { kind: 'service-token', heads: ['nvapi-'], proof: `${w}{40}`, about: 'NVIDIA' },
  { kind: 'service-token', heads: ['PMAK-'], proof: '[a-f0-9]{24}-[a-f0-9]{34}', about: 'Postman' },
  { kind: 'service-token', heads: ['pplx-'], proof: '[A-Za-z0-9]{40}', about: 'Perplexity' },
  { kind: 'service-token', heads: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], proof: `${w}{32}`, about: 'PlanetScale' },
  { kind: 'service-token', heads: ['pypi-'], proof: `${w}{50}`, about: 'PyPI' },
  { kind: 'service-token', heads: ['r8_'], proof: '[A-Za-z0-9]{30}', about: 'Replicate' },
  { kind: 'service-token', heads: ['rubygems_'], proof: '[a-f0-9]{40}', about: 'RubyGems' },
  { kind: 'service-token', heads: ['sbp_', 'sb_secret_'], proof: '[A-Za-z0-9_]{20}', about: 'Supabase' },
  { kind: 'service-token', heads: ['secret_'], proof: '[A-Za-z0-9]{40}', about: 'Notion, older form' },
  { kind: 'service-token', heads: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'], proof: '[a-fA-F0-9]{32}', about: 'Shopify' },
  { kind: 'service-token', heads: ['sntrys_', 'sntryu_'], proof: '[A-Za-z0-9_+/=-]{32}', tail: 'base64', about: 'Sentry' },
  { kind: 'service-token', heads: ['sq0atp-', 'sq0csp-'], proof: `${w}{22}`, about: 'Square' },
  { kind: 'service-token', heads: ['tvly-'], proof: '[A-Za-z0-9-]{20}', about: 'Tavily' },
  { kind: 'service-token', heads: ['xai-'], proof: '[A-Za-z0-9]{40}', about: 'xAI' },
];

/** A token whose short head would slow the search for all others down; it is searched for by itself. */
export const rareTokenPattern: TokenPattern = {
  kind: 'twilio-key',
  heads: ['SK'],
  proof: '[0-9a-f]{32}(?![0-9A-Za-z])',
  about: 'Twilio API key',
};
