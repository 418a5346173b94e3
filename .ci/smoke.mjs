// Packs the package, installs it into empty folders with each zod major, type-checks a consumer there, and runs another
// one with each supported Node version. All packages come from the npm registry.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode, npmInstall } from './install-node.mjs';
import { mustRun, projectRoot } from './run-command.mjs';

const nodeMajors = [20, 22, 24];
const zodVersions = ['4', '3.25.76'];
const work = mkdtempSync(join(tmpdir(), 'toolwright-smoke-'));

try {
  const nodes = nodeMajors.map((major) => installNode(major, work));
  const [{ filename }] = JSON.parse(mustRun(['npm', 'pack', '--json', '--loglevel=error', '--pack-destination', work]));
  for (const zod of zodVersions) {
    const folder = join(work, `zod-${zod}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    // Packages that the entries for frameworks import at run time; other entries import only types of SDKs.
    npmInstall(folder, [join(work, filename), `zod@${zod}`, 'ai@6', '@langchain/core@1']);
    console.log(
      `installed beside zod ${zod}: ${mustRun(['du', '-sm', 'node_modules'], { cwd: folder }).split('\t')[0]} MB`,
    );
    checkTypes(folder);
    for (const node of nodes) consume(folder, node, zod);
    if (zod === '4') runKitUnderJest(folder);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function quickstart() {
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const block = /^## Quickstart$[\s\S]*?^```js\n([\s\S]*?)^```$/m.exec(readme)?.[1];
  if (block === undefined) throw new Error('README.md has no ```js block under "## Quickstart"');
  return block;
}

function checkTypes(folder) {
  cpSync(join(projectRoot, '.ci/smoke-types.ts'), join(folder, 'smoke-types.ts'));
  writeFileSync(join(folder, 'quickstart.mjs'), quickstart());
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    checkJs: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(projectRoot, 'node_modules/@types')],
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['smoke-types.ts', 'quickstart.mjs'] }),
  );
  mustRun('tsc -p .', { cwd: folder });
}

function consume(folder, node, zod) {
  cpSync(join(projectRoot, '.ci/smoke-consumer.mjs'), join(folder, 'smoke-consumer.mjs'));
  const environment = { cwd: folder, env: { NODE_OPTIONS: '--unhandled-rejections=strict' }, timeoutMs: 60_000 };
  mustRun([node, 'smoke-consumer.mjs'], environment);
  mustRun([node, 'smoke-consumer.mjs'], { ...environment, env: { ...environment.env, TOOLWRIGHT_RIPGREP: 'off' } });
  mustRun([node, 'quickstart.mjs'], environment);
  const list = mustRun([node, 'node_modules/toolwright/dist/bin.js', 'list'], environment);
  if (!/\bRead\b/.test(list)) throw new Error(`toolwright list does not list Read:\n${list}`);
  console.log(`ok     packed package on Node ${mustRun([node, '--version']).trim()} beside zod ${zod}`);
}

// Under jest, objects of Node's own modules have other prototypes, so the kits must not compare prototypes.
function runKitUnderJest(folder) {
  const test = `import { fileSystemConformance, memoryFiles } from 'toolwright/testing';
    for (const { name, run } of fileSystemConformance) test(name, () => run(() => ({ files: memoryFiles() })));`;
  writeFileSync(join(folder, 'kit.test.js'), test);
  npmInstall(folder, ['jest@30']);
  const env = { NODE_OPTIONS: '--experimental-vm-modules' };
  mustRun(['node', 'node_modules/jest/bin/jest.js'], { cwd: folder, env, timeoutMs: 60_000 });
  console.log('ok     conformance kits under jest');
}
