import { createToolkit, ToolError, type ToolEvent } from 'toolwright';
import { aesGcmBox, customTools, memoryBus, memoryStores } from 'toolwright/managed';
import { fakeTimers, memoryFiles } from 'toolwright/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { RegistryFor } from '../../src/index.js';
import { deferred, tool } from '../support/pipeline.js';

const box = aesGcmBox({ keys: { a: new Uint8Array(32).fill(1) }, current: 'a' });
const greet = {
  name: 'greet',
  description: 'Greet somebody.',
  parameters: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
  command: 'echo {{.who}}',
} as const;
const one = { sessionId: 's1', agentId: 'one' };
const two = { sessionId: 's2', agentId: 'two' };

function installation({ isTold = true } = {}) {
  const { customTools: store } = memoryStores({ box });
  const bus = memoryBus();
  const timers = fakeTimers();
  const problems: string[] = [];
  const warnings: string[] = [];
  const tools = customTools({ store, bus, timers, onProblem: (name, reason) => problems.push(`${name}: ${reason}`) });
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles() },
    registryFor: tools.registryFor,
    onEvent: (event) => event.type === 'registry-warning' && warnings.push(event.reason),
  });
  onTestFinished(() => toolkit.dispose());
  const offered = async (caller: { sessionId: string }) =>
    (await toolkit.definitionsFor(caller)).map(({ name, description }) => `${name}: ${description}`).slice(builtin);
  const builtin = toolkit.definitions().length;
  const changed = () => (isTold ? bus.publish('cache:custom_tools') : timers.advance(5_000));
  return { store, bus, timers, problems, warnings, tools, toolkit, offered, changed };
}

test('an agent has the common tools and its own, and none of another agent', async () => {
  const { store, toolkit, offered, problems } = installation();
  await store.put(greet);
  await store.put({ ...greet, description: 'Greet warmly.', agent_id: 'one' });
  await store.put({ ...greet, name: 'part', description: 'Say goodbye.', agent_id: 'one' });
  expect(await offered(one)).toEqual(['greet: Greet warmly.', 'part: Say goodbye.']);
  expect(await offered(two)).toEqual(['greet: Greet somebody.']);
  expect(await offered({ sessionId: 's' })).toEqual(['greet: Greet somebody.']);
  const run = (caller: { sessionId: string }) => toolkit.call('part', { who: 'Ann' }, { caller });
  expect((await run(two)).ok === false && (await run(two))).toMatchObject({ error: { code: 'unknown_tool' } });
  expect(await run(one)).toMatchObject({ ok: false, error: { code: 'permission_denied' } });
  expect(await toolkit.decide({ id: '1', name: 'part', input: { who: 'Ann' } }, { caller: two })).toMatchObject({
    behavior: 'deny',
  });
  expect(problems).toEqual([]);
});

for (const isTold of [true, false])
  test(`a change takes effect at the next turn, ${isTold ? 'by its notification' : 'within five seconds without one'}`, async () => {
    const { store, offered, changed, tools } = installation({ isTold });
    const { id } = await store.put(greet);
    const own = await store.put({ ...greet, name: 'part', agent_id: 'one' });
    expect(await offered(one)).toHaveLength(2);
    await store.put({ ...greet, description: 'Greet politely.' }, { id });
    await store.remove(own.id);
    expect(await offered(one)).toHaveLength(2);
    await changed();
    expect(await offered(one)).toEqual(['greet: Greet politely.']);
    await store.remove(id);
    await changed();
    expect(await offered(one)).toEqual([]);
    await tools[Symbol.asyncDispose]();
  });

test('turns that begin together load the tools once', async () => {
  const { store, offered, problems } = installation();
  await store.put(greet);
  const all = await Promise.all([offered(one), offered(two), offered(one)]);
  expect(all).toEqual(Array.from({ length: 3 }, () => ['greet: Greet somebody.']));
  expect(problems).toEqual([]);
});

test('an invalid tool is omitted by name, and one with undecryptable secrets is not offered', async () => {
  const { store, offered, problems, toolkit } = installation();
  await store.put({ ...greet, name: 'Bash2' });
  await store.put({ ...greet, env: { TOKEN: 'hunter2' } });
  const broken = {
    ...store,
    list: async (owner: { agentId?: string | undefined }) => [
      ...(await store.list(owner)),
      { id: 'x', version: '1', definition: { ...greet, name: 'odd', command: 'sh -c "{{.who}}"' } },
      { id: 'y', version: '1', definition: { ...greet, name: 'closed', enabled: false }, problem: 'it does not open' },
    ],
  };
  const tools = customTools({
    store: broken,
    bus: memoryBus(),
    onProblem: (name, why) => problems.push(`${name}: ${why}`),
  });
  await tools.loadGlobal(toolkit.registry, toolkit);
  expect(problems).toEqual([expect.stringMatching(/^odd: customTool: command/), 'closed: it does not open']);
  expect(toolkit.definitions().map(({ name }) => name)).toEqual(expect.arrayContaining(['Bash2', 'greet']));
  expect(toolkit.definitions().map(({ name }) => name)).not.toContain('closed');
  expect(await offered(two)).not.toContain('odd');
});

test('a failing store keeps the loaded tools, a failing registryFor gives the registry of the toolkit, with an event', async () => {
  const events: ToolEvent[] = [];
  const answers: RegistryFor[] = [
    () => Promise.reject(new Error('the database is gone')),
    () => undefined as never,
    () => new Promise(() => {}),
  ];
  for (const registryFor of answers) {
    const timers = fakeTimers();
    const toolkit = createToolkit({
      ...{
        root: '/workspace',
        hosts: { files: memoryFiles() },
        registryFor,
        timers,
        onEvent: (event) => events.push(event),
      },
    });
    const definitions = toolkit.definitionsFor(one);
    await timers.advance(10_000);
    expect(await definitions).toEqual(toolkit.definitions(one));
  }
  const owner = { type: 'registry-warning', sessionId: 's1', agentId: 'one' };
  expect(events).toEqual(
    ['the database is gone', 'gave no usable answer', 'did not answer within 10000 ms'].map((reason) => ({
      ...owner,
      reason: expect.stringContaining(reason),
    })),
  );
  const { store, bus, tools, offered } = installation();
  await store.put(greet);
  expect(await offered(one)).toHaveLength(1);
  store.version = () => Promise.reject(new Error('gone'));
  await bus.publish('cache:custom_tools');
  expect(await offered(one)).toEqual(['greet: Greet somebody.']);
  await expect(tools.reloadGlobal()).rejects.toThrow('gone');
});

test('the registry of an agent follows its base registry', async () => {
  const { store, toolkit, offered } = installation();
  await store.put(greet);
  await store.put({ ...greet, name: 'part', agent_id: 'one' });
  expect(await offered(one)).toHaveLength(2);
  const { registry } = toolkit;
  registry.register(tool('Late', () => ''));
  expect((await offered(one)).map((text) => text.split(':')[0])).toEqual(['greet', 'Late', 'part']);
  registry.disable('greet', 'part');
  expect(await offered(one)).toEqual(['Late: Test tool Late.']);
  registry.enable('greet', 'part').unregister('Late');
  expect((await offered(one)).map((text) => text.split(':')[0])).toEqual(['greet', 'part']);
});

test('data read before a change is not kept after it', async () => {
  const { store, bus, offered } = installation();
  const { id } = await store.put({ ...greet, agent_id: 'one' });
  await offered(two);
  const { list } = store;
  const [begun, held] = [deferred(), deferred()];
  store.list = async (owner) => {
    const read = await list(owner);
    if (owner.agentId !== 'one') return read;
    begun.resolve();
    await held.promise;
    return read;
  };
  const early = offered(one);
  await begun.promise;
  await store.put({ ...greet, description: 'Greet politely.', agent_id: 'one' }, { id });
  await bus.publish('cache:custom_tools');
  expect(await offered(two)).toEqual([]);
  held.resolve();
  expect(await early).toEqual(['greet: Greet somebody.']);
  expect(await offered(one)).toEqual(['greet: Greet politely.']);
});

test('a change keeps disabled names of the host, and allowed names of unchanged tools', async () => {
  const { store, toolkit, offered, changed } = installation();
  const { registry } = toolkit;
  const { id } = await store.put(greet);
  await store.put({ ...greet, name: 'part' });
  expect(await offered(two)).toHaveLength(2);
  registry.disable('greet').allow('greet', 'part');
  const part = registry.get('part');
  await store.put({ ...greet, description: 'Greet politely.' }, { id });
  await changed();
  expect(await offered(two)).toEqual(['part: Greet somebody.']);
  expect([registry.isDisabled('greet'), registry.isAllowed('greet'), registry.isAllowed('part')]).toEqual([
    ...[true, false, true],
  ]);
  expect(registry.get('part')).toBe(part);
  await store.remove(id);
  await changed();
  await store.put({ ...greet, agent_id: 'one' });
  await store.put(greet);
  await changed();
  expect([await offered(one), await offered(two)]).toEqual([['part: Greet somebody.'], ['part: Greet somebody.']]);
});

test('a tool that the host put in place of a custom tool stays', async () => {
  const { store, toolkit, offered, changed, problems } = installation();
  const { id } = await store.put(greet);
  await offered(two);
  toolkit.registry.register(tool('greet', () => '', { replace: true }));
  await store.put({ ...greet, description: 'Greet politely.' }, { id });
  await changed();
  expect(await offered(two)).toEqual(['greet: Test tool greet.']);
  expect(problems).toEqual([expect.stringContaining('greet is registered already')]);
});

for (const isTold of [true, false])
  test(`tools loaded with load() follow the store, ${isTold ? 'by notification or' : 'by polling every five seconds,'} until disposal`, async () => {
    const { store, bus, timers, changed } = installation({ isTold });
    const tools = customTools({ store, bus, timers });
    const toolkit = createToolkit({ root: '/workspace', hosts: { files: memoryFiles() } });
    const has = async () => {
      await timers.advance(0);
      return toolkit.registry.get('greet') !== undefined;
    };
    await tools.loadGlobal(toolkit.registry, toolkit);
    for (let round = 0; round < 3; round++) {
      const { id } = await store.put(greet);
      await changed();
      expect(await has()).toBe(true);
      await store.remove(id);
      await changed();
      expect(await has()).toBe(false);
    }
    await (isTold ? toolkit.dispose() : tools[Symbol.asyncDispose]());
    expect(timers.pending).toBe(0);
    await store.put(greet);
    await bus.publish('cache:custom_tools');
    await timers.advance(20_000);
    expect([await has(), timers.pending]).toEqual([false, 0]);
    await toolkit.dispose();
  });

test('a store that does not answer is waited for once, and read when it answers', async () => {
  const { store, bus, timers, offered, warnings } = installation();
  const { id } = await store.put(greet);
  await store.put({ ...greet, name: 'part', agent_id: 'one' });
  expect(await offered(one)).toHaveLength(2);
  const { version } = store;
  const asked: (() => void)[] = [];
  store.version = () => new Promise(() => asked.push(() => {}));
  await store.remove(id);
  await bus.publish('cache:custom_tools');
  const waiting = [offered(one), offered(two)];
  await timers.advance(5_000);
  for (const each of await Promise.all(waiting)) expect(each).toEqual(['greet: Greet somebody.']);
  expect(await offered(one)).toEqual(['greet: Greet somebody.']);
  expect(warnings).toEqual(Array(3).fill(expect.stringContaining('did not answer within 5000 ms')));
  store.version = version;
  await timers.advance(5_000);
  expect([await offered(one), await offered(two)]).toEqual([['part: Greet somebody.'], []]);
  expect(warnings).toHaveLength(3);
});

test('a change that could not be read is read by the next turn, and a lost subscription is renewed', async () => {
  const { store, bus, timers, offered, warnings } = installation();
  const { subscribe } = bus;
  bus.subscribe = () => Promise.reject(new Error('gone'));
  await store.put(greet);
  expect(await offered(two)).toHaveLength(1);
  bus.subscribe = subscribe;
  await timers.advance(5_000);
  expect(await offered(two)).toHaveLength(1);
  const { list } = store;
  store.list = () => Promise.reject(new ToolError('storage_failed', 'gone'));
  await store.put({ ...greet, name: 'part' });
  await bus.publish('cache:custom_tools');
  expect(await offered(two)).toHaveLength(1);
  expect(warnings).toEqual([expect.stringContaining('gone')]);
  store.list = list;
  expect(await offered(two)).toHaveLength(2);
  const own = { ...greet, name: 'own', agent_id: 'one' };
  await store.put(own);
  store.list = (owner) => (owner.agentId !== 'one' ? list(owner) : Promise.reject(new Error('gone')));
  await bus.publish('cache:custom_tools');
  expect([(await offered(one)).length, (await offered(two)).length, warnings.length]).toEqual([2, 2, 2]);
  store.list = list;
  expect(await offered(one)).toHaveLength(3);
});

test('the tools of an agent are read once, also if it has none', async () => {
  const { store, offered, changed } = installation();
  const { list } = store;
  const asked: unknown[] = [];
  store.list = (owner) => {
    asked.push(owner.agentId);
    return list(owner);
  };
  for (let turn = 0; turn < 3; turn++) await Promise.all([offered(one), offered(one)]);
  expect(asked).toEqual([undefined, 'one']);
  await changed();
  await offered(one);
  expect(asked).toEqual([undefined, 'one', undefined, 'one']);
});

test('nothing is loaded after disposal', async () => {
  const { store, tools, offered, warnings } = installation();
  await store.put(greet);
  await tools[Symbol.asyncDispose]();
  expect([await offered(one), warnings]).toEqual([[], [expect.stringContaining('disposed')]]);
});

test('a mistake of the program is a TypeError', () => {
  const { customTools: store } = memoryStores();
  expect(() => customTools({ store } as never)).toThrow('customTools: pass bus');
  expect(() => customTools({ store, bus: memoryBus(), onProblme: () => {} } as never)).toThrow('onProblem');
  expect(() => createToolkit({ root: '/', registryFor: {} } as never)).toThrow('registryFor takes a function');
});
