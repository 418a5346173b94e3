import * as z from 'zod/v4';
import { ToolError } from '../core/error.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { CustomToolDefinition, CustomToolStore, StoredCustomTool } from '../ports/custom-tool-store.js';
import { assessCommand } from '../shell/assess/assess-command.js';
import { denialOf } from '../shell/run/guarded-shell.js';
import { AdminError, type AdminRoute, found, paged, pageOf, pageQuery, route } from './admin-route.js';
import { customTool } from './custom-tool.js';
import { readCustomTool } from './custom-tool-definition.js';

/** `/v1/custom-tools`. */
export function customToolRoutes(store: CustomToolStore, toolkit: Toolkit | undefined): readonly AdminRoute[] {
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
  const env = z
    .record(z.string(), z.string())
    .nullish()
    .describe('Never answered. A change without it keeps what is there');
  const body = z.strictObject({ ...fields, env });
  const answer = z.object({
    ...{ id: z.string(), version: z.string(), ...fields, envNames: z.array(z.string()) },
    problem: z.string().optional().describe('Why its variables do not open'),
  });
  const put = async (definition: z.output<typeof body>, how: Parameters<CustomToolStore['put']>[1]) => {
    const tool = definition as CustomToolDefinition;
    assertAllowed(tool, toolkit);
    const { id } = await store.put(tool, how);
    return shown(found(await store.get(id), 'custom tool'));
  };
  const one = { path: '/v1/custom-tools/{id}', status: 200, answer } as const;
  return [
    route({
      ...{ method: 'get', path: '/v1/custom-tools', id: 'listCustomTools', scope: 'custom-tools:read', status: 200 },
      summary: 'The custom tools of an agent, or those that all agents have, by name',
      query: z.strictObject({ ...pageQuery, agentId: z.string().min(1).optional() }),
      answer: pageOf(answer),
      async run({ query: { agentId, cursor = '', limit } }) {
        const tools = (await store.list({ agentId })).filter(({ definition }) => definition.name > cursor);
        return paged(
          tools,
          limit,
          ({ definition }) => definition.name,
          (tool) => shown(tool).body,
        );
      },
    }),
    route({
      ...{ method: 'post', path: '/v1/custom-tools', id: 'createCustomTool', scope: 'custom-tools:write', status: 201 },
      ...{ summary: 'Makes a custom tool', action: 'custom_tool.create', body, answer },
      run: ({ body: given }) => put(given, { expected: null }),
    }),
    route({
      ...one,
      ...{ method: 'get', id: 'getCustomTool', scope: 'custom-tools:read', summary: 'A custom tool' },
      run: async ({ at: { id = '' } }) => shown(found(await store.get(id), 'custom tool')),
    }),
    route({
      ...one,
      ...{ method: 'put', id: 'putCustomTool', scope: 'custom-tools:write', summary: 'Changes a custom tool' },
      ...{ action: 'custom_tool.update', isVersioned: true, body },
      async run({ at: { id = '' }, body: given, expected }) {
        const { definition, problem, version } = found(await store.get(id), 'custom tool');
        const { env = definition.env, agent_id = definition.agent_id } = given;
        if (given.env !== undefined) return await put({ ...given, agent_id }, { id, expected });
        if (problem !== undefined) throw new AdminError(409, 'conflict', problem, { field: 'env' });
        if ((agent_id ?? null) !== (definition.agent_id ?? null) && Object.keys(env ?? {}).length > 0) {
          const message = 'The variables of a tool do not go to another agent with it: send env as well.';
          throw new AdminError(400, 'invalid_input', message, { field: 'env' });
        }
        // What is kept is what stands there now, not what stood there before another change.
        return await put({ ...given, agent_id, env }, { id, expected: expected ?? version });
      },
    }),
    route({
      ...{
        method: 'delete',
        path: '/v1/custom-tools/{id}',
        id: 'deleteCustomTool',
        scope: 'custom-tools:write',
        status: 204,
      },
      ...{ summary: 'Removes a custom tool', action: 'custom_tool.delete' },
      async run({ at: { id = '' } }) {
        if (!(await store.remove(id))) found(undefined, 'custom tool');
        return { object: id };
      },
    }),
    route({
      ...{
        method: 'post',
        path: '/v1/custom-tools/{id}/test',
        id: 'testCustomTool',
        scope: 'custom-tools:test',
        status: 200,
      },
      ...{ summary: 'Runs a custom tool once, without asking', action: 'custom_tool.test' },
      body: z.strictObject({ input: z.record(z.string(), z.unknown()) }),
      answer: z.object({ ok: z.boolean(), output: z.string(), code: z.string().optional() }),
      async run({ at: { id = '' }, body: { input }, signal }) {
        const { definition } = found(await store.get(id), 'custom tool');
        if (toolkit === undefined)
          throw new AdminError(409, 'not_configured', 'Nothing runs here: pass toolkit to adminApi.');
        const tool = customTool(definition, toolkit);
        const registry = toolkit.registry.clone();
        registry.unregister(tool.name);
        const ran = registry.register(tool).execute(tool.name, input, { caller: { sessionId: `test:${id}` }, signal });
        const result = await ran.then(
          ({ output }) => ({ ok: true, output: toolkit.scrub(output) }),
          (thrown: unknown) => {
            const { code, message, partialOutput = '' } = ToolError.from(thrown);
            return { ok: false, code, output: toolkit.scrub(`${message}\n${partialOutput}`.trimEnd()) };
          },
        );
        return { body: result, object: id };
      },
    }),
  ];
}

/** Throws a TypeError that names the field where the safety policy blocks what a definition would run. */
function assertAllowed(definition: CustomToolDefinition, toolkit: Toolkit | undefined): void {
  if (toolkit !== undefined) {
    customTool(definition, toolkit);
    return;
  }
  const denial = denialOf(assessCommand(readCustomTool(definition).template.sample));
  if (denial !== undefined) throw new TypeError(`customTool: command: blocked by safety policy: ${denial}`);
}

function shown({ id, version, definition: { env, ...fields }, problem }: StoredCustomTool) {
  const names = { envNames: Object.keys(env ?? {}), ...(problem === undefined ? {} : { problem }) };
  return { body: { id, version, ...fields, ...names }, version, object: id };
}
