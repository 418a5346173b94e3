import type { output } from 'zod/v4/core';
import type { CallScope } from '../../core/context.js';
import { actionInput } from '../../core/schema/action-input.js';
import { scalar, words } from '../../core/schema/fields.js';
import { assertMethods } from '../../core/support/check-values.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import { askHost } from '../../ports/ask-host.js';
import type { SettingValue } from '../../ports/planning/config-store.js';
import { jsonText } from '../../tools/support/json-text.js';

/** The actions by which the main agent administers the program that runs it. */
export interface Gateway {
  /** The status as a JSON object, such as `{ version, tools }`. The model reads it: omit data of other users. */
  status(scope: CallScope): Promise<object> | object;
  /** The value of a setting, undefined if it is not set. Rejects with a ToolError for an unknown name. */
  configGet(setting: string, scope: CallScope): Promise<unknown> | unknown;
  configSet(setting: string, value: SettingValue, scope: CallScope): Promise<void> | void;
  /** Reads the configuration again without a restart. */
  reload(scope: CallScope): Promise<void> | void;
  /** Restarts the program after the current turn. Must resolve before the restart. */
  restart(scope: CallScope): Promise<void> | void;
}

const input = lazily(() =>
  actionInput(
    {
      status: {},
      config_get: { needs: ['setting'] },
      config_set: { needs: ['setting', 'value'] },
      reload: {},
      restart: {},
    },
    { setting: words(200, 'Name'), value: scalar('The new value') },
  ),
);
type GatewayInput = output<ReturnType<typeof input>>;

const timeoutMs = 60_000;

const gatewayMethods = ['status', 'configGet', 'configSet', 'reload', 'restart'];

/**
 * The tool `gateway`: administers the program that runs the agents. Every call asks for permission, even if a rule
 * allows the call. Callers with a `depth` above 0 are refused. Throws a TypeError for an invalid gateway.
 */
export function gatewayTool(gateway: Gateway): Tool<GatewayInput> {
  assertMethods('gatewayTool takes a gateway', gateway, gatewayMethods, 'gatewayTool(toolkitGateway(toolkit))');
  const ask = <Answer>(scope: CallScope, request: (inner: CallScope) => Promise<Answer> | Answer) =>
    askHost({ port: 'the gateway', timeoutMs }, scope, request);
  return Tool.define('gateway', {
    description:
      'Administer the program that runs you: show its status, read or set a setting, reload settings, restart.',
    input: input(),
    examples: [{ action: 'status' }],
    sideEffect: 'blocking',
    groups: ['automation'],
    title: titleOf,
    risk: ({ action }) => (action === 'status' || action === 'config_get' ? 'medium' : 'high'),
    footprint: () => ({ reads: 'everything', writes: 'everything' }),
    verdict: (_, { caller }) =>
      (caller.depth ?? 0) > 0
        ? { behavior: 'deny', reason: 'only the main agent may administer the program that runs it' }
        : { behavior: 'ask', reason: 'it administers the program that runs the agent' },
    async execute(given, context) {
      switch (given.action) {
        case 'status':
          return jsonText(await ask(context, (scope) => gateway.status(scope)), 'The gateway');
        case 'config_get': {
          const value = await ask(context, (scope) => gateway.configGet(given.setting, scope));
          return value === undefined ? `${given.setting} is not set` : jsonText(value, 'The gateway');
        }
        case 'config_set':
          await ask(context, (scope) => gateway.configSet(given.setting, given.value, scope));
          return `${given.setting} is set`;
        case 'reload':
          await ask(context, (scope) => gateway.reload(scope));
          return 'The settings were read again';
        case 'restart':
          await ask(context, (scope) => gateway.restart(scope));
          return 'The program restarts after this turn';
      }
    },
  });
}

function titleOf(given: GatewayInput): string {
  if (given.action === 'config_set') return `Set ${given.setting} to ${JSON.stringify(given.value)} in the gateway`;
  if (given.action === 'config_get') return `Show ${given.setting} of the gateway`;
  return given.action === 'status' ? 'Show the status of the gateway' : `${given.action} the gateway`;
}
