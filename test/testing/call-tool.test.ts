import { callTool, memoryFiles } from 'toolwright/testing';
import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import { Tool } from '../../src/core.js';
import { eachRow } from '../support/each-row.js';
import { testToolkit } from '../support/test-toolkit.js';

const add = Tool.define('Add', {
  description: 'Add two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  sideEffect: 'spawns',
  verdict: () => ({ behavior: 'ask', reason: 'It is only a test.' }),
  execute: ({ a, b }, { caller }) => ({ output: `${a + b}`, metadata: { by: caller.sessionId } }),
});

test('one tool runs through the whole pipeline, without questions', async () => {
  expect(await callTool(add, { a: '1', b: 2 })).toMatchObject({ name: 'Add', output: '3' });
  await expect(callTool(add, { a: 1 })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('one tool runs for the caller and under the id of the options', async () => {
  const events: string[] = [];
  const options = { id: 'c7', caller: { sessionId: 's9' }, onEvent: ({ type }: { type: string }) => events.push(type) };
  expect(await callTool(add, { a: 1, b: 2 }, options)).toMatchObject({ callId: 'c7', metadata: { by: 's9' } });
  expect(events).toContain('tool-start');
});

test('a tool with an init function is created', async () => {
  const late = Tool.define('Late', async () => ({
    description: 'Comes late.',
    input: z.object({}),
    sideEffect: 'none' as const,
    execute: () => 'made',
  }));
  expect(await callTool(late, {})).toMatchObject({ output: 'made' });
});

test('a toolkit runs the tool by its name', async () => {
  const files = memoryFiles({ files: { 'a.txt': 'one\n' } });
  const toolkit = testToolkit({ root: files.root, hosts: { files } });
  expect((await callTool(toolkit, 'Read', { file_path: '/workspace/a.txt' })).output).toContain('one');
});

test('other arguments are rejected with an explanation', () =>
  eachRow(
    [
      [[undefined, {}], /takes a toolkit or one tool, got undefined; write callTool\(toolkit, /],
      [[[add], 'Add', {}], /got a list of objects with name, /],
      [[() => add, {}], /got a function/],
      [[Promise.resolve(add), {}], /got a promise; await it and write/],
      [[{ name: 'Add', description: '', input: {} }, {}], /got an object with name, description, input/],
      [[add, 'Add', { a: 1, b: 2 }], /takes one tool without its name, .*write callTool\(tool, input\)/],
      [
        [{ call: () => {} }, { file_path: '/a' }],
        /takes the name of the tool after the toolkit, got an object with file_path/,
      ],
    ] as const,
    async ([given, message]) => {
      const thrown = await (callTool as (...given: readonly unknown[]) => Promise<unknown>)(...given).catch(String);
      expect(thrown).toMatch(/^TypeError: callTool takes /);
      expect(thrown).toMatch(message);
    },
  ));
