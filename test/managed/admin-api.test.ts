import { adminApi, aesGcmBox, bearerTokens, memoryStores } from 'toolwright/managed';
import { expect, test } from 'vitest';
import { createRateLimiter, ToolError } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { type Asked, OpenApiClient } from '../support/openapi-client.js';

const token = 'a-token-that-may-everything';
const poor = 'a-token-that-may-nothing-at-all';
const authorize = bearerTokens(`# who may what\n${token} ann *\n${poor} bob none\n`);
const secret = 'hunter2-of-some-service';
const box = aesGcmBox({ keys: { a: new Uint8Array(32) }, current: 'a' });
const nobody = '00000000-0000-4000-8000-000000000000';

const tool = {
  name: 'greet',
  description: 'Greets somebody.',
  parameters: { type: 'object', properties: { who: { type: 'string' } } },
  command: 'echo Hello {{.who}}',
  env: { TOKEN: secret },
};
const config = { command: 'mcp-notes', args: ['a'], env: { TOKEN: secret } };
const server = { name: 'notes', config };

/** A valid body for each operation. */
const bodies: Readonly<Record<string, unknown>> = {
  createCustomTool: tool,
  putCustomTool: tool,
  testCustomTool: { input: {} },
  createMcpServer: server,
  putMcpServer: server,
  grantAgent: {},
  grantUser: {},
  createMcpRequest: { server: nobody, scope: 'user', subject: 'ann' },
  reviewMcpRequest: { decision: 'approve' },
  putAgentFile: { content: 'x' },
  putUserFile: { content: 'x' },
};

/** The possible requests of each operation, except for missing entries. */
const usual = (id: string): Asked => ({
  at: { id: nobody, agent: 'one', user: 'ann', name: 'SOUL.md', subject: 'one' },
  body: bodies[id],
  ...(id === 'searchMemory' ? { query: { query: 'tea' } } : {}),
});

async function world(options: Partial<Parameters<typeof adminApi>[0]> = {}) {
  const stores = options.stores ?? memoryStores({ box });
  const { fetch } = await adminApi({ stores, authorize, ...options });
  return { stores, api: await OpenApiClient.of(fetch, token) };
}

test('a client generated from the OpenAPI document uses every operation, and no answer contains a secret', async () => {
  const { api, stores } = await world();
  const made = await api.call('createCustomTool', { body: tool });
  expect(made).toMatchObject({ status: 201, version: `"${made.body.version}"` });
  expect(made.body).toMatchObject({ name: 'greet', envNames: ['TOKEN'], agent_id: null });
  const at = { id: made.body.id };
  expect((await api.call('getCustomTool', { at })).body).toEqual(made.body);
  const changed = { ...tool, env: undefined, command: 'echo Bye {{.who}}' };
  const put = await api.call('putCustomTool', { at, body: changed, match: made.version });
  expect(put.body).toMatchObject({ command: 'echo Bye {{.who}}', envNames: ['TOKEN'] });
  expect((await stores.customTools.get(at.id))?.definition.env).toEqual(tool.env);
  expect((await api.call('putCustomTool', { at, body: { ...tool, env: null } })).body.envNames).toEqual([]);
  await api.call('createCustomTool', { body: { ...tool, name: 'own', agent_id: 'one' } });
  expect((await api.call('listCustomTools', { query: { agentId: 'one' } })).body.items).toHaveLength(1);
  expect((await api.call('deleteCustomTool', { at })).status).toBe(204);
  expect((await api.call('listCustomTools')).body).toEqual({ items: [] });

  const notes = (await api.call('createMcpServer', { body: server })).body;
  expect(notes).toMatchObject({
    config: { command: 'mcp-notes' },
    envNames: ['TOKEN'],
    headerNames: [],
    enabled: true,
  });
  const of = { id: notes.id };
  const kept = await api.call('putMcpServer', { at: of, body: { name: 'notes', config: { command: 'other' } } });
  expect(kept.body).toMatchObject({ config: { command: 'other' }, envNames: ['TOKEN'] });
  expect((await stores.mcp.getServer(of.id))?.definition.config.env).toEqual(config.env);
  expect((await api.call('getMcpServer', { at: of })).body).toEqual(kept.body);
  expect((await api.call('listMcpServers')).body.items).toEqual([kept.body]);
  const configOverrides = { args: ['b'], headers: { authorization: secret } };
  await api.call('grantAgent', { at: { ...of, subject: 'one/1' }, body: { toolDeny: ['drop'], configOverrides } });
  await api.call('grantUser', { at: { ...of, subject: 'ann' }, body: { toolAllow: ['get_*'] } });
  const [grant] = (await api.call('listAgentGrants', { at: of })).body.items;
  expect(grant).toEqual({
    ...{ subject: 'one/1', toolDeny: ['drop'], enabled: true, configOverrides: { args: ['b'] } },
    ...{ envNames: [], headerNames: ['authorization'] },
  });
  expect((await stores.mcp.listAccessible('one/1', 'ann'))[0]?.config.headers).toEqual(configOverrides.headers);
  expect((await api.call('listUserGrants', { at: of })).body.items[0].toolAllow).toEqual(['get_*']);
  await api.call('revokeAgent', { at: { ...of, subject: 'one/1' } });
  await api.call('revokeUser', { at: { ...of, subject: 'ann' } });
  expect(await stores.mcp.listAccessible(undefined, 'ann')).toEqual([]);

  const asked = { server: of.id, scope: 'user', subject: 'ann', toolAllow: ['get_*'] };
  const request = (await api.call('createMcpRequest', { body: asked })).body;
  expect(request).toMatchObject({ ...asked, requestedBy: 'ann', status: 'pending' });
  expect((await api.call('createMcpRequest', { body: asked })).body).toEqual(request);
  const review = await api.call('reviewMcpRequest', { at: request, body: { decision: 'approve', note: 'fine' } });
  expect(review.body).toMatchObject({ status: 'approved', reviewedBy: 'ann', note: 'fine' });
  const again = await api.call('reviewMcpRequest', { at: request, body: { decision: 'reject' } });
  expect(again.body).toEqual(review.body);
  expect((await api.call('listMcpRequests', { query: { status: 'approved' } })).body.items).toEqual([review.body]);
  expect((await api.call('listMcpRequests', { query: { status: 'pending' } })).body.items).toEqual([]);
  expect(await stores.mcp.listAccessible(undefined, 'ann')).toHaveLength(1);
  expect((await api.call('deleteMcpServer', { at: of })).status).toBe(204);

  for (const [what, place] of [
    ['Agent', { agent: 'one' }],
    ['User', { agent: 'one', user: 'ann' }],
  ] as const) {
    const file = { ...place, name: 'SOUL.md' };
    const { version } = await api.call(`put${what}File`, { at: file, body: { content: what } });
    expect((await api.call(`get${what}File`, { at: file })).body).toMatchObject({ content: what, name: 'SOUL.md' });
    expect((await api.call(`put${what}File`, { at: file, body: { content: 'b' }, match: version })).status).toBe(204);
    expect((await api.call(`delete${what}File`, { at: file })).status).toBe(204);
  }
  await api.call('putAgentFile', { at: { agent: 'one', name: 'BOOTSTRAP.md' }, body: { content: 'begin' } });
  const bootstrap = { agent: 'one', user: 'ann', name: 'BOOTSTRAP.md' };
  await api.call('putUserFile', { at: bootstrap, body: { content: '' } });
  expect((await api.call('getUserFile', { at: bootstrap })).body.content).toBe('');
  await api.call('putAgentFile', { at: { agent: 'one', name: 'BOOTSTRAP.md' }, body: { content: '' } });
  expect((await api.call('getAgentFile', { at: bootstrap })).status).toBe(404);

  await stores.memory.put({ agentId: 'one', userId: 'ann' }, 'memory/a.md', Buffer.from('Ann prefers green tea.'));
  const search = { query: 'tea', agentId: 'one', userId: 'ann', maxResults: 1 };
  expect((await api.call('searchMemory', { query: search })).body.items).toMatchObject([{ path: 'memory/a.md' }]);
  expect((await api.call('searchMemory', { query: { query: 'tea', agentId: 'one' } })).body.items).toEqual([]);
  expect((await api.call('health', { token: '' })).body).toEqual({ status: 'ok' });

  const audit = (await api.call('listAudit', { query: { limit: 200 } })).body.items;
  expect(audit.at(-1)).toMatchObject({ actor: 'ann', action: 'custom_tool.create', object: at.id });
  const changes = [...api.seen].filter((one) => /^(?:create|put|delete|grant|revoke|review)\w+ 20/.test(one));
  const actions = new Set(audit.map(({ action }: { readonly action: string }) => action));
  expect([changes.length, actions.size]).toEqual([16, 14]);
  expect(api.texts.join('\n')).not.toContain(secret);
  // Only the operation that runs a tool needs a toolkit.
  const driven = [...api.operations.keys()].filter((id) =>
    ['200', '201', '204'].some((ok) => api.seen.has(`${id} ${ok}`)),
  );
  expect([...api.operations.keys()].filter((id) => !driven.includes(id))).toEqual(['testCustomTool']);
});

test('lists are read page by page', async () => {
  const { api, stores } = await world();
  const made: string[] = [];
  for (let at = 0; at < 5; at++) {
    await api.call('createCustomTool', { body: { ...tool, name: `tool_${at}` } });
    made.push((await api.call('createMcpServer', { body: { ...server, name: `s${at}` } })).body.id);
  }
  for (const user of ['a', 'b', 'c', 'd', 'e']) {
    await stores.mcp.grantUser(made[0] ?? '', user);
    await stores.mcp.createRequest({ server: made[0] ?? '', scope: 'user', subject: user, requestedBy: user });
  }
  const lists = ['listCustomTools', 'listMcpServers', 'listUserGrants', 'listMcpRequests', 'listAudit'];
  await eachRow(lists, async (id) => {
    const found: unknown[] = [];
    const sizes: number[] = [];
    let next: string | undefined;
    do {
      const query = { limit: 2, ...(next === undefined ? {} : { cursor: next }) };
      const { body } = await api.call(id, { at: { id: made[0] ?? '' }, query });
      found.push(...body.items.map((item: { id?: string; subject?: string }) => item.id ?? item.subject));
      sizes.push(body.items.length);
      next = body.next;
    } while (next !== undefined);
    const total = id === 'listAudit' ? 10 : 5;
    expect([found.length, new Set(found).size, Math.max(...sizes)]).toEqual([total, total, 2]);
    const cursor = 'AAAAAAAA-0000-4000-8000-000000000000';
    expect((await api.call(id, { at: { id: made[0] ?? '' }, query: { cursor } })).status).toBe(200);
  });
});

test('each operation refuses requests with the documented errors', async () => {
  const { api } = await world();
  const away = () => Promise.reject(new ToolError('storage_failed', 'The database failed: it is away.'));
  const part = new Proxy({}, { get: () => away });
  const failing = new Proxy({}, { get: (_, name) => (name === 'transaction' ? away : part) }) as ReturnType<
    typeof memoryStores
  >;
  const down = (await world({ stores: failing })).api;
  const limited = (await world({ rateLimiter: createRateLimiter({ max: 0 }) })).api;
  for (const [id, { operation, method }] of api.operations) {
    const hasBody = operation.requestBody !== undefined;
    const hasQuery = operation.parameters.some((one) => one.in === 'query');
    const long = Object.fromEntries(['id', 'agent', 'user', 'name', 'subject'].map((name) => [name, 'x'.repeat(201)]));
    const wrong: Asked = hasBody ? { text: '{' } : hasQuery ? { query: { nonsense: 1 } } : { at: long };
    const refusals: Readonly<Record<string, () => ReturnType<OpenApiClient['call']>>> = {
      400: () => api.call(id, { ...usual(id), body: undefined, ...wrong }),
      401: () => api.call(id, { ...usual(id), token: 'a-token-that-nobody-knows' }),
      403: () => api.call(id, { ...usual(id), token: poor }),
      404: () =>
        api.call(id, method === 'PUT' && id.endsWith('File') ? { ...usual(id), at: { name: 'x.md' } } : usual(id)),
      413: () => api.call(id, { ...usual(id), text: JSON.stringify('x'.repeat(1_000_000)) }),
      429: () => limited.call(id, usual(id)),
      503: () => down.call(id, usual(id)),
    };
    const declared = Object.keys(operation.responses).filter((status) => Number(status) >= 400 && status !== '409');
    expect(declared.length).toBeGreaterThan(0);
    await eachRow(declared, async (status) => {
      const answer = await refusals[status]?.();
      expect([id, answer?.status]).toEqual([id, Number(status)]);
      expect(answer?.body.error.message).toMatch(/\w/);
      if (status === '401') expect(answer?.headers.get('www-authenticate')).toBe('Bearer');
      if (status === '429') expect(answer?.headers.get('retry-after')).toMatch(/^\d+$/);
    });
  }
  expect([...api.seen].filter((one) => / [45]/.test(one)).length).toBeGreaterThan(80);
});

test('errors name the field', async () => {
  const { api, stores } = await world();
  const [{ id }, notes] = [await stores.customTools.put(tool), await stores.mcp.putServer(server)];
  const rows: readonly (readonly [id: string, Asked, status: number, field: string | undefined])[] = [
    ['createCustomTool', { body: { ...tool, name: '1st' } }, 400, 'name'],
    ['createCustomTool', { body: { ...tool, name: 'new', command: 'sh -c {{.who}}' } }, 400, 'command'],
    ['createCustomTool', { body: { ...tool, name: 'new', command: 'rm -rf /' } }, 400, 'command'],
    ['createCustomTool', { body: { ...tool, env: { 'A B': 'x' } } }, 400, 'env'],
    ['createCustomTool', { body: { ...tool, timeout_seconds: 601 } }, 400, 'timeout_seconds'],
    ['createCustomTool', { body: { ...tool, tags: [] } }, 400, 'tags'],
    ['createCustomTool', { body: { ...tool, description: 'a\0' } }, 400, undefined],
    ['createCustomTool', { body: { ...tool, parameters: { type: 'object', '\ud800': 1 } } }, 400, undefined],
    ['revokeUser', { at: { id: notes.id, subject: 'a\0' } }, 400, undefined],
    ['createCustomTool', { body: { ...tool, parameters: { type: 'object', required: 'who' } } }, 400, 'parameters'],
    ['createCustomTool', { body: { ...tool, parameters: { type: 'object', $ref: '#/none' } } }, 400, 'parameters'],
    ['createCustomTool', { body: tool }, 409, undefined],
    ['putCustomTool', { at: { id }, body: tool, match: '"old"' }, 409, undefined],
    ['createMcpServer', { body: server }, 409, undefined],
    ['createMcpServer', { body: { name: 'my notes', config } }, 400, 'name'],
    ['createMcpServer', { body: { name: 'a', config: { command: 'x', args: [1] } } }, 400, 'config.args.0'],
    ['createMcpServer', { body: { name: 'a', config: {} } }, 400, undefined],
    ['putMcpServer', { at: { id: notes.id }, body: server, match: `"${nobody}"` }, 409, undefined],
    [
      'grantAgent',
      { at: { id: notes.id, subject: 'a' }, body: { configOverrides: { command: 'sh' } } },
      400,
      'configOverrides.command',
    ],
    ['grantUser', { at: { id: notes.id, subject: 'a' }, body: { configOverrides: {} } }, 400, 'configOverrides'],
    ['createMcpRequest', { body: { server: notes.id, scope: 'all', subject: 'a' } }, 400, 'scope'],
    ['createMcpRequest', { body: { server: nobody, scope: 'user', subject: 'a' } }, 400, 'server'],
    ['listMcpServers', { query: { cursor: 'x' } }, 400, 'cursor'],
    ['listMcpServers', { query: { limit: 0 } }, 400, 'limit'],
    ['testCustomTool', { at: { id }, body: { input: {} } }, 409, undefined],
    ['putAgentFile', { at: { agent: 'a', name: 'SOUL.md' }, body: { content: 'x' }, match: '"1"' }, 409, undefined],
    ['putAgentFile', { at: { agent: 'a', name: 'SOUL.md' }, body: { content: 'x' }, match: '*' }, 404, undefined],
    ['deleteCustomTool', { at: { id }, match: '"old"' }, 409, undefined],
    ['deleteMcpServer', { at: { id: notes.id }, match: `"${nobody}"` }, 409, undefined],
    ['getCustomTool', { at: { id }, match: '"1"' }, 400, 'If-Match'],
  ];
  await eachRow(rows, async ([operation, asked, status, field]) => {
    const answer = await api.call(operation, asked);
    expect([answer.status, answer.body.error.field]).toEqual([status, field]);
  });
  const other = await stores.customTools.put({ ...tool, name: 'other' });
  const taken = await api.call('putCustomTool', { at: { id: other.id }, body: tool });
  expect([taken.status, taken.body.error.field]).toEqual([409, 'name']);
  expect((await stores.audit.list()).length).toBe(0);
  expect(api.texts.join('\n')).not.toContain(secret);
});

test('without a box secrets are refused, and undecryptable ones must be given again', async () => {
  const stores = memoryStores({ box });
  const [{ id }, notes] = [await stores.customTools.put(tool), await stores.mcp.putServer(server)];
  const problem = 'The secret cannot be decrypted.';
  const closed: typeof stores = {
    ...stores,
    transaction: (run) => run(closed),
    customTools: {
      ...stores.customTools,
      get: async () => ({ id, version: '1', definition: { ...tool, env: undefined }, problem }),
    },
    mcp: {
      ...stores.mcp,
      getServer: async () => ({ ...notes, definition: { name: 'notes', config: { command: 'x' } }, problem }),
      listGrants: async () => [{ id, server: id, scope: 'agent', subject: 'one', grant: { enabled: true }, problem }],
    },
  };
  const { api } = await world({ stores: closed });
  expect((await api.call('getCustomTool', { at: { id } })).body).toMatchObject({ problem, envNames: [] });
  const grants = (await api.call('listAgentGrants', { at: { id: notes.id } })).body;
  expect(grants.items).toMatchObject([{ subject: 'one', problem, envNames: [] }]);
  for (const [operation, body] of [
    ['putCustomTool', { ...tool, env: undefined }],
    ['putMcpServer', { name: 'notes', config: { command: 'x' } }],
  ] as const)
    expect((await api.call(operation, { at: { id: notes.id }, body })).body.error.message).toBe(problem);
  // Omitted fields would be lost.
  expect((await api.call('putMcpServer', { at: { id: notes.id }, body: server })).status).toBe(409);
  const whole = { ...server, config: { ...server.config, headers: {} } };
  expect((await api.call('putMcpServer', { at: { id: notes.id }, body: whole })).status).toBe(200);
});

test('unexpected errors reveal nothing', async () => {
  const stores = memoryStores();
  const broken = {
    ...stores,
    customTools: { ...stores.customTools, version: () => Promise.reject(new Error(secret)) },
  };
  const { fetch } = await adminApi({ stores: broken, authorize });
  const answer = await fetch(new Request('http://api/health'));
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining(secret)]);
  const unknown = await fetch(new Request('http://api/v2/nothing'));
  expect([unknown.status, ((await unknown.json()) as { error: { code: string } }).error.code]).toEqual([
    404,
    'not_found',
  ]);
});

test('tokens are one per line, and short ones are rejected', () => {
  expect(authorize(token)).toEqual({ name: 'ann', scopes: ['*'] });
  expect(bearerTokens(`\n${token}\n`)(token)).toEqual({ name: 'admin', scopes: ['*'] });
  for (const other of ['', `${token} `, token.slice(1)]) expect(authorize(other)).toBeUndefined();
  expect(() => bearerTokens('short admin *')).toThrow(/at least 16/);
  expect(() => bearerTokens('# nothing\n')).toThrow(/no token/);
});

test('rejects invalid options', async () => {
  await expect(adminApi({ stores: memoryStores() } as never)).rejects.toThrow(/^adminApi: pass authorize/);
  await expect(adminApi({ stores: memoryStores(), authorize, tokn: 1 } as never)).rejects.toThrow(/tokn/);
});

test('secrets omitted in a change stay as stored at that moment, and with their agent', async () => {
  const { api, stores } = await world();
  const { id } = await stores.customTools.put({ ...tool, agent_id: 'one' });
  const at = { id };
  const unsent = { ...tool, env: undefined };
  for (let round = 0; round < 10; round++) {
    const env = { TOKEN: `rotated-secret-${round}` };
    const [rotated, changed] = await Promise.all([
      api.call('putCustomTool', { at, body: { ...tool, env } }),
      api.call('putCustomTool', { at, body: unsent }),
    ]);
    expect(rotated.status).toBe(200);
    expect([200, 409]).toContain(changed.status);
    expect((await stores.customTools.get(id))?.definition).toMatchObject({ env, agent_id: 'one' });
  }
  const moved = await api.call('putCustomTool', { at, body: { ...unsent, agent_id: null } });
  expect(moved).toMatchObject({ status: 400, body: { error: { field: 'env' } } });
  const long = { agent: 'a'.repeat(9_000), name: 'SOUL.md' };
  expect((await api.call('putAgentFile', { at: long, body: { content: 'x' } })).status).toBe(400);
});

test('If-Match selects the version to change or remove, and * requires an existing entry', async () => {
  const { api, stores } = await world();
  const file = { agent: 'one', name: 'SOUL.md' };
  const first = (await api.call('putAgentFile', { at: file, body: { content: 'a' } })).version;
  expect((await api.call('getAgentFile', { at: file })).version).toBe(first);
  const second = (await api.call('putAgentFile', { at: file, body: { content: 'b' }, match: '*' })).version;
  expect((await api.call('deleteAgentFile', { at: file, match: first })).status).toBe(409);
  expect((await api.call('deleteAgentFile', { at: file, match: second })).status).toBe(204);
  for (const [what, body] of [
    ['CustomTool', tool],
    ['McpServer', server],
  ] as const) {
    const made = await api.call(`create${what}`, { body });
    const at = { id: made.body.id };
    const changed = await api.call(`put${what}`, { at, body, match: '*' });
    expect((await api.call(`delete${what}`, { at, match: made.version })).status).toBe(409);
    expect((await api.call(`delete${what}`, { at, match: changed.version })).status).toBe(204);
  }
  // Refused requests have no entry.
  expect((await stores.audit.list()).map(({ action }) => action).sort()).toEqual(
    ['context_file.put', 'context_file.put', 'context_file.delete', 'custom_tool', 'mcp_server']
      .flatMap((one) => (one.includes('.') ? one : [`${one}.create`, `${one}.update`, `${one}.delete`]))
      .sort(),
  );
});

test('the returned version is that of the own change, for concurrent changes', async () => {
  const stores = memoryStores({ box });
  const { contextFiles } = stores;
  const raced: typeof stores = {
    ...stores,
    transaction: (run) => run(raced),
    contextFiles: {
      get: (owner, name) => contextFiles.get(owner, name),
      names: (owner) => contextFiles.names(owner),
      delete: (owner, name, how) => contextFiles.delete(owner, name, how),
      async put(owner, name, bytes, how) {
        const version = await contextFiles.put(owner, name, bytes, how);
        await contextFiles.put(owner, name, Buffer.from('of another'));
        return version;
      },
    },
  };
  const { api } = await world({ stores: raced });
  const at = { agent: 'one', name: 'SOUL.md' };
  const { version } = await api.call('putAgentFile', { at, body: { content: 'mine' } });
  expect((await api.call('putAgentFile', { at, body: { content: 'again' }, match: version })).status).toBe(409);
});

test('unknown tokens share a count that does not affect known ones', async () => {
  const { api } = await world({ rateLimiter: createRateLimiter({ max: 3, windowMs: 60_000 }) });
  const statuses: number[] = [];
  for (let at = 0; at < 5; at++)
    statuses.push((await api.call('listMcpServers', { token: `a-token-that-nobody-knows-${at}` })).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect((await api.call('listMcpServers')).status).toBe(200);
});

test('memory is searched by the index of the host', async () => {
  const hit = { path: 'memory/a.md', startLine: 1, endLine: 1, score: 1, snippet: 'of the host' };
  const index = { put: async () => {}, remove: async () => {}, read: async () => undefined, search: async () => [hit] };
  const { api } = await world({ index });
  expect((await api.call('searchMemory', { query: { query: 'tea' } })).body.items).toEqual([hit]);
});
