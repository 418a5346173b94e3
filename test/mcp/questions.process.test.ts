import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createToolkit } from 'toolwright';
import { fakeTimers } from 'toolwright/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CallScope, ElicitationRequest, McpAnswers } from '../../src/index.js';
import type { McpServerConfig } from '../../src/mcp.js';
import { eachRow } from '../support/each-row.js';
import { hostileServer, mcpWorld } from '../support/mcp-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const text = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

/** The answer to a request that a server sends during a call. */
async function heard(method: string, params: object, answers: McpAnswers): Promise<unknown> {
  const { manager, call } = mcpWorld({ it: hostileServer('asks_back', JSON.stringify([method, params])) }, { answers });
  await manager.connect();
  const [part] = (await call('it', 'echo')).content;
  return JSON.parse(part?.type === 'text' ? part.text : '');
}

const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }];
const sampling = { messages, maxTokens: 7, systemPrompt: 'Be brief.', temperature: 0.5 };
const form = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };

test('hosts.mcpSampling is called for the caller of the running call', async () => {
  const asked: unknown[] = [];
  const sample = async (request: object, { caller }: CallScope) => {
    asked.push({ ...request, caller });
    return { model: 'm', text: 'Hi', stopReason: 'endTurn' };
  };
  expect(await heard('sampling/createMessage', sampling, { sampling: { sample } })).toEqual({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'Hi' },
    stopReason: 'endTurn',
  });
  expect(asked).toMatchObject([{ server: 'it', ...sampling, caller: { sessionId: 's1' } }]);
});

test('an error of the host is not sent to the server', async () => {
  const fail = () => Promise.reject(new Error('the key is 1234'));
  const answers = { sampling: { sample: fail }, elicitation: { elicit: fail } };
  const error = await heard('sampling/createMessage', sampling, answers);
  expect(error).toEqual({ code: -32_603, message: 'The host could not complete the sampling request.' });
  expect(await heard('elicitation/create', form, answers)).toEqual({ action: 'cancel' });
  const roots = () => {
    throw new Error('the key is 1234');
  };
  const refusal = { code: -32_603, message: 'The host could not list its roots.' };
  expect(await heard('roots/list', {}, { roots })).toEqual(refusal);
});

test('only an http(s) address is shown to the person', async () => {
  const asked: unknown[] = [];
  const elicit = async ({ url }: ElicitationRequest) => {
    asked.push(url);
    return { action: 'accept' as const };
  };
  for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'https://login.example/'])
    await heard(
      'elicitation/create',
      { mode: 'url', elicitationId: '1', message: 'Go', url },
      { elicitation: { elicit } },
    );
  expect(asked).toEqual(['https://login.example/']);
});

test.each([
  ['sampling/createMessage', sampling],
  ['elicitation/create', form],
  ['roots/list', {}],
])('%s without a host is not declared', async (method, params) =>
  expect(await heard(method, params, {})).toEqual({ code: -32_601, message: 'Method not found' }),
);

test.each([true, false])('an error names its subject, without protocol codes (thrown: %s)', async (thrown) => {
  const { manager, call } = mcpWorld({ one: hostileServer('sdk_error') });
  await manager.connect();
  const answer = await call('one', 'echo', { thrown }).catch((error: Error) => error.message);
  expect(JSON.stringify(answer)).toMatch(thrown ? /error: no such luck"$/ : /"text":"no such luck"/);
});

test('a request that may belong to another session reaches no person', async () => {
  const timers = fakeTimers();
  const asked: string[] = [];
  const elicit = async (_: ElicitationRequest, { caller }: { readonly caller: { readonly sessionId: string } }) => {
    asked.push(caller.sessionId);
    return { action: 'decline' as const };
  };
  const limits = { pingMs: 0, maxCallMs: 600_000 };
  const { manager, scope } = mcpWorld(
    { one: hostileServer('asks_late') },
    { timers, limits, answers: { elicitation: { elicit } } },
  );
  await manager.connect();
  const callBy = (sessionId: string, ask: boolean) =>
    manager.callTool({ server: 'one', tool: 'echo', input: { ask } }, { ...scope, caller: { sessionId } });
  await callBy('ann', false);
  expect(await callBy('ann', true)).toEqual(text({ action: 'decline' }));
  // Ann's call has ended, but requests caused by it may still arrive.
  expect(await callBy('bob', true)).toEqual(text({ action: 'cancel' }));
  expect(asked).toEqual(['ann']);
  await timers.advance(600_000);
  expect(await callBy('bob', true)).toEqual(text({ action: 'decline' }));
  expect(asked).toEqual(['ann', 'bob']);
});

test('only some of many simultaneous requests are asked, and the others fail', async () => {
  let open = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const elicit = async () => {
    open++;
    await answered;
    return { action: 'decline' as const };
  };
  const { manager, call } = mcpWorld({ one: hostileServer('asks_much') }, { answers: { elicitation: { elicit } } });
  await manager.connect();
  const running = call('one', 'echo');
  await until(() => open === 8);
  answer();
  const said = expect.stringContaining('Ask at most 8 questions at once.');
  const { content } = await running;
  expect(JSON.parse((content[0] as { readonly text: string }).text)).toEqual([
    ...Array(4).fill(said),
    ...Array(8).fill('decline'),
  ]);
  expect(open).toBe(8);
});

test('a server that connected before its toolkit learns the handlers, and no call fails meanwhile', async () => {
  const { manager, call, updates, stateOf } = mcpWorld({
    one: hostileServer('who_answers'),
    two: hostileServer('hang'),
  });
  await manager.connect();
  const hanging = new AbortController();
  const busy = call('two', 'echo', {}, hanging.signal).catch(() => 'ended');
  expect(await call('one', 'echo')).toEqual({ content: [{ type: 'text', text: '' }] });
  const elicitation = { elicit: async () => ({ action: 'decline' as const }) };
  const toolkit = createToolkit({
    root: temporaryFolder(),
    permissions: 'bypassPermissions',
    hosts: { mcp: manager, elicitation },
  });
  expect(manager.servers()).toMatchObject([
    { name: 'one', state: 'connected', instructions: 'Be wary.' },
    { name: 'two', state: 'connected' },
  ]);
  expect(await toolkit.call('mcp__one__echo', {})).toMatchObject({ ok: true, output: 'elicitation,roots' });
  const told = () => updates.filter(({ server, state }) => server === 'two' && state === 'connected').length;
  expect(told()).toBe(1);
  hanging.abort();
  expect(await busy).toBe('ended');
  await until(() => told() === 2);
  expect(stateOf('two')).toMatchObject({ tools: ['echo'], attempts: 0 });
  await toolkit.dispose();
});

test('a server is reconnected for a new handler when its own request is the last to end', async () => {
  const file = join(temporaryFolder(), 'heard');
  let give: (() => void) | undefined;
  const elicit = () =>
    new Promise<{ readonly action: 'decline' }>((resolve) => {
      give = () => resolve({ action: 'decline' });
    });
  const { manager, call, updates } = mcpWorld(
    { one: hostileServer('asks_aside', file) },
    { answers: { elicitation: { elicit } } },
  );
  await manager.connect();
  await call('one', 'echo');
  await until(() => give !== undefined);
  const connected = () => updates.filter(({ state }) => state === 'connected').length;
  manager.attach({ sampling: { sample: () => Promise.reject(new Error('not asked')) } });
  expect(connected()).toBe(1);
  give?.();
  await until(() => connected() === 2);
  expect(readFileSync(file, 'utf8')).toBe('x');
});

test('a server gets the roots of the toolkit unless its arguments name folders, or the roots of its config', async () => {
  const own = temporaryFolder();
  mkdirSync(join(own, 'inner'));
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TEST_MCP_FOLDER', own);
  vi.stubEnv('TEST_MCP_INNER', 'inner');
  const told = ['/told'];
  const rows: readonly (readonly [extra: string[], roots: McpServerConfig['roots'], told: readonly string[]])[] = [
    [[], undefined, told],
    [['--verbose', '@scope/package', 'https://a.example/x', 'x'.repeat(5_000)], undefined, told],
    [[fileURLToPath(import.meta.url)], undefined, told],
    [[own], undefined, []],
    [[`--root=${own}`], undefined, []],
    [['./not-yet'], undefined, []],
    [['inner'], undefined, []],
    [['${TEST_MCP_INNER}'], undefined, []],
    [['/not/there/yet'], undefined, []],
    [[own], 'toolkit', told],
    [[own], [own], [own]],
    [[], false, []],
  ];
  await eachRow(
    rows,
    async ([extra, roots, expected]) => {
      const server = hostileServer('asks_back', JSON.stringify(['roots/list', {}]));
      const config = { ...server, args: [...(server.args ?? []), ...extra], cwd: '${TEST_MCP_FOLDER}', roots };
      const { manager, call, stateOf } = mcpWorld({ it: config }, { answers: { roots: () => told } });
      await manager.connect();
      expect(stateOf('it')?.roots).toEqual(expected);
      const [part] = (await call('it', 'echo')).content;
      const answer = JSON.parse(part?.type === 'text' ? part.text : '');
      expect(answer.roots?.map(({ uri }: { readonly uri: string }) => fileURLToPath(uri)) ?? []).toEqual(expected);
      await manager.dispose();
    },
    ([extra, roots]) => JSON.stringify([extra, roots]),
  );
});
