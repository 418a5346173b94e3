import { aesGcmBox, memoryBus, memoryStores } from 'toolwright/managed';
import { type ManagedStoresSubject, managedStoresConformance } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { table } from '../support/each-row.js';
import { isolationHolds } from '../support/isolation.js';
import { ownStoreTests } from '../support/own-store-cases.js';
import { runs } from '../support/runs.js';

const isNew = { expected: null };
const box = aesGcmBox({ keys: { a: new Uint8Array(32).fill(1) }, current: 'a' });

test.each(managedStoresConformance)('$name', ({ run }) => run(() => ({ stores: memoryStores({ box }) })));
ownStoreTests(() => memoryStores({ box }));

test('a custom tool with undecryptable variables is disabled alone, with the reason', async () => {
  let closed = '';
  const open = (sealed: string, context: string) => box.open(sealed, context.includes(closed) ? 'elsewhere' : context);
  const { customTools } = memoryStores({ box: { ...box, open } });
  const tool = {
    description: 'd',
    parameters: { type: 'object' },
    command: 'true',
    env: { TOKEN: 'hunter2' },
  } as const;
  await customTools.put({ ...tool, name: 'a' });
  closed = (await customTools.put({ ...tool, name: 'b' })).id;
  const [whole, off] = await customTools.list({});
  expect(whole).toMatchObject({ definition: { name: 'a', enabled: true, env: { TOKEN: 'hunter2' } } });
  expect(off).toMatchObject({
    definition: { name: 'b', enabled: false },
    problem: expect.stringContaining('cannot be decrypted'),
  });
  expect(off?.definition).not.toHaveProperty('env');
});

test('a new tool or server with a taken name is refused as such', async () => {
  const { customTools, mcp } = memoryStores();
  const make = [
    () => customTools.put({ name: 'a', description: 'd', parameters: { type: 'object' }, command: 'true' }, isNew),
    () => mcp.putServer({ name: 'a', config: { command: 'x' } }, isNew),
  ];
  for (const put of make) {
    await put();
    await expect(put()).rejects.toMatchObject({
      code: 'file_changed',
      message: expect.stringMatching(/^The (custom tool|MCP server) a exists already\. Change that one\.$/),
    });
  }
});

test("agents and users of one toolkit do not see each other's data during concurrent writes", async () => {
  await isolationHolds({ stores: memoryStores({ box }), bus: memoryBus() }, runs(100));
});

type Stores = ManagedStoresSubject['stores'];

const calling = (table: Stores['memory']): Stores['memory'] => ({
  get: (...given) => table.get(...given),
  put: (...given) => table.put(...given),
  delete: (...given) => table.delete(...given),
  names: (...given) => table.names(...given),
});

/** Stores with one fault each, by the case that must detect it. */
const faults: Readonly<Record<string, (stores: Stores) => Partial<Stores>>> = {
  'memory: documents of the same name are separate for each agent and each user': ({ memory }) => ({
    memory: {
      get: ({ agentId }, name) => memory.get({ agentId, userId: undefined }, name),
      put: ({ agentId }, ...given) => memory.put({ agentId, userId: undefined }, ...given),
      delete: ({ agentId }, name) => memory.delete({ agentId, userId: undefined }, name),
      names: ({ agentId }) => memory.names({ agentId, userId: undefined }),
    },
  }),
  'customTools: a stored definition is read back unchanged, with its environment': ({ customTools }) => ({
    customTools: { ...customTools, put: ({ env: _, ...tool }, how) => customTools.put(tool, how) },
  }),
  'customTools: a tool of one agent and a tool for all agents can have the same name': ({ customTools }) => ({
    customTools: {
      ...customTools,
      list: async (owner) => [...(await customTools.list({})), ...(await customTools.list(owner))],
    },
  }),
  'customTools: a change makes a new version, and fails if another version was expected': ({ customTools }) => ({
    customTools: { ...customTools, put: (tool, { id } = {}) => customTools.put(tool, { id }) },
  }),
  'customTools: the version of the store changes with each change, and only then': ({ customTools }) => ({
    customTools: { ...customTools, version: async () => String((await customTools.list({})).length) },
  }),
  'contextFiles: a change fails with file_changed if another version was expected': ({ contextFiles }) => ({
    contextFiles: { ...calling(contextFiles), put: (owner, name, bytes) => contextFiles.put(owner, name, bytes) },
  }),
  'contextFiles: only one of several simultaneous changes that expect the same version succeeds': ({
    contextFiles,
  }) => ({
    contextFiles: {
      ...calling(contextFiles),
      put: async (owner, name, bytes, condition) => {
        if (((await contextFiles.get(owner, name))?.version ?? null) !== condition?.expected) throw new Error('other');
        return await contextFiles.put(owner, name, bytes);
      },
    },
  }),
  'deadLetters: only one of several simultaneous redrives returns the call': ({ deadLetters }) => ({
    deadLetters: {
      ...deadLetters,
      redrive: async (id) => {
        const [found] = await deadLetters.list();
        await deadLetters.drop(id);
        return found?.call;
      },
    },
  }),
  'deadLetters: an incomplete dead letter stays until it is dropped': ({ deadLetters }) => ({
    deadLetters: { ...deadLetters, redrive: async () => (await deadLetters.list())[0]?.call },
  }),
  'config: settings are separate for each agent and user, and shared by their sessions': ({ config }) => ({
    config: {
      ...config,
      get: (name, scope) => config.get(scope.caller.sessionId + name, scope),
      set: (name, value, scope) => config.set(scope.caller.sessionId + name, value, scope),
    },
  }),
  'audit: entries are listed newest first, page by page': ({ audit }) => ({
    audit: { ...audit, list: async ({ before: _, ...page } = {}) => await audit.list(page) },
  }),
};

table(Object.keys(faults))('a fault is detected by %s', async (name) => {
  const found = managedStoresConformance.find((one) => one.name === name);
  const stores = memoryStores({ box });
  await expect(found?.run(() => ({ stores: { ...stores, ...faults[name]?.(stores) } }))).rejects.toThrow();
});
