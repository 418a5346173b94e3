import { strict as assert } from 'node:assert';
import type { CallScope } from '../core/context.js';
import { memoryStore } from '../files/store/context-and-memory.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { CustomToolStore } from '../ports/custom-tool-store.js';
import type { DeadLetter, SharedDeadLetters } from '../ports/dead-letters.js';
import type { DocumentOwner, DocumentTable } from '../ports/file-store.js';
import type { McpGrantStore } from '../ports/mcp-grant-store.js';
import type { ConfigStore } from '../ports/planning/config-store.js';
import type { TaskBoard } from '../ports/planning/task-board.js';
import type { TodoStore } from '../ports/planning/todo-store.js';
import type { SuspensionStore } from '../ports/suspension-store.js';
import { customToolsConformance } from './custom-tool-store.js';
import { refuses } from './file-system-trial.js';
import { type ConformanceCase, conformanceKit, type Disposable, newScope, same } from './kit.js';
import { mcpGrantsConformance } from './mcp-grant-store.js';
import {
  deadLettersConformance,
  fileStoreConformance,
  suspensionStoreConformance,
  taskBoardConformance,
  todoStoreConformance,
} from './stores.js';

/** The stores of managed mode, all empty. */
export interface ManagedStoresSubject extends Disposable {
  readonly stores: {
    readonly contextFiles: DocumentTable;
    readonly memory: DocumentTable;
    /** Must be configured with an encryption key, because the cases store tools with environment variables. */
    readonly customTools: CustomToolStore;
    readonly mcp: McpGrantStore;
    readonly suspensions: SuspensionStore;
    readonly deadLetters: SharedDeadLetters;
    readonly todos: TodoStore;
    readonly tasks: TaskBoard;
    readonly config: ConfigStore;
    readonly audit: AuditLog;
  };
}

type Stores = ManagedStoresSubject['stores'];

/** Runs the cases of a kit on one of the stores; `what` precedes the name of each case. */
function part<Subject>(
  what: string,
  kit: readonly ConformanceCase<Subject & Disposable>[],
  subjectOf: (stores: Stores) => Subject,
): readonly ConformanceCase<ManagedStoresSubject>[] {
  return kit.map(({ name, run }) => ({
    name: `${what}: ${name}`,
    run: (make) =>
      run(async () => {
        const subject = await make();
        return { ...subjectOf(subject.stores), dispose: () => subject.dispose?.() };
      }),
  }));
}

const owners: readonly DocumentOwner[] = ['one', 'two', undefined].flatMap((agentId) =>
  ['ann', 'bob', undefined].map((userId) => ({ agentId, userId })),
);

const scopeOf = (caller: Omit<CallScope['caller'], 'sessionId'>, sessionId?: string): CallScope => {
  const scope = newScope(sessionId);
  return { ...scope, caller: { ...scope.caller, ...caller } };
};

const textOf = async (table: DocumentTable, owner: DocumentOwner, name: string) =>
  Buffer.from((await table.get(owner, name))?.bytes ?? []).toString();

const documentCases = (which: 'contextFiles' | 'memory') =>
  conformanceKit<ManagedStoresSubject>({
    [`${which}: documents of the same name are separate for each agent and each user`]: async ({ stores }) => {
      const table = stores[which];
      await Promise.all(owners.map((owner) => table.put(owner, 'a.md', Buffer.from(JSON.stringify(owner)))));
      for (const owner of owners) {
        assert.equal(await textOf(table, owner, 'a.md'), JSON.stringify(owner));
        same(await table.names(owner), ['a.md']);
      }
      for (const [at, owner] of owners.entries()) {
        assert.equal(await table.delete(owner, 'a.md'), true);
        const left = await Promise.all(owners.map((one) => table.names(one)));
        assert.equal(left.flat().length, owners.length - at - 1);
      }
    },
    [`${which}: a change fails with file_changed if another version was expected`]: async ({ stores }) => {
      const table = stores[which];
      for (const owner of owners) {
        await refuses(table.put(owner, 'a', Buffer.from('0'), { expected: 'none' }), 'file_changed');
        await table.put(owner, 'a', Buffer.from('1'), { expected: null });
        await refuses(table.put(owner, 'a', Buffer.from('2'), { expected: null }), 'file_changed');
        const expected = (await table.get(owner, 'a'))?.version ?? '';
        const version = await table.put(owner, 'a', Buffer.from('3'), { expected });
        await refuses(table.put(owner, 'a', Buffer.from('4'), { expected }), 'file_changed');
        await refuses(table.delete(owner, 'a', { expected }), 'file_changed');
        assert.equal(await textOf(table, owner, 'a'), '3');
        same([await table.delete(owner, 'a', { expected: version }), await table.delete(owner, 'a')], [true, false]);
      }
    },
    [`${which}: only one of several simultaneous changes that expect the same version succeeds`]: async ({
      stores,
    }) => {
      const table = stores[which];
      const [owner = { agentId: undefined, userId: undefined }] = owners;
      for (let expected: string | null = null, round = 0; round < 3; round++) {
        const puts = Array.from({ length: 6 }, (_, at) => table.put(owner, 'a', Buffer.from(`${at}`), { expected }));
        const made = (await Promise.allSettled(puts)).flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
        assert.equal(`${made}`, await textOf(table, owner, 'a'));
        expected = (await table.get(owner, 'a'))?.version ?? null;
      }
    },
  });

const letter: DeadLetter = {
  id: 'one',
  call: { id: 'call_1', name: 'T', input: { text: '\0' } },
  error: { code: 'execution_failed', message: 'no' },
  attempts: 1,
  at: '2026-01-01T00:00:00.000Z',
};

/** The requirements of managed mode for its stores. The cases take several seconds if the stores use a database. */
export const managedStoresConformance: readonly ConformanceCase<ManagedStoresSubject>[] = [
  ...part('contextFiles', fileStoreConformance, ({ contextFiles }) => ({ store: memoryStore(contextFiles) })),
  ...part('memory', fileStoreConformance, ({ memory }) => ({ store: memoryStore(memory) })),
  ...part('customTools', customToolsConformance, ({ customTools }) => ({ customTools })),
  ...part('mcp', mcpGrantsConformance, ({ mcp }) => ({ mcp })),
  ...part('suspensions', suspensionStoreConformance, ({ suspensions }) => ({ store: suspensions })),
  ...part('deadLetters', deadLettersConformance, (stores) => {
    const letters = stores.deadLetters;
    return { letters, kept: () => letters.list() };
  }),
  ...part('todos', todoStoreConformance, ({ todos }) => ({ todos })),
  ...part('tasks', taskBoardConformance, ({ tasks }) => ({ board: tasks })),
  ...documentCases('contextFiles'),
  ...documentCases('memory'),
  ...conformanceKit<ManagedStoresSubject>({
    'deadLetters: only one of several simultaneous redrives returns the call': async (
      { stores: { deadLetters } },
      scope,
    ) => {
      await deadLetters.add(letter, scope);
      const calls = await Promise.all(Array.from({ length: 6 }, async () => await deadLetters.redrive('one')));
      const got = calls.filter((call) => call !== undefined);
      same([got, await deadLetters.list()], [[letter.call], []]);
    },
    'deadLetters: an incomplete dead letter stays until it is dropped': async ({ stores: { deadLetters } }, scope) => {
      await deadLetters.add({ ...letter, isWhole: false }, scope);
      assert.equal(await deadLetters.redrive('one'), undefined);
      assert.equal((await deadLetters.list()).length, 1);
      same([await deadLetters.drop('one'), await deadLetters.drop('one')], [true, false]);
    },
    'deadLetters: a dead letter replaces an earlier one with its id': async ({ stores: { deadLetters } }, scope) => {
      for (const id of ['one', 'two']) await deadLetters.add({ ...letter, id }, scope);
      await deadLetters.add({ ...letter, attempts: 2 }, scope);
      const kept = (await deadLetters.list()).map(({ id, attempts }) => `${id} ${attempts}`);
      same(kept, ['two 1', 'one 2']);
    },
    'todos: every text is kept unchanged': async ({ stores: { todos } }, scope) => {
      const list = [{ content: '\0\ud800 \u{1f680}', activeForm: "'", status: 'pending' }] as const;
      await todos.set(list, scope);
      same(await todos.get(scope), list);
    },
    'tasks: tasks that are created simultaneously get different numbers': async ({ stores: { tasks } }, scope) => {
      const task = { subject: 'Build', description: '' };
      const made = await Promise.all(Array.from({ length: 6 }, async () => await tasks.create(task, scope)));
      same(made.map(({ id }) => id).sort(), ['1', '2', '3', '4', '5', '6']);
      assert.equal((await tasks.list(scope)).length, 6);
    },
    'config: settings are separate for each agent and user, and shared by their sessions': async ({
      stores: { config },
    }) => {
      for (const owner of owners) await config.set('a', JSON.stringify(owner), scopeOf(defined(owner)));
      for (const owner of owners)
        assert.equal(await config.get('a', scopeOf(defined(owner), 'another')), JSON.stringify(owner));
      for (const [at, owner] of owners.entries()) {
        await config.reset('a', scopeOf(defined(owner)));
        const left = await Promise.all(owners.map(async (one) => await config.get('a', scopeOf(defined(one)))));
        assert.equal(left.filter((value) => value !== undefined).length, owners.length - at - 1);
      }
    },
    'config: a value keeps its type and replaces the old one': async ({ stores: { config } }, scope) => {
      for (const value of ['1', 1, true, false, 0, ''] as const) {
        await config.set('a', value, scope);
        assert.equal(await config.get('a', scope), value);
      }
    },
    'audit: entries are listed newest first, page by page': async ({ stores: { audit } }) => {
      const entries = ['a', 'b', 'c'].map((object) => ({ actor: 'ann', action: 'tool.put', object }));
      for (const entry of entries) await audit.append({ ...entry, details: { text: '\0', of: [entry.object] } });
      await audit.append({ actor: 'bob', action: 'tool.remove', object: 'a' });
      const [newest, ...older] = await audit.list({ limit: 3 });
      assert.ok(newest !== undefined && !('details' in newest) && !Number.isNaN(Date.parse(newest.at)));
      same([newest.actor, ...older.map(({ object }) => object)], ['bob', 'c', 'b']);
      const rest = await audit.list({ before: older[1]?.id ?? '' });
      const left = rest.map(({ id: _, at: __, ...entry }) => entry);
      same(left, [{ ...entries[0], details: { text: '\0', of: ['a'] } }]);
      for (const before of ['none', '00000000-0000-4000-8000-000000000000']) same(await audit.list({ before }), []);
    },
  }),
];

/** A caller without undefined fields. */
function defined({ agentId, userId }: DocumentOwner): Omit<CallScope['caller'], 'sessionId'> {
  return { ...(agentId === undefined ? {} : { agentId }), ...(userId === undefined ? {} : { userId }) };
}
