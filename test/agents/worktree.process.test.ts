import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProcessSpawner } from 'toolwright/agents';
import { expect, test } from 'vitest';
import { gitWorktrees } from '../../src/agents/worktree.js';
import type { AgentModel } from '../../src/agents.js';
import type { ShellRequest } from '../../src/index.js';
import { callScope } from '../support/call-scope.js';
import { shellOutcome } from '../support/shell-outcome.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const task = { description: 'work apart', prompt: 'Work.', isolation: 'worktree' as const };

/** A spawner that runs one command in the folder of the subagent, and returns its output. */
const runs =
  (command: string): AgentModel =>
  ({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { text: last.results.map(({ output }) => output).join('\n') };
    return { toolCalls: [{ id: 'c1', name: 'Bash', input: { command } }] };
  };

function open(root: string, model: AgentModel) {
  return testToolkit({
    root,
    permissions: 'bypassPermissions',
    hosts: { subagents: (toolkit) => inProcessSpawner({ toolkit, model }) },
  });
}

function repository(): string {
  const root = temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root });
  git('init', '--quiet');
  writeFileSync(join(root, 'a.txt'), 'a\n');
  writeFileSync(join(root, '.gitignore'), '*.log\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  return root;
}

const worktreesOf = (root: string) =>
  execFileSync('git', ['worktree', 'list', '--porcelain'], { cwd: root, encoding: 'utf8' }).match(/^worktree /gm)
    ?.length;

test('a subagent works in its own worktree, which is removed if nothing changed', async () => {
  const root = repository();
  // The hooks of the repository do not run.
  writeFileSync(join(root, '.git/hooks/post-checkout'), '#!/bin/sh\ntouch ../ran', { mode: 0o755 });
  const toolkit = open(root, runs('pwd; cat a.txt'));
  const result = await toolkit.call('Agent', task);
  expect(result.output.trim()).toBe(`${join(root, '.toolwright/worktrees', String(result.metadata?.agentId))}\na`);
  expect(result.metadata).not.toHaveProperty('worktree');
  expect(worktreesOf(root)).toBe(1);
  expect(existsSync(join(root, '.toolwright/ran'))).toBe(false);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })).toBe('');
});

test.each([
  'echo b > a.txt',
  'echo b > b.txt',
  'echo b > b.log',
  'git -c user.name=a -c user.email=a@b.c commit --quiet --allow-empty -m x',
])('a worktree in which `%s` ran stays and is named, and a resumed subagent works there', async (command) => {
  const root = repository();
  const toolkit = open(root, runs(command));
  const result = await toolkit.call('Agent', task);
  const { worktree, agentId } = result.metadata ?? {};
  expect(result.output).toContain(`Its changes are in ${String(worktree)}`);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a\n');
  expect(worktreesOf(root)).toBe(2);
  const again = await toolkit.call('Agent', { description: 'go on', prompt: 'And now?', resume: String(agentId) });
  expect(again.metadata).toMatchObject({ worktree });
});

test('it cannot leave its worktree', async () => {
  const root = repository();
  const model: AgentModel = ({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { text: last.results.map(({ output }) => output).join('\n') };
    return { toolCalls: [{ id: 'c1', name: 'Read', input: { file_path: join(root, 'a.txt') } }] };
  };
  const result = await open(root, model).call('Agent', task);
  expect(result.output).toContain('outside');
});

test('without a repository, or with a link out of the workspace, it is refused with the reason', async () => {
  const [plain, linked, linkedFile, outside] = [temporaryFolder(), repository(), repository(), temporaryFolder()];
  symlinkSync(outside, join(linked, '.toolwright'));
  mkdirSync(join(linkedFile, '.toolwright'));
  symlinkSync(join(outside, 'file'), join(linkedFile, '.toolwright/.gitignore'));
  for (const root of [plain, linked, linkedFile]) {
    const toolkit = open(root, runs('true'));
    const result = await toolkit.call('Agent', task);
    expect(result).toMatchObject({ ok: false, error: { code: 'execution_failed' } });
    expect(result.output).toMatch(/A git worktree could not be made: .*Leave isolation out/s);
    expect(toolkit.subagents.list()).toMatchObject([{ state: 'failed' }]);
  }
  expect(worktreesOf(linked)).toBe(1);
  expect(readdirSync(outside)).toEqual([]);
});

test.each([{ timedOut: true }, { signal: 'SIGKILL' }])('a worktree is removed if git ended with %j', async (end) => {
  const commands: string[] = [];
  const run = async ({ command }: ShellRequest) => {
    commands.push(command);
    return shellOutcome(commands.length === 1 ? { exitCode: undefined, output: 'Preparing', ...end } : {});
  };
  const open = gitWorktrees({ run }, '/repo');
  await expect(open('agent_1', callScope())).rejects.toMatchObject({ code: 'execution_failed' });
  expect(commands[1]).toMatch(/worktree remove --force .*agent_1/);
});
