import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles } from 'toolwright/files';
import { expect, test } from 'vitest';
import { pathFacts } from '../../src/tools/files/path-facts.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function facts() {
  const root = temporaryFolder();
  return { root, facts: pathFacts(hostFiles({ root, limits: defaultLimits })) };
}

test('a path inside is shown relative to the root, any other unchanged', () => {
  const { root, facts: of } = facts();
  expect(of.display(join(root, 'src', 'a.ts'))).toBe('src/a.ts');
  expect(of.display(root)).toBe(root);
  expect(of.display(`${root}-other/a`)).toBe(`${root}-other/a`);
});

test('two names of one file have the same footprint', async () => {
  const { root, facts: of } = facts();
  mkdirSync(join(root, 'd'));
  symlinkSync('d', join(root, 'link'));
  expect(await of.editFootprint(join(root, 'link', 'new'))).toEqual({
    reads: [join(root, 'd', 'new')],
    writes: [join(root, 'd', 'new')],
  });
  expect(await of.readFootprint(join(root, 'd', '..', 'd', 'new'))).toEqual({
    reads: [join(root, 'd', 'new')],
    writes: 'nothing',
  });
});

test('the footprint of a path outside has the error', async () => {
  const { facts: of } = facts();
  await expect(of.editFootprint('/etc/hosts')).rejects.toMatchObject({ code: 'path_outside_root' });
});

test('an auto-executed file asks by its own name or that of its target, also before it exists', async () => {
  const { root, facts: of } = facts();
  mkdirSync(join(root, '.git', 'hooks'), { recursive: true });
  symlinkSync('.git/hooks', join(root, 'innocent'));
  expect(await of.objection(join(root, '.git', 'hooks', 'pre-commit'))).toMatchObject({ behavior: 'ask' });
  expect(await of.objection(join(root, 'innocent', 'pre-commit'))).toMatchObject({ behavior: 'ask' });
  expect(await of.objection(join(root, 'src', '.bashrc'))).toMatchObject({ behavior: 'ask' });
  expect(await of.objection(join(root, 'src', 'a.ts'))).toBeUndefined();
});

test('the folders above the root do not make a file auto-executed', async () => {
  const root = join(temporaryFolder(), '.claude', 'worktrees', 'x');
  mkdirSync(root, { recursive: true });
  const further = join(temporaryFolder(), '.config', 'nvim');
  mkdirSync(further, { recursive: true });
  const of = pathFacts(hostFiles({ root, additionalRoots: [further], limits: defaultLimits }));
  expect(await of.objection(join(root, 'a.txt'))).toBeUndefined();
  expect(await of.objection(join(further, 'init.lua'))).toBeUndefined();
  expect(await of.objection(join(root, '.claude', 'settings.json'))).toMatchObject({ behavior: 'ask' });
});
