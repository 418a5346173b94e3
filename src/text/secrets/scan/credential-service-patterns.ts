import type { TokenPattern } from './credential-patterns.js';

const w = '[A-Za-z0-9_-]';

/** Tokens of many services, each with the form that its issuer documents. */
export const servicePatterns: readonly TokenPattern[] = [
  // Age encryption identity.
  { kind: 'service-token', heads: ['AGE-SECRET-KEY-1'], proof: '[A-Z0-9]{50}' },
  // Atlassian API token.
  { kind: 'service-token', heads: ['ATATT3'], proof: `${w}{40}`, tail: 'base64' },
  // Databricks.
  { kind: 'service-token', heads: ['dapi'], proof: '[a-f0-9]{32}' },
  // DigitalOcean.
  { kind: 'service-token', heads: ['dop_v1_', 'doo_v1_', 'dor_v1_'], proof: '[a-f0-9]{64}' },
  // Docker Hub.
  { kind: 'service-token', heads: ['dckr_pat_', 'dckr_oat_'], proof: `${w}{24}` },
  // Doppler.
  {
    kind: 'service-token',
    heads: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'],
    proof: '[A-Za-z0-9_.-]{40}',
    tail: 'dotted',
  },
  // Figma.
  { kind: 'service-token', heads: ['figd_', 'figo_', 'figu_'], proof: `${w}{40}` },
  // Grafana service account and cloud tokens.
  {
    kind: 'service-token',
    heads: ['glsa_', 'glc_'],
    proof: '[A-Za-z0-9+/]{32}',
    tail: 'base64',
  },
  // Groq.
  { kind: 'service-token', heads: ['gsk_'], proof: '[A-Za-z0-9]{40}' },
  // Hugging Face.
  { kind: 'service-token', heads: ['hf_'], proof: '[A-Za-z0-9]{30}' },
  // HashiCorp Vault.
  { kind: 'service-token', heads: ['hvs.', 'hvb.', 'hvr.'], proof: `${w}{24}`, tail: 'dotted' },
  // Heroku.
  { kind: 'service-token', heads: ['HRKU-'], proof: `${w}{30}` },
  // Mailgun.
  { kind: 'service-token', heads: ['key-'], proof: '[a-f0-9]{32}' },
  // Linear.
  { kind: 'service-token', heads: ['lin_api_', 'lin_oauth_'], proof: '[A-Za-z0-9]{32}' },
  // PostHog, personal; `phc_` is public.
  { kind: 'service-token', heads: ['phx_'], proof: '[A-Za-z0-9]{40}' },
  // LangSmith.
  { kind: 'service-token', heads: ['lsv2_pt_', 'lsv2_sk_'], proof: '[a-f0-9]{32}' },
  // New Relic.
  { kind: 'service-token', heads: ['NRAK-', 'NRJS-'], proof: '[A-Z0-9]{24}' },
  // Notion.
  { kind: 'service-token', heads: ['ntn_'], proof: '[A-Za-z0-9]{40}' },
  // NVIDIA.
  { kind: 'service-token', heads: ['nvapi-'], proof: `${w}{40}` },
  // Postman.
  { kind: 'service-token', heads: ['PMAK-'], proof: '[a-f0-9]{24}-[a-f0-9]{34}' },
  // Perplexity.
  { kind: 'service-token', heads: ['pplx-'], proof: '[A-Za-z0-9]{40}' },
  // PlanetScale.
  { kind: 'service-token', heads: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], proof: `${w}{32}` },
  // PyPI.
  { kind: 'service-token', heads: ['pypi-'], proof: `${w}{50}` },
  // Replicate.
  { kind: 'service-token', heads: ['r8_'], proof: '[A-Za-z0-9]{30}' },
  // RubyGems.
  { kind: 'service-token', heads: ['rubygems_'], proof: '[a-f0-9]{40}' },
  // Supabase.
  { kind: 'service-token', heads: ['sbp_', 'sb_secret_'], proof: '[A-Za-z0-9_]{20}' },
  // Notion, older form.
  { kind: 'service-token', heads: ['secret_'], proof: '[A-Za-z0-9]{40}' },
  // Shopify.
  { kind: 'service-token', heads: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'], proof: '[a-fA-F0-9]{32}' },
  // Sentry.
  { kind: 'service-token', heads: ['sntrys_', 'sntryu_'], proof: '[A-Za-z0-9_+/=-]{32}', tail: 'base64' },
  // Square.
  { kind: 'service-token', heads: ['sq0atp-', 'sq0csp-'], proof: `${w}{22}` },
  // Tavily.
  { kind: 'service-token', heads: ['tvly-'], proof: '[A-Za-z0-9-]{20}' },
  // XAI.
  { kind: 'service-token', heads: ['xai-'], proof: '[A-Za-z0-9]{40}' },
  // Bitbucket app password.
  { kind: 'service-token', heads: ['ATBB'], proof: '[A-Za-z0-9]{32}' },
  // Bitbucket access token.
  { kind: 'service-token', heads: ['ATCTT3'], proof: `${w}{40}`, tail: 'base64' },
  // Brevo.
  { kind: 'service-token', heads: ['xkeysib-', 'xsmtpsib-'], proof: '[a-f0-9]{64}' },
  // Resend.
  { kind: 'service-token', heads: ['re_'], proof: '[A-Za-z0-9]{8}_(?=[A-Za-z]{0,30}[0-9])[A-Za-z0-9]{20}' },
  // Crates.io.
  { kind: 'service-token', heads: ['cio'], proof: '(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9_])' },
  // NuGet.
  { kind: 'service-token', heads: ['oy2'], proof: '(?=[a-z]{0,42}[0-9])[a-z0-9]{43}(?![A-Za-z0-9_])' },
  // Clojars.
  { kind: 'service-token', heads: ['CLOJARS_'], proof: '[a-f0-9]{60}' },
  // Packagist.
  { kind: 'service-token', heads: ['packagist_'], proof: '(?:ort|uut|oat)_[a-f0-9]{40}' },
  // Hugging Face organisations.
  { kind: 'service-token', heads: ['api_org_'], proof: '[A-Za-z0-9]{30}' },
  // Fireworks.
  { kind: 'service-token', heads: ['fw_'], proof: '(?=[A-Za-z]{0,21}[0-9])[A-Za-z0-9]{22}' },
  // ElevenLabs.
  { kind: 'service-token', heads: ['sk_'], proof: '[a-f0-9]{48}' },
  // Pinecone.
  { kind: 'service-token', heads: ['pcsk_'], proof: '[A-Za-z0-9]{4,8}_?[A-Za-z0-9]{40}' },
  // Jina.
  { kind: 'service-token', heads: ['jina_'], proof: '[A-Za-z0-9_-]{50}' },
  // Cerebras.
  { kind: 'service-token', heads: ['csk-'], proof: '[a-z0-9]{40}' },
  // CircleCI.
  { kind: 'service-token', heads: ['CCIPAT_', 'CCIPRJ_'], proof: '[A-Za-z0-9]{20,24}_[a-f0-9]{40}' },
  // Buildkite.
  { kind: 'service-token', heads: ['bkua_', 'bkct_', 'bkpt_'], proof: '[a-f0-9]{40}' },
  // Netlify.
  { kind: 'service-token', heads: ['nfp_', 'nfc_', 'nfo_'], proof: '[A-Za-z0-9]{36}' },
  // Airtable.
  { kind: 'service-token', heads: ['pat'], proof: '[A-Za-z0-9]{14}\\.[a-f0-9]{64}' },
  // Razorpay.
  { kind: 'service-token', heads: ['rzp_live_'], proof: '[A-Za-z0-9]{14}' },
  // Fly.io, older form.
  { kind: 'service-token', heads: ['fo1_'], proof: `${w}{40}` },
  // Fly.io.
  { kind: 'service-token', heads: ['fm1r_', 'fm2_'], proof: '[A-Za-z0-9+/]{60}', tail: 'base64' },
  // Render.
  { kind: 'service-token', heads: ['rnd_'], proof: '(?=[A-Za-z]{0,27}[0-9])[A-Za-z0-9]{28}' },
  // SonarQube.
  { kind: 'service-token', heads: ['sqp_', 'squ_', 'sqa_'], proof: '[a-f0-9]{40}' },
  // Dynatrace.
  {
    kind: 'service-token',
    heads: ['dt0c01.', 'dt0s01.', 'dt0s02.'],
    proof: '[A-Z0-9]{24}\\.[A-Z0-9]{60}',
    tail: 'dotted',
  },
  // Cloudflare origin CA.
  { kind: 'service-token', heads: ['v1.0-'], proof: '[a-f0-9]{24}-[a-f0-9]{100}' },
  // Braintree.
  {
    kind: 'service-token',
    heads: ['access_token$production$', 'access_token$sandbox$'],
    proof: '[a-z0-9]{16}\\$[a-f0-9]{32}',
  },
  // Plaid.
  {
    kind: 'service-token',
    heads: ['access-sandbox-', 'access-development-', 'access-production-'],
    proof: '[0-9a-f]{8}-[0-9a-f-]{27}',
  },
  // Facebook.
  { kind: 'service-token', heads: ['EAACEdEose0cBA'], proof: '[A-Za-z0-9]{20}' },
  // Dropbox.
  { kind: 'service-token', heads: ['sl.'], proof: `${w}{60}`, tail: 'dotted' },
  // LaunchDarkly.
  {
    kind: 'service-token',
    heads: ['sdk-', 'mob-'],
    proof: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  },
  // 1Password service account.
  { kind: 'service-token', heads: ['ops_eyJ'], proof: '[A-Za-z0-9_-]{60}' },
  // Tailscale.
  { kind: 'service-token', heads: ['tskey-'], proof: '[a-z]{3,10}-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20}' },
  // Pulumi.
  { kind: 'service-token', heads: ['pul-'], proof: '[a-f0-9]{40}' },
  // HubSpot.
  { kind: 'service-token', heads: ['pat-na1-', 'pat-na2-', 'pat-eu1-'], proof: '[0-9a-f-]{36}' },
  // Typeform.
  { kind: 'service-token', heads: ['tfp_'], proof: `${w}{40}` },
  // Contentful.
  { kind: 'service-token', heads: ['CFPAT-'], proof: `${w}{40}` },
  // ReadMe.
  { kind: 'service-token', heads: ['rdme_'], proof: '[a-z0-9]{60}' },
  // Frame.io.
  { kind: 'service-token', heads: ['fio-u-'], proof: `${w}{50}` },
  // Duffel.
  { kind: 'service-token', heads: ['duffel_test_', 'duffel_live_'], proof: `${w}{40}` },
  // EasyPost.
  { kind: 'service-token', heads: ['EZAK', 'EZTK'], proof: '[A-Za-z0-9]{54}' },
  // Shippo.
  { kind: 'service-token', heads: ['shippo_live_', 'shippo_test_'], proof: '[a-f0-9]{40}' },
  // Flutterwave.
  { kind: 'service-token', heads: ['FLWSECK-', 'FLWSECK_TEST-'], proof: '[A-Za-z0-9]{32}' },
  // Artifactory API key.
  { kind: 'service-token', heads: ['AKCp'], proof: '[A-Za-z0-9]{60}' },
  // Artifactory reference token.
  { kind: 'service-token', heads: ['cmVmdGtu'], proof: '[A-Za-z0-9]{50}' },
  // OpenAI session.
  { kind: 'service-token', heads: ['sess-'], proof: '[A-Za-z0-9]{40}' },
  // HCP Terraform; the name of the token stays.
  {
    kind: 'service-token',
    heads: ['.atlasv1.'],
    proof: `(?<=(?<![A-Za-z0-9])[A-Za-z0-9]{14}\\.atlasv1\\.)${w}{60}`,
  },
  // Lob.
  { kind: 'service-token', heads: ['live_'], proof: '[a-f0-9]{35}(?![A-Za-z0-9])' },
];
