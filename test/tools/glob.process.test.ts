import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles } from 'toolwright/files';
import { globTool } from 'toolwright/tools';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FileSystem } from '../../src/index.js';
import { assessed } from '../support/assessed.js';
import { toolContext } from '../support/call-scope.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function workspace(paths: readonly string[]) {
  const root = temporaryFolder();
  for (const path of paths) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  const files = hostFiles({ root, limits: defaultLimits });
  onTestFinished(() => files[Symbol.asyncDispose]());
  const tool = globTool({ files, limits: defaultLimits.glob });
  return { root, tool, glob: (pattern: string, path?: string) => tool.execute({ pattern, path }, toolContext()) };
}

describe('Glob', () => {
  test('prints absolute paths, one on each line', async () => {
    const { root, glob } = workspace(['a.ts', 'b/c.ts']);
    const { output, metadata } = await glob('**/*.ts');
    expect(output.split('\n').sort()).toEqual([join(root, 'a.ts'), join(root, 'b/c.ts')]);
    expect(metadata).toMatchObject({ count: 2, truncated: false });
  });

  test('reports an empty result', async () => expect((await workspace([]).glob('**/*')).output).toBe('No files found'));

  test('shows a hundred files and the number of others', async () => {
    const { glob } = workspace(Array.from({ length: 130 }, (_, index) => `f${index}.md`));
    const { output, metadata } = await glob('*.md');
    const lines = output.split('\n');
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe('[30 more; narrow the pattern]');
    expect(metadata).toMatchObject({ count: 130, truncated: true });
  });

  test('refuses to search outside the workspace', () =>
    expect(workspace(['a.ts']).glob('../../**')).rejects.toMatchObject({ code: 'path_outside_root' }));

  test('has a title and a target for people and rules', async () => {
    const { root, tool } = workspace([]);
    expect((await assessed(tool, { pattern: '**/*.ts' })).title).toBe('Glob **/*.ts');
    expect((await assessed(tool, { pattern: '*.ts', path: join(root, 'src') })).title).toBe('Glob *.ts in src');
    expect((await assessed(tool, { pattern: '*.ts', path: join(root, 'src') }, toolContext())).targets).toMatchObject([
      { kind: 'read', path: join(root, 'src') },
    ]);
  });

  test('reports a search that ended early', async () => {
    const found = { paths: ['/w/a.ts'], total: 1, timedOut: true };
    const unused = () => Promise.reject(new Error('not used'));
    const methods = { root: '/w', resolve: unused, stat: unused, open: unused };
    const files = { ...methods, glob: async () => found } as unknown as FileSystem;
    const tool = globTool({ files, limits: defaultLimits.glob });
    expect((await tool.execute({ pattern: '*' }, toolContext())).output).toBe(
      '/w/a.ts\n[The time limit ended the search; there may be more and newer files. Narrow the pattern or the path]',
    );
    const none = { ...methods, glob: async () => ({ ...found, paths: [], total: 0 }) } as unknown as FileSystem;
    await expect(
      globTool({ files: none, limits: defaultLimits.glob }).execute({ pattern: '*' }, toolContext()),
    ).rejects.toMatchObject({ code: 'timeout' });
  });
});
