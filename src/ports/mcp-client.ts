import type { Caller, CallScope } from '../core/context.js';
import type { McpServerState, ToolEvent } from '../core/event.js';
import type { McpAnnotations } from '../core/risk.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';

/** One MCP server. */
export interface McpServer {
  readonly name: string;
  readonly state: McpServerState;
  /** What the server wants a model to know of it. */
  readonly instructions?: string | undefined;
  /** Why it is not connected. */
  readonly error?: string | undefined;
  /** Whether what it says of its tools may lower their risk. Default false. */
  readonly isTrusted?: boolean | undefined;
}

/** A tool as its server describes it. */
export interface McpTool {
  readonly server: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Of an object. */
  readonly inputSchema: JsonSchemaObject;
  readonly annotations?: McpAnnotations | undefined;
}

/** One call of one tool. */
export interface McpToolCall {
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Told as often as the server says how far it is. */
  readonly onProgress?: ((progress: McpProgress) => void) | undefined;
}

/** How far a call is, as its server counts. */
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

/** What a tool of a server answered. */
export interface McpToolAnswer {
  readonly content: readonly McpContent[];
  /** Any value that JSON has. */
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** Something that a server lets a client read. */
export interface McpResource {
  readonly server: string;
  readonly uri: string;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** A family of resources: a URI with variables in braces (RFC 6570). */
export interface McpResourceTemplate extends Omit<McpResource, 'uri'> {
  readonly uriTemplate: string;
}

/** A page of resources; `nextCursor` where there are more. Templates come with the first page. */
export interface McpResourcePage {
  readonly resources: readonly McpResource[];
  readonly templates?: readonly McpResourceTemplate[] | undefined;
  readonly nextCursor?: string | undefined;
}

/** A server changed its state or its tools: the event that a toolkit tells its listeners. */
export type McpUpdate = Omit<Extract<ToolEvent, { readonly type: 'mcp-update' }>, 'type'>;

/** What a toolkit answers when a server asks: each is announced to servers where it is there. */
export interface McpAnswers {
  /** Asks a model. Default: servers are told that nobody does. */
  readonly sampling?: McpSampling | undefined;
  /** Asks the person. Default: servers are told that nobody does. */
  readonly elicitation?: Elicitation | undefined;
  /** The folders that a server may look at: absolute paths. Default none. */
  readonly roots?: (() => readonly string[]) | undefined;
}

/** A server wants a model of the host to answer. The messages are in the form of the protocol. */
export interface McpSamplingRequest {
  readonly server: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: unknown }[];
  readonly systemPrompt?: string | undefined;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  /** Wishes about the model, in the form of the protocol. */
  readonly modelPreferences?: Readonly<Record<string, unknown>> | undefined;
}

/** Lets servers ask a model of the host, with whatever consent the host wants to have for it. */
export interface McpSampling {
  sample(
    request: McpSamplingRequest,
    scope: CallScope,
  ): Promise<{ readonly model: string; readonly text: string; readonly stopReason?: string | undefined }>;
}

/** A server wants to know something from the person: fields of a flat schema, or a visit to an address. */
export interface ElicitationRequest {
  readonly server: string;
  readonly message: string;
  readonly schema?: JsonSchemaObject | undefined;
  readonly url?: string | undefined;
}

/** Asks the person on behalf of a server. */
export interface Elicitation {
  elicit(
    request: ElicitationRequest,
    scope: CallScope,
  ): Promise<{
    readonly action: 'accept' | 'decline' | 'cancel';
    readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
  }>;
}

/**
 * The MCP servers of a toolkit: `McpManager` of `./mcp`, or a client of another make. It stays the host's: a toolkit
 * that is disposed leaves it running.
 */
export interface McpClient {
  servers(): readonly McpServer[];
  /** The tools that can be called, of one server or of all; those of a server that reconnects included. */
  tools(server?: string): readonly McpTool[];
  /**
   * Rejects with a ToolError: `mcp_unavailable` where the server cannot be reached, `timeout`, `not_allowed` where the
   * tool is disabled or not granted.
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
  /** Tells of each change until what it answers is called. */
  subscribe(listener: (update: McpUpdate) => void): () => void;
  /** Whether a caller may use a tool; asked for each listing and each call. Default: yes. */
  isGranted?(tool: { readonly server: string; readonly tool: string }, caller: Caller): boolean;
  /** The tools of a server that it lists but cannot be called, and why, so that a call is told. Default: none. */
  withheld?(server: string): readonly { readonly tool: string; readonly reason: string }[];
  /**
   * Answers servers from their next connection on, until what it answers is called. Where several answer the same, a server
   * gets no answer, since nobody knows whose person or folders it means.
   */
  attach?(answers: McpAnswers): () => void;
  /** What must never be shown, such as the environment given to servers, for the scrubber of the toolkit. */
  secrets?(): readonly string[];
}
