// Uses the installed package as a program would; copied into the folder where it is installed.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync('node_modules/toolwright/package.json', 'utf8'));

for (const [entry, target] of Object.entries(manifest.exports)) {
  if (typeof target === 'string') continue;
  const name = `toolwright${entry.slice(1)}`;
  const imported = Object.keys(await import(name));
  assert.ok(imported.length > 0, `${name} exports nothing`);
  const required = Object.keys(require(name)).filter((key) => key !== '__esModule');
  assert.deepEqual(required.sort(), imported.sort(), `require and import of ${name} differ`);
  assert.ok(existsSync(join('node_modules/toolwright', target.types)), `${name} has no types`);
}

const { createToolkit } = await import('toolwright');
const root = mkdtempSync(join(tmpdir(), 'toolwright-consumer-'));
writeFileSync(join(root, 'hello.txt'), 'hello\n');
const toolkit = createToolkit({ root });
const { results } = await toolkit.execute([{ id: 'call_1', name: 'Read', input: { file_path: join(root, 'hello.txt') } }]);
assert.equal(results.length, 1);
assert.equal(results[0].ok, true, results[0].output);
assert.match(results[0].output, /^1\thello/);
for (const { name, inputSchema } of toolkit.definitions()) {
  assert.notEqual(Object.keys(inputSchema.properties ?? {}).length, 0, `${name} has an empty schema`);
}
await toolkit.dispose();
rmSync(root, { recursive: true });
