import type { ManagedStoresSubject } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { planningNumbers } from '../../src/core/fixed-limits.js';
import { contextStore, memoryStore } from '../../src/files/store/context-and-memory.js';
import { StoreFiles } from '../../src/files/store/file-system.js';
import type { FileStore } from '../../src/ports/file-store.js';
import type { ContentChange } from '../../src/ports/file-system.js';
import { callScope } from './call-scope.js';

type Stores = ManagedStoresSubject['stores'];

const unknownId = '00000000-0000-4000-8000-000000000000';
const config = { command: 'mcp-notes', args: ['--all'], toolDeny: ['drop'] } as const;
const tool = { name: 'a', description: 'd', parameters: { type: 'object' }, command: 'echo {{.b}}' } as const;

/** Cases for the stores of this package beyond the conformance kit: messages, limits, and files over the stores. */
export function ownStoreTests(emptyStores: () => Promise<Stores> | Stores): void {
  test('files: simultaneous changes of two processes are both kept', async () => {
    const { contextFiles, memory } = await emptyStores();
    const scope = callScope({ caller: { sessionId: 's', agentId: 'one', userId: 'ann' } });
    const ofAgent = { agentId: 'one', userId: undefined };
    for (const name of ['SOUL.md', 'BOOTSTRAP.md']) {
      await contextFiles.put(ofAgent, name, Buffer.from('agent'));
      const store = contextStore(contextFiles, () => 'open');
      if (name === 'BOOTSTRAP.md') await store.write(name, Buffer.of(), scope);
      const begin = name === 'BOOTSTRAP.md' ? '' : 'agent';
      expect(await appendedByTwo(store, name, scope)).toBe(`${begin}++++++++++`);
      expect(Buffer.from((await contextFiles.get(ofAgent, name))?.bytes ?? []).toString()).toBe('agent');
    }
    expect(await appendedByTwo(memoryStore(memory), 'memory/a.txt', scope)).toBe('++++++++++');
  });

  test('config: the number of settings of an owner is limited', async () => {
    const { config } = await emptyStores();
    const scope = callScope();
    for (let at = 0; at < planningNumbers.maxSettings; at++) await config.set(`s${at}`, at, scope);
    await expect((async () => config.set('more', 1, scope))()).rejects.toMatchObject({ code: 'limit_reached' });
    await config.set('s0', 'another', scope);
    expect([await config.get('s0', scope), await config.get('more', scope)]).toEqual(['another', undefined]);
  });

  test('customTools: an invalid definition is refused and changes nothing', async () => {
    const { customTools } = await emptyStores();
    await expect(customTools.put({ ...tool, name: '1st' })).rejects.toThrow(/name takes/);
    await expect(customTools.put({ ...tool, command: 'sh -c "{{.b}}"' })).rejects.toThrow(TypeError);
    expect(await customTools.list({})).toEqual([]);
  });

  test('mcp: an invalid value is refused with the name of its field and changes nothing', async () => {
    const { mcp } = await emptyStores();
    const server = (await mcp.putServer({ name: 'notes', config })).id;
    const version = await mcp.version();
    const mistakes: readonly (readonly [RegExp, () => Promise<unknown>])[] = [
      [/name takes/, () => mcp.putServer({ name: 'my notes', config })],
      [/comand/, () => mcp.putServer({ name: 'a', config: { comand: 'x' } as never })],
      [/either command or url/, () => mcp.putServer({ name: 'a', config: {} })],
      [/config takes no source/, () => mcp.putServer({ name: 'a', config: { ...config, source: 'x' } as never })],
      [/toolAllow takes/, () => mcp.grantAgent(server, 'one', { toolAllow: 'x' as never })],
      [/subject takes/, () => mcp.grantUser(server, '')],
      [/command/, () => mcp.grantAgent(server, 'one', { configOverrides: { command: 'sh' } as never })],
      [/args takes/, () => mcp.grantAgent(server, 'one', { configOverrides: { args: [1] as never } })],
      [/configOverrides/, () => mcp.grantUser(server, 'ann', { configOverrides: {} } as never)],
      [/scope takes/, () => mcp.createRequest({ server, scope: 'all' as never, subject: 'a', requestedBy: 'a' })],
      [/decision takes/, () => mcp.reviewRequest(unknownId, 'approved' as never, { by: 'a' })],
      [/pass by/, () => mcp.reviewRequest(unknownId, 'approve', {} as never)],
      [/requestedBy/, () => mcp.createRequest({ server, scope: 'user', subject: 'a' } as never)],
    ];
    for (const [message, attempt] of mistakes)
      await expect(attempt()).rejects.toMatchObject({ name: 'TypeError', message: expect.stringMatching(message) });
    const refused = { code: 'invalid_input' };
    for (const none of [unknownId, 'none']) {
      await expect(mcp.grantAgent(none, 'one')).rejects.toMatchObject(refused);
      const asked = { server: none, scope: 'user', subject: 'a', requestedBy: 'a' } as const;
      await expect(mcp.createRequest(asked)).rejects.toMatchObject(refused);
    }
    expect([await mcp.version(), (await mcp.listServers()).length, await mcp.listRequests()]).toEqual([version, 1, []]);
  });
}

/** The text of a file to which two processes repeatedly append at the same time. */
async function appendedByTwo(store: FileStore, name: string, scope: ReturnType<typeof callScope>): Promise<string> {
  const processes = [1, 2].map(() => new StoreFiles({ root: '/kept', store }));
  const add: ContentChange = async (before) => ({ slices: [(await before?.bytes()) ?? Buffer.of(), Buffer.from('+')] });
  for (let round = 0; round < 5; round++)
    await Promise.all(processes.map((files) => files.update(`/kept/${name}`, add, scope)));
  for (const files of processes) await files[Symbol.asyncDispose]();
  return Buffer.from((await store.read(name, scope))?.bytes ?? []).toString();
}
