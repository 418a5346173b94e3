import { expect, onTestFinished, test, vi } from 'vitest';
import { type InProcessSessions, type InProcessSessionsOptions, inProcessSessions } from '../../../src/agents.js';
import type { Caller, Toolkit, ToolkitOptions } from '../../../src/index.js';
import { eachRow } from '../../support/each-row.js';
import { aborted, nextMessage, type Script } from '../../support/subagent-bench.js';
import { testToolkit } from '../../support/test-toolkit.js';

const main: Caller = { sessionId: 's' };
const sessionTools = ['sessions_list', 'sessions_history', 'sessions_send', 'session_status'];

function started(options: InProcessSessionsOptions = {}, script: Script = (_request, scope) => aborted(scope)) {
  let sessions: InProcessSessions | undefined;
  const makeSessions = vi.fn((toolkit: Toolkit) => (sessions = inProcessSessions(toolkit, options)));
  const toolkit = testToolkit({
    permissions: 'bypassPermissions',
    features: { sessions: true },
    policy: { subagents: { deny: [], leafDeny: [] } },
    hosts: {
      subagents: { spawn: async (request, scope) => ({ output: await script(request, scope) }) },
      sessions: makeSessions,
    },
  });
  const call = async (name: string, input: unknown, caller = main) => await toolkit.call(name, input, { caller });
  const start = (caller = main) => toolkit.subagents.spawn({ description: 'helps', prompt: 'help' }, { caller }).id;
  return { toolkit, call, start, sessions: sessions as unknown as InProcessSessions, makeSessions };
}

const never = (): never => {
  throw new Error('not used here');
};

const ids = (listed: { readonly output: string }) => listed.output.split('\n').map((line) => line.split(/[ ,]/)[0]);

test('the session tools are offered on request, over a directory that is made once', async () => {
  const { call, makeSessions } = started();
  await call('sessions_list', {});
  await call('session_status', {});
  expect(makeSessions).toHaveBeenCalledOnce();
  const offered = (options: Partial<ToolkitOptions>) => {
    const made = testToolkit({ ...options });
    return made.definitions().filter(({ name }) => sessionTools.includes(name)).length;
  };
  expect([offered({}), offered({ features: { sessions: true } })]).toEqual([0, 4]);
});

test('a caller sees its own session and those that it started, or all with the option', async () => {
  const own = started();
  const helper = own.start();
  const stranger = own.start({ sessionId: 'other' });
  await own.call('List', { path: '/' }, { sessionId: 'other' });
  expect(ids(await own.call('sessions_list', {})).toSorted()).toEqual([helper, 's'].toSorted());
  const asHelper: Caller = { sessionId: 's', agentId: helper, depth: 1 };
  expect(ids(await own.call('sessions_list', {}, asHelper))).toEqual([helper]);
  for (const [name, id, caller] of [
    ['sessions_history', stranger, main],
    ['session_status', 'other', main],
    ['sessions_send', stranger, main],
    ['sessions_history', 's', asHelper],
  ] as const) {
    const refused = await own.call(name, { session_key: id, message: 'x' }, caller);
    expect(refused, `${name} ${id}`).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(refused.output).toContain('that you started');
  }
  const all = started({ visible: 'all' });
  const other = all.start({ sessionId: 'other' });
  await all.call('List', { path: '/' }, { sessionId: 'other' });
  expect(ids(await all.call('sessions_list', {})).toSorted()).toEqual(['other', 's', other].toSorted());
});

test('the history has cut results and noted messages, the last 200 of each session', async () => {
  const { call, sessions } = started();
  sessions.note('s', { role: 'user', text: 'Fix the login' });
  await call('Bash', { command: `printf '%0600d' 1` });
  sessions.note('s', { role: 'assistant', text: 'Done.', model: 'm', inputTokens: 10, outputTokens: 2 });
  sessions.note('s', { role: 'assistant', text: 'Really.', inputTokens: 5, outputTokens: 1 });
  const { output } = await call('sessions_history', {});
  expect(output).toMatch(
    /^\[message_1\] user: Fix the login\n\[message_2\] tool: Bash: 0+ \[\d+ more characters\]\n\[message_3\] assistant: Done\.\n/,
  );
  expect(await call('sessions_history', { limit: 1, before: 'message_2' })).toMatchObject({
    metadata: { session: 's', messages: [{ id: 'message_1', text: 'Fix the login' }] },
  });
  expect((await call('sessions_history', { before: 'never' })).output).toBe('No messages');
  for (let count = 0; count < 300; count++) sessions.note('s', { role: 'user', text: `${count}` });
  const { output: all } = await call('sessions_history', { limit: 200 });
  expect(all.split('\n')).toHaveLength(200);
  expect(all).toMatch(/user: 299$/);
  expect((await call('sessions_history', { limit: 201 })).ok).toBe(false);
});

test('the cut of a tool result divides no character', async () => {
  const text = `${'a'.repeat(499)}😀b`;
  const history = () => [{ id: '1', role: 'tool' as const, text, at: '2026-01-01T00:00:00.000Z' }];
  const sessions = { list: never, status: never, send: never, history };
  const toolkit = testToolkit({ permissions: 'bypassPermissions', features: { sessions: true }, hosts: { sessions } });
  const { output } = await toolkit.call('sessions_history', {}, { caller: main });
  expect(output).toBe(`[1] tool: ${'a'.repeat(499)} [3 more characters]`);
});

test('a status counts tokens, turns, tasks and todos', async () => {
  const { call, start, sessions } = started();
  start();
  sessions.note('s', { role: 'user', text: 'Fix the login' });
  sessions.note('s', { role: 'assistant', text: 'Yes.', model: 'm', inputTokens: 10, outputTokens: 2 });
  const todos = ['pending', 'completed'].map((status) => ({ content: status, activeForm: status, status }));
  await call('TodoWrite', { todos });
  const { output } = await call('session_status', {});
  expect(output.split('\n').filter((line) => !line.startsWith('Active'))).toEqual([
    ...['Session: s', 'Title: Fix the login', 'Model: m', 'Turns: 1'],
    ...['Tokens in: 10', 'Tokens out: 2', 'Running tasks: 1', 'Open todos: 1'],
  ]);
});

test('a message reaches a running session, and resumes an ended one', async () => {
  const { call, start, toolkit } = started({}, async (request, scope) =>
    request.resume === undefined ? `${(await nextMessage(request, scope))[0]?.text}` : `again: ${request.message}`,
  );
  const helper = start();
  await expect.poll(() => toolkit.subagents.list()[0]?.state).toBe('running');
  const sent = await call('sessions_send', { session_key: helper, message: 'finish', timeout_seconds: 0 });
  expect(sent.output).toMatch(/^Sent\. No answer within 0 seconds/);
  await expect.poll(() => toolkit.subagents.list()[0]?.state).toBe('completed');
  expect((await call('sessions_send', { session_key: helper, message: 'more' })).output).toBe('again: more');
});

test('messages to other sessions go to the host, which may be too slow', async () => {
  const never = started({ visible: 'all', onMessage: () => new Promise(() => {}) });
  await never.call('List', { path: '/' }, { sessionId: 'other' });
  const silent = await never.call('sessions_send', { session_key: 'other', message: 'hello', timeout_seconds: 0 });
  expect(silent).toMatchObject({ ok: true, metadata: { answered: false } });
  const mute = started({ visible: 'all', onMessage: async () => undefined });
  await mute.call('List', { path: '/' }, { sessionId: 'other' });
  const unanswered = await mute.call('sessions_send', { session_key: 'other', message: 'hello' });
  expect(unanswered.output).toMatch(/^Sent\. The session gives no answer now/);
  const answering = started({ visible: 'all', onMessage: async ({ id, message }) => `${id} heard ${message}` });
  await answering.call('List', { path: '/' }, { sessionId: 'other' });
  expect((await answering.call('sessions_send', { session_key: 'other', message: 'hello' })).output).toBe(
    'other heard hello',
  );
  expect((await answering.call('sessions_history', { session_key: 'other' })).output).toContain('user: hello');
  const deaf = started({ visible: 'all' });
  await deaf.call('List', { path: '/' }, { sessionId: 'other' });
  expect(await deaf.call('sessions_send', { session_key: 'other', message: 'hello' })).toMatchObject({
    error: { code: 'not_configured' },
  });
  expect((await deaf.call('sessions_send', { session_key: 's', message: 'hello' })).output).toMatch(/your own session/);
});

test('only recently active sessions are listed, and none after its end', async () => {
  const { call, toolkit, sessions } = started({ visible: 'all' });
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  sessions.note('old', { role: 'user', text: 'hello' });
  vi.setSystemTime(Date.now() + 600_000);
  sessions.note('new', { role: 'user', text: 'hello' });
  expect(ids(await call('sessions_list', { active_minutes: 5 }))).toEqual(['s', 'new']);
  expect(ids(await call('sessions_list', { limit: 1 }))).toHaveLength(1);
  await toolkit.endSession('old');
  expect(ids(await call('sessions_list', {})).toSorted()).toEqual(['new', 's']);
});

test.each([
  ['start', { state: 'running', durationMs: 600_000 }],
  ['end', { state: 'completed', durationMs: 1_000, endedMs: 600_000 }],
] as const)('a subagent that has made no call is as old as its %s', async (_, facts) => {
  const agent = { agentId: 'agent_1', sessionId: 's', type: 't', description: 'd', depth: 1, turns: 0 } as const;
  const list = () => [{ ...agent, ...facts }];
  const toolkit = { todos: async () => [], subagents: { list, spawn: () => never(), send: () => never() } };
  const directory = inProcessSessions(toolkit);
  const scope = { caller: main, signal: new AbortController().signal };
  const idsOf = async (activeWithinMs?: number) =>
    (await directory.list({ limit: 10, activeWithinMs }, scope)).map(({ id }) => id);
  expect(await idsOf(300_000)).toEqual(['s']);
  expect(await idsOf()).toEqual(['s', 'agent_1']);
});

const nonsense = [
  ['sessions_list', { list: () => [{ id: 1 }] }],
  ['sessions_history', { history: () => 'nothing' }],
  ['session_status', { status: () => ({}) }],
  ['sessions_send', { send: async () => 'sent' }],
  ['sessions_list', { list: () => Promise.reject(new Error('down')) }],
] as const;
test('each tool reports an invalid answer of the host', () =>
  eachRow(nonsense, async ([name, methods]) => {
    const usual = { list: () => [], history: () => [], send: async () => ({}), status: () => undefined };
    const toolkit = testToolkit({
      permissions: 'bypassPermissions',
      features: { sessions: true },
      hosts: { sessions: { ...usual, ...methods } as never },
    });
    expect(await toolkit.call(name, { session_key: 'a', message: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'execution_failed', message: expect.stringContaining('hosts.sessions') },
    });
  }));

const failing = [
  [
    'throws',
    () => {
      throw new Error('full');
    },
  ],
  ['rejects', () => Promise.reject(new Error('full'))],
] as const;
test('a directory whose record fails does not change the result', () =>
  eachRow(failing, async ([, record]) => {
    const usual = { list: () => [], history: () => [], send: async () => ({}), status: () => undefined };
    const toolkit = testToolkit({
      permissions: 'bypassPermissions',
      features: { sessions: true },
      hosts: { sessions: { ...usual, record } },
    });
    expect((await toolkit.call('sessions_list', {})).output).toBe('No sessions');
  }));

test('agents with the same name in two sessions have separate sessions', async () => {
  const { call } = started();
  const by = (sessionId: string): Caller => ({ sessionId, agentId: 'reviewer', depth: 1 });
  await call('Glob', { pattern: '*' }, by('one'));
  expect((await call('sessions_history', {}, by('two'))).output).toBe('No messages');
  expect((await call('sessions_history', {}, by('one'))).output).toContain('Glob: No files found');
});
