import { scriptedShell } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { createPermissions, type PermissionsOptions } from '../../src/core.js';
import { assessCommand, defaultLimits } from '../../src/index.js';
import { bashTool } from '../../src/tools.js';
import { eachRow, samples, table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';
import { calls, run } from '../support/pipeline.js';

function decided(command: string, options: PermissionsOptions): string {
  const request = permissionRequest('Bash', { input: { command }, sideEffect: 'network', risk: 'high' });
  return createPermissions({ root: '/ws', ...options }).explain(request).behavior;
}

table(samples`
  npm -w p exec -- rm -rf src ¦ npm --omit dev exec -- rm x ¦ npm --include dev exec -- rm x ¦ npm explore p -- rm -rf src
  pnpm -w exec rm x ¦ yarn -w exec rm x
`)('an option before a subcommand of a package manager does not hide the program', (command) => {
  expect(decided(command, { allow: ['Bash'], deny: ['Bash(rm *)'] })).not.toBe('allow');
  expect(decided(command, { allow: ['Bash(npm *)', 'Bash(pnpm *)', 'Bash(yarn *)'] })).not.toBe('allow');
});

test('an archive of a folder contains the files that a deny rule names', () => {
  for (const option of ['-a', '-r', '--archive'])
    expect(decided(`cp ${option} . /tmp/y`, { allow: ['Bash'], deny: ['Read(.env)'] })).toBe('ask');
});

test('a git revision is not an auto-executed file', () =>
  eachRow(
    ['git cat-file -p HEAD', 'git diff --find-copies-harder HEAD', 'git diff-tree --no-commit-id -r HEAD'],
    (line) => expect(decided(line, { allow: ['Bash'] })).toBe('allow'),
  ));

test('long code of a program is unknown, and is assessed quickly', () => {
  const rows = [
    `sqlite3 x '${'\n'.repeat(90_000)}'`,
    `mysql -e '${'\n'.repeat(90_000)}'`,
    `awk '${'a'.repeat(90_000)}'`,
    `awk '${'print '.repeat(15_000)}'`,
    `sed '${'s/a/b/;'.repeat(12_000)}'`,
  ];
  for (const row of rows) expect(assessCommand(row).verdict).toBe('ask');
});

test('the host judges a command by the assessment of its tool', async () => {
  const made: unknown[] = [];
  const seen: unknown[] = [];
  const assess = (command: string) => {
    const assessment = assessCommand(command);
    made.push(assessment);
    return assessment;
  };
  const bash = bashTool({ shell: scriptedShell(() => 'done'), limits: defaultLimits, assess });
  const permissions = createPermissions({
    checkCommand: (_, assessment) => {
      seen.push(assessment);
      return 'allow';
    },
  });
  const { results } = await run([bash], calls(['Bash', { command: 'make' }]), { permissions });
  expect([results[0]?.ok, made.length, seen.length, seen[0] === made[0]]).toEqual([true, 1, 1, true]);
});
