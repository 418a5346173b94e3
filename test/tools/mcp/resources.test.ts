import { readFile } from 'node:fs/promises';
import { createToolkit } from 'toolwright';
import { describe, expect, test } from 'vitest';
import type { ToolMetadata } from '../../../src/index.js';
import { eachRow } from '../../support/each-row.js';
import { FakeMcpClient } from '../../support/fake-mcp-client.js';
import { mcpWorld } from './mcp-world.js';

const docs = {
  resources: [
    { uri: 'docs://intro', name: 'Intro', mimeType: 'text/plain', description: 'Start here.', text: 'Welcome.' },
    { uri: 'docs://logo', name: 'Logo', mimeType: 'image/x-thing', blob: Buffer.from([0, 1, 255]).toString('base64') },
  ],
  templates: [{ uriTemplate: 'weather://{city}/{+day}{?unit,lang*}', name: 'Weather' }],
};

describe('ListMcpResources', () => {
  test('lists all servers, with the variables of templates, without a question', async () => {
    const { toolkit } = await mcpWorld(
      { docs, empty: {}, away: { state: 'reconnecting' } },
      { permissions: 'default' },
    );
    const { output, metadata } = await toolkit.call('ListMcpResources', {});
    expect(output).toBe(
      [
        'Server docs:',
        'docs://intro  Intro  (text/plain)  Start here.',
        'docs://logo  Logo  (image/x-thing)',
        'weather://{city}/{+day}{?unit,lang*}  Weather  fill in city, day, unit, lang',
        'Server empty:',
        '(nothing)',
      ].join('\n'),
    );
    expect(metadata?.resources).toHaveLength(3);
  });

  test('follows every page', async () => {
    const resources = Array.from({ length: 25 }, (_, index) => ({ uri: `r://${index}` }));
    const client = new FakeMcpClient({ a: { resources } });
    client.pageSize = 10;
    const { toolkit } = await mcpWorld(client);
    expect((await toolkit.call('ListMcpResources', { server: 'a' })).metadata?.resources).toHaveLength(25);
  });

  const lists = [
    ['goes round in circles', () => ({ resources: [{ uri: 'r://1' }], nextCursor: 'again' })],
    [
      'has 10,005 entries on its only page',
      () => ({ resources: Array.from({ length: 10_005 }, () => ({ uri: 'r://1' })) }),
    ],
    [
      'has 12,000 resources and templates on its only page',
      () => ({
        resources: Array.from({ length: 6_000 }, () => ({ uri: 'r://1' })),
        templates: Array.from({ length: 6_000 }, () => ({ uriTemplate: 'r://{n}' })),
      }),
    ],
    ['never ends', (page: number) => ({ resources: [{ uri: `r://${page}` }], nextCursor: String(page) })],
  ] as const;
  test('cuts a list with a cycle, with too many entries or without an end', () =>
    eachRow(lists, async ([, page]) => {
      const client = new FakeMcpClient({ a: {} });
      let pages = 0;
      client.listResources = async () => page(++pages) as never;
      const { toolkit } = await mcpWorld(client, {
        limits: { mcp: { maxPages: 20 }, output: { maxChars: 1_000_000, maxTurnChars: 0 } },
      });
      const { output } = await toolkit.call('ListMcpResources', {});
      expect(output).toContain('[More resources are left out]');
      expect(output.match(/^r:/gm)?.length).toBeLessThanOrEqual(10_000);
      expect(pages).toBeLessThanOrEqual(20);
    }));

  test('lists other servers if one fails or returns an invalid list', async () => {
    const client = new FakeMcpClient({ bad: {}, docs });
    const list = client.listResources.bind(client);
    client.listResources = async (request) => (request.server === 'bad' ? (null as never) : await list(request));
    const { toolkit } = await mcpWorld(client);
    const { output } = await toolkit.call('ListMcpResources', {});
    expect(output).toContain('Server bad: bad answered with no list.');
    expect(output).toContain('docs://intro');
    expect(await toolkit.call('ListMcpResources', { server: 'bad' })).toMatchObject({
      error: { code: 'mcp_tool_error' },
    });
  });

  test('suggests similar names for an unknown server, and gives the state of one that is not connected', async () => {
    const { toolkit } = await mcpWorld({ docs, away: { state: 'failed', error: 'exit code 3' } });
    expect(await toolkit.call('ListMcpResources', { server: 'dosc' })).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringContaining('Did you mean "docs"?') },
    });
    expect(await toolkit.call('ListMcpResources', { server: 'zzzzzz' })).toMatchObject({
      error: { message: expect.stringContaining('There are: docs, away.') },
    });
    expect(await toolkit.call('ListMcpResources', { server: 'away' })).toMatchObject({
      error: { code: 'mcp_unavailable', message: expect.stringContaining('failed (exit code 3)') },
    });
  });

  test('escapes deceptive characters', async () => {
    const resources = [{ uri: 'r://a\nServer b:', name: 'x\u202ey' }, { uri: 5 as never }, null as never];
    const { toolkit } = await mcpWorld({ a: { resources } });
    expect((await toolkit.call('ListMcpResources', {})).output).toBe('Server a:\nr://a\\nServer b:  x\\u{202e}y');
  });
});

/** The file with the first content. */
function savedTo(metadata: ToolMetadata | undefined): string {
  const [first] = (metadata?.contents ?? []) as readonly { readonly blobSavedTo?: string }[];
  return first?.blobSavedTo ?? '';
}

describe('ReadMcpResource', () => {
  const read = (uri: string, server = 'docs') => ['ReadMcpResource', { server, uri }] as const;

  test('shows text and saves bytes to a file', async () => {
    const { toolkit } = await mcpWorld({ docs }, { permissions: 'default' });
    expect(await toolkit.call(...read('docs://intro'))).toMatchObject({
      ok: true,
      output: 'Resource docs://intro:\nWelcome.',
      metadata: { contents: [{ uri: 'docs://intro', mimeType: 'text/plain' }] },
    });
    const { metadata } = await toolkit.call(...read('docs://logo'));
    const blobSavedTo = savedTo(metadata);
    expect(await readFile(blobSavedTo)).toEqual(Buffer.from([0, 1, 255]));
  });

  test('saves files that Read opens', async () => {
    const pdf = Buffer.from('%PDF-1.4 no more').toString('base64');
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    );
    const resources = [
      { uri: 'a://image', blob: png.toString('base64') },
      { uri: 'a://document', blob: pdf },
    ];
    const { toolkit } = await mcpWorld({ docs: { resources } });
    const { metadata } = await toolkit.call(...read('a://image'));
    const blobSavedTo = savedTo(metadata);
    expect(await toolkit.call('Read', { file_path: blobSavedTo })).toMatchObject({
      ok: true,
      attachments: [{ mediaType: 'image/png' }],
    });
  });

  test('suggests similar URIs for an unknown one', async () => {
    const { toolkit } = await mcpWorld({ docs });
    expect(await toolkit.call(...read('docs://intor'))).toMatchObject({
      error: { code: 'mcp_tool_error', message: expect.stringContaining('Did you mean "docs://intro"?') },
    });
    expect(await toolkit.call(...read('zzz'))).toMatchObject({
      error: { message: expect.stringContaining('ListMcpResources lists') },
    });
    expect(await toolkit.call(...read('docs://intro', 'dosc'))).toMatchObject({ error: { code: 'invalid_input' } });
  });

  const rows = [
    ['nothing', undefined],
    ['no contents', {}],
    ['contents that are none', { contents: 5 }],
  ] as const;
  test('fails for a result without contents', () =>
    eachRow(rows, async ([, answer]) => {
      const client = new FakeMcpClient({ docs });
      client.readResource = async () => answer as never;
      const { toolkit } = await mcpWorld(client);
      expect(await toolkit.call(...read('docs://intro'))).toMatchObject({ error: { code: 'mcp_tool_error' } });
    }));

  test('reports invalid parts', async () => {
    const client = new FakeMcpClient({ docs });
    client.readResource = async () => ({ contents: [null, 5, {}, { uri: 'a', text: 7 }] }) as never;
    const { toolkit } = await mcpWorld(client);
    const { output } = await toolkit.call(...read('docs://intro'));
    expect(output.match(/has no content\]/g)).toHaveLength(4);
  });
});

test('without hosts.mcp both tools name the missing option', async () => {
  const { root } = await mcpWorld();
  const toolkit = createToolkit({ root });
  for (const [name, input] of [
    ['ListMcpResources', {}],
    ['ReadMcpResource', { server: 'a', uri: 'b' }],
  ] as const)
    expect(await toolkit.call(name, input)).toMatchObject({
      error: { code: 'not_configured', message: expect.stringContaining('hosts.mcp') },
    });
  expect(toolkit.registry.names()).not.toContain('ToolSearch');
  await toolkit.dispose();
});
