// Runs the official conformance tests of the Model Context Protocol against a toolkit served by serveMcp, and against a
// client that uses McpManager. A test must fail exactly if conformance-expected.yml lists it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { installNode } from './install-node.mjs';
import { mustRun, projectRoot, runCommand } from './run-command.mjs';

/** The conformance package needs this version of Node. */
const nodeMajor = 22;

// Inside the project, so that imports of packages resolve.
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

/** The tests of logins run in parallel. Of the other tests one measures time, and runs alone. */
function testClient(node) {
  const listed = Array.from(
    mustRun([node, conformance, 'list', '--client']).matchAll(/^ {2}- (\S+)/gm),
    ([, name]) => name,
  );
  const alone = listed.filter((name) => !name.startsWith('auth/')).map((name) => ['--scenario', name]);
  const suites = ['auth', 'backcompat', 'draft', 'extensions'].map((name) => ['--suite', name]);
  for (const which of [...alone, ...suites]) {
    // The test program splits the command line at spaces and joins it again for a shell.
    const words = ['--command', `${process.execPath} ${client}`, ...which];
    // On a busy machine a test may time out once.
    if (!test(node, 'client', words, which[1])) test(node, 'client', words, which[1], true);
  }
}

/** Runs the tests of one side. With `isFinal` a failure is printed and fails the whole run. */
function test(node, side, words, scenario = 'all', isFinal = side === 'server') {
  const rest = ['--expected-failures', expected, '-o', join(work, 'results')];
  const { ok, output, seconds } = runCommand([node, conformance, side, ...words, ...rest], { timeoutMs: 300_000 });
  if (!ok && !isFinal) return false;
  if (!ok) console.log(output);
  console.log(`${ok ? 'ok    ' : 'FAILED'} conformance of the ${side}: ${scenario} ${seconds} s`);
  if (!ok) process.exitCode = 1;
  return ok;
}
