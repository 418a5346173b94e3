import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { entryFiles } from '../.ci/entry-files.js';
import { sourceProgram } from '../.ci/source-program.js';
import { toolkitPage } from '../.ci/toolkit-page.js';
import { samples } from './support/each-row.js';
import { mentionedTypes } from './support/mentioned-types.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const program = sourceProgram();
const entries = ['index', 'core', 'files', 'policy', 'guards', 'web', 'permissions'];
const nameOf = (entry: string) => (entry === 'index' ? 'toolwright' : `toolwright/${entry}`);
const exportsOf = (entry: string) => program.exportsOf(nameOf(entry));
const valuesOf = (entry: string) => [...exportsOf(entry)].flatMap(([name, { isType }]) => (isType ? [] : name));

test('the exports of each entry', () => {
  expect(Object.fromEntries(entries.map((entry) => [entry, valuesOf(entry).sort()]))).toMatchSnapshot();
  expect([...exportsOf('index').keys()].sort()).toMatchSnapshot();
});

// CHANGELOG.md lists the exports that were removed on purpose. They are not in the fixture.
const former: Readonly<Record<string, { readonly values: readonly string[]; readonly types: readonly string[] }>> =
  JSON.parse(read('test/fixtures/former-exports.json'));
test('each entry keeps the exports that it had before the entries by subject', () => {
  const names = Object.values(former).flatMap(({ values, types }) => [...values, ...types]);
  expect(names.length).toBe(613);
  const lost = Object.entries(former).flatMap(([entry, { values, types }]) => {
    const now = program.exportsOf(entry);
    const isKept = (name: string, asValue: boolean) => now.has(name) && !(asValue && now.get(name)?.isType);
    return [...values.filter((name) => !isKept(name, true)), ...types.filter((name) => !isKept(name, false))].map(
      (name) => `${entry}: ${name}`,
    );
  });
  expect(lost).toEqual([]);
});

test('the root keeps exports that moved to another entry, and names the entry', () => {
  const moved = [...exportsOf('index')].flatMap(([name, { deprecated }]) =>
    deprecated === undefined ? [] : [[name, /`toolwright\/(\w+)`/.exec(deprecated)?.[1] ?? ''] as const],
  );
  expect(moved.length).toBeGreaterThan(20);
  expect(moved.filter(([name, entry]) => !valuesOf(entry).includes(name))).toEqual([]);
  expect(valuesOf('index').length - moved.length).toBeLessThanOrEqual(25);
});

test('the root and the core export every type that their functions, options and members mention', () => {
  for (const entry of ['index', 'core']) {
    const exported = exportsOf(entry);
    const mentioned = mentionedTypes(program, nameOf(entry));
    expect([...mentioned.keys()]).toEqual(
      // Through an option, a result, a port of a host, and a function in a constant.
      expect.arrayContaining(['RetryOptions', 'ToolCallFailure', 'GrepQuery', 'ToolInit']),
    );
    expect([...mentioned].filter(([name]) => !exported.has(name))).toEqual([]);
  }
});

describe('the page on the toolkit', () => {
  const page = read('docs/reference/toolkit.md');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \| (.*) \|$/gm)];
  const members = [...page.matchAll(/^- `(\w+)(?:[:(<].*)`: (.*)$/gm)];

  test('is up to date', () => expect(toolkitPage(program)).toBe(page));

  test('names every option and member, and every entry', () => {
    const namesOf = (type: string) => {
      const symbol = exportsOf('index').get(type)?.symbol as ts.Symbol;
      const properties = program.checker.getPropertiesOfType(program.checker.getDeclaredTypeOfSymbol(symbol));
      return properties.map(({ name }) => name).filter((name) => !name.startsWith('#'));
    };
    const missing = (type: string, named: readonly RegExpMatchArray[]) =>
      namesOf(type).filter((name) => !named.some(([, there]) => there === name));
    const options = samples`
      ToolkitOptions ¦ ShellSettings ¦ FileSettings ¦ McpSettings ¦ Features ¦ Hosts ¦ ToolHooks ¦ HookEntry ¦ WebSettings
      RetryOptions ¦ SandboxSettings ¦ FileMount ¦ PolicyConfig ¦ PermissionsOptions ¦ TurnOptions`;
    expect(options.flatMap((type) => missing(type, rows))).toEqual([]);
    const shown = ['Toolkit', 'ToolkitFiles', 'ToolkitSubagents', 'RunnableRegistry'];
    expect(shown.flatMap((type) => missing(type, members))).toEqual([]);
    for (const type of ['ToolkitOptions', 'RunnableRegistry']) expect(namesOf(type).length).toBeGreaterThan(20);
    expect([...entryFiles.keys()].filter((entry) => !page.includes(`| \`${entry}\` |`))).toEqual([]);
  });

  test('describes each option, and its default', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(members.length).toBeGreaterThan(60);
    const empty = [...rows, ...members].filter((row) => row.slice(1).some((cell) => cell.trim() === ''));
    expect(empty.map(([line]) => line)).toEqual([]);
    const limits = read('docs/reference/limits.md');
    expect(limits.match(/^\| `\w+` .*\| {2}\|$|^## \w+\n\n\|/gm)).toBe(null);
  });
});

test('the entry for tools has the factory of each built-in tool', () => {
  const imports = read('src/tools/builtin.ts').match(/^import \{[^}]*\}/gm) ?? [];
  const made = imports.flatMap((names) => names.match(/\b\w+Tool\b/g) ?? []);
  expect(made.length).toBeGreaterThan(35);
  expect(made.filter((name) => !valuesOf('tools').includes(name))).toEqual([]);
});

test('every exported value is in an example that is run', () => {
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
