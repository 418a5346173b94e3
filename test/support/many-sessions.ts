// Runs a given number of sessions on one toolkit, and prints the memory in megabytes while they exist and after their
// end.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolkit } from '../../src/index.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')));
writeFileSync(join(root, 'a.txt'), 'text\n');
const toolkit = createToolkit({ root, permissions: 'bypassPermissions', files: { ripgrep: false } });

async function turn(sessionId: string): Promise<void> {
  const file_path = `${root}/a.txt`;
  const calls = [
    { id: '1', name: 'Read', input: { file_path } },
    { id: '2', name: 'Edit', input: { file_path, old_string: 'text', new_string: 'text 2' } },
    { id: '3', name: 'Write', input: { file_path, content: 'text\n' } },
  ];
  await toolkit.execute(calls, { caller: { sessionId } });
}

function used(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
}

for (let warm = 0; warm < 200; warm++) {
  await turn(`warm ${warm}`);
  await toolkit.endSession(`warm ${warm}`);
}
const before = used();
for (let session = 0; session < Number(process.argv[2]); session++) await turn(`session ${session}`);
const known = toolkit.sessions().length;
const cost = used() - before;
await Promise.all(toolkit.sessions().map((sessionId) => toolkit.endSession(sessionId)));
const left = used() - before;
await toolkit.dispose();
rmSync(root, { recursive: true });
console.log(JSON.stringify({ known, used: cost, left }));
