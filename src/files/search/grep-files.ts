import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { GrepQuery, GrepResult } from '../../ports/file-system.js';
import { verifiedFiles, verifiedPaths } from './drop-outside-results.js';
import type { DiskSearchOptions } from './engines.js';
import { type GrepEnd, grepInTurns, maxLinesOfFile } from './javascript/grep-engine.js';
import { checkGrepQuery, type SearchStart, searchStart } from './query/check.js';
import { GrepCollector, pageOfPaths } from './query/grep-collector.js';
import { ripgrepArguments } from './ripgrep/arguments.js';
import { RipgrepErrors } from './ripgrep/error-output.js';
import { RipgrepOutput } from './ripgrep/output.js';
import { runRipgrep } from './ripgrep/run.js';
import { datedFiles, newestFirst } from './walk/file-times.js';
import { diskFolders } from './walk/folder-source.js';
import { diskIgnoreSource, linkedRepository } from './walk/ignore-rules.js';
import { isInRepository, parentScope } from './walk/ignore-scope.js';

interface Search {
  readonly options: DiskSearchOptions;
  readonly query: GrepQuery;
  readonly scope: CallScope;
  readonly start: SearchStart;
  readonly collector: GrepCollector;
  /** Start of the search, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** The remaining time of the search. */
  readonly timeoutMs: number;
}

/**
 * Searches file contents with ripgrep. If ripgrep is not available, a JavaScript engine returns the same lines.
 * `query.path` is canonical; default: the first root. Rejects with `invalid_input` for a wrong pattern, glob or type,
 * `execution_failed` if the engine fails, and `interrupted` if the signal aborts. A failed search never returns an
 * empty result.
 *
 * Known differences:
 *
 * - The JavaScript engine rejects patterns with syntax that RE2 does not support (flags such as `x`, operators in a
 *   class, `\A` and `\<`, rare Unicode properties), and file types that are not common.
 * - With `-o` ripgrep may print additional empty matches, because it also finds empty matches inside a multi-byte
 *   character.
 * - With `multiline`, `\b` may match differently, because ripgrep searches each line of a match again by itself.
 * - If the first zero byte of a file is after 64 KiB, ripgrep searches up to the block with that byte, and the
 *   JavaScript engine up to the line with that byte. With context lines these blocks end elsewhere, so ripgrep
 *   may miss other lines just before the zero byte.
 * - An ignore file that cannot be read counts as absent, as in git. ripgrep reports such a file as unreadable only
 *   if it also searches the file.
 * - ripgrep does not read the `info/exclude` of a worktree or submodule below the searched folder. With a glob, it
 *   also ignores the `info/exclude` of the worktree or submodule around the searched folder.
 */
export async function grepFiles(options: DiskSearchOptions, query: GrepQuery, scope: CallScope): Promise<GrepResult> {
  checkGrepQuery(query);
  const { roots, limits, isHidden = never } = options;
  const start = await searchStart(query.path ?? roots[0] ?? '/', roots);
  const collector = new GrepCollector({ query, maxChars: limits.grep.maxResultBytes, isHidden });
  const { timeoutMs } = limits.grep;
  const search: Search = { options, query, scope, start, collector, sinceMs: Date.now(), timeoutMs };
  const end = await runEngine(search);
  return await resultOf(search, end);
}

const never = () => false;

async function runEngine(search: Search): Promise<GrepEnd> {
  // ripgrep cannot apply a glob that is relative to a folder above the searched folder.
  if (search.query.relativeTo !== undefined && search.query.glob !== undefined) return runJavaScript(search);
  const { query, start, collector, options } = search;
  const { engines } = options;
  const program = await engines.ripgrep();
  if (program === undefined) return runJavaScript(search);
  const startMs = engines.timers.now();
  const end = await runProgram(search, program);
  if (end === undefined) return runJavaScript(search);
  if (
    end.timedOut ||
    query.mode !== 'content' ||
    query.before === 0 ||
    start.kind !== 'file' ||
    collector.files().length > 0
  )
    return end;
  // ripgrep prints nothing about a binary file if a context line comes before the match.
  const rest = { ...search, timeoutMs: search.timeoutMs - (engines.timers.now() - startMs) };
  const second = await runProgram({ ...rest, query: { ...query, before: 0, after: 0 } }, program);
  return second ?? runJavaScript(rest);
}

async function runProgram(search: Search, program: string): Promise<GrepEnd | undefined> {
  const { options, query, scope, start, collector } = search;
  let elsewhere: string | undefined;
  const errors = new RipgrepErrors();
  const output = new RipgrepOutput(
    query.mode,
    { lineNumbers: query.lineNumbers, maxLineChars: options.limits.grep.maxLineChars },
    (path, line) => {
      if (path.startsWith(start.path)) return collector.add(path, line);
      elsewhere ??= path;
      return false;
    },
  );
  const withoutParentRules = start.kind === 'directory' && parentScope(start.path).length === 0;
  // ripgrep resolves the patterns of `--ignore-file` and of `--glob` against its working directory. The two options
  // need different directories, so with a glob `info/exclude` is not passed.
  const repository = start.kind === 'file' || query.glob !== undefined ? undefined : linkedRepository(start.path);
  const linked = withoutParentRules && repository?.top !== start.path ? undefined : repository;
  const end = await runRipgrep({
    program,
    arguments: ripgrepArguments(query, {
      path: start.path,
      withoutParentRules,
      // With --no-ignore-parent ripgrep does not look for a repository in parent folders.
      isInRepository: diskIgnoreSource.isRepository(start.path) || (!withoutParentRules && isInRepository(start.path)),
      ignoreFile: linked?.excludes,
      maxLinesPerFile: maxLinesOfFile(query),
    }),
    cwd: linked?.top ?? start.directory,
    timeoutMs: search.timeoutMs,
    timers: options.engines.timers,
    signal: scope.signal,
    onOutput: (chunk) => output.push(chunk),
    onErrorOutput: (text) => errors.push(text),
  });
  if (end.kind === 'aborted') throw new ToolError('interrupted', 'The search was stopped before it ended.');
  if (end.kind === 'not_started') {
    options.engines.forgetRipgrep();
    return undefined;
  }
  const malformed = elsewhere ?? output.malformed ?? (end.kind === 'exited' ? output.unended : undefined);
  if (end.kind !== 'exited' && malformed === undefined)
    return { engine: 'ripgrep', timedOut: end.kind === 'timeout', unreadable: 0 };
  const exitCode = end.kind === 'exited' ? end.exitCode : 0;
  // With -o and --multiline ripgrep does not print empty matches.
  const isSilent = output.isEmpty && !(query.mode === 'content' && query.onlyMatching && query.multiline);
  const unreadable = errors.unreadableFiles({ program, exitCode, isSilent, malformed });
  return { engine: 'ripgrep', timedOut: false, unreadable };
}

function runJavaScript(search: Search): Promise<GrepEnd> {
  const { options, query, scope, start, collector } = search;
  const place = { start: start.path, startKind: start.kind, folders: diskFolders(options.roots) };
  return grepInTurns(options.engines.turns, {
    query,
    place,
    limits: { ...options.limits.grep, timeoutMs: search.timeoutMs },
    signal: scope.signal,
    collector,
  });
}

async function resultOf(search: Search, end: GrepEnd): Promise<GrepResult> {
  const { options, query, scope, collector, sinceMs } = search;
  const files = collector.files();
  const found = files.map(({ path }) => path);
  const dated = await datedFiles(found, options.roots, scope.signal);
  const paths = dated.sort(newestFirst).map(({ path }) => path);
  const facts = { ...end, unreadable: end.unreadable + unnameable(found, new Set(paths)) };
  const places = { roots: options.roots, sinceMs };
  if (query.mode === 'files_with_matches') {
    const page = pageOfPaths(paths, query, collector.more);
    return { ...page, lines: verifiedPaths(page.lines, places), ...facts };
  }
  const real = new Set(query.mode === 'count' ? verifiedPaths(paths, places) : paths);
  const inside = files.filter(({ path }) => real.has(path));
  // The JavaScript engine has checked each file before its first line (on Linux); the files of ripgrep are checked
  // afterwards.
  const isChecked = end.engine === 'javascript' || query.mode === 'count';
  const { maxFileBytes } = options.limits.grep;
  return { ...collector.page(isChecked ? inside : verifiedFiles(inside, { ...places, maxFileBytes })), ...facts };
}

/**
 * The number of found files whose names are not UTF-8: decoding has changed the name, so no file has the decoded name.
 */
function unnameable(found: readonly string[], real: ReadonlySet<string>): number {
  return found.filter((path) => path.includes('\ufffd') && !real.has(path)).length;
}
