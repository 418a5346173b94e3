import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { mcpNumbers } from '../../core/numbers.js';
import { isRecord } from '../../core/support/check-values.js';
import type { McpClient, McpResource, McpResourceTemplate } from '../../ports/mcp-client.js';
import { mcpLine } from './mcp-content.js';

/** The resources of a server; `isCut` if it listed more than the limit. */
export interface ResourceList {
  readonly resources: readonly McpResource[];
  readonly templates: readonly McpResourceTemplate[];
  readonly isCut: boolean;
}

/**
 * Lists all resources of one server, page by page, up to the limits. Throws `mcp_tool_error` for an answer of the wrong
 * shape.
 */
export async function listMcpResources(
  client: McpClient,
  server: string,
  { maxPages }: Pick<Limits['mcp'], 'maxPages'>,
  scope: CallScope,
): Promise<ResourceList> {
  const resources: McpResource[] = [];
  const templates: McpResourceTemplate[] = [];
  const cursors = new Set<unknown>();
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    scope.signal.throwIfAborted();
    const page: unknown = await client.listResources(cursor === undefined ? { server } : { server, cursor }, scope);
    if (!isRecord(page) || !Array.isArray(page.resources))
      throw new ToolError('mcp_tool_error', `${mcpLine(server, 100)} answered with no list.`);
    resources.push(...listOf(page.resources).filter((one): one is McpResource => hasText(one, 'uri')));
    templates.push(...listOf(page.templates).filter((one): one is McpResourceTemplate => hasText(one, 'uriTemplate')));
    if (resources.length + templates.length > mcpNumbers.maxResources) return { resources, templates, isCut: true };
    cursor = typeof page.nextCursor === 'string' ? page.nextCursor : undefined;
    if (cursor === undefined) return { resources, templates, isCut: false };
    // A server that repeats a cursor would be asked for ever.
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  return { resources, templates, isCut: true };
}

/** One line about a resource, or about a resource template and its variables. */
export function resourceLine(resource: McpResource | McpResourceTemplate): string {
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

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, mcpNumbers.maxResources) : [];
}

function hasText(value: unknown, field: string): boolean {
  return isRecord(value) && typeof value[field] === 'string';
}
