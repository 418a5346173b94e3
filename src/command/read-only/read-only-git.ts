import { isOption } from '../read/command-options.js';
import { isProvenOption, provenOptions } from './read-only-options.js';

const reading = new Set(
  `status log diff show rev-parse ls-files ls-tree describe blame annotate shortlog rev-list merge-base cat-file grep
    name-rev whatchanged for-each-ref show-ref count-objects version diff-tree diff-index diff-files cherry range-diff`.split(
    /\s+/,
  ),
);

const options = provenOptions(
  'aAbBcdDEeFhiIklMmnopqrRsStuvVwWxzZ0123456789',
  'CGLSUXg',
  'abbrev abbrev-commit abbrev-ref absolute-git-dir after all all-match all-objects always ancestor-path ' +
    'anchored author before boundary branch branches break-rewrites cached candidates cc cherry cherry-mark ' +
    'cherry-pick children clear-decorations color color-moved color-words column combined-all-paths committer ' +
    'compact-summary contains count cumulative current-branch cut date date-order decorate decorate-refs deleted ' +
    'deref diff-algorithm diff-filter diff-merges directory dirstat dirty error-unmatch exact-match ' +
    'exclude-standard exit-code extended-regexp find-copies find-copies-harder find-object find-renames ' +
    'first-parent fixed-strings follow format full-history full-index full-name full-tree function-context ' +
    'git-common-dir git-dir glob graph grep grep-debug heads histogram human-readable ignore-all-space ' +
    'ignore-blank-lines ignore-cr-at-eol ignore-missing ignore-space-at-eol ignore-space-change ignore-submodules ' +
    'ignored incremental indent-heuristic independent inter-hunk-context invert-grep is-ancestor ' +
    'is-bare-repository is-inside-git-dir is-inside-work-tree left-only left-right line-porcelain line-prefix ' +
    'local-env-vars long match max-count max-parents merge-base merged merges mailmap min-parents minimal ' +
    'modified name-only name-status names no-abbrev no-abbrev-commit no-color no-contains no-decorate no-ext-diff ' +
    'no-indent-heuristic no-mailmap no-merged no-merges no-notes no-patch no-prefix no-renames no-show-signature ' +
    'no-textconv no-walk not notes null numbered numstat object-only objects oneline others patch patch-with-stat ' +
    'patience perl-regexp pickaxe-all pickaxe-regex points-at porcelain pretty quiet raw refs regexp-ignore-case ' +
    'relative relative-date remotes remove-empty renames reverse right-only root score-debug shortstat short ' +
    'show-cdup show-current show-email show-linear-break show-name show-number show-prefix show-pulls show-stash ' +
    'show-toplevel simplify-by-decoration simplify-merges since since-as-filter size skip sort source sparse sq ' +
    'stage staged stat stdin-paths src-prefix dst-prefix submodule submodules summary symbolic symbolic-full-name ' +
    'tags text timestamp topo-order unified unmerged until untracked untracked-files upstream verbose verify ' +
    'walk-reflogs word-diff word-diff-regex ws-error-highlight',
);

const listing: ReadonlyMap<string, RegExp> = new Map([
  ['branch', /^(?:-[arv]+|-vv|--all|--remotes|--list|--show-current|--verbose|--no-color|--merged|--no-merged)$/],
  ['tag', /^(?:-l|--list|-n\d*|--sort=[\w:-]+)$/],
  ['remote', /^(?:-v|--verbose)$/],
  ['stash', /^list$/],
  ['worktree', /^list$/],
  ['reflog', /^(?:show|HEAD|-\d+|-n\d+)$/],
  ['submodule', /^status$/],
]);

/** True for words after `git` that show history, state or content and change nothing, whatever the operands. */
export function isReadOnlyGit(words: readonly string[]): boolean {
  const [subcommand = '', ...given] = afterPager(words);
  if (subcommand === '--version') return given.length === 0;
  if (subcommand === 'cat-file')
    return /^-[ets]$/.test(given[0] ?? '') && given.slice(1).every((word) => !isOption(word));
  if (reading.has(subcommand))
    return !given.some((word) => isOption(word) && (!isProvenOption(word, options) || /=.*%G/.test(word)));
  const proven = listing.get(subcommand);
  if (!proven) return false;
  if ((subcommand === 'stash' || subcommand === 'worktree' || subcommand === 'submodule') && given.length !== 1)
    return false;
  return given.every((word) => proven.test(word));
}

/** True for words after `git` that show the content of every tracked file that fits. */
export function readsWholeTree(words: readonly string[]): boolean {
  return afterPager(words)[0] === 'grep';
}

function afterPager(words: readonly string[]): readonly string[] {
  return words[0] === '--no-pager' ? words.slice(1) : words;
}
