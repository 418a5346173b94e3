type Row = readonly [pattern: RegExp, what: string];

/** Files of the machine and of its users that are obeyed where they are. */
const onTheMachine: readonly Row[] = [
  [
    /^(?:\/private)?\/etc\/(?:cron[^/]*|anacrontab|profile|bash\.bashrc|environment|sudoers|systemd|udev|init|rc[^/]*|ld\.so[^/]*|pam|ssh|xdg|apt|modprobe|modules-load|security|passwd|shadow|group)(?:\.d)?(?:\/|$)/,
    'the machine or a login obeys this file',
  ],
  [/^\/(?:usr\/)?lib\/(?:systemd|udev)\//, 'the machine obeys this file'],
  [/^(?:[a-z]:)?\/(?:root|(?:home|users)\/[^/]+)\/bin\//, 'commands are looked up in this folder'],
];

/**
 * Files that other programs run or obey, and whoever may change them may run anything. Compared in lower case, at any
 * depth.
 */
const anywhere: readonly Row[] = [
  // Windows also calls the folder `git~1`; as a file, `.git` names the folder that git obeys.
  [/\/(?:\.git|git~\d+)(?:\/|$)/, 'git obeys what is in this folder'],
  // git takes a folder for a repository that holds a HEAD, whatever its name, and obeys its settings and hooks.
  [/\/head$|\/[^/]+\.git\/(?:config$|hooks\/)/, 'git may take this folder for a repository and obey what is in it'],
  [
    /\/hooks\/(?:(?:pre|post)-[a-z]+(?:-[a-z]+)?|prepare-commit-msg|commit-msg|applypatch-msg|reference-transaction|push-to-checkout|fsmonitor-watchman)$/,
    'git runs files of this name',
  ],
  [/\/\.(?:gitconfig|gitmodules|gitattributes)$/, 'git runs commands that this file names'],
  [/\/\.(?:husky|githooks|lefthook)\//, 'git runs what is in this folder'],
  [/\/\.(?:hg|svn|bzr)\/|\/\.hgrc$/, 'version control runs commands that are named here'],
  [
    /\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|inputrc)$/,
    'shells run this file when they start',
  ],
  [
    /\/\.(?:zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|logout)$/,
    'shells run this file when they start',
  ],
  [
    /\/\.(?:xinitrc|xprofile|xsession|xsessionrc|pam_environment|forward|rhosts)$/,
    'a login or a mail server obeys this file',
  ],
  [
    /\/\.config\/(?:fish|autostart|systemd|git|nvim|emacs|mise|direnv|environment\.d)\//,
    'programs are started from this folder',
  ],
  [/\/\.local\/(?:bin|share\/(?:applications|systemd))\//, 'programs are started from this folder'],
  [/\/library\/launch(?:agents|daemons)\//, 'programs are started from this folder'],
  [/\/node_modules\/\.bin\//, 'commands are looked up in this folder'],
  [/\/(?:\.pip\/pip\.conf|pip\.(?:conf|ini)|\.config\/(?:pip|uv|conda)\/.*)$/, 'a tool obeys this file when it starts'],
  [/\/\.(?:ssh|gnupg|aws|kube|docker)\//, 'this folder holds keys and who may use them'],
  [
    /\/\.(?:npmrc|yarnrc|yarnrc\.yml|pnpmfile\.[cm]?js|netrc|pypirc|curlrc|wgetrc|gemrc|condarc)$/,
    'a tool obeys this file when it starts',
  ],
  [
    /\/\.(?:vimrc|gvimrc|exrc|nanorc|emacs|envrc|direnvrc|tmux\.conf|screenrc)$/,
    'a tool obeys this file when it starts',
  ],
  [
    /\/\.(?:gdbinit|lldbinit|rprofile|irbrc|pryrc|pythonrc|pythonrc\.py|psqlrc|sqliterc|my\.cnf)$/,
    'a tool obeys this file when it starts',
  ],
  [/\/(?:\.cargo\/config(?:\.toml)?|\.m2\/settings\.xml|\.gradle\/init\.(?:gradle|d\/.*))$/, 'a build obeys this file'],
  [/\/\.(?:vim|emacs\.d)\//, 'the editor runs what is in this folder'],
  [/\/(?:\.bazelrc|\.?mise(?:\.[a-z]+)?\.toml|\.tool-versions)$/, 'programs are chosen or started as this file says'],
  [/\/\.yarn\/(?:plugins|releases)\//, 'yarn runs what is in this folder'],
  [/\/(?:sitecustomize|usercustomize)\.py$/, 'python runs this file when it starts'],
  [
    /\/\.(?:claude|codex|gemini|qwen|cursor|windsurf|continue|aider|opencode|goose|roo|cline|amazonq|kiro|junie|trae|zed)\//,
    'an agent obeys the files of this folder',
  ],
  [/\/\.(?:cursorrules|windsurfrules|clinerules|roorules|aider\.conf\.ya?ml)$/, 'an agent obeys this file'],
  [/\/\.(?:mcp|claude)\.json$|\/mcp\.json$/, 'an agent starts programs that this file names'],
  [
    /\/\.vscode\/(?:settings|tasks|launch|extensions|mcp)\.json$|\.code-workspace$/,
    'the editor runs commands that this file names',
  ],
  [/\/\.(?:idea|devcontainer)\/|\/\.devcontainer\.json$/, 'the editor obeys what is written there'],
  [
    /\/\.(?:github\/workflows|github\/actions|circleci|buildkite|woodpecker)\//,
    'a build server runs what is in this folder',
  ],
  [
    /\/(?:\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|azure-pipelines\.ya?ml|jenkinsfile)$/,
    'a build server obeys this file',
  ],
  [/\/(?:\.pre-commit-config\.ya?ml|\.?lefthook(?:-local)?\.ya?ml)$/, 'commands that this file names are run'],
];

/**
 * Why a change of this file must be asked for whatever the rules say, or undefined. Takes both kinds of slashes. The
 * folders above those of `roots` that it lies in do not count: who makes a workspace of `.config/nvim`, or of a
 * worktree below `.claude`, wants its files changed.
 */
export function sensitiveReason(path: string, roots: readonly string[] = []): string | undefined {
  const whole = fold(path);
  const around = roots
    .map((root) => fold(root).replace(/\/$/, ''))
    .filter((root) => `${whole}/`.startsWith(`${root}/`));
  // The name of the root itself counts: that of `.git` or `.ssh` says what its files are.
  const outermost = Math.max(0, ...around.map((root) => root.lastIndexOf('/')));
  return reasonIn(anywhere, whole.slice(outermost)) ?? reasonIn(onTheMachine, whole);
}

function reasonIn(rows: readonly Row[], path: string): string | undefined {
  return rows.find(([pattern]) => pattern.test(path))?.[1];
}

/**
 * Some file systems take letters of another width or case, and letters with invisible characters between them, for the
 * same name.
 */
function fold(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('\\', '/')
    .toLowerCase();
}
