// Packs the package, unpacks it next to the installed dependencies, and runs a program that uses it: unbundled, bundled
// into one file by esbuild, and with uncaught mistakes (a few, or with `--all` every one in the table). Needs no
// network.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { mustRun, projectRoot } from './run-command.mjs';

const table = readFileSync(join(projectRoot, 'test/fixtures/mistakes.txt'), 'utf8').trimEnd();
const [imports, setup, mistakes] = table.split('\n\n');
const thrown = mistakes.split(/\n(?! )/).filter((row) => !/\n {2}(?:warns|answers): /.test(row));
const isAll = process.argv.includes('--all');

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
  const sizes = thrown.filter((_, index) => isAll || index % 32 === 0).map((row) => printed(row.split('\n', 1)[0]));
  if (isAll) console.log(`${sizes.length} mistakes print at most ${Math.max(...sizes)} bytes`);
  if (plain !== bundled) throw new Error(`the bundle prints\n${bundled}\ninstead of\n${plain}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The size of the output of an uncaught mistake. It must be short and name the called function. */
function printed(mistake) {
  const isUsed = (name) => new RegExp(`\\b${name}\\b`).test(setup + mistake);
  const used = imports.split('\n').filter((line) => line.match(/\w+(?=[, ].* from)/g).some(isUsed));
  const program = `${used.join('\n')}\nconst root = process.cwd();\n${setup}\nawait (${mistake});`;
  const script = ['--input-type=module', '--eval', program];
  // Counts with a folder name of usual length.
  const stderr = spawnSync(process.execPath, script, { cwd: work, encoding: 'utf8' }).stderr.replaceAll(
    work,
    '/home/user/project',
  );
  const isShort = stderr.length <= 1_500 && stderr.split('\n').every((line) => line.length <= 200);
  const called = /\w+(?=\()/.exec(mistake)?.[0];
  if (!isShort || !/^TypeError: /m.test(stderr) || !new RegExp(`at .*\\b${called}\\b`).test(stderr))
    throw new Error(`${mistake} prints\n${stderr}`);
  return stderr.length;
}
