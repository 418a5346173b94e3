import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sourceProgram } from '../.ci/source-program.js';
import { mentionedTypes } from './support/mentioned-types.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const program = sourceProgram();
const entries = ['index', 'core', 'files', 'policy', 'guards'];
const nameOf = (entry: string) => (entry === 'index' ? 'toolwright' : `toolwright/${entry}`);
const exportsOf = (entry: string) => program.exportsOf(nameOf(entry));
const valuesOf = (entry: string) => [...exportsOf(entry)].flatMap(([name, { isType }]) => (isType ? [] : name));

test('the front door', () => {
  expect(Object.fromEntries(entries.map((entry) => [entry, valuesOf(entry).sort()]))).toMatchSnapshot();
  expect([...exportsOf('index').keys()].sort()).toMatchSnapshot();
});

test('the root and the core export every type that their functions, options and members mention', () => {
  for (const entry of ['index', 'core']) {
    const exported = exportsOf(entry);
    const mentioned = mentionedTypes(program, nameOf(entry));
    expect([...mentioned.keys()]).toEqual(
      // By an option, an answer, a port of a host, and a function that a constant holds.
      expect.arrayContaining(['RetryOptions', 'ToolCallFailure', 'GrepQuery', 'ToolInit']),
    );
    expect([...mentioned].filter(([name]) => !exported.has(name))).toEqual([]);
  }
});

test('the entry for tools has the factory of each built-in one', () => {
  const made = [...read('src/tools/builtin.ts').matchAll(/^import \{.*?\b(\w+Tool)\b.*? from/gm)].map(
    ([, name = '']) => name,
  );
  expect(made.length).toBeGreaterThan(35);
  expect(made.filter((name) => !valuesOf('tools').includes(name))).toEqual([]);
});

test('every exported value stands in an example that is run', () => {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const pages = ['README.md', ...below('docs/guides'), 'docs/getting-started.md', 'docs/pipeline.md'].filter((path) =>
    path.endsWith('.md'),
  );
  const code = [
    ...pages.flatMap((path) => [...read(path).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block)),
    ...below('examples')
      .filter((path) => path.endsWith('.ts'))
      .map(read),
  ].join('\n');
  const unused = [...new Set(entries.flatMap(valuesOf))].filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  expect(unused).toEqual([]);
});
