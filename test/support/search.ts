import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { onTestFinished } from 'vitest';
import type { Limits } from '../../src/core/limits.js';
import type { DiskSearchOptions } from '../../src/files/search/engines.js';
import { SearchEngines } from '../../src/files/search/engines.js';
import { globFiles } from '../../src/files/search/glob-files.js';
import { grepFiles } from '../../src/files/search/grep-files.js';
import type { GlobQuery, GlobResult, GrepQuery, GrepResult } from '../../src/ports/file-system.js';
import { callScope } from './call-scope.js';
import { temporaryFolder } from './temporary-folder.js';

/** A query with default values. */
export function grepQuery(query: Partial<GrepQuery> & { readonly pattern: string }): GrepQuery {
  return {
    mode: 'content',
    before: 0,
    after: 0,
    lineNumbers: true,
    ignoreCase: false,
    onlyMatching: false,
    multiline: false,
    limit: Number.POSITIVE_INFINITY,
    ...query,
  };
}

/** A folder with files, and functions that search it. */
export interface SearchedFolder {
  readonly root: string;
  at(path: string): string;
  grep(query: Partial<GrepQuery> & { readonly pattern: string }, signal?: AbortSignal): Promise<GrepResult>;
  glob(pattern: string, query?: Partial<GlobQuery>): Promise<GlobResult>;
}

/**
 * Writes files (relative path to content) into a fresh folder. `ripgrep: false` searches with the JavaScript engine.
 */
export function searchedFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  {
    ripgrep,
    ...options
  }: Partial<Omit<DiskSearchOptions, 'limits'>> & {
    readonly ripgrep?: string | false | undefined;
    readonly limits?: Partial<Limits['grep']>;
  } = {},
): SearchedFolder {
  const root = join(temporaryFolder(), 'ws');
  mkdirSync(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const engines = new SearchEngines({ ripgrep });
  onTestFinished(() => engines.dispose());
  const limits = { glob: defaultLimits.glob, grep: { ...defaultLimits.grep, ...options.limits } };
  const all: DiskSearchOptions = { roots: [root], engines, ...options, limits };
  return {
    root,
    at: (path) => join(root, path),
    grep: (query, signal) => grepFiles(all, grepQuery(query), callScope(signal === undefined ? {} : { signal })),
    glob: (pattern, query) => globFiles(all, { pattern, maxFiles: 100, ...query }, callScope()),
  };
}

const working = { 'tree/seen.txt': 'foo\n', 'tree/secret.txt': 'foo\n', 'tree/sub/secret.txt': 'foo\n' };

/** The files of repositories in `tree` whose git directory is elsewhere and excludes `secret.txt`. */
export const linkedRepositories: readonly (readonly [kind: string, files: Readonly<Record<string, string>>])[] = [
  [
    'a worktree',
    {
      ...working,
      'tree/.git': 'gitdir: ../main/.git/worktrees/tree\n',
      'main/.git/worktrees/tree/commondir': '../..\n',
      'main/.git/HEAD': 'ref: refs/heads/main\n',
      'main/.git/info/exclude': 'secret.txt\n',
    },
  ],
  [
    'a submodule',
    {
      ...working,
      'tree/.git': 'gitdir: ../.git/modules/tree\n',
      '.git/modules/tree/info/exclude': '# its own\nsecret.txt\n',
    },
  ],
  [
    'a separate git directory',
    { ...working, 'tree/.git': 'gitdir: ../store', 'store/info/exclude': '/**/secret.txt\n' },
  ],
];
