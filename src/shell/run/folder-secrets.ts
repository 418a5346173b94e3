import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { globMatcher } from '../../core/text/glob-matcher.js';
import { isSecretPath } from '../../core/text/sensitive-paths.js';

/**
 * Whether every entry of a folder (at any depth), or every match of a file pattern, has a safe name: one that suggests
 * no secret and that no program would read as an option. A symlink or a special file gives false, because its content
 * is unknown. Paths for which `isHidden` is true count as secret, and so does `.git/config` unless all its settings are
 * plain. Returns false for more than `maxEntries` entries; never throws.
 */
export function holdsNoSecrets(
  pathOrPattern: string,
  from: string,
  maxEntries: number,
  isHidden: (path: string) => boolean = () => false,
): boolean {
  // `..` after a symlink is the parent of the link target.
  if (pathOrPattern.split('/').includes('..')) return false;
  try {
    const start = resolve(from, fixedPart(pathOrPattern));
    const isSecret = (path: string) => (isSecretPath(path) && !isPlainGitConfig(path)) || isHidden(path);
    if (isSecret(start)) return false;
    const stat = lstatSync(start);
    if (stat.isFile()) return true;
    // A program reads a name that begins with `-` as an option.
    const isUnsafe = (path: string, entry: Dirent) =>
      !(entry.isFile() || entry.isDirectory()) || isSecret(path) || entry.name.startsWith('-');
    return stat.isDirectory() && findsBelow(start, isUnsafe, maxEntries, nameMatcher(pathOrPattern)) === false;
  } catch {
    return false;
  }
}

/**
 * Whether a file or folder below `folder` passes the test. Entries of `folder` whose names `isNamed` does not accept
 * are skipped. The test gets the path of each entry, and for a symlink also its real path. Undefined for more than
 * `maxEntries` entries, a symlink to a folder outside, or an unreadable entry. False if `folder` is not a folder.
 */
export function findsBelow(
  folder: string,
  test: (path: string, entry: Dirent) => boolean,
  maxEntries: number,
  isNamed: (name: string) => boolean = () => true,
): boolean | undefined {
  try {
    const start = realpathSync(folder);
    if (!lstatSync(start).isDirectory()) return false;
    let entries = 0;
    const folders = [start];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      const listed = readdirSync(next, { withFileTypes: true });
      entries += listed.length;
      if (entries > maxEntries) return undefined;
      for (const entry of listed) {
        if (next === start && !isNamed(entry.name)) continue;
        const path = join(next, entry.name);
        if (test(path, entry)) return true;
        if (entry.isSymbolicLink()) {
          const real = realpathSync(path);
          if (test(real, entry)) return true;
          if (!real.startsWith(`${start}/`) && lstatSync(real).isDirectory()) return undefined;
        } else if (entry.isDirectory()) folders.push(path);
      }
    }
    return false;
  } catch {
    return undefined;
  }
}

/** Settings of a git repository whose values are no credentials. A URL may name no user except `git`. */
const plainSetting =
  /^\s*(?:\[(?:core|(?:remote|branch) "[\w./-]+")\]|(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|fetch|remote|merge|gh-resolved|vscode-merge-base) = [\w+:/*.-]+|url = (?:(?:https:\/\/|ssh:\/\/git@|git@)[\w.-]+[/:])?[\w./~-]+|)$/;

/** Whether a path is the `config` of a git repository and every line of the file is a plain setting. */
function isPlainGitConfig(path: string): boolean {
  if (!/\/\.git\/config$/.test(path) || !lstatSync(path).isFile()) return false;
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.every((line) => plainSetting.test(line));
}

/** The folder above the first pattern segment; the path itself if no segment is a pattern. */
function fixedPart(pathOrPattern: string): string {
  const parts = pathOrPattern.split('/');
  const first = parts.findIndex((part) => /[*?[\]{}()!~]/.test(part));
  if (first === -1) return pathOrPattern;
  return first === 0 ? '.' : parts.slice(0, first).join('/') || '/';
}

/**
 * A test for the names directly below the fixed part. If only the last segment is a pattern, names must match it;
 * otherwise all names pass.
 */
function nameMatcher(pathOrPattern: string): (name: string) => boolean {
  const [, segment] = /^(?:[^*?[\]{}()!~\\]*\/)?([\w.*?-]*[*?][\w.*?-]*)$/.exec(pathOrPattern) ?? [];
  if (segment === undefined) return () => true;
  const isMatch = globMatcher(segment, { nocase: true });
  return (name) => isMatch(name) && (segment.startsWith('.') || !name.startsWith('.'));
}
