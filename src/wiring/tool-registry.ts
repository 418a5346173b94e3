import { randomUUID } from 'node:crypto';
import { createPermissions } from '../access/create-permissions.js';
import type { ToolCallResult, ToolCallSuccess } from '../core/call.js';
import type { ProgressUpdate } from '../core/context.js';
import { withPermissions } from '../core/define-tool.js';
import { ToolError } from '../core/error.js';
import type { ToolEvent } from '../core/event.js';
import { defaultLimits } from '../core/limits.js';
import { ToolRegistry as ToolTable } from '../core/registry/registry.js';
import type {
  GivenContext,
  RegisterOptions,
  RegistryToolsOptions,
  RunnableRegistry,
} from '../core/registry/runnable-registry.js';
import type { Toolkit, TurnOptions } from '../core/registry/toolkit.js';
import { assertOptions, kindOf, type OptionKinds } from '../core/support/option-kinds.js';
import { optionalPackage } from '../core/support/optional-package.js';
import type { Tool, ToolInitContext } from '../core/tool.js';
import { describeFromFile } from '../custom/describe-from-file.js';
import type { McpClient } from '../host/mcp-client.js';
import { executeTools } from '../pipeline/execute-tools.js';
import { registerMcpTool } from '../tools/mcp/mcp-tool.js';
import { mcpNamePrefix, mcpToolName } from '../tools/mcp/mcp-tool-name.js';

/** The registry of programs and toolkits. Its base knows no pipeline and no packages; what runs its tools is here. */
export class ToolRegistry extends ToolTable implements RunnableRegistry {
  override register(tool: Tool, options: RegisterOptions): this;
  override register(...tools: readonly Tool[]): this;
  override register(...given: readonly (Tool | RegisterOptions)[]): this {
    const [tool, options] = given as readonly [Tool, Tool];
    if (given.length !== 2 || typeof options?.execute === 'function') return super.register(...(given as Tool[]));
    assertOptions('register', options, registerKinds);
    const { permissions, descriptionPath } = options as RegisterOptions;
    const permitted = permissions === undefined ? tool : withPermissions(tool, permissions);
    return super.register(descriptionPath === undefined ? permitted : described(permitted, descriptionPath));
  }

  list(): readonly Tool[] {
    return [...this.snapshot().values()];
  }

  async execute(name: string, input: unknown, context: GivenContext = {}): Promise<ToolCallSuccess> {
    const { callID, callId = callID ?? `call_${randomUUID()}`, metadata } = context;
    const onEvent = metadata && ((event: ToolEvent) => event.type === 'tool-progress' && tell(context, event));
    const run = { registry: this, permissions: 'bypassPermissions', ...turnOf(context), onEvent } as const;
    const [result] = (await executeTools([{ id: callId, name, input }], run)).results as [ToolCallResult];
    if (!result.ok) throw result.error;
    return result;
  }

  async tools<Made>(options: RegistryToolsOptions = {}) {
    assertOptions('tools', options, toolsKinds);
    const permissions = createPermissions({ autoAllow: 'low-risk' });
    const looking: RegistryToolsOptions['execute'] = (calls, turn) =>
      executeTools(calls, { registry: this, permissions, ...turn });
    const { initCtx, createContext, onToolResult, execute = looking } = options;
    await this.ready({ cwd: initCtx?.cwd ?? initCtx?.workingDir });
    const { toLangChainTools } = (await optionalPackage('toolwright/langchain')) as LangChainEntry;
    const runnable: Partial<Toolkit> = {
      limits: defaultLimits,
      definitions: () => this.definitions(),
      execute: (calls, { caller, signal, onEvent }: TurnOptions = {}) => execute(calls, { caller, signal, onEvent }),
      call: async (name, input, { id = '', caller, signal } = {}) =>
        (await execute([{ id, name, input }], { caller, signal })).results[0] as ToolCallResult,
    };
    const list: unknown = toLangChainTools(runnable as Toolkit, {
      onToolResult,
      createContext: (name, id) => {
        const context = createContext?.(name, id) ?? {};
        return { ...turnOf(context), onProgress: (progress) => tell(context, progress) };
      },
    });
    return list as Awaited<ReturnType<RunnableRegistry['tools']>> & Made[];
  }

  registerMcpTool(...[name, schema, description, annotations, client]: McpToolParts): Tool {
    if (typeof client?.callTool !== 'function')
      throw new TypeError('registerMcpTool: client takes an McpManager, or what has callTool({ server, tool, input })');
    const servers = () => client.servers?.() ?? [];
    const names = servers().map((server) => server.name);
    const says = (hint: RegExp) =>
      Object.entries(annotations ?? {}).some(([key, value]) => hint.test(key) && value === true);
    return registerMcpTool(this, {
      ...{ ...originOf(name, names), inputSchema: schema, description },
      annotations: { readOnlyHint: says(/^readonly(hint)?$/i), destructiveHint: says(/^destructive(hint)?$/i) },
      client: { servers, callTool: (call, scope) => client.callTool(call, scope) } as McpClient,
    });
  }

  unregisterMcpTools(prefix: string): number {
    const own = this.list().filter(({ name, mcp }) => mcp !== undefined && name.startsWith(prefix));
    return own.filter(({ name }) => this.unregister(name)).length;
  }
}

type LangChainEntry = typeof import('../adapters/langchain.js');
type McpToolParts = Parameters<RunnableRegistry['registerMcpTool']>;

const registerKinds: OptionKinds<RegisterOptions> = { permissions: kindOf.record, descriptionPath: kindOf.text };
const toolsKinds: OptionKinds<RegistryToolsOptions> = {
  initCtx: kindOf.record,
  createContext: kindOf.callback,
  onToolResult: kindOf.callback,
  execute: kindOf.callback,
};

/** A tool with the description of a file; where that cannot be used it keeps its own, and the process is warned. */
function described(tool: Tool, path: string): Tool {
  const fromFile = describeFromFile(tool, path);
  const init = async (context: ToolInitContext) => {
    try {
      return (await fromFile.init?.(context)) ?? tool;
    } catch (thrown) {
      process.emitWarning(`${tool.name}: ${ToolError.from(thrown).message}`, { code: 'TOOLWRIGHT_DESCRIPTION' });
      return (await tool.init?.(context)) ?? tool;
    }
  };
  return Object.freeze({ ...fromFile, init });
}

/** Who calls, and when to stop, as a context says it. */
function turnOf({ sessionID = 'default', messageID, agent, caller, abort, signal = abort }: GivenContext): TurnOptions {
  const message = messageID ? { messageId: messageID } : {};
  return { signal, caller: caller ?? { sessionId: sessionID, ...message, ...(agent ? { agentId: agent } : {}) } };
}

function tell(context: GivenContext, { title, metadata }: ProgressUpdate): void {
  context.metadata?.({ ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }) });
}

/** The server that a name is of: one that the client knows, the longest first, else what stands before `__`. */
function originOf(name: string, servers: readonly string[]): { readonly server: string; readonly tool: string } {
  const known = servers.filter((server) => name.startsWith(mcpNamePrefix(server)));
  const [longest] = known.sort((left, right) => right.length - left.length);
  const server = longest ?? /^mcp__(.+?)__./.exec(name)?.[1] ?? '';
  const tool = name.slice(mcpNamePrefix(server).length);
  if (server !== '' && tool !== '' && mcpToolName(server, tool) === name) return { server, tool };
  throw new TypeError(
    `registerMcpTool: name takes mcp__SERVER__TOOL, not ${JSON.stringify(name)}; registerMcpTool of toolwright/mcp ` +
      'makes a name for any server and tool',
  );
}
