import type { output } from 'zod/v4/core';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { mcpNumbers } from '../../core/numbers.js';
import { inputObject, text } from '../../core/schema/input-object.js';
import { isRecord } from '../../core/support/check-values.js';
import { didYouMean } from '../../core/support/near-names.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { McpClient } from '../../ports/mcp-client.js';
import { dependenciesOf } from '../support/dependencies.js';
import { type McpContentOptions, McpContentReader, mcpLine } from './mcp-content.js';
import { listMcpResources } from './mcp-resources.js';
import { mcpClient, mcpServer } from './mcp-servers.js';

const input = lazily(() =>
  inputObject({
    server: text(undefined, { minLength: 1 }),
    uri: text(undefined, { minLength: 1 }),
  }),
);

/** The dependencies of ReadMcpResource. */
export interface ReadMcpResourceDependencies extends Pick<McpContentOptions, 'saveBytes'> {
  /** Without a client every call answers `not_configured`. */
  readonly client: McpClient | undefined;
  readonly limits: Pick<Limits, 'read' | 'mcp'>;
}

/** Reads a resource of an MCP server: its text, or the path of a file with its bytes. */
export function readMcpResourceTool(dependencies: ReadMcpResourceDependencies): Tool<output<ReturnType<typeof input>>> {
  const { limits, saveBytes } = dependenciesOf('readMcpResourceTool', dependencies, 'limits');
  return Tool.define('ReadMcpResource', {
    description: 'Read a resource of an MCP server: text, or a file.',
    input: input(),
    sideEffect: 'readonly',
    title: ({ server, uri }) => `ReadMcpResource ${uri} of ${server}`,
    async execute({ server, uri }, context): Promise<ToolResult> {
      const client = mcpClient(dependencies.client);
      mcpServer(client, server);
      const contents = await read(client, server, uri, limits.mcp, context);
      const reader = new McpContentReader({ limits, images: undefined, saveBytes }, context);
      const saved: object[] = [];
      for (const content of contents.slice(0, mcpNumbers.maxParts)) {
        context.signal.throwIfAborted();
        const path = await reader.addResource(content, 'saved');
        const { uri: own, mimeType } = isRecord(content) ? content : {};
        saved.push({ uri: own, mimeType, ...(path === undefined ? {} : { blobSavedTo: path }) });
      }
      return { output: reader.output || '[The resource is empty]', metadata: { server, uri, contents: saved } };
    },
  });
}

async function read(
  client: McpClient,
  server: string,
  uri: string,
  limits: Limits['mcp'],
  scope: CallScope,
): Promise<readonly unknown[]> {
  try {
    const answer: unknown = await client.readResource({ server, uri }, scope);
    const contents: unknown = isRecord(answer) ? answer.contents : undefined;
    if (Array.isArray(contents)) return contents;
    throw new ToolError('mcp_tool_error', `${mcpLine(server, 100)} answered with no content for ${mcpLine(uri)}.`);
  } catch (thrown) {
    const error = ToolError.from(thrown);
    if (scope.signal.aborted || ['mcp_unavailable', 'timeout', 'not_allowed'].includes(error.code)) throw thrown;
    const near = await nearUris(client, server, uri, limits, scope);
    throw near === '' ? thrown : error.with(`${error.message.replace(/\.?$/, '.')}${near}`);
  }
}

/** Similar URIs of the server, for a URI that it does not have. */
async function nearUris(
  client: McpClient,
  server: string,
  uri: string,
  limits: Limits['mcp'],
  scope: CallScope,
): Promise<string> {
  try {
    const { resources } = await listMcpResources(client, server, limits, scope);
    if (resources.some((one) => one.uri === uri)) return '';
    const near = didYouMean(
      uri,
      resources.map((one) => one.uri),
    );
    return near || ' ListMcpResources shows what there is.';
  } catch {
    return '';
  }
}
