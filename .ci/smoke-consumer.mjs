// Uses the installed package like a user's program. It is copied into the folder of the installation.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync('node_modules/toolwright/package.json', 'utf8'));

// A pattern means all existing files.
const entries = Object.entries(manifest.exports).flatMap(([entry, target]) =>
  entry.includes('*')
    ? readdirSync('node_modules/toolwright/dist/extras')
        .filter((file) => file.endsWith('.js'))
        .map((file) => file.slice(0, -3))
        .map((extra) => [entry.replace('*', extra), { types: target.types.replace('*', extra) }])
    : [[entry, target]],
);
for (const [entry, target] of entries) {
  if (typeof target === 'string') continue;
  const name = `toolwright${entry.slice(1)}`;
  const exported = await import(name);
  const imported = Object.keys(exported);
  // Stack traces and uncaught errors show the class name, which bundlers may change.
  for (const key of imported)
    if (/^[A-Z]/.test(key) && typeof exported[key] === 'function') assert.equal(exported[key].name, key);
  assert.ok(imported.length > 0, `${name} exports nothing`);
  const required = Object.keys(require(name)).filter((key) => key !== '__esModule');
  assert.deepEqual(required.sort(), imported.sort(), `require and import of ${name} differ`);
  assert.ok(existsSync(join('node_modules/toolwright', target.types)), `${name} has no types`);
}

const { createToolkit } = await import('toolwright');
const root = mkdtempSync(join(tmpdir(), 'toolwright-consumer-'));
const file = join(root, 'hello.txt');
writeFileSync(file, 'hello\n');

// One call of each tool checks that the packed package contains every module that loads on first use.
const calls = [
  ['Read', { file_path: file }, /^1\thello/],
  ['Edit', { file_path: file, old_string: 'hello', new_string: 'hello world' }, /hello\.txt at line 1/],
  ['Glob', { pattern: '*.txt' }, /hello\.txt/],
  ['Grep', { pattern: 'w.rld', output_mode: 'content' }, /hello\.txt:1:hello world/],
  ['Bash', { command: 'cat hello.txt | tr a-z A-Z' }, /HELLO WORLD/],
  ['Write', { file_path: join(root, 'new.txt'), content: 'new\n' }, /new\.txt/],
];
const toolkit = createToolkit({ root, permissions: 'bypassPermissions' });
const { results } = await toolkit.execute(calls.map(([name, input], index) => ({ id: String(index), name, input })));
assert.equal(results.length, calls.length);
for (const [index, { name, ok, output }] of results.entries()) {
  assert.equal(ok, true, `${name}: ${output}`);
  assert.match(output, calls[index][2], name);
}

const { results: refused } = await createToolkit({ root }).execute([
  { id: '1', name: 'Write', input: { file_path: file, content: '' } },
]);
assert.equal(refused[0].error.code, 'permission_denied');
const withoutFields = ['EnterPlanMode', 'TodoRead', 'TaskList'];
for (const { name, inputSchema } of toolkit.definitions()) {
  if (withoutFields.includes(name)) continue;
  assert.notEqual(Object.keys(inputSchema.properties ?? {}).length, 0, `${name} has an empty schema`);
}
await toolkit.dispose();
rmSync(root, { recursive: true });
