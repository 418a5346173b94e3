import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './run-command.mjs';

/**
 * Installs a major version of Node into its own folder inside `work`, and returns the path of its program. The packages
 * `node-<system>-<processor>` contain the binary, without an install script.
 */
export function installNode(major, work) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(work, `node-${major}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  npmInstall(folder, [`${name}@${major}`]);
  return join(folder, 'node_modules', name, 'bin/node');
}

/** Installs packages into a folder. */
export function npmInstall(folder, packages) {
  const command = ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  try {
    mustRun(command, { cwd: folder, timeoutMs: 120_000 });
  } catch {
    mustRun(command, { cwd: folder, timeoutMs: 120_000 }); // A registry may hiccup once.
  }
}
