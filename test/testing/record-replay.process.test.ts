import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPermissions, createToolkit } from 'toolwright';
import { fakeApprover, recordTo, replay } from 'toolwright/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolCall, Toolkit, ToolkitOptions } from '../../src/index.js';

let world: string;
let file: string;
beforeEach(() => {
  world = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')));
  file = join(world, 'record.jsonl');
  mkdirSync(join(world, 'tree'));
  writeFileSync(join(world, 'tree/a.txt'), 'one\ntwo\n');
  writeFileSync(join(world, 'tree/big.txt'), 'line\n'.repeat(2_000));
});
afterEach(() => rmSync(world, { recursive: true }));

/** A fresh copy of the tree, and a toolkit on it. */
function copy(name: string, options: Partial<ToolkitOptions> = {}) {
  const root = join(world, name);
  cpSync(join(world, 'tree'), root, { recursive: true });
  const onAsk = fakeApprover({ Write: 'allow-once', Bash: 'deny', Edit: 'allow-once' });
  return { root, toolkit: createToolkit({ root, permissions: createPermissions({ onAsk }), ...options }) };
}

const turns = (root: string): readonly (readonly Omit<ToolCall, 'id'>[])[] => [
  [
    { name: 'Read', input: { file_path: join(root, 'a.txt') } },
    { name: 'Read', input: { file_path: join(root, 'big.txt') } },
    { name: 'Glob', input: { pattern: '*.txt' } },
  ],
  [
    { name: 'Write', input: { file_path: join(root, 'b.txt'), content: `token ghp_${'a1B2'.repeat(9)}\n` } },
    { name: 'Edit', input: { file_path: join(root, 'a.txt'), old_string: 'two', new_string: '2' } },
    { name: 'Bash', input: { command: 'rm -r build' } },
  ],
  [
    { name: 'Grep', input: { pattern: 'one', output_mode: 'content' } },
    { name: 'Read', input: { file_path: '/etc/hosts' } },
    { name: 'Nothing', input: {} },
    { name: 'Read', input: { file_path: 7 } },
  ],
];

async function record(): Promise<void> {
  const { root, toolkit } = copy('first');
  const recorded = recordTo(file)(toolkit, root);
  for (const [turn, calls] of turns(root).entries())
    await recorded.execute(calls.map((call, at) => ({ ...call, id: `call_${turn}_${at}` })));
  await recorded.call('TodoWrite', { todos: [] });
  await recorded.dispose();
}

async function replayed(name: string, options: Partial<ToolkitOptions> = {}, change = (_: string) => {}) {
  const { root, toolkit } = copy(name, options);
  change(root);
  try {
    return await replay(file, { toolkit, root });
  } finally {
    await toolkit.dispose();
  }
}

test('a record has each call once, without credentials, readable by its owner only', async () => {
  await record();
  const text = readFileSync(file, 'utf8');
  expect(text.trim().split('\n')).toHaveLength(11);
  expect(text).not.toContain('ghp_');
  expect(text).not.toContain(world);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(text).toMatch(/"output":"\d+ characters, sha256 [0-9a-f]{64}"/);
});

test('a record has no values that its toolkit has recognised as secret', async () => {
  const { root, toolkit } = copy('first');
  const value = ['Kb9XsFRPgd', 'jdP65wQ7'].join('');
  writeFileSync(join(root, '.env'), `DB_PASSWORD=${value}\n`);
  const recorded = recordTo(file)(toolkit, root);
  await recorded.call('Read', { file_path: join(root, '.env') });
  await recorded.call('Grep', { pattern: value });
  await recorded.dispose();
  expect(readFileSync(file, 'utf8')).toMatch(/"pattern":"\[REDACTED\]"/);
  expect(readFileSync(file, 'utf8')).not.toContain(value);
});

test('a path beside the root is recorded unchanged', async () => {
  const { root, toolkit } = copy('first');
  const recorded = recordTo(file)(toolkit, root);
  for (const path of [`${root}-beside/a.txt`, `${root}.old/a.txt`, join(root, 'a.txt')])
    await recorded.call('Read', { file_path: path });
  await recorded.dispose();
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(`"${root}-beside/a.txt"`);
  expect(text).toContain(`"${root}.old/a.txt"`);
  expect(text.replaceAll(/<root>\/a\.txt|<root>[."]/g, '')).not.toContain('<root>');
});

test('a copy of the tree has no divergence', async () => {
  await record();
  expect(await replayed('second')).toEqual([]);
});

test('the input that ran is replayed, for its caller and with its answers', async () => {
  const permissions = () =>
    createPermissions({
      ask: ['Write'],
      allow: ['Bash', 'Edit'],
      onAsk: ({ tool }) => ({ behavior: 'deny', message: `No ${tool} today.` }),
    });
  const { root, toolkit } = copy('first', { permissions: permissions() });
  writeFileSync(file, 'an earlier record', { mode: 0o644 });
  const recorded = recordTo(file)(toolkit, root);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const at = join(root, 'log.txt');
  const write = { id: 'w', name: 'Write', input: { file_path: at, content: 'at 2026-01-01 10:00:00 in 5 s\n' } };
  const [one, other] = ['one', 'other'].map((sessionId) => ({ caller: { sessionId } }));
  const decision = await recorded.decide(write, one);
  if (decision.behavior !== 'ask') throw new Error('nothing was asked');
  await recorded.execute([write], { ...one, answers: { [decision.question.id]: 'allow-once' } });
  await recorded.call('Write', { file_path: join(root, 'no.txt'), content: '' }, one);
  const command = `timeout 5s wc -c log.txt > size; cat size; echo ${tmpdir()}`;
  await recorded.call('Bash', { command }, one);
  await recorded.call('Write', { ...write.input, content: '' }, other);
  await recorded.call('Edit', { file_path: at, old_string: '5 s', new_string: '6 s' }, one);
  await recorded.dispose();
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { facts: { ok: boolean } }).facts.ok)).toEqual(
    [1, 0, 1, 0, 1].map(Boolean),
  );
  expect(await replayed('second', { permissions: permissions() })).toEqual([]);
  expect(readFileSync(join(world, 'second/log.txt'), 'utf8')).toBe('at 2026-01-01 10:00:00 in 6 s\n');
  expect(readFileSync(join(world, 'second/size'), 'utf8')).toBe('30 log.txt\n');
});

describe('a divergence is found:', () => {
  const writes = (name: string, content: string) => (root: string) => writeFileSync(join(root, name), content);
  const none = () => {};
  const rewrite = () => ({ updatedInput: { pattern: '*.md' } });
  const planted: readonly (readonly [
    what: string,
    field: string,
    change: (root: string) => void,
    options?: Partial<ToolkitOptions>,
  ])[] = [
    ['another content', 'output', writes('a.txt', 'eins\ntwo\n')],
    ['one byte of a long file', 'output', writes('big.txt', `${'line\n'.repeat(1_999)}lime\n`)],
    ['a file that is gone', 'code', (root) => rmSync(join(root, 'big.txt'))],
    ['a file more', 'output', writes('c.txt', '')],
    ['a file that is there already', 'output', writes('b.txt', '')],
    ['an edit that fits twice', 'ok', writes('a.txt', 'one\ntwo\ntwo\n')],
    ['a rule that denies', 'refused', none, { permissions: createPermissions({ deny: ['Read(big.txt)'] }) }],
    ['a mode that asks nobody', 'asked', none, { permissions: 'bypassPermissions' }],
    ['a rewrite', 'ran.pattern', none, { hooks: { PreToolUse: [{ matcher: 'Glob', hooks: [rewrite] }] } }],
    [
      'a hook that adds something',
      'additionalContext',
      none,
      { hooks: { PostToolUse: [{ matcher: 'Grep', hooks: [() => ({ additionalContext: 'more' })] }] } },
    ],
    ['output that is cut', 'output', none, { limits: { output: { maxChars: 100 } } }],
  ];

  test.for(planted)('%s', async ([what, field, change, options]) => {
    await record();
    const found = await replayed(what.replaceAll(' ', '-'), options, change);
    expect(found.map((one) => one.field)).toContain(field);
    expect(found.every(({ callId, tool, turn }) => callId.startsWith('call_') && tool !== '' && turn > 0)).toBe(true);
  });
});

test('an invalid record is reported by its line', async () => {
  writeFileSync(file, '\n{"turn":1}\n');
  const toolkit = {} as Toolkit;
  await expect(replay(file, { toolkit, root: '/w' })).rejects.toThrow(/Line 2 .* not a recorded call/);
});
