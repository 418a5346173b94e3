/**
 * A client made of `McpManager` that does what the conformance tests of the protocol want of one: it connects to the
 * address on its command line, logs in where it has to, and calls every tool.
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

/** Keeps everything in memory, and goes at once where a person would be sent: the tests say yes to everybody. */
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

/** Logs in as a program where the test is about that, and else as a person. */
function providerOf(scenario: string): McpAuthProvider {
  const { client_id: clientId = '', client_secret: clientSecret = '', private_key_pem: privateKey = '' } = context;
  const { signing_algorithm: algorithm = '' } = context;
  if (scenario.endsWith('credentials-basic')) return new ClientCredentialsProvider({ clientId, clientSecret });
  if (scenario.endsWith('credentials-jwt')) return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm });
  return authProvider;
}

/** A person who leaves the form as it is. */
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
      // A call may want more rights than there are.
      if (kept.code === undefined) throw thrown;
      await logIn();
      await call();
    });
  }
} finally {
  await manager.dispose();
}

/** Finishes the login that the server asks for. */
async function logIn(): Promise<void> {
  const { code } = kept;
  delete kept.code;
  if (code !== undefined) await manager.finishAuth('tested', code);
}
