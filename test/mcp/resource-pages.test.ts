import { expect, test } from 'vitest';
import { resourcePage, resourcePageOfAll } from '../../src/mcp/resource-pages.js';
import type { SupervisedServer } from '../../src/mcp/supervised-server.js';
import type { McpResourcePage } from '../../src/ports/mcp-client.js';
import { callScope } from '../support/call-scope.js';

/** A server with one resource on each of its two pages. */
function server(name: string) {
  const state = { isConnected: true };
  const made = {
    name,
    ready: () => (state.isConnected ? Promise.resolve() : Promise.reject(new Error('not connected'))),
    has: () => state.isConnected,
    list: async () => ({ items: [] }),
    request: async ({ params }: { readonly params: { readonly cursor?: string } }) =>
      params.cursor === 'more'
        ? { resources: [{ uri: `${name}:2` }] }
        : { resources: [{ uri: `${name}:1` }], nextCursor: 'more' },
  };
  return { state, server: made as unknown as SupervisedServer };
}

test('a list of several servers goes on after a server that was lost between two pages', async () => {
  const [one, two] = [server('one'), server('two')];
  const servers = [one.server, two.server];
  const { nextCursor } = await resourcePageOfAll(servers, undefined, callScope());
  one.state.isConnected = false;
  const { resources } = await resourcePageOfAll(servers, nextCursor, callScope());
  expect(resources.map(({ uri }) => uri)).toEqual(['two:1']);
  await expect(resourcePageOfAll([two.server], nextCursor, callScope())).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('a server may number its pages, and mark the end by 0', async () => {
  const asked: unknown[] = [];
  const request = async ({ params: { cursor = 0 } }: { readonly params: { readonly cursor?: number } }) => {
    asked.push(cursor);
    return { resources: [{ uri: `a:${cursor}` }], nextCursor: [7, 8, 0][asked.length - 1] };
  };
  const numbered = { ...server('one').server, request } as unknown as SupervisedServer;
  const pages = async (page: (cursor: string | undefined) => Promise<McpResourcePage>) => {
    asked.length = 0;
    for (let { nextCursor } = await page(undefined); nextCursor !== undefined; )
      ({ nextCursor } = await page(nextCursor));
    return asked;
  };
  expect(await pages((cursor) => resourcePage(numbered, cursor, callScope()))).toEqual([0, 7, 8]);
  expect(await pages((cursor) => resourcePageOfAll([numbered], cursor, callScope()))).toEqual([0, 7, 8]);
});
