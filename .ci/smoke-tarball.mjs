// Packs the package, unpacks it where the installed dependencies are found, and runs a program that uses it: as it is,
// as one file that esbuild makes of it, and with mistakes that nobody catches. Needs no network.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { mustRun, projectRoot } from './run-command.mjs';

// What a newcomer gets wrong: each prints a short message that names the function that was called.
const prologue = `import { createPermissions, createToolkit } from 'toolwright';
import { fromAnthropic, toAnthropicTools } from 'toolwright/anthropic';
import { toOpenAITools } from 'toolwright/openai';
const root = process.cwd();`;
const mistakes = [
  `createToolkit({ root: '.' })`,
  `createToolkit({ root, permissions: 'acceptedits' })`,
  `createToolkit({ root, policy: { deny: ['Bsh'] } })`,
  `createToolkit({ root, permision: 'default' })`,
  `createPermissions({ deny: ['Raed(**)'] , mod: 'plan' })`,
  `toAnthropicTools(7)`,
  `toOpenAITools([], { api: 'chats' })`,
  `fromAnthropic({ choices: [] })`,
];

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
  for (const mistake of mistakes) {
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', `${prologue}\n${mistake}`], {
      cwd: work,
      encoding: 'utf8',
    });
    const isShort = stderr.length <= 1_500 && stderr.split('\n').every((line) => line.length <= 200);
    if (!isShort || !/^TypeError: /m.test(stderr) || !stderr.includes(`at ${/\w+(?=\()/.exec(mistake)?.[0]} (`))
      throw new Error(`${mistake} prints\n${stderr}`);
  }
  if (plain !== bundled) throw new Error(`the bundle prints\n${bundled}\ninstead of\n${plain}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
