import { expect, test } from 'vitest';
import { resourcePageOfAll } from '../../src/mcp/resource-pages.js';
import type { SupervisedServer } from '../../src/mcp/supervised-server.js';
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
