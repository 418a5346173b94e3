import type { ToolContext } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { mcpNumbers } from '../../core/fixed-limits.js';
import { defaultLimits } from '../../core/limits.js';
import type { ToolRegistry } from '../../core/registry/registry.js';
import { type McpAnnotations, mcpRisk, type Risk, type SideEffect } from '../../core/risk.js';
import type { JsonSchemaObject } from '../../core/schema/json-schema.js';
import { objectSchema } from '../../core/schema/mend.js';
import { assertNeeded, isRecord } from '../../core/support/check-values.js';
import { firstChars } from '../../core/text/cut.js';
import { escapeLines } from '../../core/text/escape-for-people.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { sharpImages } from '../../files/media/sharp-images.js';
import type { McpClient, McpProgress } from '../../ports/mcp-client.js';
import { type McpContentOptions, McpContentReader, mcpLine } from './content-reader.js';
import { mcpToolName } from './server-tool-name.js';

/** A tool of an MCP server, and the client that calls it. */
export interface McpToolOptions extends Partial<McpContentOptions> {
  /** The server's name in the client. */
  readonly server: string;
  /** The tool's name at the server. */
  readonly tool: string;
  /** Default: no description; models rarely call such a tool well. */
  readonly description?: string | undefined;
  /** JSON Schema of an object. */
  readonly inputSchema: JsonSchemaObject;
  /** The server's own hints about risk. Hints of an untrusted server cannot lower the risk. */
  readonly annotations?: McpAnnotations | undefined;
  readonly client: Pick<McpClient, 'callTool' | 'servers'>;
  /**
   * The prefix of the name. Server and tool are separated by `__` if the prefix ends in `__`, and by `_` otherwise.
   * Default `mcp__`.
   */
  readonly prefix?: string | undefined;
}

const sideEffects: Partial<Record<Risk, SideEffect>> = { low: 'readonly', high: 'network', critical: 'spawns' };

/**
 * Makes a tool that calls a tool of an MCP server. The name is `mcp__{server}__{tool}` if that is valid, see
 * `mcpToolName`. The groups are `mcp` and `mcp:{server}`. Throws a TypeError if the schema does not describe an object.
 */
export function mcpTool(options: McpToolOptions): Tool {
  assertNeeded('mcpTool', options, 'server', 'tool', 'inputSchema', 'client');
  const { server, tool, inputSchema, client, prefix, images, saveBytes } = options;
  const { limits = defaultLimits } = options;
  const risk = mcpRisk(trustedHints(options));
  const sideEffect = sideEffects[risk] ?? 'spawns';
  const touched = { reads: 'everything', writes: risk === 'low' ? 'nothing' : 'everything' } as const;
  const name = mcpToolName(server, tool, prefix);
  return Tool.define(name, {
    description: mcpDescription(options.description),
    input: objectSchema(inputSchema) ?? inputSchema,
    sideEffect,
    groups: ['mcp', `mcp:${server}`],
    mcp: { server, tool },
    title: () => `MCP server ${mcpLine(server, 100)}: ${mcpLine(tool, 100)}`,
    footprint: () => touched,
    risk: () => risk,
    async execute(input, context): Promise<ToolResult> {
      const onProgress = (progress: McpProgress) => tell(progress, tool, context);
      const answer: unknown = await client.callTool({ server, tool, input, onProgress }, context);
      const resizer = images ?? sharpImages(undefined, limits.read);
      const reader = new McpContentReader({ limits, images: resizer, saveBytes }, context);
      const { content, structuredContent, isError } = isRecord(answer) ? answer : {};
      if (!Array.isArray(content) && structuredContent === undefined)
        throw failed(server, tool, 'its answer is not the result of a tool');
      await reader.addContent(content, isError === true ? 'saved' : 'shown');
      const structured = structuredContent === undefined ? undefined : reader.addStructured(structuredContent);
      if (isError === true) throw failed(server, tool, reader.output);
      return {
        output: reader.output || '[The tool answered without content]',
        metadata: { server, tool, ...(structured === undefined ? {} : { structuredContent: structured }) },
        attachments: reader.attachments,
      };
    },
  }) as Tool;
}

/**
 * Registers a tool made by {@link mcpTool}. Replaces the same tool of the same server. Throws a TypeError if another
 * tool has the name.
 */
export function registerMcpTool(registry: ToolRegistry, options: McpToolOptions): Tool {
  const made = mcpTool(options);
  const holder = registry.get(made.name)?.mcp;
  const isSame = holder?.server === options.server && holder.tool === options.tool;
  if (!isSame && (registry.get(made.name) !== undefined || registry.aliases().has(made.name)))
    throw new TypeError(`${made.name} is taken already; unregister that tool first, or take another prefix`);
  registry.register(made);
  return made;
}

/** The server's description of a tool, cut to the limit, with invisible characters escaped. */
export function mcpDescription(text: unknown): string {
  const { maxDescriptionChars } = mcpNumbers;
  // Escaping at most halves a text (CRLF becomes LF), so twice the limit is enough to read.
  const whole = escapeLines(typeof text === 'string' ? text.slice(0, 2 * maxDescriptionChars) : '');
  if (whole.length <= maxDescriptionChars) return whole;
  return `${firstChars(whole, maxDescriptionChars)}…`;
}

/** The annotations that are used. `readOnlyHint` is used only if the server is trusted. */
function trustedHints({ server, annotations, client }: McpToolOptions): McpAnnotations {
  const { readOnlyHint, destructiveHint } = isRecord(annotations) ? annotations : {};
  const isTrusted = client.servers().some(({ name, isTrusted }) => name === server && isTrusted === true);
  return { readOnlyHint: isTrusted && readOnlyHint === true, destructiveHint: destructiveHint === true };
}

function tell({ progress, total, message }: McpProgress, tool: string, context: ToolContext): void {
  const title =
    typeof message === 'string' ? message : `${tool}: ${progress}${total === undefined ? '' : ` of ${total}`}`;
  context.metadata({ title, metadata: { progress, total, message } });
}

function failed(server: string, tool: string, text: string): ToolError {
  const what = `${mcpLine(tool, 100)} of the MCP server ${mcpLine(server, 100)} failed`;
  return new ToolError('mcp_tool_error', `${what}: ${text || 'it does not say why'}`);
}
