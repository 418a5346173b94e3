// Uses a given number of toolkits, each with all file tools, and prints their memory before and after dispose.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolkit } from '../../src/index.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')));
const file = join(root, 'a.txt');
writeFileSync(file, 'one\ntwo\n');

async function use() {
  const toolkit = createToolkit({ root, permissions: 'bypassPermissions', files: { ripgrep: false } });
  const calls = [
    { name: 'Read', input: { file_path: file } },
    { name: 'Glob', input: { pattern: '*.txt' } },
    { name: 'Grep', input: { pattern: 'o.e' } },
    { name: 'Edit', input: { file_path: file, old_string: 'one\n', new_string: 'one\n\n' } },
  ];
  const { results } = await toolkit.execute(calls.map((call, index) => ({ id: String(index), ...call })));
  for (const { name, ok, output } of results) if (!ok) throw new Error(`${name}: ${output}`);
  writeFileSync(file, 'one\ntwo\n');
  return toolkit;
}

async function settledMegabytes() {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.memoryUsage.rss() / 1e6;
}

// Code that the first toolkit loads and compiles is not counted.
await (await use()).dispose();
const base = await settledMegabytes();
const toolkits = [];
for (let count = 0; count < Number(process.argv[2]); count++) toolkits.push(await use());
const used = await settledMegabytes();
await Promise.all(toolkits.splice(0).map((toolkit) => toolkit.dispose()));
const left = await settledMegabytes();
rmSync(root, { recursive: true });
console.log(JSON.stringify({ used: used - base, left: left - base }));
