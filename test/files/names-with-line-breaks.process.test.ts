import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles } from 'toolwright/files';
import { memoryFiles } from 'toolwright/testing';
import { globTool, grepTool } from 'toolwright/tools';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const isLinux = process.platform === 'linux';

describe.runIf(isLinux).each([
  ['ripgrep', {}],
  ['the engine in JavaScript', { ripgrep: false }],
] as const)('files with names that are not UTF-8, with %s', (_, engine) => {
  function workspace() {
    const root = temporaryFolder();
    const bytes = (name: string) => Buffer.from(`${root}/${name}`, 'latin1');
    mkdirSync(bytes('d\xff'));
    for (const name of ['caf\xe9.txt', 'd\xff/in.txt']) writeFileSync(bytes(name), 'needle\n');
    for (const name of ['plain.txt', 'real \ufffd.txt']) writeFileSync(join(root, name), 'needle\n');
    const files = hostFiles({ root, ...engine });
    onTestFinished(() => files[Symbol.asyncDispose]());
    return { root, files };
  }

  test('are counted and reported as omitted by Grep, in each mode', () =>
    eachRow(['files_with_matches', 'content', 'count'], async (output_mode) => {
      const { root, files } = workspace();
      const { output, metadata } = await grepTool({ files, limits: defaultLimits.grep }).execute(
        { pattern: 'needle', output_mode },
        toolContext(),
      );
      expect(output).toContain(join(root, 'plain.txt'));
      expect(output).toContain(join(root, 'real \ufffd.txt'));
      expect(output).toMatch(/\[2 paths could not be (?:read|searched): no permission,.* a name that is not UTF-8/);
      expect(metadata).toMatchObject({ unreadable: 2, count: 2 });
    }));

  test('are counted and reported by Glob if the pattern may match them', async () => {
    const { files } = workspace();
    const glob = async (pattern: string) =>
      (await globTool({ files, limits: defaultLimits.glob }).execute({ pattern }, toolContext())).output;
    expect(await glob('**')).toContain(
      '[2 paths could not be read: no permission, a system error, or a name that is not UTF-8]',
    );
    expect(await glob('**/*.md')).toContain('[1 path could not be read');
    expect(await glob('*.md')).not.toContain('could not be read');
  });
});

describe('files with line breaks in their names', () => {
  const names = ['a\nb.txt', 'a\rb.txt', 'a\u2028b.txt', 'f\ng/x.txt'];
  const places = [
    ['the disk', (root: string) => hostFiles({ root })],
    ['memory', (root: string) => memoryFiles({ root, files: Object.fromEntries(names.map((name) => [name, 'x\n'])) })],
  ] as const;

  test.runIf(isLinux)('are found by every matching pattern, on the disk and in memory', () =>
    eachRow(places, async ([, make]) => {
      const root = temporaryFolder();
      mkdirSync(join(root, 'f\ng'));
      for (const name of names) writeFileSync(join(root, name), 'x\n');
      const files = make(root);
      onTestFinished(() => files[Symbol.asyncDispose]());
      const glob = async (pattern: string) =>
        [...(await files.glob({ pattern, maxFiles: 10 }, toolContext())).paths].sort();
      const all = names.map((name) => join(root, name));
      expect(await glob('**')).toEqual([...all].sort());
      expect(await glob('**/*.txt')).toEqual([...all].sort());
      expect(await glob('a?b.txt')).toEqual(all.slice(0, 3).sort());
      expect(await glob('f*/*')).toEqual(all.slice(3));
      const { output } = await globTool({ files, limits: defaultLimits.glob }).execute(
        { pattern: 'a*' },
        toolContext(),
      );
      expect(output.split('\n')).toContain(JSON.stringify(all[0]));
    }),
  );
});

test('are matched by their real names in ignore rules and paths', async () => {
  const root = temporaryFolder();
  if (!isLinux) return;
  execFileSync('mkdir', ['-p', join(root, 'o\nut/deep')]);
  writeFileSync(join(root, 'o\nut/.gitignore'), 'hidden.txt\n');
  for (const name of ['hidden.txt', 'shown.txt', 'deep/hidden.txt']) writeFileSync(join(root, 'o\nut', name), '');
  const files = hostFiles({ root });
  onTestFinished(() => files[Symbol.asyncDispose]());
  const { paths } = await files.glob({ pattern: '**/*.txt', maxFiles: 10 }, toolContext());
  expect(paths).toEqual([join(root, 'o\nut/shown.txt')]);
});
