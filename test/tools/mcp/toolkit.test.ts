import { Tool } from 'toolwright';
import { mcpToolName, registerMcpTool } from 'toolwright/mcp';
import { describe, expect, test } from 'vitest';
import { ToolRegistry } from '../../../src/core/registry/registry.js';
import { eachRow } from '../../support/each-row.js';
import { FakeMcpClient } from '../../support/fake-mcp-client.js';
import { mcpWorld } from './mcp-world.js';

const issue = { name: 'create_issue', description: 'Open an issue.', inputSchema: { type: 'object' } } as const;

test('tools of servers are offered and run, and are in the groups of their server', async () => {
  const { toolkit, client, names } = await mcpWorld({ github: { tools: [issue] } });
  expect(names()).toEqual(['mcp__github__create_issue']);
  expect(toolkit.definitions().at(-1)).toMatchObject({
    description: 'Open an issue.',
    inputSchema: { type: 'object' },
  });
  expect(toolkit.registry.groups().get('mcp:github')).toEqual(['mcp__github__create_issue']);
  const result = await toolkit.call('mcp__github__create_issue', { title: 'x' });
  expect(result).toMatchObject({ ok: true, output: 'create_issue {"title":"x"}' });
  expect(client.calls).toMatchObject([{ server: 'github', tool: 'create_issue', input: { title: 'x' } }]);
});

test('input is checked against the schema of the server', async () => {
  const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const { toolkit, client } = await mcpWorld({ a: { tools: [{ name: 'x', inputSchema }] } });
  expect(await toolkit.call('mcp__a__x', {})).toMatchObject({ error: { code: 'invalid_input' } });
  expect(client.calls).toEqual([]);
  expect(await toolkit.call('mcp__a__x', { n: '3' })).toMatchObject({ ok: true, output: 'x {"n":3}' });
});

describe('servers connect and disconnect', () => {
  test('tools of a server are offered while it is connected', async () => {
    const { client, names, toolkit, events } = await mcpWorld({ a: { state: 'connecting' } });
    expect(names()).toEqual([]);
    expect(await toolkit.call('mcp__a__x', {})).toMatchObject({
      error: { code: 'mcp_unavailable', message: expect.stringContaining('"a" is connecting') },
    });
    client.set('a', { state: 'connected', tools: [{ name: 'x' }, { name: 'y' }] }, { added: ['x', 'y'] });
    expect(names()).toEqual(['mcp__a__x', 'mcp__a__y']);
    client.set('a', { tools: [{ name: 'y' }, { name: 'z.z' }] });
    expect(names()).toEqual(['mcp__a__y', expect.stringMatching(/^mcp__a__z_z_[0-9a-f]{8}$/)]);
    const [, changed = ''] = names();
    client.set('a', { state: 'failed', error: 'exit code 1', tools: [] });
    expect(names()).toEqual([]);
    for (const name of ['mcp__a__y', changed])
      expect(await toolkit.call(name, {})).toMatchObject({
        error: { code: 'mcp_unavailable', message: expect.stringContaining('"a" is failed (exit code 1)') },
      });
    expect(await toolkit.call('mcp__b__y', {})).toMatchObject({ error: { code: 'unknown_tool' } });
    const updates = events.filter(({ type }) => type === 'mcp-update');
    expect(updates[0]).toEqual({ type: 'mcp-update', server: 'a', state: 'connected', added: ['x', 'y'] });
    expect(updates.at(-1)).toMatchObject({ server: 'a', state: 'failed' });
  });

  test('an unknown tool name of a server is unknown', async () => {
    const { toolkit } = await mcpWorld({ a: { tools: [{ name: 'read_things' }] } });
    expect(await toolkit.call('mcp__a__read_thing', {})).toMatchObject({
      error: { code: 'unknown_tool', message: expect.stringContaining('mcp__a__read_things') },
    });
  });

  test('a tool disabled by the host stays disabled when the server is back', async () => {
    const { client, toolkit, names } = await mcpWorld({ a: { tools: [{ name: 'x' }, { name: 'y' }] } });
    toolkit.registry.disable('mcp__a__x');
    client.set('a', { state: 'failed', tools: [] });
    client.set('a', { state: 'connected', tools: [{ name: 'x' }, { name: 'y' }] });
    expect(names()).toEqual(['mcp__a__y']);
    expect(await toolkit.call('mcp__a__x', {})).toMatchObject({ error: { code: 'not_allowed' } });
  });

  test('a changed tool replaces the old one', async () => {
    const { client, toolkit, names } = await mcpWorld({ a: { tools: [{ name: 'x' }, { name: 'y' }] } });
    client.set('a', { tools: [{ name: 'x', description: 'New.' }, { name: 'y' }] });
    expect(names()).toEqual(['mcp__a__x', 'mcp__a__y']);
    expect(toolkit.definitions().find(({ name }) => name === 'mcp__a__x')?.description).toBe('New.');
  });

  test('a client whose list fails or is invalid changes nothing', async () => {
    const { client, names } = await mcpWorld({ a: { tools: [{ name: 'x' }] } });
    client.tools = () => {
      throw new Error('no');
    };
    client.set('a', {});
    for (const listener of client.listeners)
      for (const update of [undefined, null, 3, {}, { server: 4 }]) listener(update as never);
    expect(names()).toEqual(['mcp__a__x']);
  });

  test('one invalid tool is omitted with the reason, and the others stay', async () => {
    const { names, events, client } = await mcpWorld({
      a: {
        tools: [
          { name: 'none', inputSchema: null as never },
          { name: 'list', inputSchema: { type: 'array' } },
          { name: 5 as never },
          { name: 'good' },
        ],
      },
    });
    expect(names()).toEqual(['mcp__a__good']);
    expect(events).toMatchObject([
      { type: 'mcp-update', server: 'a', quarantined: [{ tool: 'none' }, { tool: '5' }, { tool: 'list' }] },
    ]);
    client.set('a', { tools: [{ name: 'good' }] });
    expect(events.at(-1)).toEqual({ type: 'mcp-update', server: 'a', state: 'connected' });
  });

  test('dispose releases the client without ending it', async () => {
    const client = new FakeMcpClient({ a: {} });
    const { toolkit } = await mcpWorld(client);
    expect([client.listeners.size, client.attached.size]).toEqual([1, 1]);
    await toolkit.dispose();
    expect([client.listeners.size, client.attached.size]).toEqual([0, 0]);
  });
});

test('servers get answers from the configured hosts, and the roots', async () => {
  const sample = async () => ({ model: 'm', text: 't' });
  const { client, root } = await mcpWorld({}, { hosts: { mcpSampling: { sample } } });
  const [answers] = client.attached;
  expect(answers?.sampling?.sample).toBe(sample);
  expect(answers?.elicitation).toBeUndefined();
  expect(answers?.roots?.()).toEqual([root]);
});

test('a tool that its client withholds is not allowed, with the reason', async () => {
  const client = new FakeMcpClient({ a: { tools: [{ name: 'x' }] } });
  const reason = 'its description changed after it was first offered; approve it to use it';
  client.withheld = () => [{ tool: 'y z', reason }];
  const { toolkit } = await mcpWorld(client);
  expect(await toolkit.call(mcpToolName('a', 'y z'), {})).toMatchObject({
    error: { code: 'not_allowed', message: expect.stringContaining(reason) },
  });
  expect(await toolkit.call('mcp__a__z', {})).toMatchObject({ error: { code: 'unknown_tool' } });
});

test('secrets of a client are scrubbed, also in its events', async () => {
  const client = new FakeMcpClient({ a: { tools: [{ name: 'x' }] } });
  const secret = ['hunter', 'valley', '77'].join('-');
  client.secrets = () => [secret];
  client.answer = () => ({ content: [{ type: 'text', text: `it is ${secret}` }] });
  const { toolkit, events } = await mcpWorld(client);
  expect(await toolkit.call('mcp__a__x', {})).toMatchObject({ output: 'it is [REDACTED]' });
  client.set('a', {}, { quarantined: [{ tool: secret, reason: 'r' }] });
  expect(JSON.stringify(events)).not.toContain(secret);
});

test('the listener of each turn gets events of servers too', async () => {
  const { toolkit, client } = await mcpWorld({ a: {} });
  const heard: string[] = [];
  await toolkit.call(
    'Read',
    { file_path: '' },
    { onEvent: ({ type }) => heard.push(type), caller: { sessionId: 's' } },
  );
  client.set('a', {});
  expect(heard.filter((type) => type === 'mcp-update')).toHaveLength(1);
});

describe('grants', () => {
  test('apply to the list and to the call', async () => {
    const client = new FakeMcpClient({ a: { tools: [{ name: 'x' }, { name: 'y' }] } });
    client.isGranted = ({ tool }, { sessionId }) => sessionId === 'admin' || tool === 'y';
    const { toolkit, names } = await mcpWorld(client);
    expect([names('admin'), names('guest')]).toEqual([['mcp__a__x', 'mcp__a__y'], ['mcp__a__y']]);
    const as = (sessionId: string) => toolkit.call('mcp__a__x', {}, { caller: { sessionId } });
    expect(await as('admin')).toMatchObject({ ok: true });
    expect(await as('guest')).toMatchObject({
      error: { code: 'not_allowed', message: expect.stringContaining('not granted') },
    });
    expect(toolkit.mcpSummaries({ sessionId: 'guest' })).toBe('mcp__a__y: ');
    expect(client.calls).toHaveLength(1);
  });

  const rows = [
    ['rejects', () => Promise.reject(new Error('down')) as never],
    [
      'throws at once',
      () => {
        throw new Error('down');
      },
    ],
    ['answers what is no yes', () => 'yes' as never],
  ] as const;
  test('an answer other than true grants nothing', () =>
    eachRow(rows, async ([, isGranted]) => {
      const client = new FakeMcpClient({ a: { tools: [{ name: 'x' }] } });
      client.isGranted = isGranted;
      const { toolkit, names } = await mcpWorld(client);
      expect(names()).toEqual([]);
      expect(await toolkit.call('mcp__a__x', {})).toMatchObject({ error: { code: 'not_allowed' } });
    }));
});

describe('reserved names', () => {
  test('servers cannot replace built-in tools', async () => {
    const { toolkit } = await mcpWorld({
      Read: { tools: [{ name: 'Read' }] },
      constructor: { tools: [{ name: '__proto__' }] },
    });
    expect(toolkit.registry.get('Read')?.mcp).toBeUndefined();
    expect(toolkit.registry.get('mcp__Read__Read')?.mcp).toEqual({ server: 'Read', tool: 'Read' });
    expect(await toolkit.call('mcp__constructor____proto__', {})).toMatchObject({ ok: true });
  });

  test('servers cannot replace a custom tool or an alias', async () => {
    const { toolkit, client, events } = await mcpWorld({ a: { state: 'connecting' } });
    const own = Tool.define('mcp__a__x', {
      description: 'Own.',
      input: { type: 'object' },
      sideEffect: 'none',
      execute: () => 'own',
    });
    toolkit.registry.register(own).alias('mcp__a__y', 'Read');
    client.set('a', { state: 'connected', tools: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] });
    expect(toolkit.registry.get('mcp__a__x')).toBe(own);
    expect(toolkit.registry.find('mcp__a__y')?.name).toBe('Read');
    expect(events.at(-1)).toMatchObject({
      quarantined: [
        { tool: 'x', reason: expect.stringContaining('taken') },
        { tool: 'y', reason: expect.stringContaining('taken') },
      ],
    });
    expect(await toolkit.call('mcp__a__z', {})).toMatchObject({ ok: true });
  });

  test('registerMcpTool refuses them too, and the same tool may replace itself', () => {
    const client = new FakeMcpClient();
    const options = { server: 'a', tool: 'x', inputSchema: { type: 'object' }, client } as const;
    const registry = new ToolRegistry();
    const first = registerMcpTool(registry, options);
    expect(registry.get('mcp__a__x')).toBe(first);
    const second = registerMcpTool(registry, { ...options, description: 'New.' });
    expect(registry.get('mcp__a__x')).toBe(second);
    registry.alias('mcp__a__y', 'mcp__a__x');
    expect(() => registerMcpTool(registry, { ...options, tool: 'y' })).toThrow(/is taken already/);
    expect(registry.unregisterPrefix('mcp__a__')).toBe(1);
  });
});
