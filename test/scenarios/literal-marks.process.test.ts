import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createScrubber, type ToolkitOptions } from '../../src/index.js';
import { caseWorld } from '../support/case-world.js';
import { table } from '../support/each-row.js';

const password = ['KbGvuJ', 'Uv0sVz', 'tSe91x'].join('');
const github = ['gh', 'p_', 'x9Yz8W'.repeat(6)].join('');

/** A file that contains the mark as text and a secret that is shown as the same mark. */
const both = `# values show as [REDACTED]\nA=1\npassword=${password}\nB=2\n`;
/** A file that contains the mark as text and no secret. */
const plain = '# values show as [REDACTED]\nA=1\nB=2\n';

function world(text: string | Buffer, options: Partial<ToolkitOptions> = {}) {
  const { root, call } = caseWorld([], options);
  const path = join(root, 't.env');
  writeFileSync(path, text);
  return {
    path,
    text: () => readFileSync(path, 'utf8'),
    bytes: () => readFileSync(path),
    read: () => call('Read', { file_path: path }),
    write: (content: string) => call('Write', { file_path: path, content }),
    edit: (old_string: string, new_string: string) => call('Edit', { file_path: path, old_string, new_string }),
    all: (old_string: string, new_string: string) =>
      call('Edit', { file_path: path, old_string, new_string, replace_all: true }),
  };
}

const refused = { ok: false, error: { code: 'redaction_in_edit' } };
const noMatch = { ok: false, error: { code: 'no_match' } };

describe('a write to a file that contains the mark as text', () => {
  table([
    ['keeps the mark where the secret stands', '# values show as [REDACTED]\nA=1\npassword=[REDACTED]\nB=3\n'],
    ['has it there only', 'password=[REDACTED]\n'],
    ['has it there with quotes and blanks', '# values show as [REDACTED]\nA=1\n  password = "[REDACTED]"\n'],
    ['has more behind it', '# values show as [REDACTED]\npassword=[REDACTED] # later\n'],
    ['has it in small letters', '# values show as [REDACTED]\npassword=[redacted]\n'],
    ['has it on another line', '# values show as [REDACTED]\ntoken: [REDACTED]\n'],
    ['repeats the line with it', '# values show as [REDACTED]\n# values show as [REDACTED]\n'],
  ])('is refused if it may destroy a secret', async (_name, content) => {
    const { write, text } = world(both);
    const result = await write(content);
    expect(result).toMatchObject(refused);
    expect(result.output).toContain('Edit');
    expect(text()).toBe(both);
  });

  table([
    ['the lines with it stay as they are and the secret goes', both, '# values show as [REDACTED]\nA=1\nB=3\n'],
    ['no mark is left', both, 'A=1\n'],
    ['the file hides nothing', plain, '# each value shows as [REDACTED]\ntoken: [REDACTED]\n'],
  ])('is applied if no secret is lost', async (_name, before, content) => {
    const { write, text } = world(before);
    expect(await write(content)).toMatchObject({ ok: true });
    expect(text()).toBe(content);
  });

  test('is refused in UTF-16 too', async () => {
    const before = Buffer.from(`\ufeff${both}`, 'utf16le');
    const { write, bytes } = world(before);
    expect(await write('password=[REDACTED]\n')).toMatchObject(refused);
    expect(bytes()).toEqual(before);
  });

  test('compares lines that end in a carriage return too', async () => {
    const before = both.replaceAll('\n', '\r');
    const { write, text } = world(before);
    expect(await write(`# values show as [REDACTED]\rA=2\rpassword=[REDACTED]\rB=2\r`)).toMatchObject(refused);
    const content = before.replace('A=1', 'A=2');
    expect(await write(content)).toMatchObject({ ok: true });
    expect(text()).toBe(content);
  });

  test('distinguishes a bare mark from the lines of a key', async () => {
    const edge = (word: string) => ['-----', word, ' RSA PRIVATE', ' KEY-----\n'].join('');
    const key = `${edge('BEGIN')}${'MIIEowIBAAKCAQEA7bq98RTyu'.repeat(2)}\n${edge('END')}`;
    const before = `[REDACTED]\nx\n${key}`;
    const { write, text } = world(before);
    expect(await write('[REDACTED]\nx\n[REDACTED]\n')).toMatchObject(refused);
    expect(await write(`[REDACTED]\ny\n${key}`)).toMatchObject({ ok: true });
    expect(text()).toBe(`[REDACTED]\ny\n${key}`);
  });

  test('follows the scrubber of the toolkit, and is applied without one', async () => {
    const known = `# values show as [REDACTED]\nword ${password.slice(0, 9)}\n`;
    const knowing = world(known, { scrubber: createScrubber({ values: [password.slice(0, 9)] }) });
    expect(await knowing.write('word [REDACTED]\n')).toMatchObject(refused);
    const open = world(both, { scrubber: false });
    expect(await open.write('password=[REDACTED]\n')).toMatchObject({ ok: true });
  });

  test('with a reversible scrubber restores the secret and keeps the mark that is text', async () => {
    const { read, write, text } = world(both, { scrubber: createScrubber({ reversible: true }) });
    const [mark] = /\[REDACTED:[^\]]*\]/.exec((await read()).output) ?? [];
    expect(await write(`# values show as [REDACTED]\npassword=${mark}\n`)).toMatchObject({ ok: true });
    expect(text()).toBe(`# values show as [REDACTED]\npassword=${password}\n`);
  });

  test('with a reversible scrubber accepts the plain mark for any other', async () => {
    const { edit, write, text } = world(both, { scrubber: createScrubber({ reversible: true }) });
    expect(await write('# values show as [REDACTED]\nA=2\npassword=[REDACTED]\n')).toMatchObject(refused);
    expect(await edit('A=1', 'A=2\npassword=[REDACTED]')).toMatchObject(refused);
    expect(text()).toBe(both);
  });

  test('does not fail if the scrubber does', async () => {
    const fail = () => {
      throw new Error('broken');
    };
    const { edit, write, text } = world(plain, { scrubber: { text: fail, stream: () => ({ push: fail, end: fail }) } });
    expect(await write('# values show as [REDACTED]\nA=2\n')).toMatchObject({ ok: true });
    expect(await edit('A=2', 'A=[REDACTED]')).toMatchObject(refused);
    expect(text()).toBe('# values show as [REDACTED]\nA=2\n');
  });
});

describe('an edit in a file that contains the mark as text', () => {
  table([
    ['takes the line of the secret for text', 'A=1\npassword=[REDACTED]\nB=2', 'A=1\npassword=[REDACTED]\nB=3'],
    ['looks for the secret by its mark', 'password=[REDACTED]', 'password=x'],
    ['looks for a part of it', 'sword=[REDACTED]\nB=2', 'sword=x'],
    ['adds the mark to another line', 'A=1', 'A=[REDACTED]'],
    ['adds a second one to a line', 'as [REDACTED]', 'as [REDACTED], [REDACTED]'],
    ['adds a line like that of the secret', 'B=2', 'password: x\n password = "[REDACTED]" # new'],
    ['puts the mark between the key and the secret', 'sword=', 'sword=[REDACTED]'],
    ['brings the line of the secret to another place', '# values show', 'password=[REDACTED]\n# values show'],
  ])('is refused with the next step if it may affect the secret', async (_name, oldText, newText) => {
    const { edit, text } = world(both);
    const result = await edit(oldText, newText);
    expect(result).toMatchObject(refused);
    expect(result.output).toMatch(/leave the line with the (secret|mark) out/i);
    expect(text()).toBe(both);
  });

  table([
    ['on the line that holds it', both, 'show as [REDACTED]', 'are shown as [REDACTED]'],
    ['on that line and the next', both, '[REDACTED]\nA=1', '[REDACTED]\nA=2'],
    ['beside the secret', both, 'B=2', 'B=3'],
    ['with one more of them where nothing is hidden', plain, 'A=1', 'A=[REDACTED]'],
  ])('is applied if it does not', async (_name, before, oldText, newText) => {
    const { edit, text } = world(before);
    expect(await edit(oldText, newText)).toMatchObject({ ok: true });
    expect(text()).toBe(before.replace(oldText, newText));
  });

  test('shows the nearest lines if no hidden line matches', async () => {
    expect(await world(plain).edit('# values show like [REDACTED]', 'x')).toMatchObject(noMatch);
    const { edit } = world(both);
    expect(await edit('# values show like [REDACTED]', 'x')).toMatchObject(noMatch);
    expect(await edit('# values show as [REDACTED]\nA=2', 'x')).toMatchObject(noMatch);
  });

  test('is refused at each of several places', async () => {
    const before = `x [REDACTED]\nx [REDACTED]\npassword=${password}\n`;
    const { all, text } = world(before);
    expect(await all('x', 'password=[REDACTED]')).toMatchObject(refused);
    expect(await all('x [REDACTED]', 'y [REDACTED]')).toMatchObject({ ok: true });
    expect(text()).toBe(before.replaceAll('x [', 'y ['));
  });
});

describe('a cell of a notebook that contains the mark as text', () => {
  const code = `k = "${github}"`;
  const cells = [
    { cell_type: 'markdown', id: 'm', metadata: {}, source: ['shown as [REDACTED]'] },
    { cell_type: 'code', id: 'a', metadata: {}, source: [`${code}\n`, 'print(1)'], outputs: [], execution_count: null },
    { cell_type: 'code', id: 'b', metadata: {}, source: 'mark = "[REDACTED]"', outputs: [], execution_count: null },
  ];
  const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });

  function notebookWorld(content = notebook) {
    const { root, call } = caseWorld();
    const path = join(root, 'n.ipynb');
    writeFileSync(path, content);
    return {
      text: () => readFileSync(path, 'utf8'),
      edit: (input: object) => call('NotebookEdit', { notebook_path: path, ...input }),
    };
  }

  table([
    ['replaced', { cell_id: 'a', new_source: 'k = "[REDACTED]"\nprint(2)' }],
    ['replaced by a line like it', { cell_id: 'a', new_source: "k = '[REDACTED]' # new" }],
  ])('is not replaced if that may destroy the secret', async (_name, input) => {
    const { edit, text } = notebookWorld();
    expect(await edit(input)).toMatchObject(refused);
    expect(text()).toBe(notebook);
  });

  table([
    ['without the mark', { cell_id: 'a', new_source: 'print(2)' }],
    ['with the line that holds it', { cell_id: 'b', new_source: 'mark = "[REDACTED]"\nprint(2)' }],
    ['with a new one, where it hides nothing', { cell_id: 'm', new_source: 'shown as [REDACTED] by print(2)' }],
    [
      'or made behind it',
      { edit_mode: 'insert', cell_type: 'code', cell_id: 'a', new_source: 'marks = ["[REDACTED]"]\nprint(2)' },
    ],
  ])('is replaced if it does not', async (_name, input) => {
    const { edit, text } = notebookWorld();
    expect(await edit(input)).toMatchObject({ ok: true });
    expect(text()).toContain('print(2)');
  });

  test('accepts it in a notebook with a large image too', async () => {
    const picture = { output_type: 'display_data', data: { 'image/png': 'B'.repeat(4_500_000) }, metadata: {} };
    const pictured = [{ ...cells[1], outputs: [picture] }, ...cells.slice(2)];
    const content = JSON.stringify({ ...JSON.parse(notebook), cells: pictured });
    const { edit } = notebookWorld(content);
    expect(await edit({ cell_id: 'b', new_source: 'print("[REDACTED]")' })).toMatchObject({ ok: true });
    expect(await edit({ cell_id: 'a', new_source: 'k = "[REDACTED]"' })).toMatchObject(refused);
  });
});

describe('a file too large to scrub', () => {
  const large = `# values show as [REDACTED]\n${'a plain line of a log\n'.repeat(200_000)}end\n`;

  test('accepts marks on the lines that contain them, and refuses others with the reason', async () => {
    const { edit, write, text } = world(large);
    for (const result of [await edit('end', 'shown as [REDACTED] too'), await write('x\nshown as [REDACTED]\n')]) {
      expect(result).toMatchObject(refused);
      expect(result.output).toMatch(/The line with \[REDACTED\] is not in/);
    }
    expect(await edit('# values show as [REDACTED]\na', '# values show as [REDACTED]\nb')).toMatchObject({ ok: true });
    expect(await edit('values are [REDACTED]', 'x')).toMatchObject(noMatch);
    expect(await write('# values show as [REDACTED]\nend\n')).toMatchObject({ ok: true });
    expect(text()).toBe('# values show as [REDACTED]\nend\n');
  });
});

test('a file too large to read accepts no mark, in any letter case', async () => {
  const { write, text } = world(both, { limits: { write: { maxFileBytes: 20 } } });
  expect(await write('password=[redacted]\n')).toMatchObject(refused);
  expect(await write('# values show as [REDACTED]\n')).toMatchObject(refused);
  expect(text()).toBe(both);
});
