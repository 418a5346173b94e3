import { defaultLimits } from 'toolwright';
import { inProcessTeams } from 'toolwright/agents';
import { expect, test } from 'vitest';
import type { TeamLimits } from '../../src/agents.js';
import type { Caller, CallScope, Limits, TeamMessage } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { settle } from '../support/pipeline.js';
import { aborted, nextMessage, type Script, subagentBench } from '../support/subagent-bench.js';

const signal = new AbortController().signal;
const lead: CallScope = { caller: { sessionId: 's' }, signal };
const to = (name: string, text: string, type: TeamMessage['type'] = 'message'): TeamMessage => ({
  to: name,
  text,
  type,
});
const limits: TeamLimits & Limits['subagents'] = { ...defaultLimits.subagents, settleMs: 20, maxChars: 30_000 };

function world(script: (teams: ReturnType<typeof inProcessTeams>) => Script, more: Partial<typeof limits> = {}) {
  const bench = subagentBench((request, scope) => script(teams)(request, scope), more);
  const teams = inProcessTeams(bench.agents, { ...limits, ...more });
  const create = (...names: readonly string[]) =>
    teams.create({ name: 'crew', members: names.map((name) => ({ name, prompt: `work as ${name}` })) }, lead);
  return { ...bench, teams, create };
}

const idle = (): Script => (_request, scope) => aborted(scope);

test('two members exchange a task in order, and tell their lead', async () => {
  const { teams, create, manager } = world((all) => async (request, scope) => {
    const other = request.name === 'ping' ? 'pong' : 'ping';
    if (request.name === 'ping') await all.send(to(other, '0'), scope);
    for (;;) {
      for (const { from, text } of await nextMessage(request, scope)) {
        expect(from).toBe(other);
        if (Number(text) >= 10) {
          await all.send(to('lead', `we came to ${text}`), scope);
          return text;
        }
        await all.send(to(other, `${Number(text) + 1}`), scope);
        if (Number(text) >= 9) return text;
      }
    }
  });
  await create('ping', 'pong');
  await expect.poll(() => manager.list().map(({ state }) => state)).toEqual(['completed', 'completed']);
  expect(teams.receive('lead', lead)).toEqual([{ from: 'pong', text: 'we came to 10', type: 'message' }]);
  expect(teams.receive('lead', lead)).toEqual([]);
});

test('a broadcast reaches all but its sender, also the lead', async () => {
  const heard: string[] = [];
  const { teams, create } = world((all) => async (request, scope) => {
    if (request.name === 'a') await all.send(to('*', 'listen'), scope);
    else
      for (const { from, text, type } of await nextMessage(request, scope))
        heard.push(`${request.name}: ${from} ${text} ${type}`);
    return aborted(scope);
  });
  await create('a', 'b', 'c');
  await expect.poll(() => heard.toSorted()).toEqual(['b: a listen broadcast', 'c: a listen broadcast']);
  expect(teams.receive('lead', lead)).toMatchObject([{ from: 'a', text: 'listen', type: 'broadcast' }]);
  expect(await teams.send(to('*', 'and you'), lead)).toEqual({ delivered: ['a', 'b', 'c'] });
});

test('a shutdown request is refused with its reason, then approved', async () => {
  const { teams, create, manager } = world((all) => async (request, scope) => {
    for (let asked = 1; ; asked++) {
      const [message] = await nextMessage(request, scope);
      const approve = asked > 1;
      const text = approve ? 'goodbye' : 'half of it is left';
      await all.send({ ...to('lead', text, 'shutdown_response'), requestId: message?.requestId, approve }, scope);
    }
  });
  await create('a');
  await teams.send(to('a', 'please end', 'shutdown_request'), lead);
  await expect.poll(() => manager.list()[0]?.state).toBe('running');
  await settle();
  const [refusal] = teams.receive('lead', lead);
  expect(refusal).toMatchObject({ from: 'a', text: 'half of it is left', type: 'shutdown_response', approve: false });
  await expect(teams.remove('crew', { force: false }, lead)).rejects.toThrow(/still running: a\./);
  await teams.send(to('a', 'now', 'shutdown_request'), lead);
  await expect.poll(() => manager.list()[0]?.state).toBe('cancelled');
  expect(teams.receive('lead', lead)).toMatchObject([{ text: 'goodbye', approve: true }]);
  await teams.remove('crew', { force: false }, lead);
  expect(teams.active(lead)).toBeUndefined();
});

test('a team that is ended by force leaves nothing behind', async () => {
  const asked: string[] = [];
  const { teams, create, manager, tasks } = world(() => async (request, scope) => {
    const messages = await nextMessage(request, scope);
    asked.push(...messages.map(({ type }) => type));
    return request.name === 'obeys' ? 'done' : aborted(scope);
  });
  const team = await create('obeys', 'stays');
  expect(team.members.map(({ name }) => name)).toEqual(['obeys', 'stays']);
  await Promise.all([teams.remove('crew', { force: true }, lead), teams.remove('crew', { force: true }, lead)]);
  expect(asked).toEqual(expect.arrayContaining(['shutdown_request', 'shutdown_request']));
  expect(manager.list().map(({ state }) => state)).toEqual(['completed', 'cancelled']);
  expect(tasks.list().map(({ state }) => state)).not.toContain('running');
  expect(teams.active(lead)).toBeUndefined();
  await create('obeys');
});

test('a refused member ends those started before it', async () => {
  const { create, manager, teams } = world(idle, { maxChildren: 2 });
  await expect(create('a', 'b', 'c')).rejects.toMatchObject({ code: 'limit_reached' });
  expect(manager.list()).toEqual([]);
  expect(teams.active(lead)).toBeUndefined();
});

test('a message that is too long does not resume a member', async () => {
  const { teams, create, manager } = world(() => () => 'done');
  await create('a');
  await expect.poll(() => manager.list().map(({ state }) => state)).toEqual(['completed']);
  await expect(teams.send(to('a', 'x'.repeat(limits.maxMessageChars + 1)), lead)).rejects.toMatchObject({
    code: 'limit_reached',
  });
  expect(manager.list().map(({ state }) => state)).toEqual(['completed']);
});

test('a full mailbox refuses the sender, and a broadcast names its recipients', async () => {
  const { teams, create } = world(idle, { maxMessages: 2 });
  const { members } = await create('a', 'b');
  const asB: CallScope = { caller: { sessionId: 's', agentId: members[1]?.agentId ?? '' }, signal };
  await teams.send(to('a', 'one'), lead);
  await teams.send(to('a', 'two'), asB);
  await expect(teams.send(to('a', 'three'), lead)).rejects.toMatchObject({ code: 'limit_reached' });
  await expect(teams.send(to('*', 'all'), lead)).rejects.toThrow(/Only b got it\./);
  for (const text of ['one', 'two']) await teams.send(to('lead', text), asB);
  await expect(teams.send(to('lead', 'three'), asB)).rejects.toMatchObject({ code: 'limit_reached' });
});

test('a concluded member resumes with a message until the team ends', async () => {
  const heard: string[] = [];
  const { teams, create, manager } = world((all) => async (request, scope) => {
    heard.push(...request.inbox().map(({ from, text }) => `${from}: ${text}`));
    if (request.resume !== undefined) await all.send(to('lead', 'done again'), scope);
    return 'done';
  });
  const { members } = await create('a');
  await expect.poll(() => teams.active(lead)?.members[0]?.state).toBe('completed');
  expect(await teams.send(to('a', 'once more'), lead)).toEqual({ delivered: ['a'] });
  await expect.poll(() => teams.receive('lead', lead).map(({ text }) => text)).toEqual(['done again']);
  expect(heard).toEqual(['lead: once more']);
  await expect
    .poll(() => teams.active(lead)?.members)
    .toEqual([{ name: 'a', agentId: members[0]?.agentId, state: 'completed' }]);
  await teams.remove('crew', { force: false }, lead);
  await expect(teams.send(to('a', 'x'), lead)).rejects.toThrow(/You are in no team/);
  expect(manager.list().map(({ state }) => state)).toEqual(['completed']);
});

test('messages over the limit for the lead come with later results', async () => {
  const { teams, create } = world(idle, { maxChars: 10 });
  const { members } = await create('a');
  const asA: CallScope = { caller: { sessionId: 's', agentId: members[0]?.agentId ?? '' }, signal };
  for (const text of ['123456789012', '1234', '123456', '1']) await teams.send(to('lead', text), asA);
  const taken = [1, 2, 3, 4].map(() => teams.receive('lead', lead).map(({ text }) => text));
  expect(taken).toEqual([['123456789012'], ['1234', '123456'], ['1'], []]);
});

test('a message to an unknown recipient is refused, with the known names', async () => {
  const { teams, create } = world(() => (request, scope) => (request.name === 'gone' ? 'done' : aborted(scope)));
  const { members } = await create('a', 'gone');
  const asA: CallScope = { caller: { sessionId: 's', agentId: members[0]?.agentId ?? '' }, signal };
  await expect.poll(() => teams.active(lead)?.members[1]?.state).toBe('completed');
  const refusals: [TeamMessage, CallScope, RegExp][] = [
    [to('nobody', 'x'), lead, /there is no "nobody" in the team\. There are: a\./],
    [to('gone', 'x', 'shutdown_request'), lead, /gone has ended\. There are: a\./],
    [to('lead', 'x'), lead, /that is you/],
    [to('a', 'x'), asA, /that is you/],
    [to('lead', 'x', 'shutdown_request'), asA, /members cannot end the lead/],
    [{ ...to('lead', 'x', 'shutdown_response'), approve: true }, asA, /you got no shutdown_request/],
    [to('a', 'x'), { caller: { sessionId: 's', agentId: 'stranger' }, signal }, /You are in no team/],
    [to('a', 'x'), { caller: { sessionId: 'other' }, signal }, /You are in no team/],
  ];
  for (const [message, scope, words] of refusals)
    await expect(teams.send(message, scope), words.source).rejects.toThrow(words);
  await teams.send(to('a', 'end', 'shutdown_request'), lead);
  await expect(teams.send(to('lead', 'why?', 'shutdown_response'), asA)).rejects.toThrow(/approve: pass true/);
  await expect(create('b')).rejects.toThrow(/has the team crew already/);
  await expect(teams.remove('other', { force: true }, lead)).rejects.toThrow(/no team "other"\. The team here is crew/);
  await expect(teams.remove('crew', { force: true }, asA)).rejects.toThrow(/Only the lead/);
});

test('members without unique names are refused', () =>
  eachRow([[['a', 'a']], [['lead']]], async ([names]) => {
    const { create, manager } = world(idle);
    await expect(create(...names)).rejects.toThrow(/names must be unique/);
    expect(manager.list()).toEqual([]);
  }));

test('the team of a subagent ends with it, and that of a session with the session', async () => {
  const { teams, manager, create } = world(() => (_request, scope) => aborted(scope), { maxDepth: 2 });
  const { id } = manager.start({ description: 'leads', prompt: 'lead a team' }, lead.caller);
  const caller: Caller = { sessionId: 's', agentId: id, depth: 1 };
  await teams.create({ name: 'inner', members: [{ name: 'a', prompt: 'work' }] }, { caller, signal });
  await expect(create('b')).rejects.toThrow(/has the team inner already/);
  await manager.cancel(id);
  await create('b');
  teams.endSession('s');
  expect(teams.active(lead)).toBeUndefined();
});

test('a member that was cancelled is not resumed by the answer to its shutdown request', async () => {
  const { teams, create, manager, agents } = world((all) => async (request, scope) => {
    if (request.name === 'a') await all.send(to('b', 'end', 'shutdown_request'), scope);
    return aborted(scope);
  });
  await create('a', 'b');
  const [a = '', b = ''] = manager.list().map(({ agentId }) => agentId);
  await settle();
  await agents.cancel(a);
  const asB: CallScope = { caller: { sessionId: 's', agentId: b, depth: 1 }, signal };
  const refusal = { ...to('a', 'no', 'shutdown_response'), approve: false };
  expect(await teams.send(refusal, asB)).toEqual({ delivered: [] });
  expect(manager.list().map(({ state }) => state)).toEqual(['cancelled', 'running']);
});
