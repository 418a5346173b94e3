// Runs the golden set of calls with the oldest and the newest version of each SDK in the peer ranges, and checks that
// npm installs the packed package with each. The newest versions run on Node 22, which some of them need. Needs the
// registry, and `npm run build` before.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode, npmInstall } from './install-node.mjs';
import { mustRun, projectRoot } from './run-command.mjs';

const read = (path) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
const { peerDependencies } = read('package.json');
const sdks = Object.entries(peerDependencies).filter(([name]) =>
  /^(?:ai|openai|@(?:anthropic-ai|google|langchain|openai)\/.*)$/.test(name),
);
/**
 * Packages that the tests need in addition to the SDKs: LangGraph with its checkpointer, and peer dependencies of the
 * SDKs.
 */
const beside = {
  oldest: ['@langchain/langgraph@1.0.0', '@langchain/langgraph-checkpoint@1.0.0'],
  newest: ['@langchain/langgraph@1'],
};
const peers = ['zod@4', '@modelcontextprotocol/sdk@1'];
const work = mkdtempSync(join(tmpdir(), 'toolwright-ends-'));

try {
  const nodes = { oldest: process.execPath, newest: installNode(22, work) };
  const [{ filename }] = JSON.parse(mustRun(['npm', 'pack', '--json', '--loglevel=error', '--pack-destination', work]));
  for (const [end, node] of Object.entries(nodes)) {
    const packages = sdks.map(([name, range]) => `${name}@${endsOf(range)[end]}`);
    for (const one of packages) {
      const folder = folderWith(`beside-${end}-${one.replaceAll('/', '+')}`);
      mustRun(['npm', 'install', '--dry-run', '--loglevel=error', join(work, filename), 'zod', one], { cwd: folder });
    }
    const folder = folderWith(end);
    // Each SDK is installed with the package alone, because conflicts between the SDKs do not matter.
    npmInstall(folder, ['--legacy-peer-deps', ...packages, ...beside[end], ...peers]);
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'deep'];
    mustRun([node, ...vitest, 'test/adapters/golden-set.deep.test.ts'], { env: { TOOLWRIGHT_SDKS: folder } });
    const versions = sdks.map(([name]) => `${name} ${versionIn(folder, name)}`).join(', ');
    console.log(`ok     golden set on Node ${mustRun([node, '--version']).trim()} with ${versions}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The oldest version of a range such as `^1.0.1` or `>=0.14 <0.21`, and the newest in the registry. */
function endsOf(range) {
  const [, first, last] = /^(?:\^|>=)([\d.]+)(?: <([\d.]+))?$/.exec(range);
  const [major, minor = '0', patch = '0'] = first.split('.');
  if (last === undefined) return { oldest: `${major}.${minor}.${patch}`, newest: major };
  const upper = last.split('.').map(Number);
  upper.push(upper.pop() - 1);
  return { oldest: `${major}.${minor}.${patch}`, newest: upper.join('.') };
}

function folderWith(name) {
  const folder = join(work, name);
  mkdirSync(folder);
  const { overrides } = read('.ci/deep/package.json');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  return folder;
}

function versionIn(folder, name) {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}
