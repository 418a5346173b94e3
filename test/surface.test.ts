import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** What an entry exports: each name, and whether it is a type only. Entries name everything one by one. */
function exportsOf(entry: string): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const [, all, names = ''] of read(entry).matchAll(/export (type )?\{([^}]*)\}/g))
    for (const name of names
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean))
      found.set(name.replace(/^type /, ''), all !== undefined || name.startsWith('type '));
  return found;
}

const entries = ['index', 'core', 'files', 'policy', 'guards'];
const valuesOf = (entry: string) => [...exportsOf(`src/${entry}.ts`)].flatMap(([name, isType]) => (isType ? [] : name));

test('the front door', () => {
  const names = exportsOf('src/index.ts');
  expect(Object.fromEntries(entries.map((entry) => [entry, valuesOf(entry).sort()]))).toMatchSnapshot();
  expect([...names.keys()].sort()).toMatchSnapshot();
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
  const pages = [
    ...below('docs/guides').filter((path) => path.endsWith('.md')),
    ...['README.md', 'docs/getting-started.md', 'docs/pipeline.md', 'docs/reference/permissions.md'],
  ];
  const code = [
    ...pages.flatMap((path) => [...read(path).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block)),
    ...below('examples')
      .filter((path) => path.endsWith('.ts'))
      .map(read),
  ].join('\n');
  const unused = [...new Set(entries.flatMap(valuesOf))].filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  expect(unused).toEqual([]);
});
