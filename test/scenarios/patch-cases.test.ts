import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hostFiles } from '../../src/files.js';
import { createPermissions, type ToolkitOptions } from '../../src/index.js';
import { faultyFiles } from '../../src/testing/index.js';
import { fixture } from '../support/case-world.js';
import { eachRow, samples } from '../support/each-row.js';
import { runs } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

type Contents = Readonly<Record<string, string | null>>;

interface Case {
  readonly id: string;
  readonly why: string;
  readonly before: Contents;
  readonly before_hex?: Contents;
  readonly patch: string;
  readonly after?: Contents;
  readonly after_hex?: Contents;
  readonly error?: string | readonly string[];
}

const cases = fixture<Case>('patch-cases').map((one) => ({ ...one, name: `${one.why} (${one.id})` }));

function put(root: string, contents: Contents = {}, encoding: BufferEncoding = 'utf8'): void {
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    if (content !== null) writeFileSync(join(root, name), content, encoding);
  }
}

/** Every file with its bytes and mode, and every folder. */
function tree(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const stat = statSync(join(root, name));
        return [name, stat.isFile() ? `${stat.mode} ${readFileSync(join(root, name), 'hex')}` : 'folder'];
      }),
  );
}

function world(options: Partial<ToolkitOptions> = {}) {
  const { root = temporaryFolder() } = options;
  const toolkit = testToolkit({
    permissions: 'bypassPermissions',
    features: { applyPatch: true, undo: true },
    ...options,
    root,
  });
  const patch = (body: string) => toolkit.call('ApplyPatch', { patch: `*** Begin Patch\n${body}\n*** End Patch` });
  return { root, toolkit, patch };
}

test.for(cases)('$name', async (one) => {
  const { root, toolkit } = world();
  put(root, one.before);
  put(root, one.before_hex, 'hex');
  const before = tree(root);
  const result = await toolkit.call('ApplyPatch', { patch: one.patch });
  if (one.error !== undefined) {
    expect([one.error].flat()).toContain(result.ok ? result.output : result.error.code);
    expect(tree(root)).toEqual(before);
    return;
  }
  expect(result).toMatchObject({ ok: true });
  for (const [name, content] of Object.entries(one.after ?? {}))
    expect(tree(root)[name]?.split(' ')[1], name).toBe(
      content === null ? undefined : Buffer.from(content).toString('hex'),
    );
  for (const [name, content] of Object.entries(one.after_hex ?? {}))
    expect(tree(root)[name]?.split(' ')[1], name).toBe(content);
  expect(await toolkit.call('UndoTurn', {})).toMatchObject({ ok: true });
  expect(tree(root)).toEqual(before);
});

const several = samples`
  *** Add File: new/n.txt ¦ +n ¦ *** Update File: a.txt ¦ @@ ¦ -two ¦ +2 ¦ *** Update File: b.txt
  *** Move to: moved/b.txt ¦ *** Delete File: c.txt`.join('\n');
const three = { 'a.txt': 'one\ntwo\n', 'b.txt': 'b', 'c.txt': 'c' };

test('a disk that fails at any step leaves every file unchanged', async () => {
  let isDone = false;
  for (let failing = 1; !isDone; failing++) {
    const root = temporaryFolder();
    put(root, three);
    const disk = hostFiles({ root });
    const files = faultyFiles(disk, ({ number }) => (number === failing ? 'ENOSPC' : undefined));
    const { patch } = world({ root, hosts: { files } });
    const before = tree(root);
    const result = await patch(several);
    isDone = result.ok;
    if (!result.ok) expect([failing, tree(root)]).toEqual([failing, before]);
    expect(failing).toBeLessThan(200);
    await disk[Symbol.asyncDispose]();
  }
});

test('an abort during the patch leaves every file unchanged', async () => {
  const root = temporaryFolder();
  put(root, three);
  const disk = hostFiles({ root });
  onTestFinished(() => disk[Symbol.asyncDispose]());
  const stop = new AbortController();
  const files = faultyFiles(disk, ({ operation, path }) => {
    if (operation === 'remove' && path.endsWith('b.txt')) stop.abort();
    return undefined;
  });
  const { toolkit } = world({ root, hosts: { files } });
  const before = tree(root);
  const input = { patch: `*** Begin Patch\n${several}\n*** End Patch` };
  const result = await toolkit.call('ApplyPatch', input, { signal: stop.signal });
  expect(result).toMatchObject({ ok: false, error: { code: 'interrupted' } });
  await expect.poll(() => tree(root)).toEqual(before);
});

test('each file has a line, a diff and an undo entry', async () => {
  const { root, toolkit, patch } = world();
  put(root, three);
  const result = await patch(several);
  expect(result.output.replaceAll(`${root}/`, '')).toBe(
    [
      'Created new/n.txt (1 line).',
      'Updated a.txt (+1 -1).',
      'Moved b.txt to moved/b.txt (+0 -0).',
      'Deleted c.txt.',
    ].join('\n'),
  );
  expect(result.metadata?.files).toMatchObject([
    { type: 'create', added: 1, removed: 0, diff: expect.stringContaining('--- /dev/null') },
    { type: 'update', diff: expect.stringContaining('-two\n+2') },
    { type: 'move', movedFrom: join(root, 'b.txt'), filePath: join(root, 'moved/b.txt') },
    { type: 'delete', diff: expect.stringContaining('+++ /dev/null') },
  ]);
  expect(await toolkit.call('UndoFile', { file_path: join(root, 'a.txt') })).toMatchObject({ ok: true });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('lines that differ in white space are shown with their new text', async () => {
  const { root, patch } = world();
  put(root, { 'a.txt': '\tx\n\ty\n' });
  const { output } = await patch('*** Update File: a.txt\n@@\n-x\n+z\n y');
  expect(output).toContain('was matched without regard to white space');
  expect(output).toContain('-\tx\n+\tz');
});

test('a hunk before an earlier one is named', () =>
  eachRow(
    ['@@\n-gamma\n+g\n@@\n-alpha\n+a', '@@\n gamma\n+delta\n@@\n alpha\n-beta', '@@\n-gamma\n+g\n@@\n-  alpha\n+a'],
    async (hunks) => {
      const { root, patch } = world();
      put(root, { 'a.txt': 'alpha\nbeta\ngamma\n' });
      const result = await patch(`*** Update File: a.txt\n${hunks}`);
      expect(result.output).toMatch(/Hunk 2: its lines are above the lines of hunk 1 in .*a\.txt\. Put the hunks/);
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('alpha\nbeta\ngamma\n');
    },
  ));

test('blanks before a header of a patch are ignored', () =>
  eachRow(
    [
      '  *** Update File: a.txt\n@@\n-two\n+2',
      '*** Update File: a.txt\n  *** Move to: b.txt\n@@\n-two\n+2',
      '*** Update File: c.txt\n@@\n-c\n+d\n  *** Update File: a.txt\n@@\n-two\n+2',
      '*** Add File: n.txt\n+n\n\t*** Update File: a.txt\n  *** Move to: b.txt\n@@\n-two\n+2',
      '   \n*** Update File: a.txt\n@@\n-two\n+2',
      '*** Update File: a.txt\n\n*** Move to:  b.txt\n@@\n-two\n+2',
    ],
    async (body) => {
      const { root, patch } = world();
      put(root, { 'a.txt': 'one\ntwo\n', 'c.txt': 'c\n' });
      expect(await patch(body)).toMatchObject({ ok: true });
      expect(readFileSync(join(root, body.includes('Move') ? 'b.txt' : 'a.txt'), 'utf8')).toBe('one\n2\n');
    },
  ));

test('a hunk without @@ gives no note about missing lines', async () => {
  const { patch, toolkit } = world();
  const { output } = await patch('*** Update File: a.txt\n*** End of File');
  expect(output).toContain('Line 3 of the patch: expected @@, lines of a hunk, or the header of a file.');
  const shifted = await toolkit.call('ApplyPatch', {
    patch: '\n \n*** Begin Patch\n*** Update File: a.txt\n*** End of File\n*** End Patch',
  });
  expect(shifted.output).toContain('Line 5 of the patch: ');
});

test('an invalid path is refused as by other tools, and no folder is created', async () => {
  const { root, toolkit, patch } = world();
  put(root, { 'a.txt': 'one\ntwo\n' });
  const before = tree(root);
  const names = [
    `file://${root}/n.txt`,
    `file:${root}/n.txt`,
    '"n.txt"',
    '“n.txt”',
    '@/n.txt',
    '~/n.txt',
    '$PWD/n.txt',
  ];
  await eachRow(names, async (name) => {
    const { output } = await toolkit.call('Write', { file_path: name, content: 'x' });
    for (const body of [
      `*** Add File: ${name}\n+x`,
      `*** Update File: a.txt\n*** Move to: ${name}`,
      `*** Delete File: ${name}`,
    ])
      expect((await patch(body)).output.replace(' Nothing of the patch was applied.', '')).toBe(output);
    expect(tree(root)).toEqual(before);
  });
});

test('a context line like a header is context', async () => {
  const { root, patch } = world();
  put(root, { 'a.txt': '*** Update File: x\ntwo\n' });
  expect(await patch('*** Update File: a.txt\n@@\n *** Update File: x\n-two\n+2')).toMatchObject({ ok: true });
});

const update = '*** Update File: a.txt\n@@\n-two\n+2';

test.for([
  ['a file that was not read', [], { readBeforeWrite: true }, update, 'file_changed'],
  ['a file that was read', ['Read'], { readBeforeWrite: true }, update, undefined],
  ['a file that changed since, by the guard', ['Read', 'change'], { readBeforeWrite: true }, update, 'file_changed'],
  ['a file that changed since, at a place that is left', ['Read', 'change'], {}, update, undefined],
  ['a place that is gone', ['Read', 'change'], {}, '*** Update File: a.txt\n@@\n-one\n+1', 'file_changed'],
  ['a delete of what changed', ['Read', 'change'], {}, '*** Delete File: a.txt', 'file_changed'],
  [
    'a move of what changed',
    ['Read', 'change'],
    { readBeforeWrite: true },
    '*** Update File: a.txt\n*** Move to: b.txt',
    'file_changed',
  ],
  ['a file that an earlier patch made', ['patch'], { readBeforeWrite: true }, '*** Delete File: n.txt', undefined],
] as const)('with readBeforeWrite: %s', async ([, steps, files, body, code]) => {
  const { root, toolkit, patch } = world({ files });
  put(root, { 'a.txt': 'one\ntwo\n' });
  for (const step of steps) {
    if (step === 'Read') await toolkit.call('Read', { file_path: join(root, 'a.txt') });
    if (step === 'change') writeFileSync(join(root, 'a.txt'), 'uno\ntwo\n');
    if (step === 'patch') await patch('*** Add File: n.txt\n+n');
  }
  const result = await patch(body);
  expect(result.ok ? undefined : result.error.code).toBe(code);
});

test('a link to a file of the patch is that file', async () => {
  const { root, patch } = world();
  put(root, { 'a.txt': 'one\ntwo\n' });
  symlinkSync('a.txt', join(root, 'link.txt'));
  const result = await patch(`${update}\n*** Delete File: link.txt`);
  expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
});

const asked = vi.fn(async () => 'deny' as const);

test.for([
  ['a deny rule for every change', { deny: ['Edit(**)'] }, 'permission_denied'],
  ['a deny rule for one of the files', { deny: ['Edit(c.txt)'] }, 'permission_denied'],
  ['one for the folder that a file is moved to', { deny: ['Edit(moved/**)'] }, 'permission_denied'],
  ['one for Write', { deny: ['Write'] }, 'permission_denied'],
  ['one for a path of Write', { deny: ['Write(new/**)'] }, 'permission_denied'],
  ['one for the tool', { deny: ['ApplyPatch'] }, 'permission_denied'],
  ['one for another file', { deny: ['Edit(other/**)'] }, undefined],
  ['an ask rule for one of the files', { ask: ['Edit(c.txt)'], onAsk: asked }, 'permission_denied'],
  ['mode default', { mode: 'default' }, 'permission_denied'],
  ['mode acceptEdits', { mode: 'acceptEdits' }, undefined],
  ['plan mode', { mode: 'plan' }, 'queued_for_plan'],
  ['an allow rule for all', { mode: 'default', allow: ['Edit(**)'] }, undefined],
  ['allow rules for each', { mode: 'default', allow: ['Edit(*.txt)', 'Edit(new/*)', 'Edit(moved/**)'] }, undefined],
  ['an allow rule for some', { mode: 'default', allow: ['Edit(*.txt)'] }, 'permission_denied'],
] as const)('permissions: %s', async ([, rules, code]) => {
  const root = temporaryFolder();
  const permissions = createPermissions({ mode: 'bypassPermissions', root, ...rules } as Parameters<
    typeof createPermissions
  >[0]);
  const { patch } = world({ root, permissions });
  put(root, three);
  const before = tree(root);
  const result = await patch(several);
  expect(result.ok ? undefined : result.error.code).toBe(code);
  if (code !== undefined) expect(tree(root)).toEqual(before);
});

test('"always" allows the files of this patch only', async () => {
  const root = temporaryFolder();
  const onAsk = vi.fn(async () => 'allow-always' as const);
  const { patch } = world({ root, permissions: createPermissions({ root, onAsk }) });
  put(root, three);
  expect(await patch(several)).toMatchObject({ ok: true });
  expect(await patch('*** Update File: a.txt\n@@\n-2\n+two')).toMatchObject({ ok: true });
  expect(onAsk).toHaveBeenCalledTimes(1);
  expect(await patch('*** Add File: other.txt\n+x')).toMatchObject({ ok: true });
  expect(onAsk).toHaveBeenCalledTimes(2);
});

test('auto-executed files ask in mode acceptEdits', async () => {
  const root = temporaryFolder();
  const { patch } = world({ root, permissions: 'acceptEdits' });
  const result = await patch('*** Add File: n.txt\n+x\n*** Add File: .git/hooks/pre-commit\n+x');
  expect(result).toMatchObject({ ok: false, error: { code: 'permission_denied' } });
  expect(tree(root)).toEqual({});
});

test('a hidden secret is restored, and an unknown mark is refused', async () => {
  const { root, patch } = world();
  const token = `ghp_${'a1B2'.repeat(9)}`;
  put(root, { 'a.txt': `token=${token}\nport=80\n` });
  const result = await patch('*** Update File: a.txt\n@@\n token=[REDACTED]\n-port=80\n+port=81');
  expect(result).toMatchObject({ ok: false, error: { code: 'redaction_in_edit' } });
  expect(result.output).not.toContain('old_string');
});

test('any patch of a generated file has its exact effect, and can be undone', async () => {
  const { root, toolkit, patch } = world();
  const lines = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'abcxyz{} ') }), {
    minLength: 1,
    maxLength: 12,
    selector: (line) => line.trim(),
  });
  const plain = lines.filter((found) => found.every((line) => line.trim() !== ''));
  await fc.assert(
    fc.asyncProperty(
      plain,
      fc.nat(),
      fc.array(fc.constantFrom('new 1', 'new 2', ''), { maxLength: 3 }),
      async (old, seed, added) => {
        const at = seed % old.length;
        const content = old.map((line) => `${line}\n`).join('');
        put(root, { 'f.txt': content });
        const removed = old[at] ?? '';
        const body = [` ${old[at - 1]}`, `-${removed}`, ...added.map((line) => `+${line}`), ` ${old[at + 1]}`];
        const hunk = body.slice(at === 0 ? 1 : 0, at === old.length - 1 ? -1 : undefined);
        expect(await patch(`*** Update File: f.txt\n@@\n${hunk.join('\n')}`)).toMatchObject({ ok: true });
        const expected = old.toSpliced(at, 1, ...added).map((line) => `${line}\n`);
        expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe(expected.join(''));
        await toolkit.call('UndoTurn', {});
        expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe(content);
        rmSync(join(root, 'f.txt'));
      },
    ),
    { numRuns: runs(500) },
  );
});
