import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readRegularFile } from '../../disk/read-regular-file.js';
import { type IgnoreRules, parseIgnoreRules, readIgnoreRules } from './ignore-rules.js';

/** Where ignore rules come from. Folders are absolute. */
export interface IgnoreSource {
  /** The rules of the `.gitignore` in a folder; undefined if there is no such file or it is empty. */
  rules(folder: string): IgnoreRules | undefined;
  /** The rules of `info/exclude` in the git directory of a repository. */
  excluded?(folder: string): IgnoreRules | undefined;
  /** Whether a folder is the top of a git repository. */
  isRepository(folder: string): boolean;
}

export const diskIgnoreSource: IgnoreSource = Object.freeze({
  rules: (folder: string) => readIgnoreRules(folder, '.gitignore'),
  excluded: (folder: string) => readIgnoreRules(folder, excludesOf(folder)),
  isRepository: (folder: string) => existsSync(`${folder}/.git`),
});

/**
 * The git directory that all worktrees of a repository share (gitrepository-layout, "commondir"). In a worktree, a
 * submodule or a repository with a separate git directory, `.git` is a file with the path of the git directory.
 */
function commonGitDirectory(folder: string): string {
  const line = (path: string) => readRegularFile(path)?.toString().trimEnd();
  const named = /^gitdir: (.+)$/m.exec(line(`${folder}/.git`) ?? '')?.[1] ?? '.git';
  const own = resolve(folder, named);
  return resolve(own, line(`${own}/commondir`) ?? '.');
}

function excludesOf(folder: string): string {
  return `${commonGitDirectory(folder)}/info/exclude`;
}

/** The repository around a folder if its `.git` is a file: its top and its `info/exclude`. */
export function linkedRepository(folder: string): { readonly top: string; readonly excludes: string } | undefined {
  const git = statSync(`${folder}/.git`, { throwIfNoEntry: false });
  if (git === undefined) return dirname(folder) === folder ? undefined : linkedRepository(dirname(folder));
  return git.isFile() && existsSync(excludesOf(folder)) ? { top: folder, excludes: excludesOf(folder) } : undefined;
}

const rulesName = '/.gitignore';

/**
 * The rules among virtual files. `files` must contain all files, since rules above a searched folder apply too.
 */
export function virtualIgnore(files: Iterable<{ readonly path: string; readonly bytes: Uint8Array }>): IgnoreSource {
  const texts = new Map<string, string>();
  const repositories = new Set<string>();
  for (const { path, bytes } of files) {
    if (path.endsWith(rulesName)) texts.set(folderOf(path, rulesName), Buffer.from(bytes).toString('utf8'));
    const repository = /^(.*?)\/\.git(?:\/|$)/.exec(path)?.[1];
    if (repository !== undefined) repositories.add(repository === '' ? '/' : repository);
  }
  return {
    rules(folder) {
      const text = texts.get(folder);
      return text === undefined ? undefined : parseIgnoreRules(folder, text);
    },
    isRepository: (folder) => repositories.has(folder),
  };
}

function folderOf(path: string, name: string): string {
  return path.slice(0, -name.length) || '/';
}
