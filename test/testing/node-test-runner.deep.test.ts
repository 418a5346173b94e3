import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../support/kit-under-node-test.ts', import.meta.url));

test('the kits run under node:test', async () => {
  // Inside another node:test runner, the tests would report to that runner.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const words = ['--import', 'tsx', '--test', '--test-reporter', 'tap', program];
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, words, { env }, (_error, stdout) => resolve(stdout));
  });
  expect(said).toMatch(/# pass 3\n# fail 1\n/);
  expect(said).toContain('not ok 4 - a fault');
});
