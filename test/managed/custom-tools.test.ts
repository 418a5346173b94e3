import { createToolkit, type ToolEvent } from 'toolwright';
import { aesGcmBox, customTools, memoryBus, memoryStores } from 'toolwright/managed';
import { fakeTimers, memoryFiles } from 'toolwright/testing';
import { expect, test } from 'vitest';
import type { RegistryFor } from '../../src/wiring/caller-registries.js';

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
  const tools = customTools({ store, bus, timers, onProblem: (name, reason) => problems.push(`${name}: ${reason}`) });
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles() },
    registryFor: tools.registryFor,
  });
  const offered = async (caller: { sessionId: string }) =>
    (await toolkit.definitionsFor(caller)).map(({ name, description }) => `${name}: ${description}`).slice(builtin);
  const builtin = toolkit.definitions().length;
  const changed = () => (isTold ? bus.publish('cache:custom_tools') : timers.advance(5_000));
  return { store, bus, timers, problems, tools, toolkit, offered, changed };
}

test('an agent has the tools of all agents and its own, and none of another agent', async () => {
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
  test(`what has changed is there from the next turn on, ${isTold ? 'by its notice' : 'five seconds later without one'}`, async () => {
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

test('a tool that cannot be made is left out, by name, and one whose secrets do not open is not offered', async () => {
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

test('a store that is away leaves what was there, and a host that fails the registry of the toolkit, with an event', async () => {
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

test('a mistake of the program is a TypeError', () => {
  const { customTools: store } = memoryStores();
  expect(() => customTools({ store } as never)).toThrow('customTools: pass bus');
  expect(() => customTools({ store, bus: memoryBus(), onProblme: () => {} } as never)).toThrow('onProblem');
  expect(() => createToolkit({ root: '/', registryFor: {} } as never)).toThrow('registryFor takes a function');
});
