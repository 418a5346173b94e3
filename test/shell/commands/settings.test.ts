import { expect } from 'vitest';
import { createPermissions } from '../../../src/core.js';
import { samples, table } from '../../support/each-row.js';
import { bash, decided } from './decided.js';

/** The decision about a command under a rule for its first two words. */
function allowed(command: string): string {
  const allow = [`Bash(${command.split(' ').slice(0, 2).join(' ')} *)`, 'Bash(git *)'];
  return createPermissions({ root: '/ws', allow }).explain({ ...bash, input: { command } }).behavior;
}

table(samples`
  make test 'X !=touch y' ¦ make test X!='touch y' ¦ make test 'X:=$(shell touch y)' ¦ make test 'X = a b' ¦ make t SHELL=x
  make test MAKEFLAGS=x ¦ make test .SHELLFLAGS=x ¦ make test CC=./x ¦ make test PATH=bin ¦ make test LD_PRELOAD=x
  make test NODE_OPTIONS=x ¦ gmake test 'X=;y' ¦ ninja all 'X=a b' ¦ just test 'a; touch y' ¦ just test 'X=$(touch y)'
  task build 'X=a;b' ¦ rake test 'X=a b' ¦ ninja -t x ¦ ninja all --unlisted ¦ just --shell x ¦ just test --set a b
`)('code in an operand of a build tool is not covered', (command) => expect(allowed(command)).toBe('ask'));

table(samples`
  make test X=1 ¦ make test CC=clang ¦ make test V= ¦ make test NODE_ENV=production TAG=v1.2 ¦ make test X?=1 src/a.o
  ninja all X=1 ¦ just test X=1 a ¦ task build VERSION=1.2.3 ¦ rake test TEST=a_b ¦ make -j4 -C app test
`)('plain names and values are covered', (command) => expect(allowed(command)).toBe('allow'));

table(samples`
  git -c foo.bar=touch log ¦ git -c core.pager=touch log ¦ git -c alias.x='!touch y' x ¦ git -c filter.a.clean=touch add a
  git -c gc.recentObjectsHook='touch y' gc ¦ git -c pull.twohead=touch pull ¦ git -c branch.x.remote='ext::touch y' fetch
  git clone -c lfs.custom.x=touch https://h/x ¦ make test 'X !=touch y' ¦ make 'CC=touch y'
`)('a deny rule matches a setting that may name a program', (command) => {
  expect(decided(command, ['Bash(touch *)'])).not.toBe('allow');
  expect(allowed(command)).toBe('ask');
});

table(samples`
  git -c user.name=x commit -m a ¦ git -c core.quotePath=off status ¦ git -c core.fsmonitor=false status
  git -c color.ui=always diff ¦ git -c merge.conflictStyle=zdiff3 merge x ¦ git -c commit.gpgSign=false commit -m a
`)('a setting without a program is covered', (command) => expect(allowed(command)).toBe('allow'));
