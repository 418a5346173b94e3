import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GrepQuery } from '../../src/files.js';
import { type CallScope, createScrubber, type FileSystem, type ToolkitOptions } from '../../src/index.js';
import { memoryFiles } from '../../src/testing/index.js';
import { alphanumeric } from '../secrets/scrubber-cases.js';
import { caseWorld } from '../support/case-world.js';
import { table } from '../support/each-row.js';

const token = ['ghp', alphanumeric(36)].join('_');
const password = ['correct-h0rse', '9x!'].join('');
const secrets = [token.slice(4), password];

/** The sequences of six characters of the secrets in a text. */
function leaked(text: string): string[] {
  return secrets.flatMap((secret) =>
    Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6)).filter((run) => text.includes(run)),
  );
}

const content = `first\nname=app\nTOK=${token}\nDB_PASSWORD=${password}\nlast line\n`;

function world(text: string, options: Partial<ToolkitOptions> = {}) {
  const { root, call } = caseWorld([], options);
  const path = join(root, 'k.env');
  writeFileSync(path, text);
  return { path, call };
}

/** The same files with some methods replaced. */
function instead(files: FileSystem, methods: Partial<FileSystem>): FileSystem {
  const own = (name: string | symbol) => {
    const member: unknown = Reflect.get(files, name);
    return typeof member === 'function' ? member.bind(files) : member;
  };
  return new Proxy(files, { get: (_files, name) => Reflect.get(methods, name) ?? own(name) });
}

const ways: Readonly<Record<string, Partial<ToolkitOptions>>> = {
  'the first engine there is': {},
  'a reversible scrubber': { scrubber: createScrubber({ reversible: true }) },
};

describe.each(Object.entries(ways))('matching parts of lines, with %s', (_name, options) => {
  table([
    ['[A-Za-z0-9_]{10}', {}],
    ['DB_PASSWORD=.{5}', {}],
    ['.{12}$', {}],
    ['.', {}],
    ['.{7}', { '-n': false }],
    ['h0rse', { '-C': 1 }],
    ['.{9}', { '-A': 1, '-B': 1, '-n': false }],
    ['.{8}', { head_limit: 9, offset: 3 }],
    ['.{8}', { head_limit: 9 }],
    ['[^\\n]{6}\\n?', { multiline: true }],
    ['(?s)TOK=.{9}', { multiline: true }],
  ])('show nothing of a credential', async (pattern, more) => {
    const { path, call } = world(content, options);
    for (const where of [{ path }, {}]) {
      const result = await call('Grep', { pattern, output_mode: 'content', '-o': true, ...where, ...more });
      expect(result.ok).toBe(true);
      expect(leaked(result.output), result.output).toEqual([]);
    }
  });
});

test('a line with a credential is shown once instead of its matches, and all others unchanged', async () => {
  const { path, call } = world(content);
  const search = { path, output_mode: 'content', '-o': true };
  expect((await call('Grep', { ...search, pattern: '[a-zA-Z0-9=]{5}' })).output).toBe(
    [`${path}:1:first`, `${path}:2:name=`, `${path}:3:TOK=[REDACTED]`, `${path}:4:DB_PASSWORD=[REDACTED]`].join('\n'),
  );
  expect((await call('Grep', { ...search, pattern: '^name|^last|line', '-n': false })).output).toBe(
    `${path}:name\n${path}:last\n${path}:line`,
  );
  expect((await call('Grep', { ...search, multiline: true, pattern: 'app\\nTOK=.{9}' })).output).toBe(
    `${path}:2:app\n${path}:3:TOK=[REDACTED]`,
  );
  const page = await call('Grep', { ...search, pattern: '[a-zA-Z0-9=]{5}', offset: 0, head_limit: 5 });
  expect(page.output).toMatch(/go on with offset 5, or narrow the search\]$/);
});

test('memory files are searched equally, alone and with the disk', async () => {
  const files = memoryFiles({ root: '/notes', files: { 'k.env': content } });
  const search = { pattern: '[A-Za-z0-9_]{10}', output_mode: 'content', '-o': true };
  for (const options of [{ root: files.root, hosts: { files } }, { mounts: [{ path: '/notes', files }] }]) {
    const { call } = world('x\n', options);
    const { output } = await call('Grep', { ...search, path: '/notes' });
    expect(output).toBe('/notes/k.env:3:TOK=[REDACTED]\n/notes/k.env:4:DB_PASSWORD=[REDACTED]');
  }
});

test('lines are grouped by name if a store does not, and removed ones are not shown', async () => {
  const files = memoryFiles({ root: '/notes', files: { 'k.env': content, 'k.env-2': 'password\n' } });
  const grep = async (query: GrepQuery, scope: CallScope) => {
    const { files: _, ...found } = await files.grep(query, scope);
    return found;
  };
  const search = { pattern: '[A-Z_]{3,4}|pass', output_mode: 'content', '-o': true };
  const apart = world('x\n', { root: files.root, hosts: { files: instead(files, { grep }) } });
  expect((await apart.call('Grep', search)).output).toBe(
    '/notes/k.env:3:TOK=[REDACTED]\n/notes/k.env:4:DB_PASSWORD=[REDACTED]\n/notes/k.env-2:1:pass',
  );
  const open = () => Promise.reject(new Error('gone'));
  const gone = world('x\n', { root: files.root, hosts: { files: instead(files, { open }) } });
  const { output } = await gone.call('Grep', { ...search, pattern: '.{8}' });
  expect(leaked(output)).toEqual([]);
  expect(output).toContain('/notes/k.env:3:[text withheld');
});

test('without a scrubber parts are shown unchanged', async () => {
  const { path, call } = world(content, { scrubber: false });
  const { output } = await call('Grep', { path, pattern: 'DB_PASSWORD=.{5}', output_mode: 'content', '-o': true });
  expect(output).toBe(`${path}:4:DB_PASSWORD=${password.slice(0, 5)}`);
  expect((await call('Read', { file_path: path, offset: 4, column: 13 })).output).toMatch(`4\t${password}`);
});

describe('long lines', () => {
  const filler = 'word '.repeat(5_000);

  test('a line with a credential is shown cut and scrubbed instead of its matches', async () => {
    const { path, call } = world(`${filler}version=1.2.3 TOK=${token} size=77 ${filler}\n`);
    const search = { path, output_mode: 'content', '-o': true };
    for (const pattern of ['[a-z]+=[0-9.]+', '[A-Za-z0-9_]{10}']) {
      const { output } = await call('Grep', { ...search, pattern });
      expect(leaked(output)).toEqual([]);
      expect(output).toMatch(/^\S+:1:word word.* \[cut; \d+ bytes in all\]$/);
    }
  });

  test('a cut line shows nothing of a credential at the cut', async () => {
    for (const at of [1_950, 1_962, 1_975, 1_985, 1_991, 1_999, 2_000]) {
      const { path, call } = world(`${'word '.repeat(400).slice(0, at - 5)} TOK=${token} end ${filler}\nnext\n`);
      for (const input of [{}, { '-n': false }, { '-C': 1 }]) {
        const { output } = await call('Grep', { path, pattern: 'next|word', output_mode: 'content', ...input });
        expect(leaked(output), `${at}`).toEqual([]);
        expect(output).toMatch(/\[cut; \d+ bytes in all\]/);
      }
      const shown = await call('Read', { file_path: path });
      expect(leaked(shown.output), `${at}`).toEqual([]);
      expect(shown.output).toContain('[Line 1 is cut; read on with offset: 1, column: 2001]');
    }
  });

  test('a page that ends inside a line shows nothing of a credential at its end', async () => {
    const { path, call } = world(`${'word '.repeat(100)} TOK=${token} end ${filler}\n`);
    for (let end = 504; end < 550; end += 3) {
      const limits = { read: { maxChars: end - 100, maxLineChars: 300 } };
      const { root, call: read } = caseWorld(
        [['file', 'l.txt', `${'word '.repeat(100)} TOK=${token} end ${filler}\n`]],
        { limits },
      );
      const { output } = await read('Read', { file_path: join(root, 'l.txt'), column: 101 });
      expect(leaked(output), `${end}`).toEqual([]);
      expect(output).toContain(`column: ${end + 1}]`);
    }
    expect(leaked((await call('Read', { file_path: path })).output)).toEqual([]);
  });
});

describe('a line from a column on', () => {
  const lines = [
    `TOK=${token}`,
    `DB_PASSWORD=${password} x`,
    `${'word '.repeat(30_000)}TOK=${token} tail ${'more '.repeat(900)}`,
  ];

  table(['utf8', 'utf16le'] as const)('shows nothing of a credential that begins before it', async (encoding) => {
    const { root, call } = caseWorld();
    const path = join(root, 'c.txt');
    writeFileSync(path, Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`, encoding));
    for (const [index, line] of lines.entries()) {
      const start = Math.max(1, line.search(/(?:TOK|DB_PASSWORD)=/) + 1);
      for (let column = start; column < start + 60 && column <= line.length; column += index === 2 ? 7 : 1) {
        const { output } = await call('Read', { file_path: path, offset: index + 1, limit: 1, column });
        expect(leaked(output), `${index} ${column}`).toEqual([]);
      }
    }
    const shown = async (column: number) =>
      (await call('Read', { file_path: path, offset: 2, limit: 1, column })).output;
    expect(await shown(15)).toMatch(/^2\t\[REDACTED\] x\n/);
    expect(await shown(13 + password.length)).toMatch(/^2\t x\n/);
  });

  test('is scrubbed in a notebook too', async () => {
    const cells = [{ cell_type: 'code', id: 'a', metadata: {}, source: lines[0], execution_count: 1, outputs: [] }];
    const { root, call } = caseWorld([
      ['file', 'n.ipynb', JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 })],
    ]);
    for (let column = 1; column < 40; column++) {
      for (const offset of [1, 2, 3]) {
        expect(leaked((await call('Read', { file_path: join(root, 'n.ipynb'), offset, column })).output)).toEqual([]);
      }
    }
  });

  table([1, 2, 7, 2_000, 5_000, 70_000])('equals the line without a scrubber if nothing is hidden', async (column) => {
    const text = `first\n${'plain words äöü '.repeat(9_000)}\r\nlast\n`;
    const [scrubbed, reversible, bare] = await Promise.all(
      [{}, { scrubber: createScrubber({ reversible: true }) }, { scrubber: false as const }].map(async (options) => {
        const { root, call } = caseWorld([['file', 'p.txt', text]], options);
        return (await call('Read', { file_path: join(root, 'p.txt'), offset: 2, column })).output;
      }),
    );
    expect(scrubbed).toBe(bare);
    expect(reversible).toBe(bare);
  });
});

describe('a mark that is copied inexactly', () => {
  const open = (mark: string) => mark.slice(0, -1);
  const forms: readonly ((mark: string) => string)[] = [
    open,
    (mark) => mark.toLowerCase(),
    (mark) => mark.replace('[', '[ ').replace(']', ' ]'),
  ];

  table(forms.map((form) => [form('[REDACTED]'), form] as const))(
    'is not written over the secret',
    async (_name, form) => {
      for (const options of Object.values(ways)) {
        const { path, call } = world(`DB_PASSWORD=${password}\n`, options);
        const mark = /\[REDACTED[^\]]*\]/.exec((await call('Read', { file_path: path })).output)?.[0] ?? '';
        const write = await call('Write', { file_path: path, content: `DB_PASSWORD=${form(mark)}\n` });
        const change = { old_string: 'DB_PASSWORD=', new_string: `OLD=${form(mark)}\nDB_PASSWORD=` };
        const edit = await call('Edit', { file_path: path, ...change });
        for (const result of [write, edit])
          expect(result).toMatchObject({ ok: false, error: { code: 'redaction_in_edit' } });
        expect(readFileSync(path, 'utf8')).toBe(`DB_PASSWORD=${password}\n`);
      }
    },
  );

  test('stays if the file contains it, and in a new file', async () => {
    const { path, call } = world("censor: '[Redacted]'\n");
    expect((await call('Write', { file_path: path, content: "censor: '[Redacted]', more\n" })).ok).toBe(true);
    expect((await call('Write', { file_path: `${path}-2`, content: "censor: '[Redacted]'\n" })).ok).toBe(true);
  });
});

describe('the context of a line is used for scrubbing, at any start of a page or match', () => {
  const body = Array.from({ length: 24 }, (_, at) => alphanumeric(64, at));
  const key = [`-----BEGIN RSA PRIVATE${' KEY-----'}`, ...body, `-----END RSA PRIVATE${' KEY-----'}`].join('\n');
  const files = {
    'k.pem': key,
    'entry.yml': `env:\n  - name: DB_PASSWORD\n    value: ${password}\n`,
    'block.yml': `token: |\n  ${token.slice(4)}\n`,
    '.pgpass': `db.example.com:5432:app:bob:${password}\n`,
    'v.tf': `variable "db_password" {\n  default = "${password}"\n}\n`,
  };
  const shown = [...secrets, ...body];

  test.each(Object.entries(files))('%s', async (name, text) => {
    const { root, call } = caseWorld([]);
    const path = join(root, name);
    writeFileSync(path, text);
    const count = text.split('\n').length;
    const results = await Promise.all([
      ...Array.from({ length: count }, (_, at) => call('Read', { file_path: path, offset: at + 1, limit: 2 })),
      call('Read', { file_path: path }),
      call('Grep', { path, pattern: '[A-Za-z0-9!-]{10,}$', output_mode: 'content' }),
      call('Grep', { path, pattern: '[a-z"]', output_mode: 'content', '-n': false }),
      call('Grep', { path, pattern: '[A-Za-z0-9-]{12,}', output_mode: 'content', '-o': true }),
    ]);
    const output = results.map((result) => result.output).join('\n');
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(output).toContain('[REDACTED');
    expect(shown.filter((secret) => output.includes(secret))).toEqual([]);
  });
});
