import * as z from 'zod/v4';
import { ToolError } from '../../core/error.js';
import type { Toolkit } from '../../core/registry/toolkit.js';
import type { CustomToolDefinition, StoredCustomTool } from '../../ports/custom-tool-store.js';
import { assessCommand } from '../../shell/assess/judge-command.js';
import { assertCommand, customTool } from '../custom-tools/define-tool.js';
import { readCustomTool } from '../custom-tools/read-definition.js';
import type { ManagedStores } from '../stores/in-database.js';
import { AdminError, type AdminRoute, found, invalid, type PageQuery, resourceRoutes, route } from './route.js';

/** The routes of `/v1/custom-tools`. */
export function customToolRoutes({ audit }: ManagedStores, toolkit: Toolkit | undefined): readonly AdminRoute[] {
  const fields = {
    name: z.string(),
    description: z.string().min(1),
    parameters: z.record(z.string(), z.unknown()),
    command: z.string().min(1),
    timeout_seconds: z.number().int().min(1).max(600).nullish(),
    working_dir: z.string().min(1).nullish(),
    enabled: z.boolean().nullish(),
    agent_id: z.string().min(1).max(200).nullish(),
  };
  const env = z.record(z.string(), z.string()).nullish().describe('Never returned');
  return [
    ...resourceRoutes({
      ...{ path: '/v1/custom-tools', noun: 'custom tool', name: 'CustomTool', scope: 'custom-tools' },
      action: 'custom_tool',
      body: z.strictObject({ ...fields, env }),
      response: z.object({
        ...{ id: z.string(), version: z.string(), ...fields, envNames: z.array(z.string()) },
        problem: z.string().optional().describe('Why env cannot be decrypted'),
      }),
      query: { agentId: z.string().min(1).optional().describe('Default: the tools that all agents have') },
      async list({ stores, query }) {
        const { cursor, limit, agentId } = query as PageQuery & { readonly agentId?: string };
        const tools = (await stores.customTools.list({ agentId })).filter(({ id }) => id > (cursor ?? ''));
        return tools.sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
      },
      get: ({ customTools }, id) => customTools.get(id),
      async put({ customTools }, definition, how) {
        assertAllowed(definition as CustomToolDefinition, toolkit);
        return await customTools.put(definition as CustomToolDefinition, how);
      },
      remove: ({ customTools }, id, how) => customTools.remove(id, how),
      merged(given, { definition, problem }) {
        const { env = definition.env, agent_id = definition.agent_id } = given;
        const isKept = given.env === undefined;
        if (isKept && problem !== undefined) throw new AdminError(409, 'conflict', problem, { field: 'env' });
        if (isKept && (agent_id ?? null) !== (definition.agent_id ?? null) && Object.keys(env ?? {}).length > 0)
          throw invalid('env is not copied to another agent. Send env together with agent_id.', 'env');
        return { body: { ...given, agent_id, env }, isKept };
      },
      toJson,
    }),
    route('POST /v1/custom-tools/{id}/test', 'testCustomTool', 'custom-tools:test', {
      summary: 'Runs a custom tool once, without asking for permission',
      body: z.strictObject({ input: z.record(z.string(), z.unknown()) }),
      response: z.object({ ok: z.boolean(), output: z.string(), code: z.string().optional() }),
      async run({ stores, params: { id = '' }, body: { input }, actor, signal }) {
        const { definition } = found(await stores.customTools.get(id), 'custom tool');
        if (toolkit === undefined)
          throw new AdminError(409, 'not_configured', 'A test run needs a toolkit. Pass toolkit to adminApi.');
        const tool = customTool(definition, toolkit);
        // Logged before the run, because the run may take too long for a transaction.
        await audit.append({ actor, action: 'custom_tool.test', object: id });
        const registry = toolkit.registry.clone();
        registry.unregister(tool.name);
        try {
          const scope = { caller: { sessionId: `test:${id}` }, signal };
          const { output } = await registry.register(tool).execute(tool.name, input, scope);
          return { body: { ok: true, output: toolkit.scrub(output) } };
        } catch (thrown) {
          const { code, message, partialOutput = '' } = ToolError.from(thrown);
          return { body: { ok: false, code, output: toolkit.scrub(`${message}\n${partialOutput}`.trimEnd()) } };
        }
      },
    }),
  ];
}

/** Throws a TypeError that names the field if the safety policy blocks the command of a definition. */
function assertAllowed(definition: CustomToolDefinition, toolkit: Toolkit | undefined): void {
  if (toolkit === undefined) assertCommand(readCustomTool(definition), assessCommand);
  else customTool(definition, toolkit);
}

function toJson({ id, version, definition: { env, ...fields }, problem }: StoredCustomTool) {
  return { id, version, ...fields, envNames: Object.keys(env ?? {}), problem };
}
