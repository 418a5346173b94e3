// Runs the official conformance tests of the Model Context Protocol against a toolkit that serveMcp serves. What fails
// and is not in conformance-expected.yml fails here, and so does what is in there and passes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installNode } from './install-node.mjs';
import { projectRoot, runCommand } from './run-command.mjs';

/** The command of the package needs it. */
const nodeMajor = 22;

const work = mkdtempSync(join(tmpdir(), 'toolwright-conformance-run-'));
const node = Number.parseInt(process.versions.node, 10) >= nodeMajor ? process.execPath : installNode(nodeMajor, work);
const conformance = join(projectRoot, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const expected = join(projectRoot, '.ci/conformance-expected.yml');

const server = spawn(process.execPath, ['--import', 'tsx', join(projectRoot, 'test/support/conformance-server.ts')], {
  cwd: projectRoot,
  stdio: ['pipe', 'pipe', 'inherit'],
});
const exited = once(server, 'exit');
try {
  const [url] = await Promise.race([
    once(createInterface({ input: server.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error('the server has not started'))),
  ]);
  const words = [
    'server',
    '--url',
    url,
    '--suite',
    'all',
    '--expected-failures',
    expected,
    '-o',
    join(work, 'results'),
  ];
  const { ok, output, seconds } = runCommand([node, conformance, ...words], { cwd: work, timeoutMs: 300_000 });
  console.log(output.slice(output.indexOf('=== SUMMARY ===')));
  console.log(`${ok ? 'ok    ' : 'FAILED'} conformance of the server ${seconds} s`);
  if (!ok) process.exitCode = 1;
} finally {
  server.stdin.end();
  await exited;
  rmSync(work, { recursive: true, force: true });
}
