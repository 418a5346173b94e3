// Packs the package, unpacks it where the installed dependencies are found, and runs a program that uses it: as it is,
// and as one file that esbuild makes of it. Needs no network.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { mustRun, projectRoot } from './run-command.mjs';

const cache = join(projectRoot, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, 'toolwright-smoke-'));
const installed = join(work, 'node_modules/toolwright');

try {
  const [{ filename }] = JSON.parse(mustRun(['npm', 'pack', '--json', '--loglevel=error', '--pack-destination', work]));
  mkdirSync(installed, { recursive: true });
  mustRun(['tar', '-xzf', join(work, filename), '--strip-components=1', '-C', installed]);
  for (const script of ['smoke-consumer.mjs', 'bundles/calls.mjs'])
    cpSync(join(projectRoot, '.ci', script), join(work, script.replace('bundles/', '')));
  const node = (script) => mustRun([process.execPath, script], { cwd: work, env: { TOOLWRIGHT_RIPGREP: 'off' } });
  node('smoke-consumer.mjs');
  await build({
    entryPoints: [join(work, 'calls.mjs')],
    outfile: join(work, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const [plain, bundled] = [node('calls.mjs'), node('bundle.mjs')];
  if (plain !== bundled) throw new Error(`the bundle prints\n${bundled}\ninstead of\n${plain}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
