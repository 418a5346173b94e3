import type { PlainCallResult, ToolCall, ToolCallSuccess, ToolRun } from '../call.js';
import type { CallScope, NamedToolContext } from '../context.js';
import type { ToolPermissions } from '../permission-category.js';
import type { JsonSchemaObject } from '../schema/json-schema.js';
import type { Tool, ToolInitContext } from '../tool.js';
import type { ToolRegistry } from './registry.js';
import type { TurnOptions } from './toolkit.js';

/** What a host says of a tool as it registers it. */
export interface RegisterOptions {
  /** In place of the permissions of its definition; its side effect follows from them where it does not say one. */
  readonly permissions?: ToolPermissions | undefined;
  /**
   * A file with its description, read as by `describeFromFile` when the registry is made ready. Where it cannot be used
   * the tool keeps its own, and the process is warned.
   */
  readonly descriptionPath?: string | undefined;
}

/** The context of a call that a program makes itself, by either name of each part. Default: all of it. */
export type GivenContext = { readonly [Part in keyof NamedToolContext]?: NamedToolContext[Part] | undefined };

/** How a list of tools for LangChain is made. */
export interface RegistryToolsOptions {
  /** What init functions get. Default: the working directory of the registry. */
  readonly initCtx?: Partial<ToolInitContext> | undefined;
  /** Asked as each call starts. */
  readonly createContext?: ((toolName: string, callId: string) => GivenContext) | undefined;
  /** Hears each result; what it throws is swallowed. */
  readonly onToolResult?: ((result: PlainCallResult) => void) | undefined;
  /**
   * Runs the calls: `(calls, turn) => executeTools(calls, { registry, permissions, ...turn })`. Default: so that the
   * tools run that only look (risk none or low), since there is nobody to ask.
   */
  readonly execute?: ((calls: readonly ToolCall[], turn: TurnOptions) => Promise<ToolRun>) | undefined;
}

/** A tool for LangChain, as far as this package says; pass the type of `@langchain/core` for more. */
export interface RegistryTool {
  readonly name: string;
  readonly description: string;
  invoke(input: unknown, config?: object): Promise<unknown>;
}

/** What calls the tools of MCP servers: an `McpManager`, or an object of one's own. */
export interface McpToolCaller {
  callTool(
    call: { readonly server: string; readonly tool: string; readonly input: Readonly<Record<string, unknown>> },
    scope: CallScope,
  ): Promise<unknown>;
  servers?(): readonly { readonly name: string; readonly isTrusted?: boolean | undefined }[];
}

/** The registry of programs and toolkits, which can run its tools, and takes them in from files and MCP clients. */
export interface RunnableRegistry extends ToolRegistry {
  /** Adds one tool with what the host says of it, or several tools. */
  register(tool: Tool, options: RegisterOptions): this;
  register(...tools: readonly Tool[]): this;
  /** All tools, in the order of registration. */
  list(): readonly Tool[];
  /**
   * Runs a tool for the program itself, which is not asked for permission; all else of `executeTools` holds. Rejects
   * with the ToolError of a call that was refused or failed.
   */
  execute(name: string, input: unknown, context?: GivenContext): Promise<ToolCallSuccess>;
  /** The tools for LangChain, made ready: the list of `toLangChainTools`, which needs `@langchain/core`. */
  tools<Made = RegistryTool>(
    options?: RegistryToolsOptions,
  ): Promise<Made[] & { lastResults(name?: string): PlainCallResult[] }>;
  /**
   * Adds a tool of an MCP server by the name `mcp__SERVER__TOOL`. Annotations are the hints of the protocol, with or
   * without `Hint`, in any letter case; that a tool only reads is believed of servers that the client trusts, that it
   * destroys of all. Throws a TypeError for a name of another form, and for one that is taken.
   */
  registerMcpTool(
    name: string,
    schema: JsonSchemaObject,
    description: string,
    annotations: Readonly<Record<string, unknown>> | undefined,
    client: McpToolCaller,
  ): Tool;
  /** Removes the tools of MCP servers whose names begin with `prefix`, and says how many there were. */
  unregisterMcpTools(prefix: string): number;
}
