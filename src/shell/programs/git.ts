import type { ProgramRow, ProgramTable } from './row.js';

/** Common options of commands that show history and content. */
// biome-ignore format: as the tables below
const history = {
  flag: `-a -b -B -c -D -e -E -F -h -i -I -k -l -M -m -n -o -p -q -r -R -s -t -u -v -V -w -W -x -z -Z --abbrev-commit
  --absolute-git-dir --all --always --ancestor-path --boundary --branch --cached --cc --cherry --cherry-pick
  --compact-summary --check --date-order --deleted --directory --dirty --error-unmatch --exact-match --exit-code --extended-regexp
  --first-parent --fixed-strings --follow --full-history --full-index --full-name --function-context --git-common-dir
  --git-dir --graph --histogram --ignore-all-space --ignore-blank-lines --ignore-space-at-eol --ignore-space-change
  --is-ancestor --is-bare-repository --is-inside-git-dir --is-inside-work-tree --left-only --left-right
  --line-porcelain --long --merge-base --merges --minimal --modified --name-only --name-status --no-abbrev-commit
  --no-color --no-decorate --no-ext-diff --no-merges --no-notes --no-patch --no-walk --no-prefix --no-renames --no-textconv
  --null --numbered --numstat --objects --oneline --others --patch --patch-with-stat --patience --perl-regexp
  --pickaxe-regex --quiet --raw --refs --regexp-ignore-case --reverse --right-only --root --short --shortstat
  --show-cdup --show-prefix --show-toplevel --stage --staged --summary --symbolic-full-name --text --topo-order
  --unmerged --upstream --verbose --verify`,
  optionalText: `-C -U -X --abbrev --after --author --before --branches --color --color-words --column --committer
  --date --decorate --diff-algorithm --diff-filter --exclude --find-object --find-renames --format --glob --grep
  --ignore-submodules --ignored --inter-hunk-context --max-count --pretty --relative --remotes --since --skip --sort
  --stat --tags --unified --until --untracked-files --word-diff --porcelain --contains --no-contains --points-at
  --merged --no-merged --count --heads --match --exclude-standard --abbrev-ref`,
  text: '-S -G', optionalReadPath: '-L', writePath: '--output', unless: /%G/, is: ['numbers'],
} satisfies ProgramRow;

const patches = `-p -u -U -W -c --cc --check --patch --patch-with-stat --unified --function-context --word-diff
  --color-words`;
/** With these options, `stash` also removes untracked files, so it can remove any file. */
const untracked = { edits: '-u -a --include-untracked --all', recursive: '-u -a --include-untracked --all' };
const summaries = `-s --no-patch --stat --numstat --shortstat --summary --compact-summary --name-only --name-status --raw
  --quiet`;

/** Words that make git verify a signature, for which git starts another program. */
const signatures = /(?:^-?|[(:])\*?signature|%G/;

/** Subcommands of git that only read, unless options or operands make changes. */
// biome-ignore format: one program after the other, its options filled up to the width of a line
export const gitReadOnly = {
  'git diff': { operands: ['readPath*'], ...history, showsTree: patches, sparesTree: summaries, is: ['numbers',
    'readsFolders', 'showsTree'] },
  'git show|range-diff': { operands: ['readPath*'], ...history, showsTree: patches, sparesTree: summaries,
    is: ['numbers', 'showsTree'] },
  'git log|whatchanged|diff-tree|diff-index|diff-files': { operands: ['readPath*'], ...history, showsTree: patches },
  'git status': { operands: ['readPath*'], ...history, showsTree: '-v --verbose' },
  'git rev-parse|ls-tree|describe|shortlog|rev-list|merge-base|name-rev': { operands: ['readPath*'], ...history },
  'git ls-files': { operands: ['readPath*'], ...history, text: `${history.text} -x`, readPath: '-X' },
  'git blame|annotate': { operands: ['readPath*'], ...history, text: '-G', readPath: '-S' },
  'git for-each-ref|show-ref|count-objects|version|cherry': { operands: ['readPath*'], ...history, unless: signatures },
  'git grep': { operands: ['text', 'readPath*'], flag: `-a -i -I -v -w -W -h -H -E -G -P -F -n -o -l -L -c -z -p -q -r
    --cached --untracked --text --ignore-case --word-regexp --invert-match --extended-regexp --basic-regexp
    --perl-regexp --fixed-strings --line-number --column --full-name --files-with-matches --name-only
    --files-without-match --null --only-matching --count --all-match --quiet --recursive --break --heading
    --show-function --function-context --and --or --not --no-index`, text: `-A -B -C -m -e --max-depth --max-count --threads
    --context --after-context --before-context`, readPath: '-f', optionalCommand: '-O --open-files-in-pager',
    optionalText: '--color', replacesFirst: '-f -e', recursive: '--untracked --no-index', is: ['numbers', 'readsHere',
    'showsTree'] },
  'git cat-file': { operands: ['readPath*'], flag: '-e -p -t -s', sparesTree: '-e -t -s',
    unless: /^(?:blob|tree|commit|tag)$/, is: ['showsTree'] },
  'git branch': { operands: ['text*'], flag: `-a -r -v -i -l -d -D -m -M -f -c --all --remotes --list --show-current
    --verbose --no-color --ignore-case --delete --move --copy --force --unset-upstream --edit-description`,
    optionalText: '-t --merged --no-merged --color --column --track', text: `-u --contains --no-contains --points-at
    --sort --format --set-upstream-to`, changes: `-d -D -m -M -f -c -u -t --delete --move --copy --force
    --unset-upstream --edit-description --track --set-upstream-to`, onlyShows: `--list --contains --no-contains
    --points-at --merged --no-merged`, unless: signatures, is: ['readsAlone'] },
  'git tag': { operands: ['text*'], flag: `-l -i -a -s -f -d -v --list --ignore-case --annotate --sign --force --delete
    --verify`, optionalText: '-n --merged --no-merged', text: `-m -u --message --sort --format --contains --no-contains
    --points-at`, readPath: '-F --file', changes: `-a -s -f -d -v -m -u -F --annotate --sign --force --delete --verify
    --message --file`, onlyShows: '-l --list --contains --no-contains --points-at --merged --no-merged',
    unless: signatures, is: ['readsAlone'] },
  'git remote': { flag: '-v --verbose' },
  'git reflog': { ...history, showsTree: patches },
  'git reflog show|exists': { operands: ['readPath*'], ...history, showsTree: patches },
  'git stash list|show': { operands: ['text*'], ...history, flag: `${history.flag} --include-untracked --only-untracked`,
    showsTree: patches },
  'git worktree list': { flag: '-v -z --porcelain --verbose' },
  'git check-ignore': { operands: ['path*'], flag: '-q -v -n -z --quiet --verbose --non-matching --no-index --stdin' },
  'git submodule status': { },
  'git remote get-url': { operands: ['text'], flag: '--push --all' },
  'git config': { operands: ['config*'], flag: `-l -z -e --list --get --get-all --get-regexp --get-urlmatch --get-color
    --get-colorbool --unset --unset-all --remove-section --edit --rename-section --add --replace-all --global --system
    --local --worktree --bool --int --path --bool-or-int --name-only --null --show-origin --show-scope --includes
    --no-includes --no-type --all --append`, text: '-t --blob --type --default --value --url --comment --fixed-value',
    editPath: '-f --file', onlyShows: '-l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool',
    changes: `-e -l --add --all --append --blob --edit --get-color --get-regexp
    --get-urlmatch --list --remove-section --rename-section --replace-all --unset --unset-all`,
    is: ['optionsFirst', 'setting'] },
} satisfies ProgramTable;

/** Common options of commands that make commits. */
// biome-ignore format: as the tables below
const commits = {
  operands: ['text*'], flag: `-a -A -v -q -s -n -p -u -f -e -i -x
    -k -S -0 -N -o -3 -R --all --update --patch --force --quiet --verbose --dry-run --intent-to-add --amend --no-edit
    --edit --no-verify --verify --allow-empty --allow-empty-message --signoff --no-gpg-sign --reset-author --only
    --include --abort --continue --quit --skip --squash --no-squash --ff --no-ff --ff-only --no-commit --commit
    --no-stat --stat --cached --index --check --reverse --3way --numstat --summary --interactive --short --branch
    --porcelain --renormalize --allow-unrelated-histories --show-current-patch`,
  text: `-m -C -c -X --message --author --date --strategy
    --strategy-option --cleanup --fixup --mainline --reuse-message --reedit-message --trailer --chmod
    --whitespace --exclude`, readPath: '-F -t -T --file --template --pathspec-from-file', intoPath: '--directory',
  showsTree: '-i -p -v --patch --interactive --show-current-patch --verbose',
} satisfies ProgramRow;

// biome-ignore format: as above
const fetches = {
  operands: ['url', 'text*'], flag: `-a -p -P -q -v -f -t -u -4 -n -r -k --all --prune
    --tags --no-tags --force --ff-only --no-rebase --no-ff --no-edit --heads --quiet --dry-run --unshallow --verbose
    --progress --autostash --no-recurse-submodules --set-upstream --refs --symref --exit-code --prune-tags`, text: `-o
    -j -s -X --depth --jobs --server-option --strategy --shallow-since --refmap --deepen`, optionalText: `--rebase
    --recurse-submodules`, command: '--upload-pack --exec',
} satisfies ProgramRow;

/** The other subcommands of git. */
// biome-ignore format: one program after the other, its options filled up to the width of a line
export const gitPrograms = {
  git: { flag: '-p -P --no-pager --paginate --no-replace-objects --literal-pathspecs --no-optional-locks --version',
    folder: '-C', config: '-c --config-env', codePath: '--git-dir --work-tree --exec-path --super-prefix',
    text: '--namespace --attr-source' },
  'git difftool': { operands: ['readPath*'], flag: '-d -y -g --no-prompt --dir-diff --gui', codePath: '-t --tool',
    command: '-x --extcmd', is: ['showsTree'] },
  'git archive': { operands: ['text', 'readPath*'], flag: '-l', writePath: '-o --output', text: `--format --prefix
    --add-virtual-file`, url: '--remote', command: '--exec', readPath: '--add-file', is: ['showsTree'] },
  'git hash-object': { operands: ['readPath*'], flag: '-w --stdin --no-filters --literally', text: '-t --path' },
  'git checkout|switch': { operands: ['writePath*'], flag: `-q -f -d -l -m -p -t -2 -3 --force --quiet --patch --ours
    --theirs --detach --track --no-track --guess --no-guess --merge --discard-changes --overlay --no-overlay`, text: `-b
    -B -c -C --conflict --orphan --create --force-create`, optionalText: '--recurse-submodules', showsTree: `-p
    --patch`, changesTree: '-f -m -p --force --merge --patch --discard-changes', is: ['changesTree'] },
  'git rm|restore': { operands: ['writePath*'], flag: `-q -f -m -n -p -r -S -W -2 -3 --cached --staged --worktree
    --force --quiet --patch --ours --theirs --merge --dry-run --ignore-unmatch --overlay --no-overlay`, text: `-s
    --source --conflict`, optionalText: '--recurse-submodules', recursive: '-r', showsTree: '-p --patch',
    changesTree: '-W -p --worktree --patch', sparesTree: '-S -n --staged --cached --dry-run', is: ['changesTree',
    'pathsOnly'] },
  'git clean': { operands: ['writePath*'], flag: '-q -n -f -d -i -x -X --dry-run --force --quiet --interactive',
    text: '-e --exclude', onlyShows: '-n --dry-run', is: ['recursive', 'readsHere'] },
  'git mv': { operands: ['editPath*', 'intoPath'], flag: '-f -k -v -n', is: ['recursive'] },
  'git rebase': { operands: ['text*'], flag: `-i -p -q -v -f -k -r --interactive --continue --abort --skip --edit-todo
    --autosquash --no-autosquash --autostash --root --quit --keep-empty --no-verify --update-refs --force-rebase
    --signoff --show-current-patch`, showsTree: '--show-current-patch', command: '-x --exec', text: `--onto --strategy
    --strategy-option -s -X`, optionalText: '--rebase-merges', sparesTree: '--show-current-patch --edit-todo --quit',
    is: ['changesTree'] },
  'git submodule foreach': { operands: ['command*'], flag: '-q --recursive --quiet', is: ['joined'] },
  'git submodule add|set-url': { operands: ['url', 'writePath'], flag: '--quiet --force', text: `-f -b --name --branch
    --reference --depth`, is: ['saves'] },
  'git submodule update': { operands: ['text*'], flag: `--init --recursive --remote --checkout --merge --rebase --quiet
    --force`, text: '--jobs --depth', is: ['changesTree'] },
  'git bisect run': { operands: ['program'], is: ['changesTree'] },
  'git clone': { operands: ['url', 'writePath'], flag: `-l -n -q -s -v --bare --mirror --no-checkout --recursive
    --recurse-submodules --single-branch --quiet --verbose --progress --no-tags --sparse`, text: `-o -b -j --depth
    --branch --origin --filter --jobs --shallow-since --bundle-uri`, command: '-u --upload-pack', config: '-c --config',
    codePath: '--template --reference --reference-if-able --separate-git-dir', is: ['saves'] },
  'git fetch|ls-remote': fetches,
  'git pull': { ...fetches, is: ['changesTree'] },
  'git push|send-pack|fetch-pack': { operands: ['url', 'text*'], flag: `-f -q -n -d -v -u -4 --all --force
    --force-if-includes --delete --tags --set-upstream --dry-run --no-verify --follow-tags --mirror --prune --quiet
    --verbose --atomic --progress`, text: '-o --push-option', optionalText: '--force-with-lease --signed',
    command: '--receive-pack --upload-pack --exec', url: '--repo' },
  'git init': { operands: ['writePath'], flag: '-q --bare', text: '-b --initial-branch --object-format --shared',
    codePath: '--template', writePath: '--separate-git-dir' },
  'git worktree add': { operands: ['writePath', 'text'], flag: '-f -q -d --detach --force --lock --track --checkout --quiet',
    text: '-b -B' },
  'git bundle create': { operands: ['writePath', 'text*'], flag: '-q', is: ['showsTree'] },
  'git format-patch': { operands: ['text*'], ...history, text: `${history.text} --subject-prefix --start-number`,
    writePath: '-o --output --output-directory', is: ['numbers', 'showsTree'] },
  'git commit|add': commits, 'git merge|cherry-pick|revert': { ...commits, is: ['changesTree'] },
  'git am': { ...commits, operands: ['readPath*'], sparesTree: '--show-current-patch --quit', is: ['changesTree'] },
  'git apply': { ...commits, operands: ['readPath*'], sparesTree: '--check --stat --numstat --summary --cached',
    is: ['changesTree'] },
  'git remote add|set-url': { operands: ['text', 'url'], flag: '-f --push --add --delete --tags', text: '-t -m' },
  'git remote show|prune|rename|remove|rm|update|set-head|set-branches': { operands: ['text*'] },
  'git stash': { flag: '-p -k -u -a -q --include-untracked --keep-index --all --patch --staged', text: '-m --message',
    showsTree: '-p --patch', ...untracked, is: ['changesTree'] },
  'git stash push|pop|apply|save|branch': { operands: ['text*'], flag: `-p -k -u -a -q --index --include-untracked
    --keep-index --all --patch --staged --quiet`, text: '-m --message', ...untracked, is: ['changesTree'] },
  'git stash drop|clear|create|store': { operands: ['text*'], flag: '-q --quiet', text: '-m --message' },
  'git config get|list|unset|remove-section|get-color|get-colorbool': { operands: ['text*'], flag: `--all --global
    --local --system`, text: '-t -z', editPath: '-f --file' },
  'git config set': { operands: ['config*'], flag: '--all --global --system --local --worktree --append --bool --int',
    editPath: '-f --file', text: '--type --value --comment', is: ['optionsFirst', 'setting'] },
  'git reset': { operands: ['text*'], flag: '-q -p -N -z --hard --soft --mixed --keep --merge --quiet --patch',
    showsTree: '-p --patch', changesTree: '--hard --keep --merge' },
  'git bisect|read-tree|checkout-index|sparse-checkout|rerere': { operands: ['text*'],
    is: ['changesTree'] },
  'git gc|prune|repack|fsck|pack-refs|update-index|update-ref|symbolic-ref|check-attr|check-ref-format|verify-commit|verify-tag|var|help|write-tree|commit-tree|mktree|replace': { operands: ['text*'],
    flag: `-a -A -d -f -l -n -q -v --aggressive --all --auto --cacheinfo --chmod --connectivity-only --delete --dry-run
    --force --full --list --lost-found --no-dangling --progress --quiet --recurse --refresh --short --strict
    --unreachable --verbose`, text: '-m -p', optionalText: '--prune --expire' },
  'git notes': { operands: ['text*'], flag: '-f --force', text: '-m -c -C --ref --message', readPath: '-F --file' },
  'git worktree remove|prune|move|lock|unlock|repair': { operands: ['text*'], flag: `-f -n -v --force --dry-run
    --verbose` },
  'git submodule init|sync|deinit|summary': { operands: ['text*'], flag: '-f -q --recursive --quiet --all' },
} satisfies ProgramTable;
