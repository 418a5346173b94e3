import { ToolError } from 'toolwright';
import type { Caller, CallScope } from '../../src/core/context.js';
import type {
  McpAnswers,
  McpClient,
  McpResource,
  McpResourceContent,
  McpResourceTemplate,
  McpServer,
  McpTool,
  McpToolAnswer,
  McpToolCall,
  McpUpdate,
} from '../../src/ports/mcp-client.js';

/** A server of {@link FakeMcpClient}, which tests may change. */
export interface FakeMcpServer extends Omit<McpServer, 'name'> {
  readonly tools?: readonly (Partial<McpTool> & { readonly name: string })[];
  readonly resources?: readonly (Omit<McpResource, 'server'> & Partial<McpResourceContent>)[];
  readonly templates?: readonly Omit<McpResourceTemplate, 'server'>[];
}

/** MCP servers in memory. */
export class FakeMcpClient implements McpClient {
  readonly calls: McpToolCall[] = [];
  readonly listeners = new Set<(update: McpUpdate) => void>();
  readonly attached = new Set<McpAnswers>();
  readonly known = new Map<string, FakeMcpServer>();
  /** The result of a call. It may be invalid. */
  answer: (call: McpToolCall, scope: CallScope) => unknown = ({ tool, input }) => ({
    content: [{ type: 'text', text: `${tool} ${JSON.stringify(input)}` }],
  });
  /** One page of resources. */
  pageSize = 100;
  isGranted?: (tool: { readonly server: string; readonly tool: string }, caller: Caller) => boolean;
  secrets?: () => readonly string[];
  withheld?: (server: string) => readonly { readonly tool: string; readonly reason: string }[];

  constructor(servers: Readonly<Record<string, Partial<FakeMcpServer>>> = {}) {
    for (const [name, server] of Object.entries(servers)) this.known.set(name, { state: 'connected', ...server });
  }

  /** Changes a server and notifies listeners. */
  set(server: string, change: Partial<FakeMcpServer>, news: Partial<McpUpdate> = {}): void {
    const changed = { state: 'connected' as const, ...this.known.get(server), ...change };
    this.known.set(server, changed);
    for (const listener of this.listeners) listener({ server, state: changed.state, ...news });
  }

  servers(): readonly McpServer[] {
    return [...this.known].map(([name, { tools: _, resources: __, templates: ___, ...server }]) => ({
      name,
      ...server,
    }));
  }

  tools(server?: string): readonly McpTool[] {
    return [...this.known].flatMap(([name, { tools = [] }]) =>
      server === undefined || server === name
        ? tools.map((tool) => ({ server: name, inputSchema: { type: 'object' }, ...tool }))
        : [],
    );
  }

  async callTool(call: McpToolCall, scope: CallScope): Promise<McpToolAnswer> {
    this.calls.push(call);
    return (await this.answer(call, scope)) as McpToolAnswer;
  }

  async listResources({
    server,
    cursor,
  }: {
    readonly server?: string | undefined;
    readonly cursor?: string | undefined;
  }) {
    const { resources = [], templates = [] } = this.known.get(server ?? '') ?? {};
    const first = Number(cursor ?? 0);
    const of = <One extends object>(one: One) => ({ ...one, server: server ?? '' });
    return {
      resources: resources.slice(first, first + this.pageSize).map(of),
      templates: first === 0 ? templates.map(of) : [],
      nextCursor: first + this.pageSize < resources.length ? String(first + this.pageSize) : undefined,
    };
  }

  async readResource({ server, uri }: { readonly server: string; readonly uri: string }) {
    const found = this.known.get(server)?.resources?.filter((one) => one.uri === uri) ?? [];
    if (found.length === 0) throw new ToolError('mcp_tool_error', `Resource ${uri} not found.`);
    return { contents: found };
  }

  subscribe(listener: (update: McpUpdate) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  attach(answers: McpAnswers): () => void {
    this.attached.add(answers);
    return () => this.attached.delete(answers);
  }
}
