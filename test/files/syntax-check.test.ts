import { defaultLimits } from 'toolwright';
import { ReadLedger, syntaxChecker } from 'toolwright/files';
import { memoryFiles } from 'toolwright/testing';
import { editTool, writeTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { toolContext } from '../support/call-scope.js';
import { eachRow, table } from '../support/each-row.js';

const checker = syntaxChecker();

describe('new syntax errors', () => {
  table([
    ['/a.json', '{"a": 1}', '{"a": 1,}', /^line 1: /],
    ['/a.json', undefined, '{\n  "a": ]\n}', /^line 2: /],
    ['/package.json', '{}', '{ // c\n}', /^line 1: /],
    ['/tsconfig.json', undefined, '{ // c\n "a": "b // c",\n "d" }', /^line 3: /],
    ['/tsconfig.json', undefined, '{ /* c\n', /^line 1: /],
    ['/tsconfig.json', undefined, '{ "a": , }', /^line 1: /],
    ['/a.jsonc', '{}', '{\n', /^line 2: /],
    ['/a.ts', 'const a: number = 1;\n', 'const a: number = ;\n', /^line 1: Expression expected/],
    ['/a.tsx', 'const a = <b>x</b>;\n', 'const a = <b>x</c>;\n', /^line 1: /],
    ['/a.js', 'f();\n', 'f(;\n', /^line 1: /],
    ['/a.mjs', 'export const a = 1;\n', 'export const = 1;\n', /^line 1: /],
  ])('are reported', async (path, before, after, message) =>
    expect((await checker.newErrors(path, before, after))[0]).toMatch(message),
  );
});

describe('no error', () => {
  const rows: readonly (readonly [name: string, path: string, before: string | undefined, after: string])[] = [
    ['in what is right', '/a.ts', 'let a = 1;', 'let a: string = "1";'],
    ['of types, which are not syntax', '/a.ts', '', 'const a: number = "x"; missing();'],
    ['that was there before', '/a.json', '{"a": 1,}', '{"b": 2,}'],
    ['that was there before, in a script', '/a.ts', 'const = 1;\nlet a = 1;', 'const = 1;\nlet a = 2;'],
    ['in an empty JSON file', '/a.json', '{}', ''],
    ['in a file of another kind', '/a.py', 'x', 'def ('],
    ...[
      '/tsconfig.json',
      '/tsconfig.build.json',
      '/packages/a/jsconfig.json',
      '/.vscode/settings.json',
      '/.eslintrc.json',
      '/.devcontainer/devcontainer.json',
      '/.devcontainer.json',
      '/a.code-workspace',
      '/a.jsonc',
      '/deno.json',
      '/turbo.json',
      '/api-extractor.json',
    ].map(
      (path) =>
        ['in JSON with comments', path, undefined, '{ // c\n "a": "//", /* d\n */ "b": [1, // e\n ], }'] as const,
    ),
    ['in comments where there were some before', '/a.json', '{ // c\n}', '{ // c\n // d\n "a": 1, }'],
    ['in JSON with a byte order mark', '/a.json', '{}', '\ufeff{}'],
  ];
  test('and no other text', () =>
    eachRow(rows, async ([, path, before, after]) => expect(await checker.newErrors(path, before, after)).toEqual([])));

  test('are not reported for a script without the package', async () =>
    expect(await syntaxChecker(async () => undefined).newErrors('/a.ts', '', 'const = 1;')).toEqual([]));
});

test('are reported by Edit and Write, and the change stays', async () => {
  const files = memoryFiles({ files: { 'a.json': '{"a": 1}' } });
  const dependencies = { files, ledger: new ReadLedger(), limits: defaultLimits.write, syntax: checker };
  const edit = editTool(dependencies);
  const edited = await edit.execute(
    { file_path: '/workspace/a.json', old_string: '1', new_string: '1,' },
    toolContext(),
  );
  expect(edited.output).toMatch(/\[New syntax errors \(the change stays\): line 1: .*\]$/);
  expect(files.text('a.json')).toBe('{"a": 1,}');
  const written = await writeTool(dependencies).execute(
    { file_path: '/workspace/b.json', content: '{' },
    toolContext(),
  );
  expect(written.output).toContain('New syntax errors');
  const mended = await edit.execute(
    { file_path: '/workspace/a.json', old_string: '1,', new_string: '2' },
    toolContext(),
  );
  expect(mended.output).not.toContain('syntax');
});
