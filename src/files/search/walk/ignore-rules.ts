import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isMissing } from '../../../core/support/os-error-code.js';
import { readRegularFile } from '../../disk/read-regular-file.js';

/**
 * The verdict of one `.gitignore` on a path: `unknown` leaves the decision to the `.gitignore` files of the folders
 * above.
 */
export type IgnoreVerdict = 'ignored' | 'kept' | 'unknown';

const wild = /[*?[\]\\]/;

export class IgnoreRules {
  /** Absolute folder that contains the `.gitignore`. */
  readonly directory: string;
  readonly #patterns: readonly string[];
  readonly #mayMatch: (name: string) => boolean;
  readonly #matcher: Ignore;

  constructor(directory: string, patterns: readonly string[]) {
    this.directory = directory;
    this.#patterns = patterns;
    this.#mayMatch = nameFilter(patterns);
    this.#matcher = ignore({ ignorecase: false, allowRelativePaths: true }).add(patterns);
  }

  /**
   * Applies the rules to an absolute path below `directory`. The caller has checked that the parent folder of the path
   * is not ignored.
   */
  decide(path: string, name: string, isDirectory: boolean): IgnoreVerdict {
    if (!this.#mayMatch(name)) return 'unknown';
    const relative = this.#relative(path);
    const { ignored, unignored } = this.#matcher.test(isDirectory ? `${relative}/` : relative);
    return ignored ? 'ignored' : unignored ? 'kept' : 'unknown';
  }

  /**
   * A copy of the rules that does not ignore `path` and its parents, but still ignores matching entries inside `path`.
   */
  opened(path: string): IgnoreRules {
    const segments = this.#relative(path).split('/');
    const folders = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
    return new IgnoreRules(this.directory, [
      ...this.#patterns,
      ...folders.map((folder) => `!/${escapePattern(folder)}/`),
    ]);
  }

  #relative(path: string): string {
    return path.slice(this.directory.endsWith('/') ? this.directory.length : this.directory.length + 1);
  }
}

/** Called with the path of an ignore file that exists and cannot be read. As in git, no rules apply then. */
export type OnUnreadable = (path: string) => void;

/** The rules of `file` for `directory`; undefined if there is no such file or it is empty. */
function readIgnoreRules(directory: string, file: string, onUnreadable?: OnUnreadable): IgnoreRules | undefined {
  const path = resolve(directory, file);
  const bytes = readRegularFile(path, (thrown) => isMissing(thrown) || onUnreadable?.(path));
  return bytes && parseIgnoreRules(directory, bytes.toString());
}

/** The rules of a `.gitignore` with this text in `directory`; undefined if it is empty. */
function parseIgnoreRules(directory: string, text: string): IgnoreRules | undefined {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const patterns = lines.map(withoutTrailingBlanks).filter((line) => line !== '' && !line.startsWith('#'));
  return patterns.length === 0 ? undefined : new IgnoreRules(directory, patterns);
}

/** As in ripgrep: trailing spaces and tabs are dropped, except an escaped space. */
function withoutTrailingBlanks(line: string): string {
  return line.endsWith('\\ ') ? line : line.trimEnd();
}

/**
 * A fast test that excludes most names. The last segment of a rule must match the name. In most rules it is a literal
 * name or `*.ext`: `dist/`, `/build`, `docs/out`, `*.log`. If any rule is different, every name may match.
 */
function nameFilter(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set<string>();
  const endings = new Set<string>();
  for (const pattern of patterns) {
    const last = pattern.replace(/^!/, '').trimEnd().replace(/\/$/, '').split('/').at(-1) ?? '';
    const ending = /^\*(\.[^.]+)$/.exec(last)?.[1];
    if (!wild.test(last) && last !== '') names.add(last);
    else if (ending !== undefined && !wild.test(ending)) endings.add(ending);
    else return () => true;
  }
  return (name) => names.has(name) || (endings.size > 0 && endings.has(name.slice(name.lastIndexOf('.'))));
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
}

/** A source of ignore rules. Folders are absolute. */
export interface IgnoreSource {
  /** The rules of the `.gitignore` in a folder; undefined if there is no such file or it is empty. */
  rules(folder: string, onUnreadable?: OnUnreadable): IgnoreRules | undefined;
  /** The rules of `info/exclude` in the git directory of a repository. */
  excluded?(folder: string, onUnreadable?: OnUnreadable): IgnoreRules | undefined;
  /** Whether a folder is the top of a git repository. */
  isRepository(folder: string): boolean;
}

export const diskIgnoreSource: IgnoreSource = Object.freeze({
  rules: (folder: string, onUnreadable?: OnUnreadable) => readIgnoreRules(folder, '.gitignore', onUnreadable),
  excluded: (folder: string, onUnreadable?: OnUnreadable) => readIgnoreRules(folder, excludesOf(folder), onUnreadable),
  isRepository: (folder: string) => existsSync(`${folder}/.git`),
});

/**
 * The `info/exclude` of the git directory that all worktrees of a repository share (gitrepository-layout, "commondir").
 * In a worktree, a submodule or a repository with a separate git directory, `.git` is a file with the path of the git
 * directory.
 */
function excludesOf(folder: string): string {
  const line = (path: string) => readRegularFile(path)?.toString().trimEnd();
  const named = /^gitdir: (.+)$/m.exec(line(`${folder}/.git`) ?? '')?.[1] ?? '.git';
  const own = resolve(folder, named);
  return `${resolve(own, line(`${own}/commondir`) ?? '.')}/info/exclude`;
}

/** The repository around a folder, if its `.git` is a file (a worktree or submodule) and it has an `info/exclude`. */
export function linkedRepository(folder: string): { readonly top: string; readonly excludes: string } | undefined {
  const git = statSync(`${folder}/.git`, { throwIfNoEntry: false });
  if (git === undefined) return dirname(folder) === folder ? undefined : linkedRepository(dirname(folder));
  return git.isFile() && existsSync(excludesOf(folder)) ? { top: folder, excludes: excludesOf(folder) } : undefined;
}

const rulesName = '/.gitignore';

/** The ignore rules in virtual files. `files` must contain all files, since rules above a searched folder apply too. */
export function virtualIgnore(files: Iterable<{ readonly path: string; readonly bytes: Uint8Array }>): IgnoreSource {
  const texts = new Map<string, string>();
  const repositories = new Set<string>();
  for (const { path, bytes } of files) {
    if (path.endsWith(rulesName))
      texts.set(path.slice(0, -rulesName.length) || '/', Buffer.from(bytes).toString('utf8'));
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
