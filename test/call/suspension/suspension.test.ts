import { createHmac } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SuspensionStore } from '../../../src/core.js';
import { fileSuspensions, memorySuspensions } from '../../../src/guards.js';
import {
  type AskAnswer,
  type Caller,
  createPermissions,
  createToolkit,
  type SuspendedRun,
  type ToolEvent,
  type ToolkitOptions,
} from '../../../src/index.js';
import { memoryFiles } from '../../../src/testing/index.js';
import { table } from '../../support/each-row.js';
import { suspensionSecret } from '../../support/suspension-world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { testToolkit } from '../../support/test-toolkit.js';

const caller: Caller = { sessionId: 's', userId: 'u' };

function workspace(more: Partial<ToolkitOptions> = {}) {
  const files = memoryFiles({ root: '/ws', files: { 'a.txt': 'a\n' } });
  const make = (again: Partial<ToolkitOptions> = {}) => {
    const hosts = { files, ...more.hosts, ...again.hosts };
    return testToolkit({ root: '/ws', suspensionSecret, ...more, ...again, hosts });
  };
  return { files, make, toolkit: make() };
}

const write = (id: string, path = `/ws/${id}.txt`) => ({ id, name: 'Write', input: { file_path: path, content: id } });
const read = (id: string, path: string) => ({ id, name: 'Read', input: { file_path: path } });

async function suspended(
  toolkit: ReturnType<typeof workspace>['toolkit'],
  ...calls: readonly object[]
): Promise<SuspendedRun> {
  const run = await toolkit.execute(calls as never, { approvals: 'suspend', caller });
  if (run.status !== 'suspended') throw new Error('nothing was asked');
  return run;
}

const all = (run: SuspendedRun, answer: AskAnswer) =>
  Object.fromEntries(run.questions.map(({ id }) => [id, answer] as const));
const codes = (results: SuspendedRun['results']) =>
  results.map((result) => (result === undefined ? 'waits' : result.ok ? 'ok' : result.error.code));

test('calls without a question run, and calls that conflict with a waiting call wait too', async () => {
  const { toolkit, files } = workspace();
  const run = await suspended(toolkit, write('new'), read('r', '/ws/a.txt'), read('late', '/ws/new.txt'));
  expect(codes(run.results)).toEqual(['waits', 'ok', 'waits']);
  expect(run.questions).toMatchObject([{ callId: 'new', tool: 'Write', title: 'Write new.txt', source: 'mode' }]);
  expect(JSON.parse(JSON.stringify(run.questions))).toEqual(run.questions);
  expect(files.text('/ws/new.txt')).toBeUndefined();
  const ended = await toolkit.resume(run.suspension, all(run, 'allow-once'));
  expect([ended.status, ...codes(ended.results)]).toEqual(['done', 'ok', 'ok', 'ok']);
  expect(ended.results[2]?.output).toContain('new');
});

test('a turn without questions is done at once', async () => {
  const run = await workspace().toolkit.execute([read('r', '/ws/a.txt')], { approvals: 'suspend' });
  expect([run.status, ...codes(run.results)]).toEqual(['done', 'ok']);
});

test('a denied call does not run, and its message reaches the model', async () => {
  const { toolkit, files } = workspace();
  const run = await suspended(toolkit, write('x'), write('y'));
  const [x, y] = run.questions;
  const ended = await toolkit.resume(run.suspension, {
    [x?.id ?? '']: { behavior: 'deny', message: 'Not this one.' },
    [y?.id ?? '']: 'allow-once',
  });
  expect(codes(ended.results)).toEqual(['permission_denied', 'ok']);
  expect(ended.results[0]?.output).toBe('Error: Not this one.');
  expect(files.paths()).toEqual(['/ws/a.txt', '/ws/y.txt']);
});

test('unanswered questions stay, with the settled results', async () => {
  const { toolkit } = workspace();
  const run = await suspended(toolkit, write('x'), write('y'));
  const next = await toolkit.resume(run.suspension, { [run.questions[1]?.id ?? '']: 'allow-once' });
  if (next.status !== 'suspended') throw new Error('it is done');
  expect(codes(next.results)).toEqual(['waits', 'ok']);
  expect(next.questions).toEqual([run.questions[0]]);
  const ended = await toolkit.resume(next.suspension, all(next, 'allow-once'));
  expect(codes(ended.results)).toEqual(['ok', 'ok']);
});

test('listeners get the question when it is asked, and the answer when the turn resumes', async () => {
  const heard: string[] = [];
  const onEvent = ({ type, ...rest }: ToolEvent) => {
    if ('callId' in rest) heard.push(`${type} ${rest.callId}`);
  };
  const { toolkit } = workspace({ onEvent });
  const run = await suspended(toolkit, write('x'), write('y'));
  expect(heard.splice(0)).toEqual(['permission-ask x', 'permission-ask y']);
  const [x, y] = run.questions;
  await toolkit.resume(run.suspension, { [x?.id ?? '']: 'deny', [y?.id ?? '']: 'allow-once' });
  const of = (id: string) => heard.filter((one) => one.endsWith(` ${id}`)).map((one) => one.split(' ')[0]);
  expect(of('x')).toEqual(['permission-decision', 'tool-refused', 'tool-result']);
  expect(of('y')).toEqual(['permission-decision', 'tool-start', 'tool-end', 'tool-result']);
});

test('"always" is remembered for the session that resumes', async () => {
  const { toolkit } = workspace();
  const run = await suspended(toolkit, write('x'));
  await toolkit.resume(run.suspension, all(run, 'allow-always'));
  const { results } = await toolkit.execute([write('x')], { caller });
  expect(codes(results)).toEqual(['ok']);
});

describe('rules that changed while suspended', () => {
  test('deny an allowed call', async () => {
    const permissions = createPermissions();
    const { toolkit, files } = workspace({ permissions });
    const run = await suspended(toolkit, write('x'));
    permissions.addRules({ deny: ['Edit(x.txt)'] });
    const { results } = await toolkit.resume(run.suspension, all(run, 'allow-once'));
    expect([codes(results), files.text('/ws/x.txt')]).toEqual([['permission_denied'], undefined]);
  });

  test('prevent "always" from being remembered if they deny the call', async () => {
    const onAsk = vi.fn(async (): Promise<AskAnswer> => {
      permissions.addRules({ deny: ['Edit(x.txt)'] });
      return 'allow-always';
    });
    const permissions = createPermissions({ onAsk });
    const { toolkit } = workspace({ permissions });
    for (const times of [1, 2]) {
      const { results } = await toolkit.execute([write('x')], { caller });
      expect([codes(results), onAsk.mock.calls.length]).toEqual([['permission_denied'], times]);
      permissions.removeRules({ deny: ['Edit(x.txt)'] });
    }
  });

  test('ask again if the question has changed', async () => {
    const permissions = createPermissions();
    const { toolkit, files } = workspace({ permissions });
    const run = await suspended(toolkit, write('x'));
    permissions.addRules({ ask: ['Write'] });
    const next = await toolkit.resume(run.suspension, all(run, 'allow-once'));
    if (next.status !== 'suspended') throw new Error('it was not put again');
    expect(next.questions[0]?.reason).toContain('The rule Write asks');
    expect(files.text('/ws/x.txt')).toBeUndefined();
    expect(codes((await toolkit.resume(next.suspension, all(next, 'allow-once'))).results)).toEqual(['ok']);
  });

  test('do not allow a call that a person denied', async () => {
    const permissions = createPermissions();
    const { toolkit } = workspace({ permissions });
    const run = await suspended(toolkit, write('x'));
    permissions.addRules({ allow: ['Write'] });
    expect(codes((await toolkit.resume(run.suspension, all(run, 'deny'))).results)).toEqual(['permission_denied']);
  });
});

test('an input in the answer is authorised again', async () => {
  const { toolkit, files } = workspace({ permissions: createPermissions({ deny: ['Edit(secret.txt)'] }) });
  const answer = (path: string): AskAnswer => ({ behavior: 'allow', updatedInput: write('z', path).input });
  const run = await suspended(toolkit, write('x'), write('y'));
  const [x, y] = run.questions;
  const ended = await toolkit.resume(run.suspension, {
    [x?.id ?? '']: answer('/ws/secret.txt'),
    [y?.id ?? '']: answer('/ws/other.txt'),
  });
  expect(codes(ended.results)).toEqual(['permission_denied', 'ok']);
  expect(files.paths()).toEqual(['/ws/a.txt', '/ws/other.txt']);
});

test('an aborted turn has no waiting calls, and can still be resumed', async () => {
  const { toolkit } = workspace();
  const run = await suspended(toolkit, write('x'));
  const stopped = await toolkit.resume(run.suspension, {}, { signal: AbortSignal.abort() });
  expect([stopped.status, ...codes(stopped.results)]).toEqual(['done', 'cancelled']);
  expect(codes((await toolkit.resume(run.suspension, all(run, 'allow-once'))).results)).toEqual(['ok']);
});

describe.each<[string, () => SuspensionStore]>([
  ['in memory', () => memorySuspensions()],
  ['in a folder', () => fileSuspensions(temporaryFolder())],
])('a store %s', (_name, make) => {
  test('runs each call once for any number of simultaneous resumes', async () => {
    const suspensions = make();
    const { toolkit, make: another } = workspace({ hosts: { suspensions } });
    const run = await suspended(toolkit, write('x'), write('y'));
    const resumes = [toolkit, another(), another()].map((one) => one.resume(run.suspension, all(run, 'allow-once')));
    const ended = await Promise.all(resumes);
    const outputs = ended.map(({ results }) => results.map((result) => result?.output));
    expect(outputs[0]?.every((output) => output?.startsWith('Created'))).toBe(true);
    expect(outputs).toEqual([outputs[0], outputs[0], outputs[0]]);
  });

  test('keeps the first answer', async () => {
    const { toolkit, files } = workspace({ hosts: { suspensions: make() } });
    const run = await suspended(toolkit, write('x'));
    await toolkit.resume(run.suspension, all(run, 'deny'));
    expect(codes((await toolkit.resume(run.suspension, all(run, 'allow-once'))).results)).toEqual([
      'permission_denied',
    ]);
    expect(files.text('/ws/x.txt')).toBeUndefined();
  });
});

table<[string, SuspensionStore]>([
  ['throws', { claim: () => Promise.reject(new Error('down')), settle: async () => {} }],
  ['answers nonsense', { claim: async () => 'yes' as never, settle: async () => {} }],
])('prevents all calls if it fails', async (_name, suspensions) => {
  const { toolkit, files } = workspace({ hosts: { suspensions } });
  const run = await suspended(toolkit, write('x'));
  const { results } = await toolkit.resume(run.suspension, all(run, 'allow-once'));
  expect(codes(results)).toEqual(['execution_failed']);
  expect(results[0]?.output).toContain('hosts.suspensions');
  expect(files.text('/ws/x.txt')).toBeUndefined();
});

test('a call that started and never settled is not repeated unless it is read-only', async () => {
  const suspensions: SuspensionStore = { claim: async () => 'claimed', settle: async () => {} };
  const permissions = createPermissions({ ask: ['Read'] });
  const { toolkit, files } = workspace({ hosts: { suspensions }, permissions });
  const run = await suspended(toolkit, write('x'), read('r', '/ws/a.txt'));
  const { results } = await toolkit.resume(run.suspension, all(run, 'allow-once'));
  expect(codes(results)).toEqual(['interrupted', 'ok']);
  expect(results[0]?.output).toContain('The call may have run');
  expect(files.text('/ws/x.txt')).toBeUndefined();
});

test('a claim that waits ends when its turn is dropped for newer ones', async () => {
  const store = memorySuspensions();
  const scope = { caller: { sessionId: 's' }, signal: new AbortController().signal };
  expect(await store.claim('old', 'c', scope)).toBe('new');
  const waiting = store.claim('old', 'c', scope);
  for (let turn = 0; turn <= 1_000; turn++) await store.claim(`turn ${turn}`, 'c', scope);
  expect(await waiting).toBe('claimed');
});

test('a claim that arrives after the abort is given back, so that the next resume runs the call', async () => {
  const kept = memorySuspensions();
  let [give, asked] = [() => {}, () => {}];
  const [given, wasAsked] = [new Promise<void>((done) => (give = done)), new Promise<void>((done) => (asked = done))];
  let settled = () => {};
  const wasSettled = new Promise<void>((done) => (settled = done));
  const suspensions: SuspensionStore = {
    claim: async (...key) => {
      asked();
      await given;
      return kept.claim(...key);
    },
    settle: async (...key) => {
      await kept.settle(...key);
      settled();
    },
  };
  const { toolkit, files } = workspace({ hosts: { suspensions } });
  const run = await suspended(toolkit, write('new'));
  const stop = new AbortController();
  const first = toolkit.resume(run.suspension, all(run, 'allow-once'), { signal: stop.signal });
  await wasAsked;
  stop.abort();
  expect(codes((await first).results)).toEqual(['cancelled']);
  give();
  await wasSettled;
  expect(files.text('/ws/new.txt')).toBeUndefined();
  const again = await toolkit.resume(run.suspension, all(run, 'allow-once'));
  expect(codes(again.results)).toEqual(['ok']);
});

describe('a suspension that was changed runs nothing', () => {
  const parts = (text: string) => text.split('.') as [string, string, string];
  const packed = (turn: unknown) => `tws1.${deflateRawSync(JSON.stringify(turn)).toString('base64url')}`;
  const signed = (content: string, secret: string) =>
    `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const letterAfter = (letter: string) => letters[letters.indexOf(letter) + 1] ?? '';
  type Opened = { caller: Caller; expiresAt: number; id: string; calls: { call: { name: string; input: object } }[] };
  const opened = (text: string) =>
    JSON.parse(inflateRawSync(Buffer.from(parts(text)[1], 'base64url')).toString()) as Opened;
  const changed = (text: string, change: (turn: Opened) => void) => {
    const turn = opened(text);
    change(turn);
    return `${packed(turn)}.${parts(text)[2]}`;
  };

  const tampered: readonly (readonly [string, (text: string) => unknown])[] = [
    ['nothing', () => undefined],
    ['no text', () => ({})],
    ['an empty text', () => ''],
    ['another text', () => 'tws1.a.b'],
    ['without a signature', (text) => parts(text).slice(0, 2).join('.')],
    ['with an empty signature', (text) => `${parts(text).slice(0, 2).join('.')}.`],
    ['with half a signature', (text) => text.slice(0, -20)],
    ['with a longer signature', (text) => `${text}AAAA`],
    // The last character of a signature encodes only four of six bits, so its neighbour decodes equally.
    ['with a signature in another spelling', (text) => text.replace(/.$/, (last) => letterAfter(last))],
    ['with the signature of another suspension', (text) => `${parts(text)[0]}.${parts(text)[1]}.${'A'.repeat(43)}`],
    ['signed with another secret', (text) => signed(packed(opened(text)), 'x'.repeat(40))],
    ['signed with an empty secret', (text) => signed(packed(opened(text)), '')],
    ['of another form', (text) => text.replace('tws1', 'tws2')],
    ['with a line break', (text) => `${text}\n`],
    ['with another input', (text) => changed(text, ({ calls }) => Object.assign(calls[0]?.call ?? {}, { input: {} }))],
    [
      'with another tool',
      (text) => changed(text, ({ calls }) => Object.assign(calls[0]?.call ?? {}, { name: 'Bash' })),
    ],
    ...[{ caller: { sessionId: 'other' } }, { expiresAt: 9e15 }, { id: 'fresh' }].map(
      (more) => [JSON.stringify(more), (text: string) => changed(text, (turn) => Object.assign(turn, more))] as const,
    ),
    ['with one more call', (text) => changed(text, ({ calls }) => calls.push(...calls))],
  ];

  table(tampered)('in its text', async (_name, tamper) => {
    const { toolkit, files } = workspace();
    const run = await suspended(toolkit, write('x'));
    const text = tamper(run.suspension) as string;
    await expect(toolkit.resume(text, all(run, 'allow-once'))).rejects.toThrow(TypeError);
    expect(files.text('/ws/x.txt')).toBeUndefined();
  });

  table<[string, Record<string, unknown>, object]>([
    ['an answer to another question', { question_1: 'allow-once' }, {}],
    ['an answer to a call', { x: 'allow-once' }, {}],
    ['another caller', {}, { caller: { sessionId: 's', userId: 'other' } }],
    ['a caller that is known by less', {}, { caller: { sessionId: 's' } }],
  ])('in its parts', async (_name, answers, options) => {
    const { toolkit, files } = workspace();
    const run = await suspended(toolkit, write('x'));
    await expect(toolkit.resume(run.suspension, answers as never, options)).rejects.toThrow(TypeError);
    expect(files.text('/ws/x.txt')).toBeUndefined();
  });

  table([true, 'yes', 5, null])('an invalid answer', async (answer) => {
    const { toolkit } = workspace();
    const run = await suspended(toolkit, write('x'));
    await expect(toolkit.resume(run.suspension, all(run, answer as never))).rejects.toThrow(TypeError);
  });

  test('an expired suspension', async () => {
    const { toolkit } = workspace({ suspensionTtlMs: 60_000 });
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const run = await suspended(toolkit, write('x'));
    vi.setSystemTime(Date.now() + 60_000);
    await expect(toolkit.resume(run.suspension, all(run, 'allow-once'))).rejects.toThrow(/expired at/);
  });
});

test('without a secret a turn cannot suspend', async () => {
  const { toolkit } = workspace({ suspensionSecret: undefined });
  await expect(toolkit.execute([write('x')], { approvals: 'suspend' })).rejects.toThrow(/suspensionSecret/);
  await expect(toolkit.resume('tws1.a.b', {})).rejects.toThrow(/suspensionSecret/);
});

table(['short', new Uint8Array(31)])('a secret of less than 32 bytes is rejected', (secret) => {
  expect(() => createToolkit({ root: '/', suspensionSecret: secret })).toThrow(/at least 32/);
});

describe('decide', () => {
  table([
    ['what runs', read('c', '/ws/a.txt'), 'allow'],
    ['what is denied', write('c', '/ws/secret.txt'), 'deny'],
    ['what is asked', write('c'), 'ask'],
    ['what does not exist', { id: 'c', name: 'Nothing', input: {} }, 'deny'],
    ['what is not valid', { id: 'c', name: 'Read', input: {} }, 'deny'],
  ])('returns the decision about a call and does nothing', async (_name, call, behavior) => {
    const events: ToolEvent[] = [];
    const { toolkit, files } = workspace({
      permissions: createPermissions({ deny: ['Edit(secret.txt)'], onAsk: () => 'allow-once' }),
      onEvent: (event) => events.push(event),
    });
    const decided = await toolkit.decide(call, { caller });
    expect(decided.behavior).toBe(behavior);
    if (decided.behavior === 'ask') expect(decided.question).toMatchObject({ callId: 'c', tool: 'Write' });
    expect(events).toEqual([]);
    expect(files.paths()).toEqual(['/ws/a.txt']);
  });

  test('does not queue in plan mode', async () => {
    const { toolkit } = workspace({ permissions: createPermissions({ mode: 'plan' }) });
    expect((await toolkit.decide(write('c'))).behavior).toBe('deny');
    expect(toolkit.planQueue).toEqual([]);
  });
});

describe('answers of a framework', () => {
  test('replace onAsk', async () => {
    const { toolkit } = workspace();
    const { results } = await toolkit.execute([write('x'), write('y')], { answers: { x: 'allow-once', y: 'deny' } });
    expect(codes(results)).toEqual(['ok', 'permission_denied']);
    expect((await toolkit.call('Write', write('z').input, { id: 'z', answers: { z: 'allow-once' } })).ok).toBe(true);
  });

  test('apply to the decided input', async () => {
    const { toolkit, files } = workspace();
    expect((await toolkit.decide(write('x'))).behavior).toBe('ask');
    const { results } = await toolkit.execute([write('x', '/ws/else.txt')], { answers: { x: 'allow-once' } });
    expect(codes(results)).toEqual(['permission_denied']);
    expect(files.text('/ws/else.txt')).toBeUndefined();
    expect(codes((await toolkit.execute([write('x')], { answers: { x: 'allow-once' } })).results)).toEqual(['ok']);
  });

  test('apply to neither of two calls with one id, unless they deny', async () => {
    const { toolkit } = workspace();
    const twice = [write('x'), write('x', '/ws/else.txt')];
    const codesFor = async (x: AskAnswer) => codes((await toolkit.execute(twice, { answers: { x } })).results);
    expect(await codesFor('allow-once')).toEqual(['permission_denied', 'permission_denied']);
    expect(await codesFor('deny')).toEqual(['permission_denied', 'permission_denied']);
  });

  test('do not apply to an input that a hook rewrote', async () => {
    const updatedInput = write('x', '/ws/else.txt').input;
    const { toolkit } = workspace({ hooks: { PreToolUse: [{ hooks: [() => ({ updatedInput })] }] } });
    const { results } = await toolkit.execute([write('x')], { answers: { x: 'allow-once' } });
    expect(codes(results)).toEqual(['permission_denied']);
  });

  test('never override a deny, and deny calls that a rule allows', async () => {
    const permissions = createPermissions({ deny: ['Edit(x.txt)'], allow: ['Edit(y.txt)'] });
    const { toolkit } = workspace({ permissions });
    const { results } = await toolkit.execute([write('x'), write('y')], { answers: { x: 'allow-once', y: 'deny' } });
    expect(codes(results)).toEqual(['permission_denied', 'permission_denied']);
  });
});

describe('classify', () => {
  const judged = (word: unknown, more: object = {}) => {
    const seen: string[] = [];
    let asked = 0;
    const permissions = createPermissions({
      classify: (({ title }: { title: string }) => {
        seen.push(title);
        if (word instanceof Error) throw word;
        return word;
      }) as never,
      onAsk: () => {
        asked += 1;
        return 'deny';
      },
      ...more,
    });
    const { toolkit } = workspace({ permissions });
    return async (path?: string) => {
      const { results } = await toolkit.execute([write('x', path)]);
      return { codes: codes(results), asked, seen };
    };
  };

  table([
    ['allow', 'ok', 0],
    ['deny', 'permission_denied', 0],
    ['ask', 'permission_denied', 1],
    ['nonsense', 'permission_denied', 1],
    [new Error('down'), 'permission_denied', 1],
  ])('decides by its answer, otherwise a person is asked', async (word, code, times) => {
    expect(await judged(word)()).toEqual({ codes: [code], asked: times, seen: ['Write x.txt'] });
  });

  test('is not called if a rule asks or denies', async () => {
    expect(await judged('allow', { ask: ['Write'] })()).toEqual({ codes: ['permission_denied'], asked: 1, seen: [] });
    expect(await judged('allow', { deny: ['Write'] })()).toEqual({ codes: ['permission_denied'], asked: 0, seen: [] });
  });
});
