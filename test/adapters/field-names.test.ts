import { expect, test, vi } from 'vitest';
import { toRunnableTools } from '../../src/adapters/anthropic.js';
import { fromGemini, toGeminiTools } from '../../src/adapters/gemini.js';
import { SchemaWalk } from '../../src/adapters/schema-walk.js';
import { Tool } from '../../src/index.js';
import { testToolkit } from '../support/test-toolkit.js';

/** A tool with a field name that not every provider accepts. */
function world() {
  const toolkit = testToolkit({ permissions: 'bypassPermissions' });
  const input = { type: 'object', properties: { 'account[email]': { type: 'string' } }, required: ['account[email]'] };
  const execute = (given: unknown) => JSON.stringify(given);
  toolkit.registry.register(Tool.define('Own', { description: 'd', input, sideEffect: 'none', execute }));
  return toolkit;
}

const whole = '{"account[email]":"a"}';

test('the tool runner of @anthropic-ai/sdk restores field names', async () => {
  const own = toRunnableTools(world()).find(({ name }) => name === 'Own');
  const [field = ''] = Object.keys(own?.input_schema.properties ?? {});
  expect(field).not.toBe('account[email]');
  expect(await own?.run({ [field]: 'a' })).toEqual([{ type: 'text', text: whole }]);
});

test('Gemini restores them by the definitions', async () => {
  const toolkit = world();
  const definitions = toolkit.definitions();
  const own = toGeminiTools(definitions)[0]?.functionDeclarations.find(({ name }) => name === 'Own');
  const [field = ''] = Object.keys(own?.parameters.properties ?? {});
  const calls = fromGemini({ functionCall: { name: 'Own', args: { [field]: 'a' } } }, definitions);
  expect((await toolkit.execute(calls)).results[0]?.output).toBe(whole);
});

test('a schema is compiled once for all calls of its tool', () => {
  const definitions = world().definitions();
  const compilations = vi.spyOn(SchemaWalk.prototype, 'top');
  const answer = { parts: ['Own', 'Own', 'Read'].map((name) => ({ functionCall: { name, args: {} } })) };
  for (let turn = 0; turn < 3; turn++) expect(fromGemini(answer, definitions)).toHaveLength(3);
  expect(compilations).toHaveBeenCalledTimes(2);
  compilations.mockRestore();
});
