import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { CurrentFile, FileSystem, GrepQuery, GrepResult } from '../host/file-system.js';

/** Keeps the content of some files from being shown: they are not opened, not searched, and not changed by whoever would have to read them for it. */
export function hideFiles(files: FileSystem, isHidden: (path: string) => boolean): FileSystem {
  return {
    root: files.root,
    resolve: (path, scope) => files.resolve(path, scope),
    stat: (path, scope) => files.stat(path, scope),
    async open(path, scope) {
      const file = await files.open(path, scope);
      if (!isHidden(file.stat.path)) return file;
      await file.close();
      throw hiddenFile(file.stat.path);
    },
    update: (path, change, scope) => files.update(path, (current) => change(current && hideBytes(current, isHidden)), scope),
    remove: (path, scope) => files.remove(path, scope),
    removeFolder: async (path, scope) => (await files.removeFolder?.(path, scope)) ?? false,
    list: (path, scope) => files.list(path, scope),
    glob: (query, scope) => files.glob(query, scope),
    grep: (query, scope) => grepVisible(files, isHidden, query, scope),
  };
}

/** The current file, whose bytes are refused where they are hidden. */
export function hideBytes(current: CurrentFile, isHidden: (path: string) => boolean): CurrentFile {
  if (!isHidden(current.stat.path)) return current;
  return { stat: current.stat, bytes: () => Promise.reject(hiddenFile(current.stat.path)) };
}

/** The error for a file whose content a rule hides. */
export function hiddenFile(path: string): ToolError {
  return new ToolError('permission_denied', `A rule forbids to show what is in this file: ${path}. Go on without it, or ask the user.`);
}

// Which files match is asked first; only where a hidden one does, the others are searched one by one.
async function grepVisible(
  files: FileSystem,
  isHidden: (path: string) => boolean,
  query: GrepQuery,
  scope: CallScope,
): Promise<GrepResult> {
  const named = { ...query, mode: 'files_with_matches', before: 0, after: 0, offset: undefined, limit: Number.POSITIVE_INFINITY } as const;
  const matching = await files.grep(named, scope);
  const visible = matching.lines.filter((path) => !isHidden(path));
  if (visible.length === matching.lines.length) return files.grep(query, scope);
  const offset = query.offset ?? 0;
  const lines: string[] = [];
  for (const path of visible) {
    if (lines.length > offset + query.limit) break;
    lines.push(...(await files.grep({ ...query, path, offset: 0, limit: Number.POSITIVE_INFINITY }, scope)).lines);
  }
  return {
    ...matching,
    lines: lines.slice(offset, offset + query.limit),
    truncated: lines.length > offset + query.limit,
    total: undefined,
  };
}
