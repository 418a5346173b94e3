// Bundles a script and the package into one file with each bundler, and runs the file in an empty folder. Also runs the
// package under Bun and Deno. The output must equal the output of the installed package under Node, with ripgrep and
// without.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import nodeResolve from '@rollup/plugin-node-resolve';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import webpack from 'webpack';
import { mustRun, projectRoot } from './run-command.mjs';

const work = mkdtempSync(join(tmpdir(), 'toolwright-bundles-'));
const installed = join(work, 'installed');
const script = join(installed, 'calls.mjs');
/** CommonJS dependencies in a bundled ES module load Node's own modules by `require`. */
const banner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

const bundlers = {
  'esbuild.mjs': (outfile) =>
    build({
      entryPoints: [script],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      banner: { js: banner },
      logLevel: 'error',
    }),
  'esbuild.cjs': (outfile) =>
    build({ entryPoints: [script], bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' }),
  'rollup.mjs': async (file) => {
    const plugins = [nodeResolve({ exportConditions: ['node'], preferBuiltins: true }), commonjs(), json()];
    const bundle = await rollup({ input: script, plugins, external: /^node:/, onLog: () => {} });
    await bundle.write({ file, format: 'es', inlineDynamicImports: true });
  },
  'webpack.cjs': (file) =>
    new Promise((resolve, reject) => {
      const plugins = [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })];
      const output = { path: join(file, '..'), filename: 'webpack.cjs' };
      webpack({ mode: 'production', target: 'node20', entry: script, output, plugins }, (error, stats) => {
        if (error ?? stats.hasErrors()) reject(error ?? new Error(stats.toString({ all: false, errors: true })));
        else resolve();
      });
    }),
};

try {
  const [{ filename }] = JSON.parse(mustRun(['npm', 'pack', '--json', '--loglevel=error', '--pack-destination', work]));
  install(installed, [join(work, filename), 'zod@4', 'ai@6', '@langchain/core@1']);
  cpSync(join(projectRoot, '.ci/bundles/calls.mjs'), script);
  const rg = join(installed, 'node_modules/@vscode', `ripgrep-${process.platform}-${process.arch}`, 'bin/rg');
  const ways = { 'with ripgrep': rg, 'without ripgrep': 'off' };
  const run = (command, cwd, ripgrep) =>
    mustRun(command, { cwd, env: { TOOLWRIGHT_RIPGREP: ripgrep }, timeoutMs: 60_000 });
  const expected = Object.values(ways).map((ripgrep) => run([process.execPath, script], installed, ripgrep));

  const compare = (name, command, cwd) => {
    for (const [index, [way, ripgrep]] of Object.entries(ways).entries()) {
      const found = run(command, cwd, ripgrep);
      if (found !== expected[index]) throw new Error(`${name} ${way}:\n${found}\ninstead of\n${expected[index]}`);
      console.log(`ok     ${name} ${way}`);
    }
  };
  for (const [name, bundle] of Object.entries(bundlers)) {
    const alone = join(work, `alone-${name}`);
    const made = join(work, 'made');
    mkdirSync(alone);
    await bundle(join(made, name));
    cpSync(join(made, name), join(alone, name));
    compare(name, [process.execPath, name], alone);
  }
  // The packages with the binaries, without the wrapper packages that download them.
  const libc = process.platform === 'linux' ? '-glibc' : '';
  const runtimes = {
    bun: `@oven/bun-${process.platform}-${process.arch}`,
    deno: `@deno/${process.platform}-${process.arch}${libc}`,
  };
  const programs = join(work, 'programs');
  install(programs, Object.values(runtimes));
  compare('Bun', [join(programs, 'node_modules', runtimes.bun, 'bin/bun'), 'calls.mjs'], installed);
  compare(
    'Deno',
    [join(programs, 'node_modules', runtimes.deno, 'deno'), 'run', '--allow-all', 'calls.mjs'],
    installed,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

function install(folder, packages) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const command = ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  try {
    mustRun(command, { cwd: folder, timeoutMs: 120_000 });
  } catch {
    mustRun(command, { cwd: folder, timeoutMs: 120_000 }); // A registry may hiccup once.
  }
}
