import { strict as assert } from 'node:assert';
import { createToolkit, type ToolEvent } from 'toolwright';
import {
  type ChangeBus,
  customTools,
  type ManagedStores,
  managedFiles,
  memoryIndex,
  memoryTools,
} from 'toolwright/managed';
import { memoryFiles, scriptedShell } from 'toolwright/testing';
import { RandomSource } from './random-tree.js';
import { seed } from './runs.js';

/** The empty stores of an installation. */
export interface IsolatedStores {
  readonly stores: ManagedStores;
  readonly bus: ChangeBus;
}

interface Who {
  readonly sessionId: string;
  readonly agentId: string;
  readonly userId: string;
}

const root = '/workspace';
const callers: readonly Who[] = ['open', 'predefined'].flatMap((agentId) =>
  ['ann', 'bob'].map((userId) => ({ sessionId: `${agentId}-${userId}`, agentId, userId })),
);
const fileNames = ['SOUL.md', 'USER.md', 'MEMORY.md', 'memory/a.md', 'memory/b.md'];
const toolNames = ['greet', 'part', 'sing'];
const serverNames = ['files', 'notes'];

/**
 * Random simultaneous calls of two agents and two users of one toolkit: they write, edit, read and search files and
 * memory, and call tools. Tools and grants of MCP servers are added, changed and removed. Fails if a result or event of
 * one caller contains a word of another, or if a caller does not see its own data at the end of a round.
 */
export async function isolationHolds({ stores, bus }: IsolatedStores, rounds: number): Promise<void> {
  const random = new RandomSource(seed);
  const oneOf = <Value>(values: readonly Value[]): Value => values[random.below(values.length)] as Value;
  /** The callers that may see a word. */
  const readers = new Map<string, (who: Who) => boolean>();
  const word = (isFor: (who: Who) => boolean) => {
    const made = `w${readers.size}x`;
    readers.set(made, isFor);
    return made;
  };
  const heard = (who: Who, what: string, said: unknown) => {
    for (const [found] of JSON.stringify(said ?? null).matchAll(/w\d+x/g))
      assert.ok(readers.get(found)?.(who), `${who.sessionId} sees ${found}, which is another's, in ${what}`);
  };

  const index = memoryIndex({ stores });
  const tools = customTools({ store: stores.customTools, bus });
  await using toolkit = createToolkit({
    root,
    hosts: { files: memoryFiles({}), shell: scriptedShell(({ command }) => command) },
    permissions: 'bypassPermissions',
    mounts: managedFiles({ stores, kindOf: (agentId) => (agentId === 'open' ? 'open' : 'predefined'), index }),
    registryFor: tools.registryFor,
    onEvent: (event: ToolEvent, caller) => {
      const who = callers.find(({ sessionId }) => sessionId === caller?.sessionId);
      if (who !== undefined) heard(who, event.type, event);
      assert.notEqual(event.type, 'registry-warning', JSON.stringify(event));
    },
  });
  toolkit.registry.register(...memoryTools(index));
  const call = async (caller: Who, name: string, input: object) => {
    const result = await toolkit.call(name, input as never, { caller });
    heard(caller, name, { ...result, error: result.ok ? undefined : result.error.message });
    return result;
  };

  /** The content of files, by owner, and of tools. */
  const files = new Map<string, string>();
  const toolWords = new Map<string, string>();
  const fileOf = ({ agentId, userId }: Who, name: string) =>
    `${agentId}/${agentId === 'predefined' && name === 'SOUL.md' ? '' : userId}/${name}`;
  const shared = (who: Who, name: string) => (other: Who) => fileOf(other, name) === fileOf(who, name);

  const write = async (who: Who, name: string) => {
    const [key, path] = [fileOf(who, name), `${root}/${name}`];
    const [before, after] = [files.get(key), word(shared(who, name))];
    files.set(key, after);
    const input = { file_path: path, old_string: before, new_string: after };
    const result =
      before === undefined || random.next() < 0.5
        ? await call(who, 'Write', { file_path: path, content: `Note ${after} of it.\n` })
        : await call(who, 'Edit', input);
    assert.ok(result.ok, result.output);
  };
  const changeTool = async (agentId: string | null, name: string) => {
    const key = `${agentId}/${name}`;
    const known = (await stores.customTools.list({ agentId: agentId ?? undefined })).find(
      ({ definition }) => definition.name === name,
    );
    if (known !== undefined && random.next() < 0.3) {
      toolWords.delete(key);
      await stores.customTools.remove(known.id);
    } else {
      const made = word((who) => agentId === null || who.agentId === agentId);
      toolWords.set(key, made);
      const description = `Says ${made}.`;
      const parameters = { type: 'object' } as const;
      await stores.customTools.put({ name, description, parameters, command: `echo ${made}`, agent_id: agentId });
    }
    await bus.publish('cache:custom_tools');
  };
  const servers = await Promise.all(
    serverNames.map(async (name) => (await stores.mcp.putServer({ name, config: { command: name } })).id),
  );
  const grants = new Set<string>();
  const changeGrant = async (name: string, scope: 'agent' | 'user', subject: string) => {
    const [server = '', key] = [servers[serverNames.indexOf(name)], `${name}/${scope}/${subject}`];
    if (grants.delete(key)) {
      await stores.mcp[scope === 'agent' ? 'revokeAgent' : 'revokeUser'](server, subject);
      return;
    }
    const toolAllow = [word((who) => who[`${scope}Id`] === subject)];
    const { id } = await stores.mcp.createRequest({ server, scope, subject, toolAllow, requestedBy: subject });
    await stores.mcp.reviewRequest(id, 'approve', { by: 'admin' });
    grants.add(key);
  };
  const look = async (who: Who) => {
    const path = `${root}/${oneOf(fileNames)}`;
    const query = `w${random.below(readers.size)}x`;
    const deed = oneOf<() => Promise<unknown>>([
      () => call(who, 'Read', { file_path: path }),
      () => call(who, 'List', { path: oneOf([root, `${root}/memory`]) }),
      () => call(who, 'memory_search', { query }),
      () => call(who, 'memory_get', { path: oneOf(fileNames) }),
      () => call(who, oneOf(toolNames), {}),
      async () => heard(who, 'definitions', await toolkit.definitionsFor(who)),
    ]);
    await deed();
  };

  const seesItsOwn = async (who: Who) => {
    const accessible = await stores.mcp.listAccessible(who.agentId, who.userId);
    heard(who, 'servers', accessible);
    assert.deepEqual(
      accessible.map(({ name }) => name),
      serverNames.filter(
        (name) => grants.has(`${name}/agent/${who.agentId}`) && grants.has(`${name}/user/${who.userId}`),
      ),
    );
    for (const name of fileNames) {
      const kept = files.get(fileOf(who, name));
      const { ok, output } = await call(who, 'Read', { file_path: `${root}/${name}` });
      assert.deepEqual([ok, output.includes(kept ?? '')], [kept !== undefined, true], `${who.sessionId} ${name}`);
      if (kept === undefined || !name.toLowerCase().startsWith('memory')) continue;
      assert.match((await call(who, 'memory_search', { query: kept })).output, new RegExp(kept));
    }
    for (const name of toolNames) {
      const kept = toolWords.get(`${who.agentId}/${name}`) ?? toolWords.get(`null/${name}`);
      const { ok, output } = await call(who, name, {});
      assert.deepEqual([ok, output.includes(kept ?? 'unknown tool')], [kept !== undefined, true], name);
    }
    const offered = (await toolkit.definitionsFor(who)).filter(({ name }) => toolNames.includes(name));
    heard(who, 'definitions', offered);
    assert.equal(
      offered.length,
      toolNames.filter((name) => toolWords.has(`${who.agentId}/${name}`) || toolWords.has(`null/${name}`)).length,
    );
  };

  for (let round = 0; round < rounds; round++) {
    const taken = new Set<string>();
    // Two simultaneous changes of one entry may conflict, which this test ignores.
    const once = (key: string, deed: () => Promise<void>) => (taken.size < taken.add(key).size ? [deed()] : []);
    const deeds = Array.from({ length: 12 }, () => {
      const [who, name] = [oneOf(callers), oneOf(fileNames)];
      const chance = random.next();
      if (chance < 0.35) return once(fileOf(who, name), () => write(who, name));
      if (chance > 0.85) return [look(who)];
      if (chance > 0.65) {
        const [server, scope] = [oneOf(serverNames), oneOf(['agent', 'user'] as const)];
        const subject = who[`${scope}Id`];
        return once(`${server} ${scope} ${subject}`, () => changeGrant(server, scope, subject));
      }
      const [agentId, tool] = [oneOf([null, 'open', 'predefined']), oneOf(toolNames)];
      return chance < 0.55 ? once(`${agentId} ${tool}`, () => changeTool(agentId, tool)) : [look(who)];
    });
    await Promise.all(deeds.flat());
    // The notification may be delayed.
    await tools.reloadGlobal();
    await toolkit.endSession(oneOf(callers).sessionId);
    for (const who of callers) await seesItsOwn(who);
  }
  await tools[Symbol.asyncDispose]();
}
