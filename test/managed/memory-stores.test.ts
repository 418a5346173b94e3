import { memoryStores } from 'toolwright/managed';
import { type ManagedStoresSubject, managedStoresConformance } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { table } from '../support/each-row.js';

test.each(managedStoresConformance)('$name', ({ run }) => run(() => ({ stores: memoryStores() })));

type Stores = ManagedStoresSubject['stores'];

const calling = (table: Stores['memory']): Stores['memory'] => ({
  get: (...given) => table.get(...given),
  put: (...given) => table.put(...given),
  delete: (...given) => table.delete(...given),
  names: (...given) => table.names(...given),
});

/** Stores with one fault each, by the case that must notice it. */
const faults: Readonly<Record<string, (stores: Stores) => Partial<Stores>>> = {
  'memory: agents, and users of each, have their own under one name': ({ memory }) => ({
    memory: {
      get: ({ agentId }, name) => memory.get({ agentId, userId: undefined }, name),
      put: ({ agentId }, ...given) => memory.put({ agentId, userId: undefined }, ...given),
      delete: ({ agentId }, name) => memory.delete({ agentId, userId: undefined }, name),
      names: ({ agentId }) => memory.names({ agentId, userId: undefined }),
    },
  }),
  'contextFiles: a change of another version than the one expected is file_changed': ({ contextFiles }) => ({
    contextFiles: { ...calling(contextFiles), put: (owner, name, bytes) => contextFiles.put(owner, name, bytes) },
  }),
  'contextFiles: of changes at once that expect the same version, one is made': ({ contextFiles }) => ({
    contextFiles: {
      ...calling(contextFiles),
      put: async (owner, name, bytes, condition) => {
        if (((await contextFiles.get(owner, name))?.version ?? null) !== condition?.expected) throw new Error('other');
        await contextFiles.put(owner, name, bytes);
      },
    },
  }),
  'deadLetters: of many who run one again, one has its call': ({ deadLetters }) => ({
    deadLetters: {
      ...deadLetters,
      redrive: async (id) => {
        const [found] = await deadLetters.list();
        await deadLetters.drop(id);
        return found?.call;
      },
    },
  }),
  'deadLetters: one that is not whole stays until it is dropped': ({ deadLetters }) => ({
    deadLetters: { ...deadLetters, redrive: async () => (await deadLetters.list())[0]?.call },
  }),
  'config: agents, and users of each, have their own, in every session': ({ config }) => ({
    config: {
      ...config,
      get: (name, scope) => config.get(scope.caller.sessionId + name, scope),
      set: (name, value, scope) => config.set(scope.caller.sessionId + name, value, scope),
    },
  }),
  'audit: what was done is told newest first, page by page': ({ audit }) => ({
    audit: { ...audit, list: async ({ before: _, ...page } = {}) => await audit.list(page) },
  }),
};

table(Object.keys(faults))('a fault is noticed by %s', async (name) => {
  const found = managedStoresConformance.find((one) => one.name === name);
  const stores = memoryStores();
  await expect(found?.run(() => ({ stores: { ...stores, ...faults[name]?.(stores) } }))).rejects.toThrow();
});
