import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { GrepQuery } from '../../src/ports/file-system.js';

/**
 * The output of the ripgrep program for a query, in path order, or undefined if it rejects the query. This code does
 * not use the code under test.
 */
export function realRipgrep(query: GrepQuery, folder: string, files: readonly string[]): readonly string[] | undefined {
  const flags = '--no-config --hidden --no-require-git --color=never --no-heading -H -j1 --no-mmap'.split(' ');
  flags.push('--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot');
  if (query.glob !== undefined) flags.push('-g', query.glob);
  flags.push('-g', '!.git');
  if (query.type !== undefined) flags.push('-t', query.type);
  if (query.ignoreCase) flags.push('-i');
  if (query.multiline) flags.push('-U', '--multiline-dotall');
  if (query.mode === 'files_with_matches') flags.push('-l');
  if (query.mode === 'count') flags.push('-c');
  if (query.mode !== 'files_with_matches' && query.onlyMatching) flags.push('-o');
  if (query.mode === 'content')
    flags.push(query.lineNumbers ? '-n' : '-N', '-B', String(query.before), '-A', String(query.after));
  const run = spawnSync(rgPath, [...flags, '-e', query.pattern, '--', query.path ?? folder], {
    cwd: startFolder(query.path ?? folder),
    maxBuffer: 1e9,
  });
  if (run.status === 2) return undefined;
  const lines = run.stdout.toString('utf8').split('\n').slice(0, -1);
  return inPathOrder(lines, files);
}

/** A glob is relative to the searched folder, but ripgrep interprets it relative to its working directory. */
function startFolder(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path);
}

/**
 * Keeps the lines of one file together and in order. `--` stays between lines of one file, and between files with
 * context.
 */
function inPathOrder(lines: readonly string[], files: readonly string[]): string[] {
  const longestFirst = [...files].sort((left, right) => right.length - left.length);
  const groups = new Map<string, string[]>();
  let hasSeparators = false;
  let pending = false;
  let current: string | undefined;
  for (const line of lines) {
    if (line === '--') {
      pending = true;
      hasSeparators = true;
      continue;
    }
    if (/: WARNING: stopped searching binary file/.test(line)) continue;
    const file = longestFirst.find(
      (path) => line === path || (line.startsWith(path) && /^[:-]/.test(line.slice(path.length))),
    );
    if (file === undefined) throw new Error(`no file for ${line}`);
    const group = groups.get(file) ?? [];
    if (pending && file === current) group.push('--');
    group.push(line);
    groups.set(file, group);
    current = file;
    pending = false;
  }
  const ordered = [...groups.keys()].sort().map((file) => groups.get(file) ?? []);
  return ordered.flatMap((group, index) => (hasSeparators && index > 0 ? ['--', ...group] : group));
}
