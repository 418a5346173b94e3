import type { Caller, CallScope } from '../core/context.js';
import type { McpServerState, ToolEvent } from '../core/event.js';
import type { McpAnnotations } from '../core/risk.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';

/** One MCP server. */
export interface McpServer {
  readonly name: string;
  readonly state: McpServerState;
  /** Instructions of the server for the model. */
  readonly instructions?: string | undefined;
  /** Why the server is not connected. */
  readonly error?: string | undefined;
  /** Whether the tool annotations of the server may lower the risk of its tools. Default false. */
  readonly isTrusted?: boolean | undefined;
}

/** A tool as its server describes it. */
export interface McpTool {
  readonly server: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** A schema of an object. */
  readonly inputSchema: JsonSchemaObject;
  readonly annotations?: McpAnnotations | undefined;
}

/** One call of one tool. */
export interface McpToolCall {
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Receives the progress that the server reports. */
  readonly onProgress?: ((progress: McpProgress) => void) | undefined;
}

/** Progress of a call, in the server's units. */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The content of a resource: text, or bytes in base64. */
export interface McpResourceContent {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
}

/** A part of a result, in the form of the protocol. */
export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: McpResourceContent }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name?: string | undefined;
      readonly description?: string | undefined;
      readonly mimeType?: string | undefined;
    };

/** The result of a server's tool. */
export interface McpToolAnswer {
  readonly content: readonly McpContent[];
  /** Any JSON value. */
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** A resource of a server. */
export interface McpResource {
  readonly server: string;
  readonly uri: string;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** A resource template: a URI with variables in braces (RFC 6570). */
export interface McpResourceTemplate extends Omit<McpResource, 'uri'> {
  readonly uriTemplate: string;
}

/** A page of resources, with `nextCursor` if there are more. The first page includes the templates. */
export interface McpResourcePage {
  readonly resources: readonly McpResource[];
  readonly templates?: readonly McpResourceTemplate[] | undefined;
  readonly nextCursor?: string | undefined;
}

/** A change of a server's state or tools. A toolkit sends each change to its listeners. */
export type McpUpdate = Omit<Extract<ToolEvent, { readonly type: 'mcp-update' }>, 'type'>;

/** Handlers for requests of servers. For each handler that is present, the client declares the capability. */
export interface McpAnswers {
  /** Asks a model. Default: the capability is not declared. */
  readonly sampling?: McpSampling | undefined;
  /** Asks the person. Default: the capability is not declared. */
  readonly elicitation?: Elicitation | undefined;
  /** The MCP roots of servers: absolute paths of folders. Default none. */
  readonly roots?: (() => readonly string[]) | undefined;
}

/** A server's request for an answer of the host's model. The messages are in the form of the protocol. */
export interface McpSamplingRequest {
  readonly server: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: unknown }[];
  readonly systemPrompt?: string | undefined;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  /** Preferences for the model, in the form of the protocol. */
  readonly modelPreferences?: Readonly<Record<string, unknown>> | undefined;
}

/** Answers sampling requests of servers with a model of the host. The host may ask for consent first. */
export interface McpSampling {
  sample(
    request: McpSamplingRequest,
    scope: CallScope,
  ): Promise<{ readonly model: string; readonly text: string; readonly stopReason?: string | undefined }>;
}

/** A server's request to the person: to fill the fields of a flat schema, or to visit an address. */
export interface ElicitationRequest {
  readonly server: string;
  readonly message: string;
  readonly schema?: JsonSchemaObject | undefined;
  readonly url?: string | undefined;
}

/** Asks the person for a server. */
export interface Elicitation {
  elicit(
    request: ElicitationRequest,
    scope: CallScope,
  ): Promise<{
    readonly action: 'accept' | 'decline' | 'cancel';
    readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
  }>;
}

/** The MCP client of a toolkit: `McpManager` of `./mcp`, or your own. The toolkit never disposes of its client. */
export interface McpClient {
  servers(): readonly McpServer[];
  /** The callable tools of one server or of all servers, including servers that are reconnecting. */
  tools(server?: string): readonly McpTool[];
  /**
   * Calls a tool. Rejects with a ToolError: `mcp_unavailable` if the server cannot be reached, `timeout`, `not_allowed`
   * if the tool is disabled or not granted.
   */
  callTool(call: McpToolCall, scope: CallScope): Promise<McpToolAnswer>;
  listResources(
    request: { readonly server?: string | undefined; readonly cursor?: string | undefined },
    scope: CallScope,
  ): Promise<McpResourcePage>;
  readResource(
    request: { readonly server: string; readonly uri: string },
    scope: CallScope,
  ): Promise<{ readonly contents: readonly McpResourceContent[] }>;
  /** Calls `listener` at each change until the returned function is called. */
  subscribe(listener: (update: McpUpdate) => void): () => void;
  /** Whether a caller may use a tool; called for each listing and each call. Default: yes. */
  isGranted?(tool: { readonly server: string; readonly tool: string }, caller: Caller): boolean;
  /** The withheld tools of a server with reasons, for error messages of calls. Default: none. */
  withheld?(server: string): readonly { readonly tool: string; readonly reason: string }[];
  /**
   * Attaches handlers for servers from their next connection on; the returned function detaches them. If several
   * toolkits attach a handler of one kind, requests for it are refused, since a server may mean any of the toolkits.
   */
  attach?(answers: McpAnswers): () => void;
  /** Secrets for the scrubber of the toolkit, such as the environment of servers. */
  secrets?(): readonly string[];
}
