/** What sorts of credentials there are. */
export const credentialKinds = [
  'openai-key',
  'anthropic-key',
  'github-token',
  'gitlab-token',
  'aws-key',
  'azure-secret',
  'google-key',
  'slack-token',
  'stripe-key',
  'npm-token',
  'telegram-token',
  'sendgrid-key',
  'twilio-key',
  'jwt',
  'webhook',
  'service-token',
  'password-hash',
  'private-key',
  'url-password',
  'url-signature',
  'header',
  'cookie',
  'assignment',
  'known-value',
] as const;

/** What sort of credential was found; a mark may name it. */
export type CredentialKind = (typeof credentialKinds)[number];

/** A credential that is recognised by its own form, wherever it stands. */
export interface TokenPattern {
  readonly kind: CredentialKind;
  /** How it begins: one of these literal texts, which are what is searched for. */
  readonly heads: readonly string[];
  /** The characters that may follow a head shorter than four characters. Default: letters, digits, `_` and `-`. */
  readonly next?: string;
  /**
   * An expression for the least that must follow to prove it; bounded, and without line breaks. What goes on after it
   * is the `tail`.
   */
  readonly proof: string;
  /**
   * Which characters go on with it: word characters (default), these and inner dots, base64, an address path, or a
   * password hash.
   */
  readonly tail?: 'word' | 'dotted' | 'base64' | 'path' | 'crypt';
}

const w = '[A-Za-z0-9_-]';

/** Credentials of kinds of their own, with the form that their issuers document. */
export const tokenPatterns: readonly TokenPattern[] = [
  // OpenAI, and the many services that took over its form.
  { kind: 'openai-key', heads: ['sk-'], proof: '[A-Za-z0-9]{20}' },
  // OpenAI project, service and admin keys, OpenRouter, Langfuse.
  {
    kind: 'openai-key',
    heads: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-', 'sk-or-v1-', 'sk-lf-'],
    proof: `${w}{20}`,
  },
  // Anthropic API, OAuth and admin keys.
  { kind: 'anthropic-key', heads: ['sk-ant-'], proof: `${w}{20}` },
  // GitHub personal, OAuth, user, server and refresh tokens.
  {
    kind: 'github-token',
    heads: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    proof: '[A-Za-z0-9]{36}',
  },
  // GitHub fine-grained personal token.
  { kind: 'github-token', heads: ['github_pat_'], proof: '[A-Za-z0-9_]{22}' },
  // GitLab personal, deploy, runner, trigger, feed and agent tokens.
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
    tail: 'dotted',
  },
  // AWS access key id, long-lived and temporary.
  { kind: 'aws-key', heads: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], proof: '[A-Z0-9]{16}' },
  // AWS Bedrock API key.
  { kind: 'aws-key', heads: ['ABSK'], proof: '[A-Za-z0-9+/]{60}', tail: 'base64' },
  // Google API key.
  { kind: 'google-key', heads: ['AIza'], proof: `${w}{35}` },
  // Google OAuth client secret.
  { kind: 'google-key', heads: ['GOCSPX-'], proof: `${w}{24}` },
  // Google OAuth access token.
  { kind: 'google-key', heads: ['ya29.'], proof: `${w}{20}`, tail: 'dotted' },
  // Google OAuth refresh token.
  { kind: 'google-key', heads: ['1//0'], proof: `${w}{30}` },
  // Slack bot, user, app, refresh, cookie and legacy tokens.
  {
    kind: 'slack-token',
    heads: [
      'xoxa-',
      'xoxb-',
      'xoxc-',
      'xoxd-',
      'xoxe-',
      'xoxo-',
      'xoxp-',
      'xoxr-',
      'xoxs-',
      'xoxe.xoxb-',
      'xoxe.xoxp-',
    ],
    proof: '[A-Za-z0-9-]{10}',
  },
  // Slack app-level token.
  { kind: 'slack-token', heads: ['xapp-'], proof: '[0-9]-[A-Za-z0-9-]{16}' },
  // Stripe secret, restricted and ephemeral keys (pk_ keys are public).
  {
    kind: 'stripe-key',
    heads: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'ek_live_', 'ek_test_'],
    proof: '[A-Za-z0-9]{16}',
  },
  // Webhook signing secret of Stripe and Svix.
  { kind: 'stripe-key', heads: ['whsec_'], proof: '[A-Za-z0-9+/]{24}', tail: 'base64' },
  // Npm access token.
  { kind: 'npm-token', heads: ['npm_'], proof: '[A-Za-z0-9]{36}' },
  // SendGrid API key.
  { kind: 'sendgrid-key', heads: ['SG.'], proof: `${w}{16,32}\\.${w}{16}`, tail: 'dotted' },
  // Telegram bot token; the bot's number in front of it is public.
  {
    kind: 'telegram-token',
    heads: [':AA'],
    proof: `(?<=(?<![0-9])[0-9]{8,10}:AA)${w}{32}`,
  },
  // JSON Web Token: its header and the start of its payload.
  {
    kind: 'jwt',
    heads: ['eyJ'],
    proof: `(?<![_-]eyJ)${w}{10,2000}\\.${w}{10}`,
    tail: 'dotted',
  },
  // Slack webhook address; the host stays.
  {
    kind: 'webhook',
    heads: ['hooks.slack.com/'],
    proof: '(?:services|workflows|triggers)/[A-Za-z0-9_/-]{20}',
    tail: 'path',
  },
  // Discord webhook address; the host stays.
  {
    kind: 'webhook',
    heads: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    proof: `[0-9]{16,20}/${w}{40}`,
    tail: 'path',
  },
  // Signature of a signed address or request: Azure, AWS, Google, CloudFront.
  {
    kind: 'url-signature',
    heads: ['?sig=', '&sig=', '?Signature=', '&Signature=', '-Signature=', ' Signature='],
    proof: '[A-Za-z0-9%+/_=-]{20}',
    tail: 'base64',
  },
  // Twilio API key.
  { kind: 'twilio-key', heads: ['SK'], next: '0123456789abcdef', proof: '[0-9a-f]{32}(?![0-9A-Za-z])' },
  // Amazon Marketplace token.
  { kind: 'aws-key', heads: ['amzn.mws.'], proof: '[0-9a-f-]{36}' },
  // Entra client secret; the three characters in front of its fixed part stay.
  {
    kind: 'azure-secret',
    heads: ['7Q~', '8Q~'],
    proof: '(?<=(?<![A-Za-z0-9_.~-])[A-Za-z0-9_.~-]{3}[78]Q~)[A-Za-z0-9_.~-]{31}',
    tail: 'dotted',
  },
  // GitHub app token, older form.
  {
    kind: 'github-token',
    heads: ['v1.'],
    next: '0123456789abcdef',
    proof: '[0-9a-f]{40}(?![0-9A-Za-z])',
  },
  // Firebase Cloud Messaging token.
  { kind: 'google-key', heads: ['APA91b'], proof: `${w}{100}` },
  // Key of an Azure function, or an authorization code, in an address.
  {
    kind: 'url-signature',
    heads: ['?code=', '&code='],
    proof: '[A-Za-z0-9%_-]{40}',
    tail: 'base64',
  },
  // Microsoft Teams webhook address; the host stays.
  {
    kind: 'webhook',
    heads: ['webhook.office.com/webhookb2/'],
    proof: '[0-9a-f@-]{36,80}/IncomingWebhook/[0-9a-f]{16}',
    tail: 'path',
  },
  // Password hash of bcrypt.
  {
    kind: 'password-hash',
    heads: ['$2a$', '$2b$', '$2y$'],
    proof: '[0-9]{2}\\$[A-Za-z0-9./]{53}',
  },
  // Password hash of crypt, as in shadow and htpasswd files.
  {
    kind: 'password-hash',
    heads: ['$5$', '$6$', '$y$', '$apr1$'],
    next: '$./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789=',
    proof: '[A-Za-z0-9./=$]{30}',
    tail: 'crypt',
  },
  // Password hash of Argon2.
  {
    kind: 'password-hash',
    heads: ['$argon2i$', '$argon2d$', '$argon2id$'],
    proof: '[A-Za-z0-9=,$+/]{40}',
    tail: 'crypt',
  },
];
