import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import {
  createDeadLetters,
  createPermissions,
  createScrubber,
  createToolkit,
  Tool,
  type ToolCallResult,
  type ToolEvent,
  type ToolkitOptions,
} from '../../src/index.js';
import { table } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const openAi = ['sk', '-proj-', 'Ab1c2D'.repeat(8)].join('');
const github = ['gh', 'p_', 'x9Yz8W'.repeat(6)].join('');
const password = ['hunt', 'er2!x'].join('');
const keyLines = [
  ['-----BEGIN PRIV', 'ATE KEY-----'].join(''),
  `MIIEvQIBADANBgkqhkiG9w0BA${'QEFAASC'.repeat(5)}4f`,
  `Zx81kQ9wLm2${'pT7vR3nB'.repeat(6)}Q9a/+`,
  `u8Hq${'w5Ke0sYd'.repeat(4)}==`,
  ['-----END PRIV', 'ATE KEY-----'].join(''),
];
const secrets = [openAi, github, password, ...keyLines.slice(1, -1)];

const envFile = [
  '# settings',
  'PORT=8080',
  `OPENAI_API_KEY=${openAi}`,
  'DEBUG=false',
  `DB_PASSWORD=${password} # rotated`,
  `DATABASE_URL=postgres://app:${password}@db.example:5432/app`,
  '',
].join('\n');

/** A toolkit with a reversible scrubber in its own folder, which records all outputs. */
function workbench(files: Readonly<Record<string, string | Buffer>>, more: Partial<ToolkitOptions> = {}) {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  const heard: unknown[] = [];
  const deadLetters = createDeadLetters();
  const listen = async (event: unknown) => void heard.push(structuredClone(event));
  const hooks = (['PreToolUse', 'PostToolUse', 'PostToolUseFailure'] as const).map((name) => [
    name,
    [{ matcher: '*', hooks: [listen] }],
  ]);
  const permissions = createPermissions({
    root,
    autoAllow: false,
    onAsk: async (request) => {
      heard.push(request);
      return 'allow-once' as const;
    },
  });
  const toolkit = testToolkit({
    root,
    permissions,
    deadLetters,
    hooks: Object.fromEntries(hooks),
    scrubber: createScrubber({ reversible: true }),
    features: { undo: true },
    ...more,
  });
  let count = 0;
  const turn = async (...calls: readonly (readonly [name: string, input: unknown])[]) => {
    const { results } = await toolkit.execute(
      calls.map(([name, input]) => ({ id: `c${++count}`, name, input })),
      { onEvent: (event: ToolEvent) => heard.push(event) },
    );
    heard.push(results);
    return results;
  };
  return {
    root,
    path: (name: string) => join(root, name),
    turn,
    call: async (name: string, input: unknown) => (await turn([name, input]))[0] as ToolCallResult,
    /** Everything that was observable outside so far, as text. */
    seen: () =>
      `${JSON.stringify([heard, deadLetters.list(), toolkit])}${inspect([heard, deadLetters.list(), toolkit], { depth: 20, showHidden: true })}`,
  };
}

/** Searches all observable text for each secret. */
function expectHidden(seen: string): void {
  for (const secret of secrets) expect(seen).not.toContain(secret);
}

type Workbench = ReturnType<typeof workbench>;

const marksIn = (text: string) => text.match(/\[REDACTED[^\]]*\]/g) ?? [];
const text = (path: string) => readFileSync(path, 'utf8');

describe('a file with keys', () => {
  test('is read with marks, edited on another line, and stays unchanged elsewhere', async () => {
    const { path, call, seen } = workbench({ '.env': envFile });
    const read = await call('Read', { file_path: path('.env') });
    const assignment = '[REDACTED:assignment#2]';
    expect(marksIn(read.output)).toEqual(['[REDACTED:openai-key#1]', assignment, assignment]);
    const edit = { file_path: path('.env'), old_string: 'PORT=8080', new_string: 'PORT=9090' };
    expect(await call('Edit', edit)).toMatchObject({ ok: true });
    expect(text(path('.env'))).toBe(envFile.replace('8080', '9090'));
    expectHidden(seen());
  });

  test('is edited across lines with marks', async () => {
    const { path, call, seen } = workbench({ '.env': envFile });
    const read = await call('Read', { file_path: path('.env') });
    const [key, word] = marksIn(read.output);
    const edit = await call('Edit', {
      file_path: path('.env'),
      old_string: `PORT=8080\nOPENAI_API_KEY=${key}\nDEBUG=false\nDB_PASSWORD=${word}`,
      new_string: `DEBUG=true\nAI_KEY="${key}"\nPGPASSWORD=${word}`,
    });
    expect(edit).toMatchObject({ ok: true });
    expect(edit.metadata?.diff).toContain(`AI_KEY="${key}"`);
    expect(text(path('.env'))).toBe(
      envFile.replace(/PORT[\s\S]*DB_PASSWORD/, `DEBUG=true\nAI_KEY="${openAi}"\nPGPASSWORD`),
    );
    expectHidden(seen());
  });

  test('is written again with marks in place of its keys', async () => {
    const { path, call, seen } = workbench({ '.env': envFile });
    const [key, word] = marksIn((await call('Read', { file_path: path('.env') })).output);
    const write = await call('Write', { file_path: path('.env'), content: `KEY=${key}\nPASSWORD=${word}\n` });
    expect(write).toMatchObject({ ok: true });
    expect(text(path('.env'))).toBe(`KEY=${openAi}\nPASSWORD=${password}\n`);
    expectHidden(seen());
  });

  test('is restored when a change is undone', async () => {
    const undoFolder = temporaryFolder();
    const { path, call, seen } = workbench({ '.env': envFile }, { files: { undoFolder } });
    const [key] = marksIn((await call('Read', { file_path: path('.env') })).output);
    const renamed = { old_string: `OPENAI_API_KEY=${key}\nDEBUG`, new_string: `AI_KEY=${key}\nDEBUG` };
    await call('Edit', { file_path: path('.env'), ...renamed });
    await call('Edit', { file_path: path('.env'), old_string: 'PORT=8080', new_string: 'PORT=1' });
    const records = readdirSync(undoFolder, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    expect(records.length).toBeGreaterThan(0);
    for (const record of records)
      expect(readFileSync(join(record.parentPath, record.name)).includes(openAi)).toBe(false);
    await call('UndoFile', { file_path: path('.env') });
    expect(await call('UndoFile', { file_path: path('.env') })).toMatchObject({ ok: true });
    expect(text(path('.env'))).toBe(envFile);
    expectHidden(seen());
  });

  test('may be in UTF-16', async () => {
    const { path, call } = workbench({ 'a.txt': Buffer.from(`\ufeff${envFile}`, 'utf16le') });
    const [key] = marksIn((await call('Read', { file_path: path('a.txt') })).output);
    const input = { file_path: path('a.txt'), old_string: `OPENAI_API_KEY=${key}`, new_string: `AI_KEY=${key}` };
    expect(await call('Edit', input)).toMatchObject({ ok: true });
    expect(readFileSync(path('a.txt')).toString('utf16le')).toBe(
      `\ufeff${envFile.replace('OPENAI_API_KEY', 'AI_KEY')}`,
    );
  });

  test('may be edited by several calls at once', async () => {
    const { path, call, turn, seen } = workbench({ '.env': envFile });
    const [key, word] = marksIn((await call('Read', { file_path: path('.env') })).output);
    const results = await turn(
      ['Edit', { file_path: path('.env'), old_string: `OPENAI_API_KEY=${key}`, new_string: `A=${key}` }],
      ['Edit', { file_path: path('.env'), old_string: `DB_PASSWORD=${word}`, new_string: `PASSWORD=${word}` }],
      ['Read', { file_path: path('.env') }],
    );
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(marksIn(results[2]?.output ?? '')).toEqual([key, word, word]);
    expect(text(path('.env'))).toBe(envFile.replace('OPENAI_API_KEY', 'A').replace('DB_', ''));
    expectHidden(seen());
  });
});

describe('a key of several lines', () => {
  const config = [
    'tls:',
    '  port: 443',
    ...keyLines.map((line) => `  ${line}`),
    '  host: h.example',
    '  mode: strict',
    '',
  ].join('\n');

  test('stays complete if the lines around it are edited', async () => {
    const { path, call, seen } = workbench({ 'tls.yml': config });
    await call('Read', { file_path: path('tls.yml') });
    for (const [old_string, new_string] of [
      ['port: 443', 'port: 8443'],
      ['host: h.example', 'host: i.example'],
    ] as const) {
      expect(await call('Edit', { file_path: path('tls.yml'), old_string, new_string })).toMatchObject({ ok: true });
    }
    expect(text(path('tls.yml'))).toBe(config.replace('443', '8443').replace('h.example', 'i.example'));
    expectHidden(seen());
  });

  test('moves with its lines', async () => {
    const { path, call, seen } = workbench({ 'tls.yml': config });
    const marks = marksIn((await call('Read', { file_path: path('tls.yml') })).output);
    expect(marks).toHaveLength(keyLines.length);
    const moved = `tls:\n  key: |\n${marks.map((mark) => `    ${mark}\n`).join('')}`;
    expect(await call('Write', { file_path: path('tls.yml'), content: moved })).toMatchObject({ ok: true });
    expect(text(path('tls.yml'))).toBe(`tls:\n  key: |\n${keyLines.map((line) => `    ${line}\n`).join('')}`);
    expectHidden(seen());
  });
});

describe('a notebook with a key', () => {
  test('keeps it through an edit of the cell', async () => {
    const source = [`token = "${github}"\n`, 'print(1)'];
    const cell = { cell_type: 'code', id: 'a', metadata: {}, source, execution_count: null, outputs: [] };
    const notebook = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
    const { path, call, seen } = workbench({ 'n.ipynb': notebook });
    const [mark] = marksIn((await call('Read', { file_path: path('n.ipynb') })).output);
    const edit = await call('NotebookEdit', {
      notebook_path: path('n.ipynb'),
      cell_id: 'a',
      new_source: `key = "${mark}"\nprint(2)`,
    });
    expect(edit).toMatchObject({ ok: true });
    expect(JSON.parse(text(path('n.ipynb'))).cells[0].source.join('')).toBe(`key = "${github}"\nprint(2)`);
    expect(seen()).not.toContain(github);
  });
});

describe('a mark', () => {
  test('is the same for the same secret, from any source', async () => {
    const { path, call, turn } = workbench({ '.env': envFile, 'b.json': JSON.stringify({ key: openAi }) });
    const marks = new Set<string>();
    const results = await turn(
      ['Read', { file_path: path('.env') }],
      ['Read', { file_path: path('b.json') }],
      ['Grep', { pattern: 'OPENAI|key', path: path('.'), output_mode: 'content' }],
      ['Bash', { command: 'cat b.json' }],
    );
    const started = await call('Bash', { command: 'cat b.json', run_in_background: true });
    const task_id = /Task started: (\S+)/.exec(started.output)?.[1];
    results.concat(await call('TaskOutput', { task_id, block: true })).forEach(({ output }) => {
      const found = marksIn(output).filter((mark) => mark.includes('openai'));
      expect(found.length).toBeGreaterThan(0);
      for (const mark of found) marks.add(mark);
    });
    expect([...marks]).toEqual(['[REDACTED:openai-key#1]']);
  });

  table<
    [string, (bench: Workbench, mark: string) => readonly [name: string, input: Readonly<Record<string, unknown>>]]
  >([
    ['a new file', ({ path }, mark) => ['Write', { file_path: path('new.js'), content: `fetch("?k=${mark}")` }]],
    ['another file', ({ path }, mark) => ['Write', { file_path: path('page.html'), content: `<p>${mark}</p>` }]],
    [
      'another file, by an edit',
      ({ path }, mark) => ['Edit', { file_path: path('page.html'), old_string: 'hello', new_string: mark }],
    ],
    [
      'a notebook',
      ({ path }, mark) => [
        'NotebookEdit',
        { notebook_path: path('n.ipynb'), edit_mode: 'insert', cell_type: 'code', new_source: mark },
      ],
    ],
  ])('is not restored in any other place', async (_where, attempt) => {
    const notebook = '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}';
    const bench = workbench({ '.env': envFile, 'page.html': 'hello\n', 'n.ipynb': notebook });
    const [mark = ''] = marksIn((await bench.call('Read', { file_path: bench.path('.env') })).output);
    const [name, input] = attempt(bench, mark);
    expect(await bench.call(name, input)).toMatchObject({ ok: false, error: { code: 'redaction_in_edit' } });
    for (const file of readdirSync(bench.root))
      if (file !== '.env') expect(text(bench.path(file))).not.toContain(openAi);
    expect(bench.seen()).not.toContain(openAi);
  });

  table(['[REDACTED:openai-key#7]', '[REDACTED:openai-key]', '[REDACTED]', '[REDACTED:openai-key#01]'])(
    'that is unknown is refused',
    async (mark) => {
      const { path, call } = workbench({ '.env': envFile });
      await call('Read', { file_path: path('.env') });
      const edit = await call('Edit', { file_path: path('.env'), old_string: 'PORT=8080', new_string: `PORT=${mark}` });
      expect(edit).toMatchObject({ ok: false, error: { code: 'redaction_in_edit' } });
      expect(text(path('.env'))).toBe(envFile);
    },
  );

  test('that the file contains as text stays text, unless the file contains its secret too', async () => {
    const { path, call } = workbench({
      'doc.md': 'It reads [REDACTED:openai-key#1].\n',
      '.env': `# [REDACTED:openai-key#1]\n${envFile}`,
    });
    await call('Read', { file_path: path('.env') });
    const mark = '[REDACTED:openai-key#1]';
    const doc = { file_path: path('doc.md'), old_string: `reads ${mark}`, new_string: `says ${mark}` };
    expect(await call('Edit', doc)).toMatchObject({ ok: true });
    expect(text(path('doc.md'))).toBe('It says [REDACTED:openai-key#1].\n');
    const env = { file_path: path('.env'), old_string: `KEY=${mark}`, new_string: `K=${mark}` };
    expect(await call('Edit', env)).toMatchObject({ ok: false, error: { code: 'redaction_in_edit' } });
  });

  test('reaches commands and custom tools as a mark', async () => {
    const received: unknown[] = [];
    const { path, call, seen } = workbench({ '.env': envFile }, {});
    const [mark = ''] = marksIn((await call('Read', { file_path: path('.env') })).output);
    const bash = await call('Bash', { command: `printf '%s' '${mark}' | wc -c` });
    expect(bash.output.split('\n')[0]).toBe(String(mark.length));
    const scrubber = createScrubber({ reversible: true });
    await using own = createToolkit({ root: path('.'), permissions: 'bypassPermissions', scrubber });
    const send = Tool.define('Send', {
      description: 'Send.',
      input: z.object({ text: z.string() }),
      sideEffect: 'network',
      execute: ({ text: sent }) => {
        received.push(sent);
        return 'sent';
      },
    });
    own.registry.register(send);
    const { results } = await own.execute([
      { id: 'a', name: 'Read', input: { file_path: path('.env') } },
      { id: 'b', name: 'Send', input: { text: mark } },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(received).toEqual([mark]);
    expect(seen()).not.toContain(openAi);
  });

  test('in a failed edit leaves no key in the error and the dead letter', async () => {
    const { path, call, seen } = workbench({ '.env': envFile });
    const [key] = marksIn((await call('Read', { file_path: path('.env') })).output);
    const edit = await call('Edit', {
      file_path: path('.env'),
      old_string: `PORT=1\nOPENAI_API_KEY=${key}\nDEBUG=no`,
      new_string: 'x',
    });
    expect(edit).toMatchObject({ ok: false, error: { code: 'no_match' } });
    expectHidden(seen());
  });

  test('stays a mark in a plan', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, '.env'), envFile);
    const permissions = createPermissions({ root, mode: 'plan' });
    const toolkit = testToolkit({ root, permissions, scrubber: createScrubber({ reversible: true }) });
    const read = await toolkit.execute([{ id: 'a', name: 'Read', input: { file_path: join(root, '.env') } }]);
    const [key] = marksIn(read.results[0]?.output ?? '');
    const input = { file_path: join(root, '.env'), old_string: `OPENAI_API_KEY=${key}`, new_string: `AI_KEY=${key}` };
    await toolkit.execute([{ id: 'b', name: 'Edit', input }]);
    expect(JSON.stringify(toolkit.planQueue)).toContain(key);
    expect(JSON.stringify(toolkit.planQueue)).not.toContain(openAi);
    permissions.addRules({ allow: ['Edit'] });
    expect((await toolkit.runPlan()).results).toMatchObject([{ ok: true }]);
    expect(text(join(root, '.env'))).toBe(envFile.replace('OPENAI_API_KEY', 'AI_KEY'));
  });
});
