/** Files that other programs run or obey, and whoever may change them may run anything. Compared without regard to case, at any depth. */
const sensitive: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\/\.git\/(?:hooks|modules)\//, 'git runs what is in this folder'],
  [/\/\.git\/(?:config|config\.worktree|info\/attributes)$/, 'git runs commands that this file names'],
  [/\/\.(?:gitconfig|gitmodules|gitattributes)$/, 'git runs commands that this file names'],
  [/\/\.(?:husky|githooks)\//, 'git runs what is in this folder'],
  [/\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|inputrc)$/, 'shells run this file when they start'],
  [/\/\.(?:zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login)$/, 'shells run this file when they start'],
  [/\/\.config\/(?:fish|autostart|systemd|git)\//, 'programs are started from this folder'],
  [/\/\.(?:ssh|gnupg|aws|kube|docker)\//, 'this folder holds keys and who may use them'],
  [/\/\.(?:npmrc|yarnrc|yarnrc\.yml|pnpmfile\.cjs|netrc|pypirc|curlrc|wgetrc|vimrc|exrc|envrc)$/, 'a tool obeys this file when it starts'],
  [/\/\.(?:claude|codex|gemini|cursor|windsurf|continue|aider|opencode|goose)\//, 'an agent obeys the files of this folder'],
  [/\/\.(?:mcp|claude)\.json$/, 'an agent starts programs that this file names'],
  [/\/mcp\.json$/, 'an agent starts programs that this file names'],
  [/\/\.vscode\/(?:settings|tasks|launch|extensions|mcp)\.json$/, 'the editor runs commands that this file names'],
  [/\/\.(?:idea|devcontainer)\//, 'the editor obeys the files of this folder'],
  [/\/\.(?:github\/workflows|circleci|buildkite)\//, 'a build server runs what is in this folder'],
  [
    /\/\.(?:gitlab-ci\.yml|pre-commit-config\.yaml|pre-commit-config\.yml|lefthook\.yml|lefthook\.yaml)$/,
    'commands that this file names are run',
  ],
  [/\/\.lefthook\//, 'git runs what is in this folder'],
];

/** Why a change of this file must be asked for whatever the rules say, or undefined. Takes both kinds of slashes. */
export function sensitiveReason(path: string): string | undefined {
  const folded = path.normalize('NFKC').replaceAll('\\', '/').toLowerCase();
  return sensitive.find(([pattern]) => pattern.test(folded))?.[1];
}
