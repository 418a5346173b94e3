import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findShell } from '../../src/shell/run/find-shell.js';
import { shellBench } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('bash of the system is found first, without startup files', () => {
  const { file, isBash, argumentsFor } = findShell('');
  expect({ file, isBash }).toEqual({ file: '/bin/bash', isBash: true });
  expect(argumentsFor('true')).toEqual(['--noprofile', '--norc', '-c', '--', 'true']);
});

test('startup files of the home folder are not read', async () => {
  const home = temporaryFolder();
  for (const name of ['.bashrc', '.bash_profile', '.profile', '.bash_logout'])
    writeFileSync(join(home, name), 'echo STARTUP\n');
  const { run } = shellBench({ env: { HOME: home } });
  expect((await run('echo only')).output).toBe('only\n');
});

test('a relative entry of PATH is never searched', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'bash'), '#!/bin/sh\n');
  chmodSync(join(folder, 'bash'), 0o755);
  expect(findShell(`.:${folder}`).file).toBe('/bin/bash');
});

describe('a machine without bash', () => {
  const { file, isBash, argumentsFor } = findShell('', () => false);

  test('runs commands that sh reads as Bash does', () => {
    expect({ file, isBash }).toEqual({ file: '/bin/sh', isBash: false });
    const command = `[ -f a ] && echo $((1 + 2)) 'x$' "$'" >b 2>&1 & cat <<'E'\n[[ a ]]\nE`;
    expect(argumentsFor(command)).toEqual(['-c', '--', command]);
  });

  test.each([
    ['[[ -z a || shutdown ]]'],
    ['if true; then ((shutdown)); fi'],
    [String.raw`echo $'\'; shutdown; echo \''`],
    ['echo "${x:-$(echo $\'a\')}"'],
    ['ls &>/dev/null'],
    ['ls &>>log'],
  ])('refuses %s', (command) => {
    expect(() => argumentsFor(command)).toThrow('has no bash');
  });
});
