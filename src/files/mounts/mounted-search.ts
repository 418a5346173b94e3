import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { byPath } from '../../core/text/path-names.js';
import type { FileLines, FileSystem, GlobQuery, GlobResult, GrepQuery, GrepResult } from '../../ports/file-system.js';
import { GrepCollector, pageOfPaths } from '../search/query/grep-collector.js';
import { newestFirst } from '../search/walk/file-times.js';

/** A file system to search, and the folder in it. */
export interface SearchSource {
  readonly files: FileSystem;
  readonly path: string;
  /** The searched folder, if it is above `path`. */
  readonly relativeTo: string | undefined;
  /** Whether this file system serves a path. Another mount may cover the path. */
  readonly owns: (path: string) => boolean;
}

/** Finds files in all sources as if they were one. Rejects if no source has the folder. */
export async function globSources(
  sources: readonly SearchSource[],
  query: GlobQuery,
  scope: CallScope,
): Promise<GlobResult> {
  const results = await searchAll(sources, (source) => globSource(source, query, scope));
  const [first] = results;
  if (first === undefined || results.length === 1) return first?.result ?? nothingFound;
  const paths = await newest(
    results.map(({ source, result }) => ({ source, paths: result.paths })),
    scope,
  );
  const total = results.reduce((sum, { result }) => sum + result.total, 0);
  const timedOut = results.some(({ result }) => result.timedOut);
  const unreadable = results.reduce((sum, { result }) => sum + (result.unreadable ?? 0), 0);
  return { ...first.result, paths: paths.slice(0, query.maxFiles), total, timedOut, unreadable };
}

/** Searches contents in all sources as if they were one. Rejects if no source has the folder. */
export async function grepSources(
  sources: readonly SearchSource[],
  query: GrepQuery,
  scope: CallScope,
): Promise<GrepResult> {
  const { offset = 0, limit, mode } = query;
  const whole = { ...query, limit: offset + limit, offset: query.offset === undefined ? undefined : 0 };
  const results = await searchAll(sources, (source) => grepSource(source, sources.length === 1 ? query : whole, scope));
  const [first] = results;
  if (first === undefined || sources.length === 1) return first?.result ?? noMatches;
  const facts = {
    engine: first.result.engine,
    timedOut: results.some(({ result }) => result.timedOut),
    unreadable: results.reduce((sum, { result }) => sum + (result.unreadable ?? 0), 0),
  };
  const isCut = results.some(({ result }) => result.truncated);
  if (mode === 'files_with_matches') {
    const paths = await newest(
      results.map(({ source, result }) => ({ source, paths: result.lines })),
      scope,
    );
    return { ...pageOfPaths(paths, query, isCut), ...facts };
  }
  const collector = new GrepCollector({ query, maxChars: Number.POSITIVE_INFINITY, isHidden: () => false });
  for (const { path, lines } of results.flatMap(({ result }) => result.files ?? []).sort(byPath)) {
    for (const line of lines) collector.add(path, line);
  }
  const page = collector.page();
  return { ...page, ...(isCut && { truncated: true, total: undefined }), ...facts };
}

const nothingFound: GlobResult = { paths: [], total: 0, timedOut: false };
const noMatches: GrepResult = { lines: [], truncated: false, engine: 'javascript', timedOut: false };

interface SourceResult<Result> {
  readonly source: SearchSource;
  readonly result: Result;
}

async function searchAll<Result>(
  sources: readonly SearchSource[],
  search: (source: SearchSource) => Promise<Result>,
): Promise<readonly SourceResult<Result>[]> {
  const settled = await Promise.allSettled(sources.map(async (source) => ({ source, result: await search(source) })));
  const failed = settled.find((one) => one.status === 'rejected' && !isMissing(one.reason));
  if (failed?.status === 'rejected') throw failed.reason;
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first] = settled;
  if (answers.length === 0 && first?.status === 'rejected') throw first.reason;
  return answers;
}

function isMissing(thrown: unknown): boolean {
  return ToolError.is(thrown) && thrown.code === 'file_not_found';
}

async function globSource(
  { files, path, relativeTo, owns }: SearchSource,
  query: GlobQuery,
  scope: CallScope,
): Promise<GlobResult> {
  const search = (maxFiles: number) => files.glob({ ...query, path, relativeTo, maxFiles }, scope);
  const some = await search(query.maxFiles);
  const isShort = some.total > some.paths.length && !some.paths.every(owns);
  const result = isShort ? await search(Number.POSITIVE_INFINITY) : some;
  const paths = result.paths.filter(owns);
  return { ...result, paths, total: result.total - (result.paths.length - paths.length) };
}

async function grepSource(source: SearchSource, query: GrepQuery, scope: CallScope): Promise<GrepResult> {
  const { files, path, relativeTo, owns } = source;
  const search = (limit: number) => files.grep({ ...query, path, relativeTo, limit }, scope);
  const some = await search(query.limit);
  const byFileOf = async (result: GrepResult) =>
    query.mode === 'files_with_matches' ? undefined : await linesByFile(result, source, query, scope);
  const paths = (result: GrepResult, byFile: readonly FileLines[] | undefined) =>
    byFile?.map((file) => file.path) ?? result.lines;
  const someByFile = await byFileOf(some);
  if (paths(some, someByFile).every(owns)) return { ...some, files: someByFile };
  const all = some.truncated ? await search(Number.POSITIVE_INFINITY) : some;
  const byFile = all === some ? someByFile : await byFileOf(all);
  return byFile === undefined
    ? { ...all, lines: all.lines.filter(owns) }
    : { ...all, files: byFile.filter((file) => owns(file.path)) };
}

/** The lines of a result by file. If the result does not group them, a second search names the files. */
export async function linesByFile(
  result: GrepResult,
  source: SearchSource,
  query: GrepQuery,
  scope: CallScope,
): Promise<readonly FileLines[]> {
  if (result.files !== undefined || result.lines.length === 0) return result.files ?? [];
  const { files, path, relativeTo } = source;
  const { lines } = await files.grep(everyFile({ ...query, path, relativeTo }), scope);
  const longestFirst = lines.toSorted((left, right) => right.length - left.length);
  const fileOf = (line: string | undefined) =>
    longestFirst.find((name) => line?.startsWith(name) && /^[:-]/.test(line.slice(name.length)));
  const groups = new Map<string, string[]>();
  let current: string | undefined;
  for (const [index, line] of result.lines.entries()) {
    const file = line === '--' ? fileOf(result.lines[index + 1]) : fileOf(line);
    if (file === undefined || (line === '--' && file !== current)) continue;
    groups.set(file, [...(groups.get(file) ?? []), line]);
    current = file;
  }
  return [...groups].map(([name, lines]) => ({ path: name, lines }));
}

/** The query that lists every file with a match of another query. */
export function everyFile(query: GrepQuery): GrepQuery {
  return { ...query, mode: 'files_with_matches', before: 0, after: 0, offset: undefined, limit: Infinity };
}

async function newest(
  found: readonly { readonly source: SearchSource; readonly paths: readonly string[] }[],
  scope: CallScope,
): Promise<readonly string[]> {
  const filled = found.filter(({ paths }) => paths.length > 0);
  if (filled.length === 1) return filled[0]?.paths ?? [];
  const dated = filled.flatMap(({ source, paths }) =>
    paths.map(async (path) => ({ path, mtimeMs: (await source.files.stat(path, scope))?.mtimeMs ?? 0 })),
  );
  return (await Promise.all(dated)).sort(newestFirst).map(({ path }) => path);
}
