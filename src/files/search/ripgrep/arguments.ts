import { availableParallelism } from 'node:os';
import type { GrepQuery } from '../../../ports/file-system.js';

/** The values for {@link ripgrepArguments} besides the query. */
export interface RipgrepTarget {
  /** Absolute path to search. */
  readonly path: string;
  /** Do not apply ignore files from parent folders of `path`. */
  readonly withoutParentRules: boolean;
  /**
   * Whether `path` is inside a git repository. If so, ripgrep stops at nested repositories: rules from outside do not
   * apply in them.
   */
  readonly isInRepository: boolean;
  /** A further ignore file, whose patterns are relative to the working directory. */
  readonly ignoreFile: string | undefined;
  /** Matching lines after which ripgrep continues with the next file; undefined = all. */
  readonly maxLinesPerFile: number | undefined;
}

/**
 * The arguments for one query. No part of the query can be read as a flag: each value is joined to its flag with `=`,
 * and the path follows `--`. At least four threads are used, because ripgrep 15 is slow with two threads on two cores
 * and fast with four.
 */
export function ripgrepArguments(query: GrepQuery, target: RipgrepTarget): string[] {
  const list = [
    '--no-config',
    '--color=never',
    '--no-heading',
    '--with-filename',
    '--null',
    '--no-mmap',
    '--no-ignore-messages',
  ];
  list.push('--hidden', '--no-ignore-dot', '--no-ignore-global');
  // `--no-require-git` makes ripgrep apply `.gitignore` where there is no repository. But then the rules of outer
  // folders also apply inside nested repositories, so the flag is set only outside a repository.
  if (!target.isInRepository) list.push('--no-require-git');
  list.push(`--threads=${Math.max(4, availableParallelism())}`);
  if (target.withoutParentRules) list.push('--no-ignore-parent');
  if (target.ignoreFile !== undefined) list.push(`--ignore-file=${target.ignoreFile}`);
  if (query.glob !== undefined) list.push(`--glob=${query.glob}`);
  list.push('--glob=!.git');
  if (query.type !== undefined) list.push(`--type=${query.type}`);
  if (query.ignoreCase) list.push('--ignore-case');
  if (query.multiline) list.push('--multiline', '--multiline-dotall');
  list.push(...modeArguments(query, target.maxLinesPerFile));
  list.push(`--regexp=${closed(query.pattern)}`, '--', target.path);
  return list;
}

/**
 * ripgrep wraps the pattern in parentheses. With the flag `x` the pattern may end with a comment, which would swallow
 * the closing parenthesis.
 */
function closed(pattern: string): string {
  const isExtended = /^\(\?[a-z]*x[a-z]*(?:-[a-z]+)?\)/i.test(pattern) && !/\(\?[a-z]*-[a-z]*x/i.test(pattern);
  return isExtended && pattern.includes('#') ? `${pattern}\n` : pattern;
}

function modeArguments(query: GrepQuery, maxLinesPerFile: number | undefined): string[] {
  if (query.mode === 'files_with_matches') return ['--files-with-matches'];
  const list = query.onlyMatching ? ['--only-matching'] : [];
  if (query.mode === 'count') return [...list, '--count'];
  list.push('--line-number', `--before-context=${query.before}`, `--after-context=${query.after}`);
  if (maxLinesPerFile !== undefined) list.push(`--max-count=${maxLinesPerFile}`);
  return list;
}
