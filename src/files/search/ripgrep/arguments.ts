import { availableParallelism } from 'node:os';
import type { GrepQuery } from '../../../ports/file-system.js';

/** What a run needs besides the query. */
export interface RipgrepTarget {
  /** Absolute path to search. */
  readonly path: string;
  /** Leaves the ignore files of the folders above `path` out. */
  readonly withoutParentRules: boolean;
  /** `path` lies in a repository: rules from outside of a repository within it end there. */
  readonly isInRepository: boolean;
  /** Matching lines of one file after which ripgrep goes on to the next; undefined = all. */
  readonly maxLinesPerFile: number | undefined;
}

/**
 * The arguments for one query. Nothing of the query can be taken for a flag: each value is joined to its flag with `=`,
 * and the path stands after `--`. ripgrep 15 is slow with two threads on two cores and fast with four, hence at least
 * four.
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
  // With this flag ripgrep reads the rules of folders in no repository, but does not see where a repository begins.
  if (!target.isInRepository) list.push('--no-require-git');
  list.push(`--threads=${Math.max(4, availableParallelism())}`);
  if (target.withoutParentRules) list.push('--no-ignore-parent');
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
 * ripgrep puts a pattern into brackets, and a comment at its end, which the flag `x` allows, would hide the last one.
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
