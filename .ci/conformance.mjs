// Runs the official conformance tests of the Model Context Protocol against a toolkit that serveMcp serves, and against
// a client made of McpManager. What fails and is not in conformance-expected.yml fails here, and so does what is in
// there and passes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { installNode } from './install-node.mjs';
import { mustRun, projectRoot, runCommand } from './run-command.mjs';

/** The command of the package needs it. */
const nodeMajor = 22;

// Below the project, so that packages resolve.
const cache = join(projectRoot, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, 'toolwright-conformance-'));
const client = join(work, 'client.mjs');
const conformance = join(projectRoot, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const expected = join(projectRoot, '.ci/conformance-expected.yml');
const support = (name) => join(projectRoot, 'test/support', name);

try {
  await build({
    entryPoints: [support('conformance-client.ts')],
    outfile: client,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  const isNew = Number.parseInt(process.versions.node, 10) >= nodeMajor;
  const node = isNew ? process.execPath : installNode(nodeMajor, work);
  await testServer(node);
  testClient(node);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function testServer(node) {
  const server = spawn(process.execPath, ['--import', 'tsx', support('conformance-server.ts')], {
    cwd: projectRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  try {
    const [url] = await Promise.race([
      once(createInterface({ input: server.stdout }), 'line'),
      exited.then(() => Promise.reject(new Error('the server has not started'))),
    ]);
    test(node, 'server', ['--url', url, '--suite', 'all']);
  } finally {
    server.stdin.end();
    await exited;
  }
}

/** Logins are tested many at a time; of the others one looks at the clock, and runs by itself. */
function testClient(node) {
  const listed = Array.from(
    mustRun([node, conformance, 'list', '--client']).matchAll(/^ {2}- (\S+)/gm),
    ([, name]) => name,
  );
  const alone = listed.filter((name) => !name.startsWith('auth/')).map((name) => ['--scenario', name]);
  const suites = ['auth', 'backcompat', 'draft', 'extensions'].map((name) => ['--suite', name]);
  for (const which of [...alone, ...suites]) {
    // The command line is split at spaces and joined again for a shell.
    const words = ['--command', `${process.execPath} ${client}`, ...which];
    // A busy machine may be late once.
    if (!test(node, 'client', words, which[1])) test(node, 'client', words, which[1], true);
  }
}

/** Runs tests of one side; `isFinal` shows what failed and fails everything. */
function test(node, side, words, scenario = 'all', isFinal = side === 'server') {
  const rest = ['--expected-failures', expected, '-o', join(work, 'results')];
  const { ok, output, seconds } = runCommand([node, conformance, side, ...words, ...rest], { timeoutMs: 300_000 });
  if (!ok && !isFinal) return false;
  if (!ok) console.log(output);
  console.log(`${ok ? 'ok    ' : 'FAILED'} conformance of the ${side}: ${scenario} ${seconds} s`);
  if (!ok) process.exitCode = 1;
  return ok;
}
