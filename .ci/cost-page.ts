// The tokens of common results, counted with a real tokenizer: the rows of docs/reference/cost.md.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import type { Toolkit } from '../src/core/registry/toolkit.js';
import { createPermissions } from '../src/permissions/create-permissions.js';
import { createToolkit } from '../src/toolkit/create-toolkit.js';

/** One result and its number of tokens. */
export interface Cost {
  readonly tool: string;
  /** The call and its outcome. */
  readonly what: string;
  readonly tokens: number;
  /** The counted text, with a fixed name in place of the folder. */
  readonly text: string;
}

type Asked = readonly [tool: string, what: string, input: Readonly<Record<string, unknown>>];

const shownRoot = '/home/ann/project';

/** The costs of common results, measured in a temporary folder. */
export async function commonCosts(): Promise<readonly Cost[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-cost-')));
  const features = { undo: true, applyPatch: true };
  const permissions = createPermissions({ mode: 'bypassPermissions', deny: ['Edit(locked/**)'], root });
  try {
    fill(root);
    await using absolute = createToolkit({ root, permissions, features });
    await using relative = createToolkit({ root, permissions, features, relativePaths: 'resolve' });
    const costs: Cost[] = [];
    for (const asked of askedOf(root)) costs.push(await costOf(absolute, asked, root));
    for (const asked of shortened) costs.push(await costOf(relative, asked, root));
    return costs;
  } finally {
    rmSync(root, { recursive: true });
  }
}

let tokenizer: Tiktoken | undefined;

async function costOf(toolkit: Toolkit, [tool, what, input]: Asked, root: string): Promise<Cost> {
  // The result of an undo shows the call id. `toolkit.call` makes random ids, so the number of tokens would vary.
  const { results } = await toolkit.execute([{ id: 'call_1', name: tool, input }]);
  const text = (results[0]?.output ?? '').replaceAll(root, shownRoot);
  tokenizer ??= new Tiktoken(ranks);
  return { tool, what, tokens: tokenizer.encode(text).length, text };
}

/** Five modules of four files, each with one line that matches the searches, and some files to change. */
function fill(root: string): void {
  let seconds = 1_700_000_000;
  const put = (name: string, content: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
    utimesSync(join(root, name), seconds, seconds++);
  };
  for (const folder of ['orders', 'users', 'billing', 'search', 'mail'])
    for (const part of ['service', 'routes', 'types', 'store'])
      put(`src/${folder}/${part}.ts`, `import { log } from '../log.js';\n\nexport const ${part} = log('${folder}');\n`);
  put('src/log.ts', Array.from({ length: 40 }, (_, at) => `export const level${at} = ${at};\n`).join(''));
  put(
    'src/config.ts',
    'export const port = 80;\nexport const host = "localhost";\n  // one\nexport const name = "one";\n',
  );
  put('notes/todo.md', '# To do\n\n- one\n- two\n- one\n');
  const cell = { id: 'a1', cell_type: 'code', source: ['print(1)'], metadata: {}, outputs: [], execution_count: null };
  put('notes/a.ipynb', JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] }, undefined, 1));
}

function askedOf(root: string): readonly Asked[] {
  const at = (name: string) => join(root, name);
  const patch = (...lines: readonly string[]) => ({ patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
  const config = at('src/config.ts');
  const edit = (old_string: string, new_string: string) => ({ file_path: config, old_string, new_string });
  return [
    ['Read', '40 lines', { file_path: at('src/log.ts') }],
    ['Read', '3 of 40 lines', { file_path: at('src/log.ts'), offset: 2, limit: 3 }],
    ['Read', 'a file that is not there, beside one of almost that name', { file_path: at('src/logs.ts') }],
    ['Glob', '20 files', { pattern: 'src/*/*.ts' }],
    ['Glob', 'no file', { pattern: '**/*.py' }],
    ['Grep', '20 files', { pattern: 'import .* log' }],
    ['Grep', '20 lines', { pattern: 'export const .* = log', output_mode: 'content' }],
    ['Grep', 'counts of 20 files', { pattern: 'log', glob: 'src/*/*.ts', output_mode: 'count' }],
    ['Grep', 'no match', { pattern: 'nowhere' }],
    ['List', '5 folders and 2 files', { path: at('src') }],
    ['Write', 'a new file of 2 lines', { file_path: at('src/new.ts'), content: 'a\nb\n' }],
    ['Write', 'the same with other content', { file_path: at('src/new.ts'), content: 'a\nc\n' }],
    ['Edit', 'one place', edit('port = 80', 'port = 8080')],
    ['Edit', 'two places', { ...edit('one', '1'), replace_all: true }],
    ['Edit', 'a place found but for its indentation', edit('      // 1', '      // 2')],
    ['Edit', 'text that is not there', edit('export const prot = 80;', 'x')],
    ['Edit', 'text that stands in two places', { ...edit('- one', '- 1'), file_path: at('notes/todo.md') }],
    ['Edit', 'a file that a rule denies', { ...edit('a', 'b'), file_path: at('locked/a.ts') }],
    [
      'ApplyPatch',
      'a new file, a change and a delete',
      patch(
        '*** Add File: src/two.ts',
        '+x',
        '*** Update File: src/config.ts',
        '@@',
        '-export const host = "localhost";',
        '+export const host = "::";',
        '*** Delete File: src/new.ts',
      ),
    ],
    [
      'ApplyPatch',
      'a context that is not there',
      patch('*** Update File: src/config.ts', '@@', ' export const prot = 80;', '-x'),
    ],
    ['NotebookEdit', 'one cell', { notebook_path: at('notes/a.ipynb'), cell_id: 'a1', new_source: 'print(2)' }],
    ['UndoFile', 'the last change of a file', { file_path: config }],
    ['Bash', 'a command without output', { command: 'true' }],
    ['Bash', 'one line', { command: 'echo done' }],
    ['Bash', 'a command that fails', { command: 'echo broken >&2; exit 2' }],
    ['Bash', 'a command at its time limit', { command: 'sleep 30', timeout: 50 }],
    ['Bash', 'a command that is never run', { command: 'rm -rf /' }],
    [
      'TodoWrite',
      '3 tasks',
      { todos: ['Read', 'Write', 'Test'].map((content) => ({ content, status: 'pending', activeForm: content })) },
    ],
    ['Read', 'a path outside the root', { file_path: '/etc/passwd' }],
    ['Read', 'an input without its path', {}],
    ['Reed', 'a tool that is not there', {}],
  ];
}

const shortened: readonly Asked[] = [
  ['Glob', "20 files, `relativePaths: 'resolve'`", { pattern: 'src/*/*.ts' }],
  ['Grep', "20 files, `relativePaths: 'resolve'`", { pattern: 'import .* log' }],
  ['Grep', "20 lines, `relativePaths: 'resolve'`", { pattern: 'export const .* = log', output_mode: 'content' }],
  [
    'Edit',
    "one place, `relativePaths: 'resolve'`",
    { file_path: 'src/config.ts', old_string: '8080', new_string: '81' },
  ],
];
