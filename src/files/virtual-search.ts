import { ToolError } from '../core/error.js';
import type { GlobQuery, GlobResult, GrepQuery, GrepResult } from '../host/file-system.js';
import { loadPicomatch } from '../text/load-picomatch.js';
import { globOverride } from './glob-override.js';
import { grepLine } from './grep-line.js';
import { GrepMatcher } from './grep-matcher.js';
import { PatternError } from './grep-syntax.js';
import { decodeText } from './grep-text.js';
import { typeFilter } from './grep-types.js';

/** A file of a store that is no disk. */
export interface VirtualFile {
  /** Absolute, with forward slashes. */
  readonly path: string;
  readonly mtimeMs: number;
  readonly bytes: Buffer;
}

/** Finds virtual files by glob below `folder`, newest first. */
export function globVirtual(files: readonly VirtualFile[], { pattern, maxFiles }: GlobQuery, folder: string): GlobResult {
  const make = loadPicomatch();
  const relative = pattern.startsWith('/') ? pattern.slice(prefixOf(folder).length) : pattern;
  const matches = make(relative.replace(/^\.\//, ''), { dot: true });
  const found = visible(files, folder).filter(({ path }) => matches(path.slice(prefixOf(folder).length)));
  const paths = newestFirst(found).map(({ path }) => path);
  return { paths: paths.slice(0, maxFiles), total: paths.length, timedOut: false };
}

/** Searches the contents of virtual files at or below `path`, with the lines that a search of the disk gives. */
export function grepVirtual(files: readonly VirtualFile[], query: GrepQuery, path: string, maxLineChars: number): GrepResult {
  const matcher = matcherFor(query);
  const named = files.find((file) => file.path === path);
  const isWanted = named === undefined ? filter(query, path) : () => true;
  const searched = named === undefined ? visible(files, path).filter(isWanted) : [named];
  const ordered = query.mode === 'files_with_matches' ? newestFirst(searched) : byPath(searched);
  const lines = ordered.flatMap((file) => linesOf(file, matcher, query, maxLineChars));
  const offset = query.offset ?? 0;
  const shown = lines.slice(offset, offset + query.limit);
  return { lines: shown, truncated: offset + shown.length < lines.length, engine: 'javascript', timedOut: false, total: lines.length };
}

function matcherFor(query: GrepQuery): GrepMatcher {
  try {
    return new GrepMatcher(query);
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new ToolError('invalid_input', `The pattern cannot be used: ${thrown.message}. Correct the pattern.`);
  }
}

function filter({ glob, type }: GrepQuery, folder: string): (file: VirtualFile) => boolean {
  const override = glob === undefined ? undefined : globOverride(glob, folder);
  const hasType = type === undefined ? undefined : typeFilter(type);
  return ({ path }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return override?.(path, name, false) !== 'out' && hasType?.(name) !== false;
  };
}

function linesOf(file: VirtualFile, matcher: GrepMatcher, query: GrepQuery, maxLineChars: number): string[] {
  const { text, kind } = decodeText(file.bytes);
  if (text.includes('\0')) return [];
  const spans = matchesOf(matcher.expressionFor({ text, kind }), text, query.multiline);
  if (spans.length === 0) return [];
  if (query.mode === 'files_with_matches') return [file.path];
  const form = { lineNumbers: query.lineNumbers, maxLineChars };
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  if (query.onlyMatching && query.mode === 'content') {
    return spans.map(({ line, text: found }) => grepLine(file.path, line, 'match', found.slice(0, maxLineChars), form));
  }
  const matched = new Set(spans.flatMap(({ line, lines }) => Array.from({ length: lines }, (_, index) => line + index)));
  if (query.mode === 'count') return [`${file.path}:${matched.size}`];
  return withContext(all, matched, query).map((line) =>
    line === undefined
      ? '--'
      : grepLine(
          file.path,
          line,
          matched.has(line) ? 'match' : 'context',
          (all[line - 1] ?? '').replace(/\r$/, '').slice(0, maxLineChars),
          form,
        ),
  );
}

interface Match {
  readonly line: number;
  readonly lines: number;
  readonly text: string;
}

function matchesOf(expression: RegExp, text: string, acrossLines: boolean): Match[] {
  const pieces = acrossLines ? [text] : text.split('\n');
  if (pieces.at(-1) === '' && pieces.length > 1) pieces.pop();
  return pieces.flatMap((piece, index) =>
    [...piece.matchAll(expression)].map((match) => {
      const before = acrossLines ? piece.slice(0, match.index).split('\n').length : index + 1;
      return { line: before, lines: match[0].replace(/\n$/, '').split('\n').length, text: match[0] };
    }),
  );
}

// Line numbers with their context in order; undefined stands for a gap.
function withContext(all: readonly string[], matched: ReadonlySet<number>, { before, after }: GrepQuery): (number | undefined)[] {
  const shown: (number | undefined)[] = [];
  for (let line = 1; line <= all.length; line++) {
    const isNear = Array.from({ length: before + after + 1 }, (_, index) => line - after + index).some((other) => matched.has(other));
    if (!isNear) continue;
    const last = shown.at(-1);
    if (last !== undefined && last !== line - 1 && before + after > 0) shown.push(undefined);
    shown.push(line);
  }
  return shown;
}

function visible(files: readonly VirtualFile[], folder: string): VirtualFile[] {
  return files.filter(({ path }) => path.startsWith(prefixOf(folder)) && !path.includes('/.git/'));
}

function prefixOf(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}

function newestFirst(files: readonly VirtualFile[]): VirtualFile[] {
  return byPath(files).sort((left, right) => right.mtimeMs - left.mtimeMs);
}

function byPath(files: readonly VirtualFile[]): VirtualFile[] {
  return [...files].sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
}
