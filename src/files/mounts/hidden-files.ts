import { join } from 'node:path';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { defaultLimits } from '../../core/limits.js';
import type { CurrentFile, FileSystem, GrepQuery, GrepResult } from '../../ports/file-system.js';
import { GrepCollector, pageOfPaths } from '../search/query/grep-collector.js';
import { decorateFiles } from './decorate-files.js';
import { everyFile } from './mounted-search.js';

/**
 * Hides the content of some files: they cannot be opened or searched, and a change that reads the old content is
 * refused. Lists and Grep leave out unsearchable files, by default the hidden files. Glob still shows their names.
 */
export function hideFiles(
  files: FileSystem,
  isHidden: (path: string) => boolean,
  isUnsearchable = isHidden,
): FileSystem {
  return decorateFiles(files, {
    async open(path, scope) {
      const file = await files.open(path, scope);
      if (!isHidden(file.stat.path)) return file;
      await file.close();
      throw hiddenFile(file.stat.path);
    },
    update: (path, change, ...more) =>
      files.update(path, (current) => change(current && hideBytes(current, isHidden)), ...more),
    async list(path, scope) {
      const folder = await files.resolve(path, scope);
      return (await files.list(path, scope)).filter(({ name }) => !isUnsearchable(join(folder, name)));
    },
    grep: (query, scope) => grepVisible(files, isUnsearchable, query, scope),
  });
}

/** The current file; if it is hidden, its bytes are refused. */
export function hideBytes(current: CurrentFile, isHidden: (path: string) => boolean): CurrentFile {
  if (!isHidden(current.stat.path)) return current;
  return { stat: current.stat, bytes: () => Promise.reject(hiddenFile(current.stat.path)) };
}

/** The error for a file whose content a rule hides. */
export function hiddenFile(path: string): ToolError {
  return new ToolError(
    'permission_denied',
    `A permission rule hides the content of this file: ${path}. Go on without it, or ask the user.`,
  );
}

// The first search finds which files match. Only if a hidden file matches, the other files are searched one by one.
async function grepVisible(
  files: FileSystem,
  isHidden: (path: string) => boolean,
  query: GrepQuery,
  scope: CallScope,
): Promise<GrepResult> {
  const matching = await files.grep(everyFile(query), scope);
  const visible = matching.lines.filter((path) => !isHidden(path));
  if (visible.length === matching.lines.length) return files.grep(query, scope);
  if (query.mode === 'files_with_matches') return { ...matching, ...pageOfPaths(visible, query, matching.truncated) };
  const collector = new GrepCollector({ query, maxChars: defaultLimits.grep.maxResultBytes, isHidden: () => false });
  for (const path of visible.toSorted()) {
    const { lines } = await files.grep(
      { ...query, path, offset: undefined, limit: (query.offset ?? 0) + query.limit + 1 },
      scope,
    );
    if (!lines.every((line) => collector.add(path, line))) break;
  }
  return { ...matching, ...collector.page() };
}

type PathTest = (path: string) => boolean;

interface LeftOutTests {
  readonly isHidden?: PathTest | undefined;
  readonly isUnsearchable?: PathTest | undefined;
}

/** A test of the paths that lists and Grep leave out; undefined if there are none. */
export function exclusionTest({ isHidden, isUnsearchable }: LeftOutTests): PathTest | undefined {
  if (isHidden === undefined || isUnsearchable === undefined) return isHidden ?? isUnsearchable;
  return (path) => isHidden(path) || isUnsearchable(path);
}
