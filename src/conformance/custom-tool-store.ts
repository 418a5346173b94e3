import { strict as assert } from 'node:assert';
import type { CustomToolDefinition, CustomToolStore } from '../ports/custom-tool-store.js';
import { refuses } from './file-system-trial.js';
import { type ConformanceCase, conformanceKit, type Disposable, same } from './kit.js';

/** An empty store of custom tools. */
export interface CustomToolsSubject extends Disposable {
  readonly customTools: CustomToolStore;
}

const tool: CustomToolDefinition = {
  name: 'lookup',
  description: 'Looks it up.',
  parameters: { type: 'object', properties: { b: { type: 'string' }, a: { type: 'string' } } },
  command: 'echo {{.b}}',
  env: { TOKEN: 'the token of a service' },
};
const whole = { ...tool, timeout_seconds: 60, working_dir: null, enabled: true, agent_id: null };
const unknownId = '00000000-0000-4000-8000-000000000000';

const namesOf = async (customTools: CustomToolStore, agentId?: string) =>
  (await customTools.list({ agentId })).map(({ definition }) => definition.name);

/** The requirements for a store of custom tools. */
export const customToolsConformance: readonly ConformanceCase<CustomToolsSubject>[] =
  conformanceKit<CustomToolsSubject>({
    'a stored definition is read back unchanged, with its environment': async ({ customTools }) => {
      const stored = await customTools.put(tool);
      same(stored.definition, whole);
      same(await customTools.get(stored.id), stored);
      same(await customTools.list({}), [stored]);
      const more = { timeout_seconds: 7, working_dir: 'sub', enabled: false };
      await customTools.put({ ...tool, ...more });
      same((await customTools.get(stored.id))?.definition, { ...whole, ...more });
      for (const none of [unknownId, 'none']) assert.equal(await customTools.get(none), undefined);
    },
    'a tool of one agent and a tool for all agents can have the same name': async ({ customTools }) => {
      for (const agent_id of [null, 'one', 'two'])
        for (const name of ['b', 'a']) await customTools.put({ ...tool, name, description: `${agent_id}`, agent_id });
      for (const agentId of [undefined, 'one', 'two']) {
        const listed = await customTools.list({ agentId });
        const found = listed.map(({ definition: { name, description } }) => `${name} ${description}`);
        same(found, [`a ${agentId ?? null}`, `b ${agentId ?? null}`]);
      }
      const [first] = await customTools.list({ agentId: 'one' });
      await customTools.remove(first?.id ?? '');
      same([await namesOf(customTools), await namesOf(customTools, 'one')], [['a', 'b'], ['b']]);
      same(await namesOf(customTools, 'three'), []);
    },
    'a refused change of an empty store adds nothing': async ({ customTools }) => {
      await refuses(customTools.put(tool, { expected: unknownId }), 'file_changed');
      same(await customTools.list({}), []);
    },
    'a change makes a new version, and fails if another version was expected': async ({ customTools }) => {
      const first = await customTools.put(tool, { expected: null });
      await refuses(customTools.put(tool, { expected: null }), 'file_changed');
      const renaming = { ...tool, name: 'renamed', env: null };
      const second = await customTools.put(renaming, { id: first.id, expected: first.version });
      assert.equal(second.id, first.id);
      assert.notEqual(second.version, first.version);
      const [renamed] = await customTools.list({});
      same([renamed?.definition.name, renamed?.definition.env ?? undefined], ['renamed', undefined]);
      for (const how of [{ id: first.id, expected: first.version }, { id: 'none' }, { id: unknownId }])
        await refuses(customTools.put(tool, how), 'file_changed');
      const { id } = await customTools.put(tool);
      await refuses(customTools.put({ ...tool, name: 'renamed' }, { id }), 'invalid_input');
      same(await namesOf(customTools), ['lookup', 'renamed']);
      await refuses(customTools.remove(first.id, { expected: first.version }), 'file_changed');
      assert.equal(await customTools.remove(first.id, { expected: second.version }), true);
    },
    'the version of the store changes with each change, and only then': async ({ customTools }) => {
      const seen = [await customTools.version()];
      const changes = async (change: Promise<unknown>) => {
        await change.catch(() => undefined);
        const version = await customTools.version();
        const isAnother = !seen.includes(version);
        seen.push(version);
        return isAnother;
      };
      let id = '';
      assert.ok(await changes(customTools.put(tool).then((stored) => (id = stored.id))));
      assert.ok(await changes(customTools.put(tool)));
      assert.ok(!(await changes(customTools.put({ ...tool, name: '1st' }))));
      assert.ok(!(await changes(customTools.put(tool, { expected: null }))));
      assert.ok(!(await changes(customTools.remove(unknownId))));
      for (const isThere of [true, false]) assert.equal(await changes(customTools.remove(id)), isThere);
    },
    'simultaneous puts of one tool make one row': async ({ customTools }) => {
      const made = await Promise.all(Array.from({ length: 6 }, () => customTools.put(tool)));
      assert.equal(new Set(made.map(({ id }) => id)).size, 1);
      const [stored, ...more] = await customTools.list({});
      same([stored?.definition, more], [whole, []]);
    },
    'the store keeps copies: changes of an argument or a result do not reach it': async ({ customTools }) => {
      const given = structuredClone(tool);
      const { id } = await customTools.put(given);
      const answered = await customTools.get(id);
      for (const one of [given, answered?.definition]) Object.assign(one?.parameters ?? {}, { properties: {} });
      same((await customTools.get(id))?.definition, whole);
    },
  });
