import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createScrubber, type ToolkitOptions } from '../../src/index.js';
import { caseWorld } from '../support/case-world.js';

const password = ['KbGvuJ', 'Uv0sVz', 'tSe91x'].join('');
const github = ['gh', 'p_', 'x9Yz8W'.repeat(6)].join('');

/** A file that speaks of the mark, and holds a secret that is shown like it. */
const both = `# values show as [REDACTED]\nA=1\npassword=${password}\nB=2\n`;
/** A file that speaks of it and holds none. */
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
  };
}

const refused = { ok: false, error: { code: 'redaction_in_edit' } };

describe('a write over a file that holds the mark as text', () => {
  test.each([
    ['keeps the mark where the secret stands', '# values show as [REDACTED]\nA=1\npassword=[REDACTED]\nB=3\n'],
    ['has it there only', 'password=[REDACTED]\n'],
    ['has it on a line that is new', '# values show as [REDACTED]\ntoken: [REDACTED]\n'],
    ['repeats the line that holds it', '# values show as [REDACTED]\n# values show as [REDACTED]\n'],
    ['has it in small letters', '# values show as [REDACTED]\npassword=[redacted]\n'],
  ])('is refused where it may destroy a secret: it %s', async (_name, content) => {
    const { write, text } = world(both);
    const result = await write(content);
    expect(result).toMatchObject(refused);
    expect(result.output).toContain('Edit');
    expect(text()).toBe(both);
  });

  test.each([
    ['the lines with it stay as they are and the secret goes', both, '# values show as [REDACTED]\nA=1\nB=3\n'],
    ['no mark is left', both, 'A=1\n'],
    ['the file hides nothing', plain, '# each value shows as [REDACTED]\ntoken: [REDACTED]\n'],
  ])('is made where %s', async (_name, before, content) => {
    const { write, text } = world(before);
    expect(await write(content)).toMatchObject({ ok: true });
    expect(text()).toBe(content);
  });

  test('is refused for a line that stands in the file both as text and as a secret', async () => {
    const before = `password=[REDACTED]\npassword=${password}\n`;
    const { write, text } = world(before);
    expect(await write('password=[REDACTED]\n')).toMatchObject(refused);
    expect(text()).toBe(before);
  });

  test('is refused in UTF-16 as well', async () => {
    const before = Buffer.from(`\ufeff${both}`, 'utf16le');
    const { write, bytes } = world(before);
    expect(await write('password=[REDACTED]\n')).toMatchObject(refused);
    expect(bytes()).toEqual(before);
  });

  test('goes by what this toolkit hides, and is made where nothing is hidden', async () => {
    const known = `# values show as [REDACTED]\nword ${password.slice(0, 9)}\n`;
    const knowing = world(known, { scrubber: createScrubber({ values: [password.slice(0, 9)] }) });
    expect(await knowing.write('word [REDACTED]\n')).toMatchObject(refused);
    const open = world(both, { scrubber: false });
    expect(await open.write('password=[REDACTED]\n')).toMatchObject({ ok: true });
  });

  test('with a reversible scrubber puts the secret back and leaves the mark that is text', async () => {
    const { read, write, text } = world(both, { scrubber: createScrubber({ reversible: true }) });
    const [mark] = /\[REDACTED:[^\]]*\]/.exec((await read()).output) ?? [];
    expect(await write(`# each shows as [REDACTED]\npassword=${mark}\n`)).toMatchObject({ ok: true });
    expect(text()).toBe(`# each shows as [REDACTED]\npassword=${password}\n`);
  });
});

describe('an edit in a file that holds the mark as text', () => {
  test.each([
    ['takes the line of the secret for text', 'A=1\npassword=[REDACTED]\nB=2', 'A=1\npassword=[REDACTED]\nB=3'],
    ['looks for the secret by its mark', 'password=[REDACTED]', 'password=x'],
    ['brings the mark to another line', 'A=1', 'A=[REDACTED]'],
    ['brings a second one to the line that holds it', '# values show as [REDACTED]', '# values show as [REDACTED], [REDACTED]'],
  ])('is refused with a way to go on where it %s', async (_name, oldText, newText) => {
    const { edit, text } = world(both);
    const result = await edit(oldText, newText);
    expect(result).toMatchObject(refused);
    expect(result.output).toMatch(/leave the line with the (secret|mark) out/i);
    expect(text()).toBe(both);
  });

  test.each([
    ['on the line that holds it', both, 'show as [REDACTED]', 'are shown as [REDACTED]'],
    ['on that line and the next', both, '[REDACTED]\nA=1', '[REDACTED]\nA=2'],
    ['beside the secret', both, 'B=2', 'B=3'],
    ['with one more of them where nothing is hidden', plain, 'A=1', 'A=[REDACTED]'],
  ])('is made %s', async (_name, before, oldText, newText) => {
    const { edit, text } = world(before);
    expect(await edit(oldText, newText)).toMatchObject({ ok: true });
    expect(text()).toBe(before.replace(oldText, newText));
  });

  test('is told of the nearest lines where nothing is hidden', async () => {
    const { edit } = world(plain);
    expect(await edit('# values show like [REDACTED]', 'x')).toMatchObject({ ok: false, error: { code: 'no_match' } });
  });
});

describe('a cell of a notebook that holds the mark as text', () => {
  const code = `k = "${github}"`;
  const cells = [
    { cell_type: 'markdown', id: 'm', metadata: {}, source: ['shown as [REDACTED]'] },
    { cell_type: 'code', id: 'a', metadata: {}, source: [`${code}\n`, 'print(1)'], outputs: [], execution_count: null },
    { cell_type: 'code', id: 'b', metadata: {}, source: 'mark = "[REDACTED]"', outputs: [], execution_count: null },
  ];
  const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });

  function notebookWorld() {
    const { root, call } = caseWorld();
    const path = join(root, 'n.ipynb');
    writeFileSync(path, notebook);
    return { text: () => readFileSync(path, 'utf8'), edit: (input: object) => call('NotebookEdit', { notebook_path: path, ...input }) };
  }

  test.each([
    ['replaced', { cell_id: 'a', new_source: 'k = "[REDACTED]"\nprint(2)' }],
    ['made with the mark', { edit_mode: 'insert', cell_type: 'code', cell_id: 'a', new_source: 'k = "[REDACTED]"' }],
    ['given the mark that another cell holds', { cell_id: 'a', new_source: 'mark = "[REDACTED]"' }],
  ])('is not %s, which may destroy the secret', async (_name, input) => {
    const { edit, text } = notebookWorld();
    expect(await edit(input)).toMatchObject(refused);
    expect(text()).toBe(notebook);
  });

  test.each([
    ['without the mark', { cell_id: 'a', new_source: 'print(2)' }],
    ['with the line that holds it', { cell_id: 'b', new_source: 'mark = "[REDACTED]"\nprint(2)' }],
  ])('is replaced %s', async (_name, input) => {
    const { edit, text } = notebookWorld();
    expect(await edit(input)).toMatchObject({ ok: true });
    expect(text()).toContain('print(2)');
  });
});

test('a file too large to be looked at takes no mark, in no letters', async () => {
  const { write, text } = world(both, { limits: { write: { maxFileBytes: 20 } } });
  expect(await write('password=[redacted]\n')).toMatchObject(refused);
  expect(await write('# values show as [REDACTED]\n')).toMatchObject(refused);
  expect(text()).toBe(both);
});
