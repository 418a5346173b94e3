import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPermissions } from 'toolwright';
import { inProcessSpawner } from 'toolwright/agents';
import { createFileClaims } from 'toolwright/guards';
import { stubSpawner } from 'toolwright/testing';
import { describe, expect, test, vi } from 'vitest';
import type { AgentModel, AgentModelRequest } from '../../src/agents.js';
import type { PermissionRequest, ToolkitOptions } from '../../src/index.js';
import { heldSpawner } from '../support/agent-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';

function open(options: Partial<ToolkitOptions> = {}) {
  const root = options.root ?? temporaryFolder();
  const toolkit = testToolkit({ permissions: 'bypassPermissions', ...options, root });
  return { toolkit, root };
}

const asked = { description: 'look around', prompt: 'Look around.' };

/** A model that calls tools in rounds, and then returns their results as text. */
function scripted(...rounds: readonly (readonly (readonly [name: string, input: object])[])[]): AgentModel {
  return ({ messages }) => {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const last = messages.at(-1);
    const results = last?.role === 'tool' ? last.results.map(({ output }) => output) : [];
    const calls = rounds[turn] ?? [];
    const toolCalls = calls.map(([name, input], index) => ({ id: `call_${turn}_${index}`, name, input }));
    return { text: results.join('\n'), toolCalls, usage: { inputTokens: 10, outputTokens: 1 } };
  };
}

const withModel = (model: AgentModel): Pick<ToolkitOptions, 'hosts'> => ({
  hosts: { subagents: (toolkit) => inProcessSpawner({ toolkit, model }) },
});

describe('Agent', () => {
  test('returns the last text of a subagent that works with the same tools', async () => {
    const { toolkit, root } = open(withModel(scripted([['Glob', { pattern: '*.txt' }]], [])));
    writeFileSync(join(root, 'a.txt'), '');
    const result = await toolkit.call('Agent', asked);
    expect(result).toMatchObject({ ok: true, output: join(root, 'a.txt') });
    const usage = { inputTokens: 20, outputTokens: 2, toolCalls: 1, turns: 2 };
    expect(result.metadata).toMatchObject({ state: 'completed', turns: 2, toolCalls: 1, usage });
  });

  test('stops a subagent whose turn a person ends', async () => {
    const permissions = createPermissions({
      allow: ['Agent'],
      onAsk: ({ tool }) => ({ behavior: 'deny', reason: `no ${tool}`, interrupt: true }),
    });
    const requests: AgentModelRequest[] = [];
    const script = scripted([['Bash', { command: 'touch a' }]], [['Bash', { command: 'touch b' }]], []);
    const model: AgentModel = (request) => {
      requests.push(request);
      return script(request);
    };
    const { toolkit } = open({ ...withModel(model), permissions });
    expect(await toolkit.call('Agent', asked)).toMatchObject({ ok: true, output: expect.stringContaining('ended') });
    expect(requests).toHaveLength(1);
  });

  test('runs several subagents of one turn in parallel', async () => {
    const spawner = heldSpawner();
    const { toolkit } = open({ hosts: { subagents: spawner } });
    const calls = [1, 2, 3].map((id) => ({ id: `c${id}`, name: 'Agent', input: asked }));
    const running = toolkit.execute(calls);
    await until(() => spawner.runs.length === 3);
    for (const [index, run] of spawner.runs.entries()) run.end({ output: `${index}` });
    expect((await running).results.map(({ output }) => output)).toEqual(['0', '1', '2']);
  });

  test('in the background is a task for TaskOutput, TaskStop and the notifications', async () => {
    const spawner = heldSpawner();
    const { toolkit } = open({ hosts: { subagents: spawner } });
    for (const name of ['Agent', 'spawn']) {
      const input = name === 'Agent' ? { ...asked, run_in_background: true } : asked;
      const started = await toolkit.call(name, input);
      expect(started.output).toMatch(/^Task started: task_\w+\nAgent: agent_\w+$/);
    }
    const [first, second] = toolkit.subagents.list();
    await until(() => spawner.runs.length === 2);
    spawner.runs[0]?.end({ output: 'found it' });
    const read = await toolkit.call('TaskOutput', { task_id: String(first?.taskId) });
    expect(read.output).toBe('Status: completed\nfound it');
    await toolkit.call('TaskStop', { task_id: second?.taskId });
    expect(toolkit.subagents.list().map(({ state }) => state)).toEqual(['completed', 'cancelled']);
    expect(toolkit.drainNotifications().map(({ state }) => state)).toEqual(['completed', 'stopped']);
  });

  test('names the limit that refuses a start: 200 starts from 10 sessions', async () => {
    const spawner = heldSpawner();
    const { toolkit } = open({ hosts: { subagents: spawner }, concurrency: 20 });
    const turns = Array.from({ length: 10 }, (_, session) =>
      toolkit.execute(
        Array.from({ length: 20 }, (__, id) => {
          return { id: `c${id}`, name: 'Agent', input: { ...asked, run_in_background: true } };
        }),
        { caller: { sessionId: `s${session}` } },
      ),
    );
    const results = (await Promise.all(turns)).flatMap((run) => run.results);
    expect(results.filter(({ ok }) => ok)).toHaveLength(8);
    expect(toolkit.subagents.list()).toHaveLength(8);
    for (const result of results.filter(({ ok }) => !ok)) {
      expect(result).toMatchObject({ error: { code: 'limit_reached' } });
      expect(result.output).toMatch(/limits\.subagents\.(maxConcurrent|maxChildren) is \d.*Do the work yourself/);
    }
    expect(await toolkit.subagents.cancel('all')).toHaveLength(8);
  });

  test('says once that a subagent was cancelled', async () => {
    const spawner = heldSpawner();
    const { toolkit } = open({ hosts: { subagents: spawner } });
    const running = toolkit.call('Agent', asked);
    await until(() => spawner.runs.length === 1);
    const [id] = await toolkit.subagents.cancel('all');
    expect(await running).toMatchObject({
      output: `Error: The subagent ${id} was cancelled: its cancellation was requested.`,
    });
  });

  test('returns the request to the host if there is no spawner', async () => {
    const { toolkit } = open();
    expect(await toolkit.call('Agent', asked)).toMatchObject({
      error: { code: 'not_configured' },
      metadata: { error: 'LLM_ASSIST_REQUIRED', request: asked },
    });
    expect(toolkit.registry.names()).not.toContain('Subagents');
  });

  test('lists the types of a host that knows the toolkit, which is called once', () => {
    const make = vi.fn(() => ({ ...stubSpawner(), types: { reviewer: 'reviews code' } }));
    const { toolkit } = open({ hosts: { subagents: make } });
    const [definition] = toolkit.definitions().filter(({ name }) => name === 'Agent');
    expect(definition?.description).toContain('reviewer: reviews code');
    expect(make).toHaveBeenCalledExactlyOnceWith(toolkit);
    expect(() => open({ hosts: { subagents: () => ({}) as never } })).toThrow(
      'must be or return a spawner of subagents',
    );
  });

  test('resumes an ended subagent with its conversation', async () => {
    const seen: AgentModelRequest[] = [];
    const model: AgentModel = (request) => {
      seen.push(request);
      return { text: `${request.messages.length}` };
    };
    const { toolkit } = open(withModel(model));
    const first = await toolkit.call('Agent', asked);
    const again = await toolkit.call('Agent', {
      ...asked,
      prompt: 'And now?',
      resume: String(first.metadata?.agentId),
    });
    expect(again).toMatchObject({ output: '3', metadata: { agentId: first.metadata?.agentId, turns: 2 } });
    expect(seen[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const other = await toolkit.call(
      'Agent',
      { ...asked, resume: String(first.metadata?.agentId) },
      { caller: { sessionId: 's2' } },
    );
    expect(other).toMatchObject({ error: { code: 'invalid_input' } });
  });

  test('ends after its rounds if the model never concludes', async () => {
    const asks: AgentModelRequest[] = [];
    const model: AgentModel = (request) => {
      asks.push(request);
      return { text: 'hm', toolCalls: [{ id: `c${asks.length}`, name: 'NoSuchTool', input: {} }] };
    };
    const { toolkit } = open(withModel(model));
    const result = await toolkit.call('Agent', { ...asked, max_turns: 3 });
    expect(result.output).toBe('hm\n[The subagent was stopped after 3 rounds, before it finished.]');
    expect(asks).toHaveLength(3);
    expect(asks[2]?.messages.at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('last round') });
    expect(asks[1]?.messages.at(-1)).toMatchObject({ results: [{ error: { code: 'unknown_tool' } }] });
  });

  test.each([
    ['throws', () => Promise.reject(new Error('no credit')), 'no credit'],
    ['answers nonsense', () => 7 as never, 'no usable answer'],
    ['calls tools without names', () => ({ toolCalls: [{}] }) as never, 'name'],
  ])('fails once if the model %s', async (_what, model, message) => {
    const { toolkit } = open(withModel(model));
    const result = await toolkit.call('Agent', asked);
    expect(result).toMatchObject({ ok: false, error: { code: 'execution_failed' }, metadata: { state: 'failed' } });
    expect(result.output).toContain(message);
  });

  test('is not offered at the deepest level, by the policy and the manager', async () => {
    const caller = { sessionId: 's1', agentId: 'a', depth: 1 };
    for (const [options, isOffered] of [
      [{}, false],
      [{ limits: { subagents: { maxDepth: 2 } } }, true],
      [{ policy: { subagents: { maxDepth: 2 } } }, true],
    ] as const) {
      const { toolkit } = open({ ...options, hosts: { subagents: stubSpawner() } });
      expect(toolkit.definitions(caller).some(({ name }) => name === 'Agent')).toBe(isOffered);
      expect((await toolkit.call('Agent', asked, { caller })).ok).toBe(isOffered);
      const refused = toolkit.subagents.run(asked, { caller }).then(
        () => false,
        () => true,
      );
      expect(await refused).toBe(!isOffered);
    }
  });
});

describe('a subagent', () => {
  const writes = (root: string) => scripted([['Write', { file_path: join(root, 'a.txt'), content: 'x' }]]);

  test('asks in its own name, and is denied what its parent is denied', async () => {
    const root = temporaryFolder();
    const questions: PermissionRequest[] = [];
    const onAsk = async (request: PermissionRequest) => {
      questions.push(request);
      return 'allow-once' as const;
    };
    const events: unknown[] = [];
    const permissions = createPermissions({ allow: ['Agent'], onAsk });
    const { toolkit } = open({ root, permissions, ...withModel(writes(root)), onEvent: (event) => events.push(event) });
    const allowed = await toolkit.call('Agent', asked);
    const agent = { id: allowed.metadata?.agentId, description: 'look around' };
    expect(questions).toMatchObject([{ tool: 'Write', agent }]);
    expect(questions[0]?.title).toBe(`Write a.txt (for ${agent.id}: look around)`);
    expect(events).toContainEqual(expect.objectContaining({ type: 'permission-ask', title: questions[0]?.title }));
    permissions.addRules({ deny: ['Edit(a.txt)'] });
    const denied = await toolkit.call('Agent', asked);
    expect(denied.output).toContain('Error: The rule Edit(a.txt) denies this call.');
    expect(questions).toHaveLength(1);
  });

  test.each([
    ['bypassPermissions', 'default', 1, 'Created'],
    ['acceptEdits', 'default', 1, 'Created'],
    ['default', 'bypassPermissions', 1, 'Created'],
    ['acceptEdits', 'bypassPermissions', 0, 'Created'],
    ['dontAsk', 'bypassPermissions', 0, 'Error'],
    ['plan', 'bypassPermissions', 0, 'may only use read-only tools'],
    [undefined, 'bypassPermissions', 0, 'Created'],
  ] as const)('of mode %s under a parent of mode %s is only restricted', async (mode, parent, questions, output) => {
    const root = temporaryFolder();
    const onAsk = vi.fn(async () => 'allow-once' as const);
    const permissions = createPermissions({ mode: parent, allow: ['Agent'], onAsk });
    const { toolkit } = open({ root, permissions, ...withModel(writes(root)) });
    const result = await toolkit.call('Agent', { ...asked, mode });
    expect(onAsk).toHaveBeenCalledTimes(questions);
    expect(result.output).toContain(output);
  });

  test.each([
    ['default', 'default', 'Created'],
    ['dontAsk', 'default', 'Created'],
    ['plan', 'default', 'may only use read-only tools'],
    ['default', 'bypassPermissions', 'Created'],
  ] as const)('of mode %s follows the rules of a parent of mode %s', async (mode, parent, output) => {
    const root = temporaryFolder();
    const permissions = createPermissions({ mode: parent, root, allow: ['Agent', 'Edit(a.txt)'] });
    const { toolkit } = open({ root, permissions, ...withModel(writes(root)) });
    expect((await toolkit.call('Agent', { ...asked, mode })).output).toContain(output);
  });

  test('does not ask about calls that are allowed for the session', async () => {
    const root = temporaryFolder();
    const onAsk = vi.fn(async () => 'allow-always' as const);
    const permissions = createPermissions({ root, allow: ['Agent'], onAsk });
    const { toolkit } = open({ root, permissions, ...withModel(writes(root)) });
    for (const _round of [1, 2]) await toolkit.call('Agent', { ...asked, mode: 'default' });
    expect(onAsk).toHaveBeenCalledOnce();
  });

  test('is restricted by its mode over a check of the host, also for rewrites', async () => {
    const root = temporaryFolder();
    const check = async (request: PermissionRequest) =>
      request.tool === 'Write'
        ? { behavior: 'allow' as const, updatedInput: { file_path: join(root, 'b.txt'), content: 'y' } }
        : { behavior: 'allow' as const };
    const { toolkit } = open({ root, permissions: { check }, ...withModel(writes(root)) });
    expect((await toolkit.call('Agent', asked)).output).toContain('b.txt');
    const narrowed = await toolkit.call('Agent', { ...asked, mode: 'default' });
    expect(narrowed.output).toMatch(/^Error: /);
  });

  test('releases its file claims when it ends', async () => {
    const root = temporaryFolder();
    const claims = createFileClaims();
    const held: number[] = [];
    const model: AgentModel = async (request) => {
      held.push(claims.list().size);
      return await writes(root)(request);
    };
    const { toolkit } = open({ root, hooks: claims.hooks, ...withModel(model) });
    await toolkit.call('Agent', asked);
    expect(held).toEqual([0, 1]);
    expect(claims.list().size).toBe(0);
  });

  test('ends although a hook for its end hangs', async () => {
    const limits = { call: { hookTimeoutMs: 20 } };
    const { toolkit } = open({ ...withModel(scripted()), limits, hooks: { onAgentEnd: () => new Promise(() => {}) } });
    expect(await toolkit.call('Agent', asked)).toMatchObject({ ok: true });
  });

  test('reads messages that came while its model concluded', async () => {
    const seen: AgentModelRequest[] = [];
    const model: AgentModel = (request) => {
      seen.push(request);
      const [agent] = toolkit.subagents.list();
      const message = { from: 'lead', text: 'One thing more.', type: 'message' as const };
      if (seen.length === 1) toolkit.subagents.send(agent?.agentId ?? '', message);
      return { text: `answer ${seen.length}` };
    };
    const { toolkit } = open(withModel(model));
    expect((await toolkit.call('Agent', asked)).output).toBe('answer 2');
    expect(seen[1]?.messages.at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('One thing more.') });
    expect(seen[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('ignores text that its model sent too late, before it was steered', async () => {
    const rounds: { readonly request: AgentModelRequest; answer(text: string): void }[] = [];
    const model: AgentModel = (request) =>
      new Promise((resolve) => rounds.push({ request, answer: (text) => resolve({ text }) }));
    const { toolkit } = open({ ...withModel(model), limits: { subagents: { settleMs: 1 } } });
    const { id, done } = toolkit.subagents.spawn(asked);
    await until(() => rounds.length === 1);
    await toolkit.subagents.steer(id, 'Look left.');
    await until(() => rounds.length === 2);
    rounds[0]?.answer('too late');
    await new Promise((resolve) => setImmediate(resolve));
    rounds[1]?.answer('left');
    await done;
    toolkit.subagents.spawn({ ...asked, resume: id });
    await until(() => rounds.length === 3);
    const texts = rounds[2]?.request.messages.map((message) => 'text' in message && message.text);
    expect(texts).toEqual(['Look around.', 'Look left.', 'left', 'Look around.']);
    await toolkit.subagents.cancel(id);
  });

  test('ends with the turn that waits for it, with its running calls', async () => {
    const { toolkit } = open(withModel(scripted([['Bash', { command: 'echo up; sleep 100' }]])));
    const abort = new AbortController();
    const started: string[] = [];
    const running = toolkit.call('Agent', asked, {
      signal: abort.signal,
      onEvent: (event) => event.type === 'tool-progress' && started.push(event.name),
    });
    await until(() => started.length > 0);
    abort.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: 'interrupted' } });
    expect(toolkit.subagents.list()).toMatchObject([{ state: 'cancelled' }]);
  });

  test('that hangs beyond the time of the turn is abandoned', async () => {
    const spawner = heldSpawner({ isDeaf: true });
    const limits = { call: { abortGraceMs: 20 } };
    const { toolkit } = open({ hosts: { subagents: spawner }, limits });
    const result = await toolkit.call('Agent', asked, { timeoutMs: 20 });
    expect(result).toMatchObject({ ok: false, error: { code: 'timeout' } });
    await until(() => toolkit.subagents.list()[0]?.state === 'cancelled');
    // A later call in its name is refused.
    const { caller } = spawner.runs[0]?.scope ?? { caller: { sessionId: 'default' } };
    expect(toolkit.definitions(caller)).toEqual([]);
    expect(await toolkit.call('Glob', { pattern: '*' }, { caller })).toMatchObject({ error: { code: 'not_allowed' } });
  });

  test('of a toolkit opened from another is counted and ended with those of that toolkit', async () => {
    const spawner = heldSpawner();
    const { toolkit } = open({ hosts: { subagents: spawner }, limits: { subagents: { maxConcurrent: 2 } } });
    const other = toolkit.openIn(temporaryFolder());
    const runs = [toolkit, other].map((one) => one.call('Agent', asked));
    await until(() => spawner.runs.length === 2);
    expect(await other.call('Agent', asked)).toMatchObject({ error: { code: 'limit_reached' } });
    await toolkit.dispose();
    for (const result of await Promise.all(runs)) expect(result.ok).toBe(false);
    expect(await other.call('Glob', { pattern: '*' })).toMatchObject({ error: { code: 'cancelled' } });
  });

  test('ends with its session and with the toolkit', async () => {
    const spawner = heldSpawner();
    const { toolkit } = open({ hosts: { subagents: spawner } });
    const runs = ['s1', 's2'].map((sessionId) => toolkit.subagents.run(asked, { caller: { sessionId } }));
    await until(() => spawner.runs.length === 2);
    await toolkit.endSession('s1');
    expect(await runs[0]).toMatchObject({ state: 'cancelled' });
    expect(toolkit.subagents.list()).toMatchObject([{ sessionId: 's2', state: 'running' }]);
    await toolkit.dispose();
    expect(await runs[1]).toMatchObject({ state: 'cancelled' });
    expect(await toolkit.subagents.run(asked).catch(({ code }) => code)).toBe('cancelled');
  });

  test('of a type with a tool list has no other tools', async () => {
    const offered: string[][] = [];
    const script = scripted([
      ['Bash', { command: 'pwd' }],
      ['Glob', { pattern: '*' }],
    ]);
    const model: AgentModel = (request) => {
      offered.push(request.tools.map(({ name }) => name));
      return script(request);
    };
    const types = { finder: { description: 'finds files', systemPrompt: 'You find files.', tools: ['Glob', 'Read'] } };
    const subagents: NonNullable<ToolkitOptions['hosts']>['subagents'] = (toolkit) =>
      inProcessSpawner({ toolkit, model, types });
    const { toolkit } = open({ hosts: { subagents } });
    const result = await toolkit.call('Agent', { ...asked, subagent_type: 'finder' });
    expect(offered[0]?.sort()).toEqual(['Glob', 'Read']);
    expect(result.output).toBe('Error: Bash is not available to this kind of agent. Use another tool.\nNo files found');
  });
});

describe('Subagents', () => {
  test('lists, steers and cancels the subagents of the caller only', async () => {
    const spawner = heldSpawner();
    const { toolkit } = open({ hosts: { subagents: spawner }, limits: { subagents: { settleMs: 1 } } });
    expect((await toolkit.call('Subagents', { action: 'list' })).output).toBe('You have started no subagent.');
    await toolkit.call('Agent', { ...asked, run_in_background: true });
    await until(() => spawner.runs.length === 1);
    const [{ agentId: id } = { agentId: '' }] = toolkit.subagents.list();
    const say = (input: object, sessionId = 'default') => toolkit.call('Subagents', input, { caller: { sessionId } });
    expect((await say({ action: 'list' })).output).toBe(`${id} running (general-purpose, 0 rounds): look around`);
    expect((await say({ action: 'list' }, 's2')).output).toBe('You have started no subagent.');
    expect(await say({ action: 'cancel', id }, 's2')).toMatchObject({ error: { code: 'invalid_input' } });
    expect(await say({ action: 'cancel' })).toMatchObject({ error: { code: 'invalid_input' } });
    expect(await say({ action: 'steer', id })).toMatchObject({ error: { code: 'invalid_input' } });
    expect((await say({ action: 'steer', id, message: 'Look left.' })).ok).toBe(true);
    expect(spawner.runs[1]?.request.message).toBe('Look left.');
    expect((await say({ action: 'cancel', id: 'last' })).output).toBe(`Cancelled: ${id}`);
    expect((await say({ action: 'cancel', id })).output).toBe('No subagent was running.');
  });
});
