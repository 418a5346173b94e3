import { randomUUID } from 'node:crypto';
import type { PlainCallResult, ToolCall, ToolCallResult, ToolCallSuccess, ToolRun } from '../call.js';
import { callerKind } from '../check-caller.js';
import type { CallScope, NamedToolContext, ProgressUpdate } from '../context.js';
import type { ToolEvent } from '../event.js';
import { defaultLimits } from '../limits.js';
import type { ToolPermissions } from '../permission-category.js';
import type { JsonSchemaObject } from '../schema/json-schema.js';
import {
  assertArgument,
  assertNeeded,
  assertOptions,
  kindOf,
  type OptionKinds,
  signalKind,
} from '../support/check-values.js';
import { optionalPackage } from '../support/optional-package.js';
import type { Tool } from '../tool.js';
import { withPermissions } from '../tool.js';
import type { ToolInitContext } from '../tool-definition.js';
import { type RegistryOptions, ToolRegistry } from './registry.js';
import type { CallOptions, TurnOptions } from './turn-options.js';

/** Options for registering one tool. */
export interface RegisterOptions {
  /**
   * Replaces the permissions of the definition. The side effect also follows from these permissions if the definition
   * has no `sideEffect`.
   */
  readonly permissions?: ToolPermissions | undefined;
  /**
   * A file with the description of the tool. If the file cannot be used, the tool keeps its own description and the
   * process emits a warning.
   */
  readonly descriptionPath?: string | undefined;
}

/**
 * The context of a call that a program makes itself. Each field may be given under either of its names, and has a
 * default.
 */
export type GivenContext = { readonly [Part in keyof NamedToolContext]?: NamedToolContext[Part] | undefined };

/** Options of a list of tools for LangChain. */
export interface RegistryToolsOptions {
  /** The context for init functions. Default: the working directory of the registry. */
  readonly initCtx?: Partial<ToolInitContext> | undefined;
  /** Called when a call starts; returns the context of the call. */
  readonly createContext?: ((toolName: string, callId: string) => GivenContext) | undefined;
  /** Receives each result; errors that the function throws are ignored. */
  readonly onToolResult?: ((result: PlainCallResult) => void) | undefined;
  /**
   * Runs the calls: `(calls, turn) => executeTools(calls, { registry, permissions, ...turn })`. Default: only read-only
   * tools (risk none or low) run, since there is no person to ask.
   */
  readonly execute?: ((calls: readonly ToolCall[], turn: TurnOptions) => Promise<ToolRun>) | undefined;
}

/** An MCP client that calls tools: an `McpManager`, or an object of your own. */
export interface McpToolCaller {
  callTool(
    call: { readonly server: string; readonly tool: string; readonly input: Readonly<Record<string, unknown>> },
    scope: CallScope,
  ): Promise<unknown>;
  servers?(): readonly { readonly name: string; readonly isTrusted?: boolean | undefined }[];
}

/** The functions with which a registry runs tools, reads descriptions from files and adds tools of MCP clients. */
export interface RegistryParts {
  /**
   * Runs calls without questions: all calls for the program itself (`program`), or only calls of read-only tools
   * (`readOnly`).
   */
  run(
    calls: readonly ToolCall[],
    registry: ToolRegistry,
    by: 'program' | 'readOnly',
    turn: TurnOptions,
  ): Promise<ToolRun>;
  describe(tool: Tool, path: string): Tool;
  registerMcpTool(registry: ToolRegistry, ...parts: Parameters<RunnableRegistry['registerMcpTool']>): Tool;
}

/** The registry of programs and toolkits, which also runs its tools and adds tools of MCP clients. */
export class RunnableRegistry extends ToolRegistry {
  readonly #parts: RegistryParts;

  constructor(parts: RegistryParts, options?: RegistryOptions) {
    super(options);
    this.#parts = parts;
  }

  /** Adds one tool with options; see {@link ToolRegistry.register}. */
  override register(tool: Tool, options: RegisterOptions): this;
  /** Adds tools at the end, as {@link ToolRegistry.register} does. */
  override register(...tools: readonly Tool[]): this;
  override register(...given: readonly (Tool | RegisterOptions)[]): this {
    const [tool, options] = given as readonly [Tool, Tool];
    if (given.length !== 2 || typeof options?.execute === 'function') return super.register(...(given as Tool[]));
    assertOptions('register', options, registerKinds);
    const { permissions, descriptionPath } = options as RegisterOptions;
    const permitted = permissions === undefined ? tool : withPermissions(tool, permissions);
    return super.register(descriptionPath === undefined ? permitted : this.#parts.describe(permitted, descriptionPath));
  }

  /** All tools, in the order of registration. */
  list(): readonly Tool[] {
    return [...this.snapshot().values()];
  }

  /**
   * Runs a tool for the program itself, without a permission question but through all other stages of `executeTools`.
   * Rejects with the ToolError of a call that was refused or failed, and with a TypeError for an unknown or wrong field
   * of the context.
   */
  async execute(name: string, input: unknown, context: GivenContext = {}): Promise<ToolCallSuccess> {
    assertArgument('execute takes the name of a tool first', name, kindOf.text, "registry.execute('Read', input)");
    assertOptions('registry.execute', context, contextKinds);
    const { callID, callId = callID ?? `call_${randomUUID()}`, metadata } = context;
    const onEvent = metadata && ((event: ToolEvent) => event.type === 'tool-progress' && tell(context, event));
    const turn = { ...turnOf(context), onEvent };
    const { results } = await this.#parts.run([{ id: callId, name, input }], this, 'program', turn);
    const [result] = results as readonly [ToolCallResult];
    if (!result.ok) throw result.error;
    return result;
  }

  /**
   * Makes all tools ready and returns them for LangChain, as `toLangChainTools` does. Needs the package
   * `@langchain/core`. The type argument sets the type of the returned tools: `tools<StructuredTool>()`.
   */
  async tools<Made = { readonly name: string; readonly description: string; invoke(input: unknown): Promise<unknown> }>(
    options: RegistryToolsOptions = {},
  ): Promise<Made[] & { lastResults(name?: string): PlainCallResult[] }> {
    assertOptions('tools', options, toolsKinds);
    const readOnlyRun: RegistryToolsOptions['execute'] = (calls, turn) =>
      this.#parts.run(calls, this, 'readOnly', turn);
    const { initCtx, createContext, onToolResult } = options;
    const execute: typeof readOnlyRun = async (calls, turn) => {
      const run = await (options.execute ?? readOnlyRun)(calls, turn);
      assertNeeded('tools: what execute returns', run, 'results');
      return run;
    };
    assertOptions('tools: initCtx', initCtx ?? {}, initKinds);
    await this.ready({ cwd: initCtx?.cwd ?? initCtx?.workingDir });
    const { toLangChainTools } = (await optionalPackage('toolwright/langchain')) as {
      readonly toLangChainTools: (source: object, options: object) => never;
    };
    const source = {
      limits: defaultLimits,
      definitions: () => this.definitions(),
      execute: (calls: readonly ToolCall[], { caller, signal, onEvent }: TurnOptions) =>
        execute(calls, { caller, signal, onEvent }),
      call: async (name: string, input: unknown, { id = '', caller, signal }: CallOptions) =>
        (await execute([{ id, name, input }], { caller, signal })).results[0],
    };
    return toLangChainTools(source, {
      onToolResult,
      createContext: (name: string, id: string) => {
        const context = createContext === undefined ? {} : createContext(name, id);
        assertOptions('tools: the result of createContext', context, contextKinds);
        return { ...turnOf(context), onProgress: (progress: ProgressUpdate) => tell(context, progress) };
      },
    });
  }

  /**
   * Adds a tool of an MCP server by the name `mcp__SERVER__TOOL`. The keys of `annotations` are the hints of the
   * protocol, with or without the suffix `Hint`, in any letter case. The read-only hint counts only for servers that
   * the client trusts; the destructive hint counts for every server. Throws a TypeError for a name of another form, and
   * for a name that another tool has.
   */
  registerMcpTool(
    name: string,
    schema: JsonSchemaObject,
    description: string,
    annotations: Readonly<Record<string, unknown>> | undefined,
    client: McpToolCaller,
  ): Tool {
    return this.#parts.registerMcpTool(this, name, schema, description, annotations, client);
  }

  /** Removes the tools of MCP servers whose names begin with `prefix` and returns their number. */
  unregisterMcpTools(prefix: string): number {
    const own = this.list().filter(({ name, mcp }) => mcp !== undefined && name.startsWith(prefix));
    return own.filter(({ name }) => this.unregister(name)).length;
  }
}

const registerKinds: OptionKinds<RegisterOptions> = { permissions: kindOf.record, descriptionPath: kindOf.text };
const toolsKinds: OptionKinds<RegistryToolsOptions> = {
  initCtx: kindOf.record,
  createContext: kindOf.callback,
  onToolResult: kindOf.callback,
  execute: kindOf.callback,
};

const initKinds: OptionKinds<ToolInitContext> = { cwd: kindOf.text, workingDir: kindOf.text };
const { text, anyText } = kindOf;
const contextKinds: OptionKinds<GivenContext> = {
  ...{ callId: text, callID: text, calledAs: text, sessionID: anyText, messageID: anyText, agent: anyText },
  ...{ caller: callerKind, signal: signalKind, abort: signalKind },
  ...{ metadata: kindOf.callback, hasListener: kindOf.flag },
};

function turnOf({ sessionID = 'default', messageID, agent, caller, abort, signal = abort }: GivenContext): TurnOptions {
  const message = messageID ? { messageId: messageID } : {};
  return { signal, caller: caller ?? { sessionId: sessionID, ...message, ...(agent ? { agentId: agent } : {}) } };
}

function tell(context: GivenContext, { title, metadata }: ProgressUpdate): void {
  context.metadata?.({ ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }) });
}
