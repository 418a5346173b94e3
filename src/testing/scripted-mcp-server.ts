import { ToolError } from '../core/error.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { assertOptions, kindOf, type OptionKinds, oneOf } from '../core/support/check-values.js';
import type { McpServerConfig } from '../mcp/connection/server-config.js';
import type { McpClient, McpToolAnswer, McpToolCall } from '../ports/mcp-client.js';
import { type McpFault, mcpFaults, mcpProgram } from './scripted-mcp-program.js';

/** A tool of a scripted server. */
export interface ScriptedMcpTool {
  readonly name: string;
  readonly description?: string;
  /** Default: any object. */
  readonly inputSchema?: JsonSchemaObject;
  /** The text of the tool's result. Default: the input as JSON. */
  readonly answer?: string;
}

/** The tools of a scripted server, and its fault. */
export interface ScriptedMcpOptions {
  /** Default: one tool `echo`. */
  readonly tools?: readonly ScriptedMcpTool[];
  readonly fault?: McpFault;
}

/** A scripted MCP server. */
export interface ScriptedMcpServer {
  /** The config of a server process over stdio, for `new McpManager({ servers: { name: config } })`. */
  readonly config: McpServerConfig;
  /**
   * A client in memory for `hosts.mcp`. The fault `hangs` makes a call hang, `answers_error` makes it return an error,
   * `noise` and `splits_lines` do not affect it, and any other fault makes it fail with `mcp_unavailable`.
   */
  client(name: string): McpClient & { readonly calls: readonly McpToolCall[] };
}

/** The JSON that the program of a server reads. */
interface McpScript {
  readonly tools: readonly (ScriptedMcpTool & { readonly inputSchema: JsonSchemaObject })[];
  readonly fault: McpFault | undefined;
}

/** Pieces of whole characters, since Linux accepts at most 128 KiB in one argument, and about 2 MB in all. */
const pieces = /.{1,30000}/gsu;

const kinds: OptionKinds<ScriptedMcpOptions> = { tools: kindOf.list, fault: oneOf(...mcpFaults) };

/**
 * Makes a scripted server. A server process gets its tools as JSON on its command line, which has room for about 1 MB.
 * Throws a TypeError for an unknown option or fault.
 */
export function scriptedMcpServer(options: ScriptedMcpOptions = {}): ScriptedMcpServer {
  assertOptions('scriptedMcpServer', options, kinds);
  const { tools = [{ name: 'echo' }], fault } = options;
  const script: McpScript = {
    tools: tools.map(({ inputSchema = { type: 'object' }, ...tool }) => ({ inputSchema, ...tool })),
    fault,
  };
  return {
    config: { command: process.execPath, args: ['-e', mcpProgram, ...(JSON.stringify(script).match(pieces) ?? [])] },
    client: (name) => clientOf(name, script),
  };
}

function clientOf(server: string, { tools, fault }: McpScript) {
  const calls: McpToolCall[] = [];
  const isUp = fault === undefined || !/^(?:exits|crashes|silent)_at_start$/.test(fault);
  const unavailable = () => new ToolError('mcp_unavailable', `${server} cannot be reached.`);
  return {
    calls,
    servers: () => [{ name: server, state: isUp ? ('connected' as const) : ('failed' as const) }],
    tools: (of?: string) =>
      isUp && (of === undefined || of === server)
        ? tools.map(({ name, description, inputSchema }) => ({ server, name, description, inputSchema }))
        : [],
    async callTool(call: McpToolCall, { signal }: { readonly signal: AbortSignal }): Promise<McpToolAnswer> {
      signal.throwIfAborted();
      const tool = tools.find(({ name }) => name === call.tool);
      if (!isUp || call.server !== server || tool === undefined) throw unavailable();
      calls.push(call);
      if (fault === 'hangs')
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
      if (fault === 'answers_error') return { content: [{ type: 'text', text: 'no such luck' }], isError: true };
      if (fault !== undefined && fault !== 'noise' && fault !== 'splits_lines') throw unavailable();
      return { content: [{ type: 'text', text: tool.answer ?? JSON.stringify(call.input) }] };
    },
    listResources: async () => ({ resources: [] }),
    readResource: () => Promise.reject(new ToolError('mcp_tool_error', 'There are no resources.')),
    // The server never changes.
    subscribe: () => () => {},
  };
}
