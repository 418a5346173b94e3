import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolCall } from '../../src/index.js';
import { caseWorld } from '../support/case-world.js';
import { runs } from '../support/runs.js';

const fileCount = 100;
const perFile = runs(100);
const edits = fileCount * perFile;
const ends = ['\n', '\r\n'] as const;

/** Lines of a file before and after; every second file ends its lines with CRLF and begins with a byte order mark. */
function contentOf(file: number, word: 'old' | 'new'): string {
  const end = ends[file % 2] ?? '\n';
  const lines = Array.from({ length: perFile }, (_, index) => `${word} ${index} of ${file};${end}`);
  return (file % 2 === 1 ? '\ufeff' : '') + lines.join('');
}

test(`${edits} mixed edits of ${fileCount} files by many sessions are all applied, and nothing else changes`, async () => {
  const { root, toolkit } = caseWorld([], { concurrency: 50 });
  const paths = Array.from({ length: fileCount }, (_, file) => join(root, `d${file % 7}`, `f${file}`));
  for (const [file, path] of paths.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contentOf(file, 'old'));
  }
  // A stride that is coprime to the number of edits visits every edit once, and rarely two of one file in a row.
  const calls = Array.from({ length: edits }, (_, index): ToolCall => {
    const place = (index * 7_919) % edits;
    const file = place % fileCount;
    const line = Math.floor(place / fileCount);
    const input = {
      file_path: paths[file],
      old_string: `old ${line} of ${file};`,
      new_string: `new ${line} of ${file};`,
    };
    return { id: String(index), name: 'Edit', input };
  });
  const turns = Array.from({ length: 20 }, (_, session) => calls.filter((_call, index) => index % 20 === session));

  const results = await Promise.all(
    turns.map((turn, session) => toolkit.execute(turn, { caller: { sessionId: `s${session}` } })),
  );

  expect(results.flatMap((turn) => turn.results.filter(({ ok }) => !ok))).toEqual([]);
  for (const [file, path] of paths.entries()) expect(readFileSync(path, 'utf8')).toBe(contentOf(file, 'new'));
  const left = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'));
  expect(left).toEqual([]);
});
