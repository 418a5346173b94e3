import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A copy of the example project in a temporary folder, with a secret in its configuration. */
export interface Workspace {
  readonly root: string;
  /** A made-up key in the form of a real one. It is in `config.json` of the copy, and must not appear anywhere else. */
  readonly secret: string;
  /** The exit code of the project's own tests, run directly and not through any tool. */
  testExitCode(): Promise<number>;
  /** True if the tests are unchanged. */
  hasOriginalTests(): Promise<boolean>;
  remove(): Promise<void>;
}

const tests = ['test/discount.test.js', 'test/invoice.test.js'];

/**
 * Copies `project` to a temporary folder and writes the secret there. The key is joined from parts, so that secret
 * scanners do not report this repository.
 */
export async function copyProject(project: string): Promise<Workspace> {
  const root = join(await realpath(await mkdtemp(join(tmpdir(), 'toolwright-example-'))), 'price-list');
  await cp(project, root, { recursive: true });
  const secret = ['sk', 'ant', 'api03', 'T7wq2LmX9vRb4KdZ', '81fHcYsN6uGpJ3eA'].join('-');
  const config = join(root, 'config.json');
  const settings = JSON.parse(await readFile(config, 'utf8')) as object;
  await writeFile(config, `${JSON.stringify({ ...settings, taxService: secret }, undefined, 2)}\n`);
  return {
    root,
    secret,
    testExitCode: () => runTests(root),
    hasOriginalTests: async () => {
      const same = tests.map(async (test) =>
        (await readFile(join(root, test))).equals(await readFile(join(project, test))),
      );
      return (await Promise.all(same)).every(Boolean);
    },
    remove: () => rm(join(root, '..'), { recursive: true, force: true }),
  };
}

// Without the variables of a surrounding test runner, because with them `node --test` would report to that runner.
function runTests(cwd: string): Promise<number> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--test'],
      { cwd, env: { PATH: process.env.PATH }, timeout: 60_000 },
      () => resolve(child.exitCode ?? -1),
    );
  });
}
