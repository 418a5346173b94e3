import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { createToolkit } from 'toolwright';
import { onTestFinished } from 'vitest';
import { type HttpTransport, type ServeMcpOptions, serveMcp } from '../../src/mcp-server/index.js';
import type { ToolkitOptions } from '../../src/toolkit/options.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A token for tests. */
export const token = 'sixteen-or-more-characters';

/** The capabilities of a client of a test. */
export interface ClientOptions {
  /** Answers questions. Without it the client does not declare elicitation. */
  readonly answer?: (asked: ElicitRequest) => ElicitResult | Promise<ElicitResult>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

/** A toolkit served over HTTP until the test ends, and a function that connects the official client to it. */
export async function servedToolkit(
  options: Partial<ToolkitOptions> = {},
  served: Partial<HttpTransport> & Pick<ServeMcpOptions, 'limits' | 'caller'> = {},
) {
  const { limits, caller, ...transport } = served;
  const root = options.root ?? temporaryFolder();
  const toolkit = createToolkit({ root, ...options });
  const serving = await serveMcp(toolkit, { transport: { port: 0, token, ...transport }, limits, caller });
  onTestFinished(async () => {
    await serving.close();
    await toolkit.dispose();
  });
  const url = new URL(serving.url ?? '');
  const connect = async ({ answer, headers = { authorization: `Bearer ${token}` }, fetch }: ClientOptions = {}) => {
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: answer === undefined ? {} : { elicitation: {} } },
    );
    if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, (asked) => answer(asked));
    const over = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { ...headers } },
      ...(fetch === undefined ? {} : { fetch }),
    });
    await client.connect(over as Parameters<Client['connect']>[0]);
    onTestFinished(() => client.close());
    return Object.assign(client, { over });
  };
  return { root, toolkit, serving, url, connect };
}

/** The texts of a result. */
export function textOf(result: object): string {
  const { content = [] } = result as { content?: readonly { readonly text?: string }[] };
  return content.map(({ text }) => text ?? '').join('');
}

/** The code of a failed result. */
export function codeOf(result: object): string | undefined {
  const { _meta } = result as { _meta?: Record<string, { readonly code?: string }> };
  return _meta?.['toolwright/error']?.code;
}
