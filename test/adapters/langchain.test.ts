import { ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import { toLangChainTools } from '../../src/adapters/langchain.js';
import { type PlainCallResult, Tool } from '../../src/index.js';
import { testToolkit } from '../support/test-toolkit.js';

const own = (name: string) =>
  Tool.define(name, {
    description: 'Says who calls.',
    input: z.object({ fails: z.boolean().optional() }),
    sideEffect: 'none',
    execute: ({ fails }, { caller, signal }) => {
      if (fails === true) throw new Error('It failed.');
      return JSON.stringify({ caller, aborted: signal.aborted });
    },
  });

function world() {
  const toolkit = testToolkit({ permissions: 'bypassPermissions' });
  toolkit.registry.register(own('Who'));
  return toolkit;
}

const call = (id: string, name = 'Who', args = {}) => ({ type: 'tool_call' as const, id, name, args });

test('a list is reused until the offered tools change', () => {
  const toolkit = world();
  const caller = { sessionId: 'a' };
  const list = toLangChainTools(toolkit, { caller });
  expect(toLangChainTools(toolkit, { caller })).toBe(list);
  expect(toLangChainTools(toolkit, { caller: { sessionId: 'b' } })).not.toBe(list);
  expect(toLangChainTools(toolkit, { caller: { ...caller, userId: 'ann' } })).not.toBe(list);
  expect(toLangChainTools(toolkit, { caller: { ...caller } })).toBe(list);
  toolkit.registry.register(own('Another'));
  const next = toLangChainTools(toolkit, { caller });
  expect(next.map(({ name }) => name)).toEqual([...list.map(({ name }) => name), 'Another']);
  toolkit.registry.disable('Another');
  expect(toLangChainTools(toolkit, { caller })).toHaveLength(list.length);
});

test('the host gives each call its context, and gets each result', async () => {
  const heard: PlainCallResult[] = [];
  const asked: string[][] = [];
  const tools = toLangChainTools(world(), {
    createContext: (toolName, callId) => {
      asked.push([toolName, callId]);
      return { caller: { sessionId: 's', messageId: callId } };
    },
    onToolResult: (result) => {
      heard.push(result);
      throw new Error('A listener changes nothing.');
    },
  });
  const who = tools.find(({ name }) => name === 'Who');
  const message = (await who?.invoke(call('c1'))) as ToolMessage;
  expect(message).toBeInstanceOf(ToolMessage);
  expect(JSON.parse(String(message.content))).toEqual({ caller: { sessionId: 's', messageId: 'c1' }, aborted: false });
  expect(asked).toEqual([['Who', 'c1']]);
  expect(message.artifact).toEqual(heard[0]);
  expect(await who?.invoke({})).toContain('"sessionId":"s"');
});

test('the last results are kept for at most 100 tools', async () => {
  const toolkit = world();
  toolkit.registry.register(...Array.from({ length: 101 }, (_, index) => own(`Own${index}`)));
  const tools = toLangChainTools(toolkit);
  const byName = (name: string) => tools.find((tool) => tool.name === name);
  await byName('Who')?.invoke(call('first'));
  await byName('Who')?.invoke(call('second', 'Who', { fails: true }));
  expect(tools.lastResults('Who')).toMatchObject([
    { callId: 'second', ok: false, error: { code: 'execution_failed' } },
  ]);
  const [kept] = tools.lastResults('Who');
  const whole = structuredClone(kept);
  const message = (await byName('Who')?.invoke(call('third'))) as ToolMessage;
  Object.assign(message.artifact as object, { output: 'changed' });
  expect(tools.lastResults('Who')[0]?.output).not.toBe('changed');
  expect(kept).toEqual(whole);
  for (let index = 0; index <= 100; index += 1) await byName(`Own${index}`)?.invoke(call(`c${index}`));
  expect(tools.lastResults()).toHaveLength(100);
  expect(tools.lastResults('Who')).toEqual([]);
  expect(tools.lastResults('Own100')).toHaveLength(1);
});
