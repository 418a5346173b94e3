const reading = new Set(
  'status log diff show rev-parse ls-files ls-tree describe blame annotate shortlog rev-list merge-base cat-file grep name-rev whatchanged for-each-ref show-ref count-objects version diff-tree diff-index diff-files cherry range-diff'.split(
    ' ',
  ),
);
const writing = /^(?:-O|--open-files|--ou|--op|--ext-|--textc|--filters|--batch|--update|--show-s|--[\w-]+=.*%G|--contents)/;

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
  const rest = words[0] === '--no-pager' ? words.slice(1) : words;
  const [subcommand = '', ...given] = rest;
  if (subcommand === '--version') return given.length === 0;
  if (reading.has(subcommand)) return !given.some((word) => writing.test(word));
  const proven = listing.get(subcommand);
  if (!proven) return false;
  if ((subcommand === 'stash' || subcommand === 'worktree' || subcommand === 'submodule') && given.length !== 1) return false;
  return given.every((word) => proven.test(word));
}
