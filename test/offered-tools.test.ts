import { expect, test } from 'vitest';
import { createPermissions, stubSearch, Tool, type ToolkitOptions } from '../src/index.js';
import { stubSpawner } from '../src/testing/index.js';
import { eachRow } from './support/each-row.js';
import { FakeMcpClient } from './support/fake-mcp-client.js';
import { testToolkit } from './support/test-toolkit.js';

const question = {
  question: 'Which?',
  header: 'Which',
  options: ['a', 'b'].map((label) => ({ label, description: label })),
};
const member = { name: 'one', prompt: 'x' };

/** Calls that need a host, and the host of each. */
const rows: readonly (readonly [string, object, ToolkitOptions['hosts'], string])[] = [
  ['WebSearch', { query: 'cats' }, { search: stubSearch([]) }, 'hosts.search'],
  ['AskUserQuestion', { questions: [question] }, { userInput: { ask: () => ({ answers: {} }) } }, 'hosts.userInput'],
  ['Agent', { description: 'x', prompt: 'y' }, { subagents: stubSpawner() }, 'hosts.subagents'],
  ['TeamCreate', { team_name: 'a', members: [member] }, { subagents: stubSpawner() }, 'hosts.subagents'],
  ['ListMcpResources', {}, { mcp: new FakeMcpClient({}) }, 'hosts.mcp'],
  ['ReadMcpResource', { server: 'a', uri: 'b:c' }, { mcp: new FakeMcpClient({}) }, 'hosts.mcp'],
];

function open(options: Partial<ToolkitOptions> = {}) {
  const toolkit = testToolkit({ features: { teams: true }, ...options });
  return { toolkit, offered: () => toolkit.definitions().map(({ name }) => name) };
}

test('a built-in tool is offered with its host, and is always in the registry', async () => {
  await eachRow(rows, ([name, , hosts]) => {
    expect(open().offered()).not.toContain(name);
    expect(open().toolkit.registry.get(name)).toBeDefined();
    expect(open({ hosts }).offered()).toContain(name);
    expect(open({ features: { teams: true, offerAll: true } }).offered()).toContain(name);
  });
  expect(open().offered()).not.toContain('SendMessage');
  expect(open().offered()).toContain('Config');
});

test('a custom tool in place of one without a host is offered', () => {
  const { toolkit, offered } = open();
  const execute = () => 'found';
  toolkit.registry.register(
    Tool.define('WebSearch', {
      description: '',
      input: { type: 'object' },
      sideEffect: 'none',
      replace: true,
      execute,
    }),
  );
  expect(offered()).toContain('WebSearch');
});

test('without a host a call fails with not_configured before a question, in spite of an allow rule', async () => {
  for (const lists of [{ ask: ['*'] }, { autoAllow: false }, { mode: 'plan' }] as const) {
    const asked: string[] = [];
    const onAsk = ({ tool }: { readonly tool: string }) => {
      asked.push(tool);
      return 'allow-once' as const;
    };
    const { toolkit } = open({ permissions: createPermissions({ ...lists, onAsk }) });
    await eachRow(rows, async ([name, input, , option]) => {
      const { ok, output, ...rest } = await toolkit.call(name, input);
      expect([ok, output]).toEqual([false, expect.stringContaining(option)]);
      expect(rest).toMatchObject({ error: { code: 'not_configured' } });
    });
    expect(asked).toEqual([]);
  }
});

test('a tool removed by a policy is not reported as not configured', async () => {
  const { toolkit } = open({ policy: { deny: ['WebSearch'] } });
  expect(await toolkit.call('WebSearch', { query: 'cats' })).toMatchObject({ error: { code: 'not_allowed' } });
});

test('a request for a subagent is returned whole without a spawner', async () => {
  const { toolkit } = open();
  const input = { description: 'x', prompt: 'y', subagent_type: 'reviewer', max_turns: 3 };
  expect(await toolkit.call('Agent', input)).toMatchObject({
    error: { code: 'not_configured' },
    metadata: {
      error: 'LLM_ASSIST_REQUIRED',
      request: { description: 'x', prompt: 'y', type: 'reviewer', maxTurns: 3 },
    },
  });
});
