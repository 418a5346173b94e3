import type { output } from 'zod/v4/core';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { mcpNumbers } from '../../core/fixed-limits.js';
import type { Limits } from '../../core/limits.js';
import { inputObject, optional, text } from '../../core/schema/fields.js';
import { isRecord } from '../../core/support/check-values.js';
import { didYouMean } from '../../core/support/near-names.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { McpClient, McpResource, McpResourceTemplate } from '../../ports/mcp-client.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { type McpContentOptions, McpContentReader, mcpLine } from './content-reader.js';
import { mcpClient, mcpServer } from './find-server.js';

/**
 * Lists the resources and templates of a server, up to the limits of pages and entries; `isCut` is true if the server
 * may have more. Throws `mcp_tool_error` if an answer has no list.
 */
async function listMcpResources(
  client: McpClient,
  server: string,
  { maxPages }: Pick<Limits['mcp'], 'maxPages'>,
  scope: CallScope,
) {
  const resources: McpResource[] = [];
  const templates: McpResourceTemplate[] = [];
  const cursors = new Set<unknown>();
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    scope.signal.throwIfAborted();
    const page: unknown = await client.listResources(cursor === undefined ? { server } : { server, cursor }, scope);
    if (!isRecord(page) || !Array.isArray(page.resources))
      throw new ToolError('mcp_tool_error', `${mcpLine(server, 100)} answered with no list.`);
    for (const one of page.resources) if (hasText<McpResource>(one, 'uri')) resources.push(one);
    for (const one of Array.isArray(page.templates) ? page.templates : [])
      if (hasText<McpResourceTemplate>(one, 'uriTemplate')) templates.push(one);
    const most = mcpNumbers.maxResources;
    if (resources.length + templates.length > most)
      return {
        resources: resources.slice(0, most),
        templates: templates.slice(0, Math.max(0, most - resources.length)),
        isCut: true,
      };
    cursor = typeof page.nextCursor === 'string' ? page.nextCursor : undefined;
    if (cursor === undefined) return { resources, templates, isCut: false };
    // A repeated cursor would only lead to the same pages again.
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  return { resources, templates, isCut: true };
}

function resourceLine(resource: McpResource | McpResourceTemplate): string {
  const { name, title, mimeType, description } = resource;
  const variables = 'uriTemplate' in resource ? variablesOf(resource.uriTemplate) : [];
  const about = [
    mcpLine(title ?? name),
    ...(mimeType === undefined ? [] : [`(${mcpLine(mimeType, 100)})`]),
    ...(variables.length === 0 ? [] : [`fill in ${variables.join(', ')}`]),
    mcpLine(description),
  ].filter((part) => part !== '');
  const uri = 'uriTemplate' in resource ? resource.uriTemplate : resource.uri;
  return [mcpLine(uri), ...about].join('  ');
}

/** The variables of a URI template (RFC 6570), each once. */
function variablesOf(template: string): readonly string[] {
  const expressions = [...template.slice(0, mcpNumbers.maxLineChars).matchAll(/\{[+#./;?&]?([^{}]*)\}/g)];
  const names = expressions.flatMap(([, list = '']) => list.split(',')).map((name) => name.replace(/(?::\d+|\*)$/, ''));
  return [...new Set(names.filter((name) => name !== ''))].map((name) => mcpLine(name, 100));
}

function hasText<Value>(value: unknown, field: string): value is Value {
  return isRecord(value) && typeof value[field] === 'string';
}

const listInput = lazily(() => inputObject({ server: optional(text()) }));

/** The dependencies of ListMcpResources. */
export interface ListMcpResourcesDependencies {
  /** Without a client every call answers `not_configured`. */
  readonly client: McpClient | undefined;
  readonly limits: Limits['mcp'];
}

/** Lists the resources of MCP servers. */
export function listMcpResourcesTool(
  dependencies: ListMcpResourcesDependencies,
): Tool<output<ReturnType<typeof listInput>>> {
  const { limits } = dependenciesOf('listMcpResourcesTool', dependencies, 'limits');
  return Tool.define('ListMcpResources', {
    description: 'List the resources and resource templates of MCP servers.',
    input: listInput(),
    sideEffect: 'readonly',
    title: ({ server = 'all servers' }) => `ListMcpResources of ${server}`,
    async execute({ server }, context): Promise<ToolResult> {
      const client = mcpClient(dependencies.client);
      const up = client.servers().filter(({ state }) => state === 'connected');
      const servers = server === undefined ? up : [mcpServer(client, server)];
      const lines: string[] = [];
      const resources: object[] = [];
      for (const { name } of servers) {
        try {
          const list = await listMcpResources(client, name, limits, context);
          const found = [...list.resources, ...list.templates];
          lines.push(
            `Server ${mcpLine(name, 100)}:`,
            ...(found.length === 0 ? ['(nothing)'] : found.map(resourceLine)),
          );
          if (list.isCut) lines.push('[More resources are left out]');
          resources.push(...found.map((one) => ({ ...one, server: name })));
        } catch (thrown) {
          // The failure of one server must not hide the resources of the other servers.
          if (server !== undefined || context.signal.aborted) throw thrown;
          lines.push(`Server ${mcpLine(name, 100)}: ${mcpLine(ToolError.from(thrown).message)}`);
        }
      }
      return {
        output: lines.length === 0 ? 'No MCP server is connected.' : lines.join('\n'),
        metadata: { resources: resources.slice(0, mcpNumbers.maxResources) },
      };
    },
  });
}

const readInput = lazily(() =>
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
export function readMcpResourceTool(
  dependencies: ReadMcpResourceDependencies,
): Tool<output<ReturnType<typeof readInput>>> {
  const { limits, saveBytes } = dependenciesOf('readMcpResourceTool', dependencies, 'limits');
  return Tool.define('ReadMcpResource', {
    description: 'Read a resource of an MCP server: its text, or the path of a saved file.',
    input: readInput(),
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
    return near || ' ListMcpResources lists the resources.';
  } catch {
    return '';
  }
}
