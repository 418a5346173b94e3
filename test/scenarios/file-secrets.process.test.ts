import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPermissions, type ToolEvent } from '../../src/index.js';
import { caseWorld, fixture } from '../support/case-world.js';

interface Case {
  readonly id: string;
  readonly why: string;
  readonly text: readonly string[];
  readonly secrets?: readonly (readonly string[])[];
  readonly keep?: readonly string[];
}

const cases = fixture<Case>('file-secrets').map(({ id, why, text, secrets = [], keep = [] }) => ({
  name: `${why} (${id})`,
  text: text.join(''),
  secrets: secrets.map((parts) => parts.join('')),
  keep,
}));
const secret = cases.filter(({ secrets }) => secrets.length > 0);
const harmless = cases.filter(({ secrets }) => secrets.length === 0);

/** The lines of secrets that are long enough to be recognisable. */
const linesOf = (secrets: readonly string[]) =>
  secrets.flatMap((one) => one.split('\n').filter((line) => line.length > 12));

/** A notebook with one cell that has this source and prints it. */
function notebookOf(source: string): string {
  const outputs = [{ output_type: 'stream', name: 'stdout', text: source }];
  const cell = { cell_type: 'code', id: 'a', metadata: {}, source, execution_count: 1, outputs };
  return JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

type Calls = readonly (readonly [name: string, input: Readonly<Record<string, unknown>>])[];

/** The ways in which the old or new content of a file appears in outputs. */
const channels: Readonly<Record<string, (path: string, text: string) => Calls>> = {
  'a read': (path) => [['Read', { file_path: path }]],
  'a page': (path) => [['Read', { file_path: path, offset: 1, limit: 1 }]],
  'matching lines': (path) => [['Grep', { pattern: '.', path, output_mode: 'content' }]],
  'the matching part': (path) => [['Grep', { pattern: '.*', path, output_mode: 'content', '-o': true }]],
  'the pattern of a search': (path, text) => [
    ['Grep', { pattern: text.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), path, multiline: true }],
  ],
  'an edit beside it': (path) => [['Edit', { file_path: path, old_string: 'above\n', new_string: 'ABOVE\n' }]],
  'an edit that takes it out': (path, text) => [['Edit', { file_path: path, old_string: text, new_string: 'gone\n' }]],
  'an edit that fails': (path, text) => [
    ['Edit', { file_path: path, old_string: `${text}not there`, new_string: 'x' }],
  ],
  'a write of it': (path, text) => [['Write', { file_path: path, content: `new\n${text}` }]],
  'a write over it': (path) => [['Write', { file_path: path, content: 'other\n' }]],
  'an undo': (path) => [
    ['Write', { file_path: path, content: 'other\n' }],
    ['UndoFile', { file_path: path }],
  ],
  'an undo of the turn': (path, text) => [
    ['Edit', { file_path: path, old_string: text, new_string: 'gone\n' }],
    ['UndoTurn', {}],
  ],
  'a path': (path, text) => [['Read', { file_path: `${path}/../${text.trim().split('\n')[0]}` }]],
  'a pattern of names': (_path, text) => [['Glob', { pattern: text.trim().split('\n')[0] }]],
};

/**
 * Outputs that show only a part: a key of several lines is not recognised without its first line, nor a URL whose
 * slashes were lost in a path.
 */
const partial = new Set(['an edit that fails', 'a path', 'the pattern of a search']);

describe.each(Object.keys(channels))('%s', (channel) => {
  const known = secret.filter(({ text }) => !partial.has(channel) || !/-----BEGIN|:\/\//.test(text));
  test.each(known)('$name', async ({ text, secrets, keep }) => {
    const events: ToolEvent[] = [];
    const { root, toolkit } = caseWorld([], { features: { undo: true } });
    const path = join(root, 'file.txt');
    writeFileSync(path, `above\n${text}`);
    for (const [name, input] of channels[channel]?.(path, text) ?? []) {
      const { results } = await toolkit.execute([{ id: 'c', name, input }], { onEvent: (event) => events.push(event) });
      const shown = JSON.stringify([results, events]);
      for (const each of linesOf(secrets)) expect(shown).not.toContain(JSON.stringify(each).slice(1, -1));
      if (channel === 'a read') for (const each of keep) expect(results[0]?.output).toContain(each);
    }
  });
});

describe('notebooks', () => {
  test.each(secret)('$name', async ({ text, secrets }) => {
    const { root, call } = caseWorld();
    const path = join(root, 'n.ipynb');
    writeFileSync(path, notebookOf(text));
    const results = [
      await call('Read', { file_path: path }),
      await call('NotebookEdit', { notebook_path: path, cell_id: 'a', new_source: `# new\n${text}` }),
      await call('NotebookEdit', { notebook_path: path, cell_id: 'a', new_source: 'x' }),
    ];
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    for (const each of linesOf(secrets)) expect(JSON.stringify(results)).not.toContain(each);
  });
});

test.each(secret)('a question does not show it, and the written file is complete: $name', async ({ text, secrets }) => {
  const asked: unknown[] = [];
  const onAsk = async (request: unknown) => {
    asked.push(request);
    return 'allow-once' as const;
  };
  const permissions = createPermissions({ mode: 'default', onAsk });
  const { root, call } = caseWorld([], { permissions });
  const path = join(root, 'file.txt');
  expect(await call('Write', { file_path: path, content: text })).toMatchObject({ ok: true });
  expect(readFileSync(path, 'utf8')).toBe(text);
  const { title, preview } = asked[0] as { readonly title: string; readonly preview: string };
  for (const each of linesOf(secrets)) expect(`${title}\n${preview}`).not.toContain(each);
});

test.each(harmless)('is restored unchanged: $name', async ({ text }) => {
  const { root, call } = caseWorld();
  const path = join(root, 'file.txt');
  writeFileSync(path, text);
  const shown = (await call('Read', { file_path: path })).output;
  expect(shown.replaceAll(/^\d+\t/gm, '')).toBe(text.replace(/\n$/, ''));
  const found = await call('Grep', { pattern: '.', path, output_mode: 'content', '-n': false });
  expect(found.output.replaceAll(`${path}:`, '')).toBe(text.replace(/\n$/, ''));
});
