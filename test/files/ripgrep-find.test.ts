import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect, test } from 'vitest';
import { findRipgrep, ripgrepVariable } from '../../src/files/search/ripgrep/find.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function program(mode = 0o755): string {
  const path = join(temporaryFolder(), 'rg');
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
  return path;
}

test('the option has precedence', async () => {
  const own = program();
  expect(await findRipgrep(own, { [ripgrepVariable]: program() })).toBe(own);
});

test('then the environment variable, then the optional package', async () => {
  const named = program();
  expect(await findRipgrep(undefined, { [ripgrepVariable]: named, PATH: join(program(), '..') })).toBe(named);
  expect(await findRipgrep(undefined, { PATH: join(program(), '..') })).toBe(rgPath);
});

test('false and off disable ripgrep', async () => {
  expect(await findRipgrep(false, {})).toBeUndefined();
  expect(await findRipgrep(undefined, { [ripgrepVariable]: 'off' })).toBeUndefined();
});

test('a named file that cannot be executed is ignored', async () => {
  expect(await findRipgrep('/nowhere/rg', {})).toBeUndefined();
  expect(await findRipgrep(program(0o644), {})).toBeUndefined();
  const folder = join(temporaryFolder(), 'rg');
  mkdirSync(folder);
  expect(await findRipgrep(folder, { PATH: ['relative', join(folder, '..')].join(delimiter) })).toBeUndefined();
});
