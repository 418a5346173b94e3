import { strict as assert } from 'node:assert';
import type { McpGrantStore } from '../ports/mcp-grant-store.js';
import { refuses } from './file-system-trial.js';
import { type ConformanceCase, conformanceKit, type Disposable, same } from './kit.js';

/** An empty store of MCP servers and grants. */
export interface McpGrantsSubject extends Disposable {
  readonly mcp: McpGrantStore;
}

const config = { command: 'mcp-notes', args: ['--all'], toolDeny: ['drop'] } as const;
const unknownId = '00000000-0000-4000-8000-000000000000';

const serverIn = async (mcp: McpGrantStore, name = 'notes') => (await mcp.putServer({ name, config })).id;
const namesOf = async (mcp: McpGrantStore, agentId?: string, userId?: string) =>
  (await mcp.listAccessible(agentId, userId)).map(({ name }) => name);

/** The requirements for a store of MCP servers and grants. */
export const mcpGrantsConformance: readonly ConformanceCase<McpGrantsSubject>[] = conformanceKit<McpGrantsSubject>({
  'a stored server is read back unchanged, and a change fails if another version was expected': async ({ mcp }) => {
    const { id, version } = await mcp.putServer({ name: 'notes', config }, { expected: null });
    same(await mcp.getServer(id), { id, version, definition: { name: 'notes', config, enabled: true } });
    await refuses(mcp.putServer({ name: 'notes', config }, { expected: null }), 'file_changed');
    const changed = { name: 'files', config: { url: 'https://example.com/mcp' }, enabled: false };
    const next = await mcp.putServer(changed, { id, expected: version });
    assert.equal(next.id, id);
    assert.notEqual(next.version, version);
    same(await mcp.listServers(), [{ ...next, definition: changed }]);
    for (const how of [{ id, expected: version }, { id: unknownId }, { id: 'none' }])
      await refuses(mcp.putServer({ name: 'gone', config }, how), 'file_changed');
    await refuses(mcp.putServer({ name: 'other', config }, { expected: version }), 'file_changed');
    const other = await serverIn(mcp);
    await refuses(mcp.putServer({ name: 'files', config }, { id: other }), 'invalid_input');
    assert.equal((await mcp.listServers()).length, 2);
    same([await mcp.getServer(unknownId), await mcp.getServer('none')], [undefined, undefined]);
  },
  'a refused change of an empty store adds nothing': async ({ mcp }) => {
    await refuses(mcp.putServer({ name: 'notes', config }, { expected: unknownId }), 'file_changed');
    same(await mcp.listServers(), []);
  },
  'lists are read page by page, with each entry once': async ({ mcp }) => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push(await serverIn(mcp, name));
    const [first = '', ...more] = (await mcp.listServers({ limit: 2 })).map(({ id }) => id);
    const rest = (await mcp.listServers({ after: more[0] })).map(({ id }) => id);
    same([first, ...more, ...rest].sort(), ids.sort());
    for (const user of ['ann', 'bob', 'eve']) await mcp.grantUser(first, user);
    const [one] = await mcp.listGrants(first, 'user', { limit: 1 });
    const others = await mcp.listGrants(first, 'user', { after: one?.id });
    same([one, ...others].map((grant) => grant?.subject).sort(), ['ann', 'bob', 'eve']);
    same([await mcp.listGrants(first, 'agent'), await mcp.listGrants(unknownId, 'user')], [[], []]);
    await assert.rejects(mcp.listServers({ after: 'none' }), TypeError);
  },
  'a server is accessible only if every given agent and user has a grant': async ({ mcp }) => {
    const [notes, files] = [await serverIn(mcp), await serverIn(mcp, 'files')];
    await mcp.grantAgent(notes, 'one');
    await mcp.grantUser(notes, 'ann');
    await mcp.grantAgent(files, 'one');
    await mcp.grantUser(files, 'bob');
    same(await namesOf(mcp, 'one', 'ann'), ['notes']);
    same(await namesOf(mcp, 'one', 'bob'), ['files']);
    same(await namesOf(mcp, 'one'), ['files', 'notes']);
    same(await namesOf(mcp, undefined, 'ann'), ['notes']);
    for (const [agent, user] of [['two', 'ann'], ['two'], ['one', 'eve'], ['', ''], ['ann', 'one'], []])
      same(await namesOf(mcp, agent, user), []);
    await mcp.grantUser(notes, 'ann', { enabled: false });
    same(await namesOf(mcp, 'one', 'ann'), []);
    await mcp.grantUser(notes, 'ann');
    await mcp.putServer({ name: 'notes', config, enabled: false });
    same(await namesOf(mcp, 'one', 'ann'), []);
    same([await mcp.revokeUser(files, 'bob'), await mcp.revokeUser(files, 'bob')], [true, false]);
    same([await namesOf(mcp, 'one', 'bob'), await namesOf(mcp, 'one')], [[], ['files']]);
    same([await mcp.revokeAgent(files, 'one'), await mcp.revokeAgent('none', 'one')], [true, false]);
    same(await namesOf(mcp, 'one'), []);
  },
  "the filters of both grants apply, and the agent's grant overrides the config": async ({ mcp }) => {
    const server = await serverIn(mcp);
    const configOverrides = { args: ['--some'], timeoutMs: 5 };
    await mcp.grantAgent(server, 'one', { toolAllow: ['get_*'], toolDeny: [], configOverrides });
    await mcp.grantUser(server, 'ann', { toolDeny: ['get_keys'] });
    same(await mcp.listAccessible('one', 'ann'), [
      {
        ...{ id: server, name: 'notes', config: { ...config, ...configOverrides }, overrides: configOverrides },
        filters: [{ toolAllow: ['get_*'], toolDeny: [] }, { toolDeny: ['get_keys'] }],
      },
    ]);
    const [grant] = await mcp.listGrants(server, 'agent');
    same(grant?.grant, { toolAllow: ['get_*'], toolDeny: [], enabled: true, configOverrides });
    await mcp.grantAgent(server, 'one');
    same(await mcp.listAccessible('one', undefined), [{ id: server, name: 'notes', config, filters: [{}] }]);
  },
  'approving a request adds the requested tools to an enabled grant': async ({ mcp }) => {
    const server = await serverIn(mcp);
    await mcp.grantUser(server, 'ann', { toolAllow: ['get_*'], toolDeny: ['get_keys'] });
    const approved = async (toolAllow?: readonly string[]) => {
      const asked = { server, scope: 'user', subject: 'ann', requestedBy: 'ann', toolAllow } as const;
      await mcp.reviewRequest((await mcp.createRequest(asked)).id, 'approve', { by: 'admin' });
      return (await mcp.listGrants(server, 'user'))[0]?.grant;
    };
    const rest = { toolDeny: ['get_keys'], enabled: true };
    same(await approved(['put', 'get_*']), { toolAllow: ['get_*', 'put'], ...rest });
    same(await approved(), rest);
    same(await approved(['put']), rest);
  },
  'a server is not removed if another version was expected': async ({ mcp }) => {
    const { id, version } = await mcp.putServer({ name: 'notes', config });
    const { version: newer } = await mcp.putServer({ name: 'notes', config }, { expected: version });
    await refuses(mcp.removeServer(id, { expected: version }), 'file_changed');
    for (const isThere of [true, false]) assert.equal(await mcp.removeServer(id, { expected: newer }), isThere);
  },
  'removing a server removes its grants and requests': async ({ mcp }) => {
    const server = await serverIn(mcp);
    await mcp.grantAgent(server, 'one');
    await mcp.createRequest({ server, scope: 'user', subject: 'ann', requestedBy: 'ann' });
    for (const isThere of [true, false]) assert.equal(await mcp.removeServer(server), isThere);
    assert.equal(await mcp.removeServer('none'), false);
    await serverIn(mcp);
    same([await namesOf(mcp, 'one'), await mcp.listRequests()], [[], []]);
  },
  'there is at most one pending request for the same server, scope and subject': async ({ mcp }) => {
    const server = await serverIn(mcp);
    const request = { server, scope: 'user', subject: 'ann', toolAllow: ['get_*'], requestedBy: 'ann' } as const;
    const made = await Promise.all(Array.from({ length: 6 }, () => mcp.createRequest(request)));
    assert.equal(new Set(made.map(({ id }) => id)).size, 1);
    const [first] = made;
    same(first, { ...request, id: first?.id, status: 'pending', createdAt: first?.createdAt });
    assert.ok(!Number.isNaN(Date.parse(first?.createdAt ?? '')));
    same(await mcp.getRequest(first?.id ?? ''), first);
    for (const other of [{ subject: 'bob' }, { scope: 'agent' as const }])
      assert.notEqual((await mcp.createRequest({ ...request, ...other })).id, first?.id);
    await mcp.reviewRequest(first?.id ?? '', 'reject', { by: 'admin' });
    assert.notEqual((await mcp.createRequest(request)).id, first?.id);
    assert.equal((await mcp.listRequests({ status: 'pending' })).length, 3);
    const rejected = await mcp.listRequests({ status: 'rejected' });
    same([rejected.length, rejected[0]?.id], [1, first?.id]);
    same(await namesOf(mcp, undefined, 'ann'), []);
  },
  'approving a request for a disabled grant enables it for the requested tools only, and keeps its denials and overrides':
    async ({ mcp }) => {
      const server = await serverIn(mcp);
      const configOverrides = { args: [] };
      await mcp.grantAgent(server, 'one', { toolDeny: ['get_keys'], configOverrides, enabled: false });
      const asked = { server, scope: 'agent', subject: 'one', toolAllow: ['get_*'], requestedBy: 'ann' } as const;
      const { id, createdAt } = await mcp.createRequest(asked);
      const review = await mcp.reviewRequest(id, 'approve', { by: 'admin', note: 'for a week' });
      const { reviewedAt = '', ...reviewed } = review;
      same(reviewed, { ...asked, id, createdAt, status: 'approved', reviewedBy: 'admin', note: 'for a week' });
      assert.ok(!Number.isNaN(Date.parse(reviewedAt)));
      const [grant] = await mcp.listGrants(server, 'agent');
      same(grant?.grant, { toolAllow: ['get_*'], toolDeny: ['get_keys'], enabled: true, configOverrides });
      await mcp.revokeAgent(server, 'one');
      same(await mcp.reviewRequest(id, 'approve', { by: 'another' }), review);
      same(await mcp.reviewRequest(id, 'reject', { by: 'another' }), review);
      same(await namesOf(mcp, 'one'), []);
      for (const none of [unknownId, 'none'])
        await refuses(mcp.reviewRequest(none, 'approve', { by: 'a' }), 'invalid_input');
    },
  'only one of a hundred simultaneous reviews decides, and its decision is applied': async ({ mcp }) => {
    const server = await serverIn(mcp);
    for (const subject of ['ann', 'bob']) {
      const { id } = await mcp.createRequest({ server, scope: 'user', subject, requestedBy: subject });
      const decisionOf = (at: number) => (at % 2 === (subject === 'ann' ? 0 : 1) ? 'approve' : 'reject');
      const review = (_: unknown, at: number) => mcp.reviewRequest(id, decisionOf(at), { by: `admin ${at}` });
      const reviews = await Promise.all(Array.from({ length: 100 }, review));
      const [first] = reviews;
      for (const one of reviews) same(one, first);
      same(await namesOf(mcp, undefined, subject), first?.status === 'approved' ? ['notes'] : []);
    }
  },
  'the version changes with each change of access': async ({ mcp }) => {
    const versions = [await mcp.version()];
    const server = await serverIn(mcp);
    const { id } = await mcp.createRequest({ server, scope: 'user', subject: 'ann', requestedBy: 'ann' });
    const changes = [
      () => mcp.grantAgent(server, 'one'),
      () => mcp.grantUser(server, 'bob'),
      () => mcp.reviewRequest(id, 'approve', { by: 'admin' }),
      () => mcp.revokeUser(server, 'ann'),
      () => mcp.removeServer(server),
    ];
    versions.push(await mcp.version());
    for (const change of changes) {
      await change();
      versions.push(await mcp.version());
    }
    assert.equal(new Set(versions).size, versions.length);
    await mcp.removeServer(server);
    assert.equal(await mcp.version(), versions.at(-1));
  },
});
