import { strict as assert } from 'node:assert';
import type { McpFingerprints } from '../mcp/lists/fingerprint-stores.js';
import type { DeadLetter, DeadLetters } from '../ports/dead-letters.js';
import type { FileStore } from '../ports/file-store.js';
import type { ConfigStore, SettingValue } from '../ports/planning/config-store.js';
import type { TaskBoard } from '../ports/planning/task-board.js';
import type { TodoStore } from '../ports/planning/todo-store.js';
import type { SuspensionStore } from '../ports/suspension-store.js';
import { refuses } from './file-system-trial.js';
import { conformanceKit, type Disposable, newScope, same, within } from './kit.js';

const bytes = (text: string) => Buffer.from(text);

/** The requirements of mounts and memory for a file store. Each case gets an empty store. */
export const fileStoreConformance = conformanceKit<Disposable & { readonly store: FileStore }>({
  'a document is read as it was written': async ({ store }, scope) => {
    await store.write('a/b.txt', bytes('ü\0'), scope);
    same(Buffer.from((await store.read('a/b.txt', scope))?.bytes ?? []), bytes('ü\0'));
  },
  'reading a missing document returns undefined, and removing it returns false': async ({ store }, scope) => {
    assert.equal(await store.read('none', scope), undefined);
    assert.equal(await store.remove('none', scope), false);
  },
  'the version changes with the content': async ({ store }, scope) => {
    await store.write('a', bytes('1'), scope);
    const first = await store.read('a', scope);
    await store.write('a', bytes('2'), scope);
    const second = await store.read('a', scope);
    assert.notEqual(first?.version, second?.version);
    assert.ok((second?.mtimeMs ?? 0) >= (first?.mtimeMs ?? 0));
  },
  'names lists exactly the stored documents': async ({ store }, scope) => {
    for (const name of ['b', 'a/c', 'd']) await store.write(name, bytes('x'), scope);
    assert.equal(await store.remove('d', scope), true);
    same([...(await store.names(scope))].sort(), ['a/c', 'b']);
  },
  'the store keeps a copy of the written bytes': async ({ store }, scope) => {
    const written = bytes('one');
    await store.write('a', written, scope);
    written.fill(0);
    assert.equal(Buffer.from((await store.read('a', scope))?.bytes ?? []).toString(), 'one');
  },
});

const todo = { content: 'Do it', activeForm: 'Doing it', status: 'pending' } as const;

/** The requirements of TodoWrite for a todo store. Each case gets an empty store. */
export const todoStoreConformance = conformanceKit<Disposable & { readonly todos: TodoStore }>({
  'the list is empty at first': async ({ todos }, scope) => {
    same(await todos.get(scope), []);
  },
  'a list replaces the old one': async ({ todos }, scope) => {
    await todos.set([todo, { ...todo, content: 'Two' }], scope);
    await todos.set([{ ...todo, status: 'completed' }], scope);
    same(await todos.get(scope), [{ ...todo, status: 'completed' }]);
  },
  'each session and each agent has its own list': async ({ todos }, scope) => {
    await todos.set([todo], scope);
    same(await todos.get(newScope('other')), []);
    same(await todos.get({ ...scope, caller: { ...scope.caller, agentId: 'a' } }), []);
  },
  'the end of a session deletes only its own lists': async ({ todos }, scope) => {
    await todos.set([todo], scope);
    await todos.set([todo], newScope('other'));
    todos.endSession?.('other');
    same(await todos.get(scope), [todo]);
    if (todos.endSession !== undefined) same(await todos.get(newScope('other')), []);
  },
});

const task = { subject: 'Build', description: 'Build it' };

/** The requirements of the task tools for a task board. Each case gets an empty board. */
export const taskBoardConformance = conformanceKit<Disposable & { readonly board: TaskBoard }>({
  'tasks are numbered, and listed in order': async ({ board }, scope) => {
    for (let at = 0; at < 11; at++) await board.create(task, scope);
    const ids = (await board.list(scope)).map(({ id }) => id);
    same(ids, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
  },
  'a new task is pending and has no dependencies': async ({ board }, scope) => {
    const { id, status, blocks, blockedBy, subject } = await board.create(task, scope);
    same({ status, blocks, blockedBy, subject }, { status: 'pending', blocks: [], blockedBy: [], subject: 'Build' });
    assert.equal((await board.get(id, scope))?.description, 'Build it');
    assert.equal(await board.get('99', scope), undefined);
  },
  'a dependency is stored in both tasks': async ({ board }, scope) => {
    const [first, second] = [await board.create(task, scope), await board.create(task, scope)];
    await board.update(second.id, { addBlockedBy: [first.id] }, scope);
    same((await board.get(first.id, scope))?.blocks, [second.id]);
    same((await board.get(second.id, scope))?.blockedBy, [first.id]);
  },
  'a circular dependency is refused and changes nothing': async ({ board }, scope) => {
    const [first, second] = [await board.create(task, scope), await board.create(task, scope)];
    await board.update(second.id, { addBlockedBy: [first.id] }, scope);
    const change = { subject: 'Other', addBlockedBy: [second.id] };
    await refuses(() => board.update(first.id, change, scope), 'invalid_input');
    same((await board.get(first.id, scope))?.subject, 'Build');
  },
  'a task that waits for another cannot be started': async ({ board }, scope) => {
    const [first, second] = [await board.create(task, scope), await board.create(task, scope)];
    await board.update(second.id, { addBlockedBy: [first.id] }, scope);
    await refuses(() => board.update(second.id, { status: 'in_progress' }, scope), 'invalid_input');
    await board.update(first.id, { status: 'completed' }, scope);
    assert.equal((await board.update(second.id, { status: 'in_progress' }, scope)).status, 'in_progress');
  },
  'metadata is merged, and null removes a key': async ({ board }, scope) => {
    const { id } = await board.create({ ...task, metadata: { a: 1, b: 2 } }, scope);
    await board.update(id, { metadata: { a: null, c: 3 } }, scope);
    same((await board.get(id, scope))?.metadata, { b: 2, c: 3 });
  },
  'a deleted task is gone, and its number is not reused': async ({ board }, scope) => {
    const { id } = await board.create(task, scope);
    await board.update(id, { status: 'deleted' }, scope);
    assert.equal(await board.get(id, scope), undefined);
    assert.notEqual((await board.create(task, scope)).id, id);
  },
  'an unknown task is refused': async ({ board }, scope) => {
    await refuses(() => board.update('99', { subject: 'x' }, scope), 'invalid_input');
  },
  'each session has its own tasks': async ({ board }, scope) => {
    await board.create(task, scope);
    same(await board.list(newScope('other')), []);
  },
});

/** A store, the name of a writable setting, and two valid values for the setting. */
export interface ConfigStoreSubject extends Disposable {
  readonly config: ConfigStore;
  readonly setting: string;
  readonly values: readonly [SettingValue, SettingValue];
}

/** The requirements of the tool Config for a store of settings. */
export const configStoreConformance = conformanceKit<ConfigStoreSubject>({
  'a setting is described': async ({ config, setting }) => {
    const found = (await config.describe()).find(({ name }) => name === setting);
    assert.ok(found !== undefined && found.description !== '' && found.readOnly !== true);
  },
  'a setting keeps its value until it is reset': async ({ config, setting, values: [one, two] }, scope) => {
    const before = await config.get(setting, scope);
    for (const value of [one, two]) {
      await config.set(setting, value, scope);
      assert.equal(await config.get(setting, scope), value);
    }
    await config.reset(setting, scope);
    assert.equal(await config.get(setting, scope), before);
  },
  'an unknown setting is refused': async ({ config }, scope) => {
    await assert.rejects(async () => await config.get('no.such.setting', scope));
    await assert.rejects(async () => await config.set('no.such.setting', 1, scope));
  },
});

const letter: DeadLetter = {
  id: 'one',
  call: { id: 'call_1', name: 'T', input: { a: 1 } },
  error: { code: 'execution_failed', message: 'Error: no' },
  attempts: 2,
  at: '2026-01-01T00:00:00.000Z',
};

/** Dead letters, and a function that lists the stored dead letters, oldest first. */
export interface DeadLettersSubject extends Disposable {
  readonly letters: DeadLetters;
  kept(): Promise<readonly DeadLetter[]> | readonly DeadLetter[];
}

/** The requirements of the pipeline for a store of dead letters. Each case gets an empty store. */
export const deadLettersConformance = conformanceKit<DeadLettersSubject>({
  'dead letters are kept unchanged and in order': async ({ letters, kept }, scope) => {
    await letters.add(letter, scope);
    await letters.add({ ...letter, id: 'two', isWhole: false }, scope);
    same(JSON.parse(JSON.stringify(await kept())), [letter, { ...letter, id: 'two', isWhole: false }]);
  },
});

/** The requirements of the MCP client for a fingerprint store. Each case gets an empty store. */
export const fingerprintsConformance = conformanceKit<Disposable & { readonly fingerprints: McpFingerprints }>({
  'an unknown server has no fingerprints': async ({ fingerprints }) => {
    assert.equal(await fingerprints.get('docs'), undefined);
  },
  'fingerprints are stored and replaced as a whole, for each server': async ({ fingerprints }) => {
    const prints = new Map([
      ['find', '1'],
      ['__proto__', '2'],
    ]);
    await fingerprints.set('docs', prints);
    await fingerprints.set('other', new Map());
    prints.set('late', '3');
    const stored = await fingerprints.get('docs');
    same([stored?.size, stored?.get('find'), stored?.get('__proto__')], [2, '1', '2']);
    await fingerprints.set('docs', new Map([['find', '9']]));
    same([...((await fingerprints.get('docs')) ?? [])], [['find', '9']]);
    assert.equal((await fingerprints.get('other'))?.size, 0);
  },
});

const result = { callId: 'call_1', name: 'T', ok: true, output: 'fine', durationMs: 1 } as const;

/** The requirements of suspended turns for a suspension store. Each case gets an empty store. */
export const suspensionStoreConformance = conformanceKit<Disposable & { readonly store: SuspensionStore }>({
  'the first claim returns "new", and later claims return the settled result': async ({ store }, scope) => {
    assert.equal(await store.claim('turn', 'call_1', scope), 'new');
    await store.settle('turn', 'call_1', result, scope);
    for (let again = 0; again < 2; again++) same(await store.claim('turn', 'call_1', scope), result);
  },
  'exactly one of several simultaneous claims returns "new"': async ({ store }, scope) => {
    const claims = Array.from({ length: 8 }, () => store.claim('turn', 'call_1', scope));
    const first = await Promise.race(claims);
    await store.settle('turn', 'call_1', result, scope);
    const all = await Promise.all(claims);
    same([first, all.filter((one) => one === 'new').length], ['new', 1]);
  },
  'claims of different turns or calls are independent': async ({ store }, scope) => {
    for (const id of ['turn a', 'turn b', 'other a', 'tur na']) {
      const [turn = '', call = ''] = id.split(' ');
      assert.equal(
        await within(store.claim(turn, call, scope), 'a separate call must be claimed without waiting', 1_000),
        'new',
      );
    }
  },
  'a call that has to wait once more for an answer is stored as waiting': async ({ store }, scope) => {
    await store.claim('turn', 'call_1', scope);
    await store.settle('turn', 'call_1', { waits: { id: 'q' } }, scope);
    same(await store.claim('turn', 'call_1', scope), { waits: { id: 'q' } });
  },
});
