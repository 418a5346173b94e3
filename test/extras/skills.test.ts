import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPermissions, createToolkit } from 'toolwright';
import { followedSkills, type SkillStore, skillStore, skillTools } from 'toolwright/extras/skills';
import { describe, expect, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const caller = { sessionId: 'session_1' };

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function skill(name: string, description: string, rest = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${rest}---\n\n# How to\n\nDo it with care.\n`;
}

/** A workspace with skills in two tiers, and a toolkit that offers them. */
function skilled(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  mkdirSync(join(root, 'work'));
  write(root, files);
  const tier = (name: string) => ({ name, folder: join(root, name) });
  const store = skillStore({ tiers: [tier('own'), tier('global')] });
  const toolkit = createToolkit({
    root: join(root, 'work'),
    additionalRoots: [root],
    permissions: createPermissions(),
  });
  toolkit.registry.register(...skillTools(store));
  const call = (name: string, input: object) => toolkit.call(name, input, { caller });
  return { root, store, toolkit, call };
}

test('a toolkit serves the folders of tiers, also missing ones', async () => {
  const root = temporaryFolder();
  write(root, { 'own/look/SKILL.md': skill('look', 'Looks.'), 'own/look/more.md': 'More.' });
  const tier = (name: string) => ({ name, folder: join(root, name) });
  const store = skillStore({ tiers: [tier('own'), tier('missing')] });
  const toolkit = createToolkit({ root: temporaryFolder(), additionalRoots: store.folders });
  const read = await toolkit.call('Read', { file_path: join(root, 'own/look/more.md') }, { caller });
  expect(read.output).toContain('More.');
  await toolkit.dispose();
});

test('while skills are followed, only tools that all of them name run', async () => {
  const root = temporaryFolder();
  write(root, {
    'skills/look/SKILL.md': skill('look', 'Looks.', 'allowed-tools: Read List Bash(echo *)\n'),
    'skills/read/SKILL.md': skill('read', 'Reads.', 'allowed-tools: [Read, Write]\n'),
    'skills/free/SKILL.md': skill('free', 'Is free.'),
    'a.txt': 'a',
  });
  const followed = followedSkills(createPermissions({ root, mode: 'acceptEdits', deny: ['Read(**/SKILL.md)'] }), root);
  const toolkit = createToolkit({ root, permissions: followed.permissions });
  const store = skillStore({ tiers: [{ name: 'own', folder: join(root, 'skills') }] });
  toolkit.registry.register(...skillTools(store, followed));
  const file_path = join(root, 'a.txt');
  const ran = async (sessionId = 's1') => {
    const calls = [
      ['Read', { file_path }],
      ['List', { path: root }],
      ['TodoWrite', { todos: [] }],
      ['Write', { file_path: join(root, 'b.txt'), content: 'b' }],
      // Named by the skill, but denied by a rule.
      ['Read', { file_path: join(root, 'skills/look/SKILL.md') }],
    ] as const;
    const results = [];
    for (const [name, input] of calls) results.push(await toolkit.call(name, input, { caller: { sessionId } }));
    return results.map(({ ok }, index) => (ok ? calls[index]?.[0] : '')).filter(Boolean);
  };
  const open = (name: string) => toolkit.call('Skill', { name }, { caller: { sessionId: 's1' } });
  expect(await ran()).toEqual(['Read', 'List', 'TodoWrite', 'Write']);
  await open('look');
  expect(await ran()).toEqual(['Read', 'List']);
  const refused = await toolkit.call('TodoWrite', { todos: [] }, { caller: { sessionId: 's1' } });
  expect(refused.output).toContain('The skill look is followed with these tools only: Read, List, Bash(echo *)');
  expect(await ran('s2')).toEqual(['Read', 'List', 'TodoWrite', 'Write']);
  // Loading another skill does not lift the restriction.
  await open('free');
  expect(await ran()).toEqual(['Read', 'List']);
  expect(await open('read')).toMatchObject({ ok: true });
  expect(await ran()).toEqual(['Read']);
  followed.end('s1');
  expect(await ran()).toEqual(['Read', 'List', 'TodoWrite', 'Write']);
  await open('look');
  await toolkit.endSession('s1');
  expect(await ran()).toEqual(['Read', 'List', 'TodoWrite', 'Write']);
  await toolkit.dispose();
});

test('a skill whose tools are no rules is refused and not followed', async () => {
  const root = temporaryFolder();
  const followed = followedSkills(createPermissions({ root }), root);
  const toolkit = createToolkit({ root, permissions: followed.permissions });
  const odd = { name: 'odd', description: 'Odd.', tier: 'own', folder: root, hides: [], files: [], text: '' };
  const get = () => ({ ...odd, allowedTools: ['Nonsense Tool!'] });
  toolkit.registry.register(...skillTools({ list: () => [odd], search: () => [odd], get }, followed));
  const opened = await toolkit.call('Skill', { name: 'odd' }, { caller });
  expect(opened).toMatchObject({ ok: false, error: { code: 'execution_failed' } });
  expect(opened.output).toContain('"Nonsense Tool!" must be a tool name');
  expect(await toolkit.call('skill_search', { query: 'odd' }, { caller })).toMatchObject({ ok: true });
  await toolkit.dispose();
});

test('a skill is named in the instructions, found by words and loaded without a question', async () => {
  const { root, toolkit, call } = skilled({
    'own/invoices/SKILL.md': skill('invoices', 'Turns scanned invoices into rows of a table.'),
    'own/invoices/scripts/scan.py': 'print(1)',
    'own/README.md': 'No skill.',
    'global/charts/SKILL.md': skill('charts', '"Draws charts: bars, lines."', 'license: MIT\n'),
  });
  expect(toolkit.instructions(caller)).toContain(
    '- invoices: Turns scanned invoices into rows of a table.\n- charts: Draws charts: bars, lines.',
  );
  const found = await call('skill_search', { query: 'please scan an invoice' });
  expect(found).toMatchObject({ ok: true, metadata: { found: ['invoices'] } });
  const opened = await call('Skill', { name: 'invoices', arguments: 'May 2024' });
  expect(opened.output).toBe(
    [
      `Skill invoices of the tier own, in ${join(root, 'own/invoices')}`,
      'Its files, from that folder: scripts/scan.py',
      'Arguments: May 2024',
      '',
      '# How to\n\nDo it with care.',
    ].join('\n'),
  );
  const read = await call('Read', { file_path: join(root, 'own/invoices/scripts/scan.py') });
  expect(read.output).toContain('print(1)');
});

test('the first skill of a name wins, and the others are named', async () => {
  const { root, store, call } = skilled({
    'own/a/SKILL.md': skill('notes', 'The first.'),
    'own/b/SKILL.md': skill('notes', 'The second.'),
    'global/notes/SKILL.md': skill('notes', 'The third.'),
  });
  const hidden = [join(root, 'own/b'), join(root, 'global/notes')];
  expect(store.list()).toMatchObject([{ name: 'notes', description: 'The first.', tier: 'own', hides: hidden }]);
  expect((await call('Skill', { name: 'notes' })).output).toContain(
    `Others of this name are not used: ${hidden.join(', ')}`,
  );
});

test('a changed, new or removed file is noticed at the next access', async () => {
  const { root, store, call } = skilled({ 'own/a/SKILL.md': skill('a', 'Bakes bread.') });
  const before = store.list();
  expect(store.list()).toBe(before);
  write(root, { 'own/a/SKILL.md': skill('a', 'Repairs bicycles.'), 'global/b/SKILL.md': skill('b', 'Brews coffee.') });
  expect((await call('skill_search', { query: 'bicycle' })).metadata).toMatchObject({ found: ['a'] });
  expect((await call('skill_search', { query: 'coffee' })).metadata).toMatchObject({ found: ['b'] });
  rmSync(join(root, 'own/a'), { recursive: true });
  expect(store.list().map(({ name }) => name)).toEqual(['b']);
});

test('allowed-tools is shown and grants no permission', async () => {
  const { root, toolkit, call } = skilled({
    'own/a/SKILL.md': skill('a', 'Cleans up.', 'allowed-tools: Read, Bash(git status *) Write Edit(app/(shop)/**)\n'),
    'own/b/SKILL.md': skill('b', 'Cleans up.', 'allowed-tools: [Read, Grep]\nmetadata: { version: 1.0 }\n'),
  });
  const opened = await call('Skill', { name: 'a' });
  expect(opened.metadata).toMatchObject({
    allowedTools: ['Read', 'Bash(git status *)', 'Write', 'Edit(app/(shop)/**)'],
  });
  expect(opened.output).toContain('with these tools only: Read, Bash(git status *), Write, Edit(app/(shop)/**).');
  expect((await call('Skill', { name: 'b' })).metadata).toMatchObject({ allowedTools: ['Read', 'Grep'] });
  const written = await toolkit.call('Write', { file_path: join(root, 'x.txt'), content: 'x' }, { caller });
  expect(written).toMatchObject({ ok: false, error: { code: 'permission_denied' } });
});

test('arguments replace their placeholders literally', async () => {
  const { call } = skilled({ 'own/a/SKILL.md': `${skill('a', 'Greets.')}Greet $ARGUMENTS now.` });
  expect((await call('Skill', { name: 'a', arguments: '$& and $1' })).output).toContain('Greet $& and $1 now.');
});

describe('an unusable skill', () => {
  test('is named with the reason, and the others stay', async () => {
    const rows: readonly (readonly [text: string, reason: string])[] = [
      ['# No front matter', 'does not begin with front matter'],
      ['---\nname: x\n', 'does not begin with front matter'],
      ['---\n- x\n---\n', 'takes fields such as name'],
      ['---\nname: x\ndescription: use it: now\n---\n', 'in line 3; put texts that hold ": " in quotes'],
      [skill('../x', 'X.'), 'name takes at most 64'],
      [skill('x'.repeat(65), 'X.'), 'name takes at most 64'],
      [skill('x', '""'), 'description takes a text of 1 to 1024 characters'],
      [skill('x', 'X'.repeat(1_025)), 'description takes a text of 1 to 1024 characters'],
      [skill('x', 'X.', 'allowed_tools: Read\n'), 'write allowed-tools in place of "allowed_tools"'],
      [skill('x', 'X.', 'allowed-tools:\n'), 'allowed-tools takes names of tools'],
      [skill('x', 'X.', 'allowed-tools: Read, Bash(npm run\n'), 'in brackets, as in Bash(git *)'],
      [skill('x', 'X.', 'allowed-tools: Bash(a (b), Grep(c)\n'), 'in brackets, as in Bash(git *)'],
      [skill('x', 'X.', 'allowed-tools: Bash(rm)*\n'), 'allowed-tools: Permission rule "Bash(rm)*" must be'],
      [skill('x', 'X.', 'allowed-tools: Nonsense Tool!\n'), 'allowed-tools: Permission rule "Tool!" must be'],
      [skill('x', 'X.', 'metadata: [1]\n'), 'metadata takes fields whose values are texts'],
      [skill('x', 'X.', `license: ${'x'.repeat(300_000)}\n`), 'larger than 256 KB'],
      ['\u0000\ufffd', 'does not begin'],
    ];
    await eachRow(rows, async ([text, reason]) => {
      const { root, store, call } = skilled({ 'own/x/SKILL.md': text, 'own/y/SKILL.md': skill('y', 'Y.') });
      expect(store.list().map(({ name }) => name)).toEqual(['y']);
      expect(store.problems()).toEqual([
        { path: join(root, 'own/x/SKILL.md'), reason: expect.stringContaining(reason) },
      ]);
      const answer = await call('Skill', { name: 'x' });
      expect(answer).toMatchObject({ ok: false, error: { code: 'execution_failed' } });
      expect(answer.output).toContain(reason);
    });
  });

  test('a link out of its folder is refused and not listed', async () => {
    const { root, store, call } = skilled({
      'elsewhere/SKILL.md': skill('outside', 'OUTSIDE-MARKER'),
      'elsewhere/secret.txt': 'OUTSIDE-MARKER',
      'own/inner/SKILL.md': skill('inner', 'Stays.'),
      'own/inner/a.md': 'a',
    });
    symlinkSync(join(root, 'elsewhere'), join(root, 'own/folder'));
    mkdirSync(join(root, 'own/file'));
    symlinkSync(join(root, 'elsewhere/SKILL.md'), join(root, 'own/file/SKILL.md'));
    symlinkSync(join(root, 'elsewhere'), join(root, 'own/inner/more'));
    expect(store.list().map(({ name }) => name)).toEqual(['inner']);
    const reason = 'a symlink leads out of the folder';
    expect(store.problems().map((problem) => problem.reason)).toEqual([reason, reason]);
    const { output } = await call('Skill', { name: 'inner' });
    expect(output).toContain('Its files, from that folder: a.md\n');
  });

  test('similar names are suggested for an unknown name, and the expected form for an invalid input', async () => {
    const { call } = skilled({ 'own/invoices/SKILL.md': skill('invoices', 'X.') });
    const rows = [
      ['Skill', { name: 'invoice' }, 'Did you mean "invoices"? See skill_search.'],
      ['Skill', { name: '../../etc' }, 'there is no skill'],
      ['Skill', {}, 'name'],
      ['Skill', { name: '' }, 'at least 1'],
      ['skill_search', { query: ' ' }, 'not empty'],
      ['skill_search', { query: 'x', max_results: 0 }, 'at least 1'],
    ] as const;
    await eachRow(rows, async ([tool, input, message]) => {
      const answer = await call(tool, input);
      expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
      expect(answer.output).toContain(message);
    });
  });
});

test('the instructions name as many skills as fit, and count the others', () => {
  const many = Array.from({ length: 100 }, (_, at) => [
    `own/s${at}/SKILL.md`,
    skill(`s${at}`, `${at} ${'long '.repeat(60)}`),
  ]);
  const { toolkit } = skilled(Object.fromEntries(many));
  const instructions = toolkit.instructions(caller);
  expect(instructions.length).toBeLessThan(7_500);
  expect(instructions).toMatch(/- \d\d more; find them with skill_search/);
});

describe('a store of the host', () => {
  const summary = { name: 'a', description: 'Does a.', tier: 'team', folder: '/a', hides: [] };
  const toolsOf = (store: Partial<SkillStore>) => {
    const toolkit = createToolkit({ root: temporaryFolder(), permissions: createPermissions() });
    toolkit.registry.register(
      ...skillTools({ list: () => [summary], search: () => [summary], get: () => undefined, ...store }),
    );
    return toolkit;
  };

  test('that throws or returns an invalid answer fails one call, and adds no instructions', async () => {
    const fails = () => {
      throw new Error('the database is down');
    };
    const broken = toolsOf({ list: fails, search: fails, get: () => ({ name: 'a' }) as never });
    expect(broken.instructions(caller)).toContain('Workspace:');
    const searched = await broken.call('skill_search', { query: 'a' }, { caller });
    expect(searched.output).toContain('the store of skills failed: the database is down');
    const opened = await broken.call('Skill', { name: 'a' }, { caller });
    expect(opened.output).toContain('the store of skills gave no usable answer');
  });
});

test('a mistake of the program is a TypeError with the correct form', async () => {
  const rows: readonly (readonly [options: unknown, message: string])[] = [
    [{}, 'pass tiers'],
    [{ tiers: [] }, "tiers: [{ name: 'global', folder }]"],
    [{ tiers: [{ name: 'a', folder: 'skills' }] }, 'folder takes an absolute path, not "skills"'],
    [{ tiers: [{ name: 'a' }] }, 'pass folder'],
    [{ tiers: [{ name: 'a', path: '/a' }] }, 'path is no option'],
    [{ tier: [] }, 'tiers'],
  ];
  await eachRow(rows, ([options, message]) => {
    expect(() => skillStore(options as never)).toThrow(message);
  });
  expect(() => skillTools({} as never)).toThrow('skillTools(skillStore({ tiers }))');
});
