import { describe, expect, test } from 'vitest';
import { eachRow } from '../../support/each-row.js';
import { FakeMcpClient } from '../../support/fake-mcp-client.js';
import { mcpWorld } from './mcp-world.js';

const long = 'd'.repeat(300);
const many = Array.from({ length: 200 }, (_, index) => ({
  name: `thing_${index}`,
  description: `Thing ${index}. ${long}`,
}));
const tools = [
  ...many,
  { name: 'create_issue', description: 'Open an issue in a repository.' },
  {
    name: 'list_issues',
    description: 'Show issues.',
    inputSchema: { type: 'object', properties: { repo: { type: 'string' } } },
  },
];
const servers = { big: { tools }, small: { tools: [{ name: 'x', description: 'Small.\nSecond line.' }] } };

const search = (query: string, sessionId = 'default', more: object = {}) =>
  ['ToolSearch', { query, ...more }, { caller: { sessionId } }] as const;

test('tools of a server with too many are known but not offered', async () => {
  const { names, toolkit } = await mcpWorld(servers);
  expect(names()).toEqual(['ToolSearch', 'mcp__small__x']);
  expect(toolkit.registry.names().filter((name) => name.startsWith('mcp__big'))).toEqual([]);
});

test('ToolSearch is offered only if there are tools to find', async () => {
  const { names, client } = await mcpWorld({ small: servers.small });
  expect(names()).toEqual(['mcp__small__x']);
  client.set('big', { tools });
  expect(names()).toContain('ToolSearch');
  client.set('big', { tools: tools.slice(-2) });
  expect(names()).toEqual(['mcp__small__x', 'mcp__big__create_issue', 'mcp__big__list_issues']);
});

describe('ToolSearch', () => {
  test('offers its results to the session, without a question', async () => {
    const { toolkit, names, client } = await mcpWorld(servers, { permissions: 'default' });
    const result = await toolkit.call(...search('Issues list', 'one'));
    expect(result).toMatchObject({
      ok: true,
      metadata: { found: ['mcp__big__list_issues', 'mcp__big__create_issue'] },
    });
    expect(result.output).toContain(
      'mcp__big__list_issues: Show issues.\nInput: {"type":"object","properties":{"repo"',
    );
    expect(names('one')).toContain('mcp__big__list_issues');
    expect(names('two')).toEqual(['ToolSearch', 'mcp__small__x']);
    await toolkit.endSession('one');
    expect(names('one')).toEqual(['ToolSearch', 'mcp__small__x']);
    expect(client.calls).toEqual([]);
  });

  const rows = [
    ['what has more of the words first', 'open issue', {}, ['mcp__big__create_issue', 'mcp__big__list_issues']],
    ['the rare word before the common one', 'thing 17', { max_results: 1 }, ['mcp__big__thing_17']],
    ['as many as are wanted', 'opened issue', { max_results: 1 }, ['mcp__big__create_issue']],
    ['the beginning of a word', 'reposit', {}, ['mcp__big__create_issue']],
    ['another form of a word', 'opening', {}, ['mcp__big__create_issue']],
    ['nothing for what stands in every sentence', 'could you please help me with', {}, []],
    ['five where nobody says', 'thing', {}, 5],
    ['by name', 'select:mcp__big__thing_7,mcp__big__list_issues', {}, ['mcp__big__thing_7', 'mcp__big__list_issues']],
    ['nothing of what is not there', 'zebra', {}, []],
    ['nothing for no words', '***', {}, []],
  ] as const;
  test('finds by words or by name, the best first', () =>
    eachRow(rows, async ([, query, more, expected]) => {
      const { toolkit } = await mcpWorld(servers);
      const { metadata } = await toolkit.call(...search(query, 'default', more));
      if (typeof expected === 'number') expect(metadata?.found).toHaveLength(expected);
      else expect(metadata?.found).toEqual(expected);
    }));

  test('names only the tools that it shows, and says how many are left', async () => {
    const { toolkit } = await mcpWorld(servers);
    const all = many.slice(0, 30).map(({ name }) => `mcp__big__${name}`);
    const { output, metadata } = await toolkit.call(...search(`select:${all.join(',')}`));
    expect(metadata?.found).toEqual(all.slice(0, 25));
    expect(output).toMatch(/mcp__big__thing_24: (?:.|\n)*\[5 more found; one call shows at most 25\]$/);
    expect((await toolkit.call(...search('thing', 'default', { max_results: 30 }))).metadata?.found).toHaveLength(25);
  });

  test('suggests a similar name', async () => {
    const { toolkit } = await mcpWorld(servers);
    const { output } = await toolkit.call(...search('select:mcp__big__list_isues'));
    expect(output).toBe('No tool is called mcp__big__list_isues. Did you mean "mcp__big__list_issues"?');
  });

  test('finds no tools that are not granted or that the policy removes', async () => {
    const client = new FakeMcpClient(servers);
    client.isGranted = ({ tool }, { sessionId }) => sessionId === 'admin' || tool !== 'create_issue';
    const { toolkit, names } = await mcpWorld(client, { policy: { deny: ['mcp__big__list_issues'] } });
    expect((await toolkit.call(...search('issue', 'guest'))).metadata?.found).toEqual([]);
    expect((await toolkit.call(...search('issue', 'admin'))).metadata?.found).toEqual(['mcp__big__create_issue']);
    expect(await toolkit.call('mcp__big__create_issue', {}, { caller: { sessionId: 'guest' } })).toMatchObject({
      error: { code: 'not_allowed' },
    });
    client.isGranted = () => false;
    expect(names('nobody')).toEqual([]);
  });
});

test('a call by name finds a tool without a search', async () => {
  const { toolkit, names } = await mcpWorld(servers);
  expect(await toolkit.call('mcp__big__thing_3', { a: 1 })).toMatchObject({ ok: true, output: 'thing_3 {"a":1}' });
  expect(names()).toContain('mcp__big__thing_3');
  expect(names('other')).not.toContain('mcp__big__thing_3');
});

test('the resolver of the host is called for tools of no server', async () => {
  const asked: string[] = [];
  const { toolkit } = await mcpWorld(servers, {
    toolResolver: (name) => {
      asked.push(name);
      return undefined;
    },
  });
  await toolkit.call('mcp__big__thing_3', {});
  expect(await toolkit.call('Elsewhere', {})).toMatchObject({ error: { code: 'unknown_tool' } });
  expect(asked).toEqual(['Elsewhere']);
});

test('a found tool that changes is offered in its new version', async () => {
  const { toolkit, client } = await mcpWorld(servers);
  await toolkit.call(...search('select:mcp__big__list_issues'));
  client.set('big', { tools: tools.map((one) => ({ ...one, description: `New ${one.description}` })) });
  const found = toolkit.definitions().find(({ name }) => name === 'mcp__big__list_issues');
  expect(found?.description).toBe('New Show issues.');
});

describe('summaries', () => {
  test('are one line for each tool of the caller, in a stable order', async () => {
    const { toolkit, client } = await mcpWorld({ b: { tools: [{ name: 'z' }, { name: 'a' }] }, ...servers });
    toolkit.registry.disable('mcp__b__z');
    client.set('a', { tools: [{ name: 'late', description: `Hidden\u202e ${long}` }] });
    const lines = toolkit.mcpSummaries().split('\n');
    expect(lines[0]).toMatch(/^mcp__a__late: Hidden\\u\{202e\} d+ … d+$/);
    expect(lines[1]).toBe('mcp__b__a: ');
    expect(lines.at(-1)).toBe('mcp__small__x: Small.');
    expect(lines).toHaveLength(2 + tools.length + 1);
    const names = lines.map((line) => line.slice(0, line.indexOf(':')));
    expect(names.join()).toBe([...names].sort().join());
  });

  test('are empty without servers', async () => expect((await mcpWorld()).toolkit.mcpSummaries()).toBe(''));
});

test('10,000 tools are loaded, summarised and searched', async () => {
  const huge = Array.from({ length: 10_000 }, (_, index) => ({ name: `tool_${index}`, description: `Does ${index}.` }));
  const { toolkit, names } = await mcpWorld({ huge: { tools: huge } });
  expect(names()).toEqual(['ToolSearch']);
  expect((await toolkit.call(...search('9999'))).metadata?.found).toEqual(['mcp__huge__tool_9999']);
  expect(toolkit.mcpSummaries().split('\n')).toHaveLength(10_000);
});
