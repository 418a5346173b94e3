import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Toolkit } from '../../core/registry/toolkit.js';
import { assertMethods, assertOptions, kindOf, type OptionKinds } from '../../core/support/check-values.js';
import type { Gateway } from './tool.js';

/** Gateway actions that only the host program can implement. */
export interface ToolkitGatewayOptions {
  /** Default: the action answers `not_configured`. */
  readonly reload?: Gateway['reload'] | undefined;
  /** Default: the action answers `not_configured`. */
  readonly restart?: Gateway['restart'] | undefined;
}

const optionKinds: OptionKinds<ToolkitGatewayOptions> = { reload: kindOf.callback, restart: kindOf.callback };

/**
 * Creates a gateway from a toolkit. The status shows only data of the caller: its session, the tools and MCP servers
 * that it is offered, its subagents and its leftover processes. Settings are read and changed by the tool Config.
 * Throws a TypeError for invalid arguments.
 */
export function toolkitGateway(toolkit: Toolkit, options: ToolkitGatewayOptions = {}): Gateway {
  const methods = ['call', 'definitionsFor', 'leftovers'];
  assertMethods('toolkitGateway takes a toolkit first', toolkit, methods, 'toolkitGateway(toolkit)');
  assertOptions('toolkitGateway', options, optionKinds);
  let calls = 0;
  const config = async (input: { setting: string; value?: string | number | boolean }, scope: CallScope) => {
    calls += 1;
    const id = `gateway_${calls}`;
    // The user has just allowed this call of the tool `gateway`, so the inner call of Config must not ask again.
    const turn = { id, caller: scope.caller, signal: scope.signal, answers: { [id]: 'allow-once' as const } };
    const result = await toolkit.call('Config', input, turn);
    if (!result.ok) throw new ToolError(result.error.code, result.error.message);
    return result.metadata;
  };
  const missing = (option: string) => () => {
    throw new ToolError('not_configured', `The program that runs this agent offers no ${option}. Tell the user.`);
  };
  return {
    status: async ({ caller }) => ({
      session: caller.sessionId,
      tools: (await toolkit.definitionsFor(caller)).map(({ name }) => name),
      subagents: toolkit.subagents.list(caller).map(({ agentId, state }) => ({ agentId, state })),
      mcpServers: toolkit.mcpSummaries(caller),
      leftovers: toolkit.leftovers(caller.sessionId).map(({ pid, command }) => ({ pid, command })),
    }),
    configGet: async (setting, scope) => (await config({ setting }, scope))?.value,
    configSet: async (setting, value, scope) => {
      await config({ setting, value }, scope);
    },
    reload: options.reload ?? missing('reload'),
    restart: options.restart ?? missing('restart'),
  };
}
