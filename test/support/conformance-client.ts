/**
 * A client that uses `McpManager` for the conformance tests of the protocol: it connects to the address on its command
 * line, logs in if necessary, and calls every tool.
 */
import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import type { McpAuthProvider, McpServerConfig } from '../../src/mcp.js';
import { McpManager } from '../../src/mcp.js';
import type { Elicitation } from '../../src/ports/mcp-client.js';

const url = process.argv.at(-1) ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
};

const kept: { client?: object; tokens?: object; verifier?: string; code?: string } = {};
if (context.client_id !== undefined) kept.client = { ...context };

/** Keeps all data in memory, and follows the login redirect at once, because the test server approves every login. */
const authProvider = {
  redirectUrl: 'http://localhost:3000/callback',
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  clientMetadata: {
    client_name: 'toolwright',
    redirect_uris: ['http://localhost:3000/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client: object) => {
    kept.client = client;
  },
  tokens: () => kept.tokens,
  saveTokens: (tokens: object) => {
    kept.tokens = tokens;
  },
  codeVerifier: () => kept.verifier ?? '',
  saveCodeVerifier: (verifier: string) => {
    kept.verifier = verifier;
  },
  redirectToAuthorization: async (address: URL) => {
    const { headers } = await fetch(address, { redirect: 'manual' });
    kept.code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
  },
} as unknown as McpAuthProvider;

/** Logs in as a program if the test requires it, otherwise as a person. */
function providerOf(scenario: string): McpAuthProvider {
  const { client_id: clientId = '', client_secret: clientSecret = '', private_key_pem: privateKey = '' } = context;
  const { signing_algorithm: algorithm = '' } = context;
  if (scenario.endsWith('credentials-basic')) return new ClientCredentialsProvider({ clientId, clientSecret });
  if (scenario.endsWith('credentials-jwt')) return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm });
  return authProvider;
}

/** A person who submits the form unchanged. */
const elicitation: Elicitation = {
  elicit: async ({ schema }) => {
    const fields = Object.entries((schema?.properties ?? {}) as Record<string, { readonly default?: string }>);
    const content = fields.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]]));
    return { action: 'accept', content: Object.fromEntries(content) };
  },
};

const config: McpServerConfig = {
  type: 'http',
  url,
  authProvider: providerOf(process.env.MCP_CONFORMANCE_SCENARIO ?? ''),
};
const manager = new McpManager({ servers: { tested: config }, answers: { elicitation } });
const scope = { caller: { sessionId: 'conformance' }, signal: new AbortController().signal };
try {
  await manager.connect();
  await logIn();
  for (const { name } of manager.tools('tested')) {
    const call = () => manager.callTool({ server: 'tested', tool: name, input: { a: 5, b: 3 } }, scope);
    await call().catch(async (thrown: unknown) => {
      // A call may need a wider scope than the server can grant.
      if (kept.code === undefined) throw thrown;
      await logIn();
      await call();
    });
  }
} finally {
  await manager.dispose();
}

/** Finishes a login that the server requests. */
async function logIn(): Promise<void> {
  const { code } = kept;
  delete kept.code;
  if (code !== undefined) await manager.finishAuth('tested', code);
}
