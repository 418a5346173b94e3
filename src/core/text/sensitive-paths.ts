import { normalPath } from './path-names.js';

/**
 * A path pattern of files that programs load or run automatically (rc files, hooks, CI) or that contain access
 * settings, and the reason that a person reads. The file tools, the assessment of commands and the sandbox use these
 * patterns.
 */
type Row = readonly [pattern: RegExp, what: string];

/** Auto-executed files at fixed paths of the machine or a home folder. */
const onTheMachine: readonly Row[] = [
  [
    /^(?:\/private)?\/etc\/(?:cron[^/]*|anacrontab|profile|(?:bash\.)?bashrc|zshrc|hosts\.(?:equiv|allow|deny)|rc\.local|environment|update-motd|nginx\/sites-enabled|sudoers|systemd|udev|init|rc[^/]*|ld\.so[^/]*|pam|ssh|xdg|apt|modprobe|modules-load|security|passwd|shadow|group)(?:\.d)?(?:\/|$)/,
    'the machine or a login reads this file',
  ],
  [/^\/(?:usr\/)?lib\/(?:systemd|udev)\//, 'the machine loads this file'],
  [/^\/var\/spool\/(?:cron|at)|\/crontabs\//, 'the machine runs what this file names'],
  [
    /^\/proc\/sys\/(?:kernel\/(?:core_pattern|modprobe|hotplug)|fs\/binfmt_misc\/\w+)$|^\/sys\/kernel\/uevent_helper$/,
    'the kernel runs what this file names',
  ],
  [/^(?:[a-z]:)?\/(?:root|(?:home|users)\/[^/]+)\/bin\//, 'commands are looked up in this folder'],
];

/** Auto-executed files at any depth: an agent that may change such files can run any code. Matched in lower case. */
const anywhere: readonly Row[] = [
  // `git~1` is the short name of `.git` on Windows. A file `.git` names the folder that git uses.
  [/\/(?:\.git|git~\d+)(?:\/|$)/, 'git loads or runs files in this folder'],
  // git treats any folder with a file `HEAD` as a repository, and runs the hooks and programs that the folder
  // configures.
  [
    /\/head$|\/[^/]+\.git\/(?:config$|hooks\/)/,
    'git may use this folder as a repository and run programs that it names',
  ],
  [
    /\/(?:(?:pre|post)-(?:commit|merge-commit|push|rebase|receive|applypatch|checkout|merge|rewrite|update|auto-gc|index-change)|p4-(?:changelist|prepare-changelist|post-changelist|pre-submit)|prepare-commit-msg|commit-msg|applypatch-msg|sendemail-validate|reference-transaction|proc-receive|push-to-checkout|fsmonitor-watchman)$/,
    'git runs files of this name',
  ],
  [/\/\.(?:gitconfig|gitmodules|gitattributes)$/, 'git runs commands that this file names'],
  [/\/\.(?:husky|githooks|lefthook)\/|\/\.simple-git-hooks\.\w+$/, 'git runs hooks from here'],
  [/\/\.(?:hg|svn|bzr|jj|sl)\/|\/\.hgrc$/, 'version control runs commands that are named here'],
  [
    /\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|bash_completion|profile|inputrc|xonshrc|mkshrc)$/,
    'shells run this file when they start',
  ],
  [
    /\/\.(?:zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|logout)$/,
    'shells run this file when they start',
  ],
  [
    /\/\.(?:xinitrc|xserverrc|xprofile|xsession|xsessionrc|pam_environment|forward|rhosts|procmailrc|mailcap|vnc\/xstartup)$/,
    'a login or a mail server reads this file',
  ],
  [
    /\/\.config\/(?:fish|nushell|elvish|powershell|autostart|systemd|environment\.d|git|gh|nvim|emacs|doom|helix|zed|gdb|tmux|i3|sway|hypr|mise|direnv|containers)\//,
    'programs are started from this folder',
  ],
  [
    /\/\.local\/(?:bin|share\/(?:applications|systemd|dbus-1\/services|bash-completion))\//,
    'programs are started from this folder',
  ],
  [/\/library\/launch(?:agents|daemons)\//, 'programs are started from this folder'],
  [
    /\/(?:node_modules\/\.bin|(?:\.?v?env|\.virtualenv|\.[tn]ox\/[^/]+)\/(?:bin|scripts)|\.local\/bin|\.cargo\/bin)\/|\/\.cargo\/env$|\/tools\/bazel$/,
    'commands are looked up in this folder',
  ],
  [/\/pyvenv\.cfg$|\.pth$|\/\.pnp\.[cm]?js$|\/\.pnp\.loader\.mjs$/, 'programs load this file when they start'],
  [/\/(?:\.pip\/pip\.conf|pip\.(?:conf|ini)|\.config\/(?:pip|uv|conda)\/.*)$/, 'a tool loads this file when it starts'],
  [/\/\.(?:ssh|gnupg|aws|kube|docker)\//, 'this folder holds keys and access settings'],
  [
    /\/\.(?:npmrc|yarnrc|yarnrc\.ya?ml|pnpmfile\.[cm]?js|netrc|pypirc|curlrc|wgetrc|gemrc|condarc|git-credentials|terraformrc|lessfilter|pylintrc|rspec|bundle\/config)$/,
    'a tool loads this file when it starts',
  ],
  [
    /\/(?:\.(?:l?vimrc|gvimrc|exrc|nanorc|emacs|emacs\.el|envrc|direnvrc|tmux\.conf|screenrc)|_g?vimrc)$/,
    'a tool loads this file when it starts',
  ],
  [
    /\/\.(?:gdbinit|lldbinit|rprofile|renviron|irbrc|pryrc|pdbrc|ghci|ocamlinit|iex\.exs|erlang|pythonrc|pythonrc\.py|psqlrc|sqliterc|my\.cnf|ipython\/.*startup\/.*|jupyter\/.*_config\.py|julia\/config\/startup\.jl)$/,
    'a tool loads this file when it starts',
  ],
  [
    /\/(?:\.cargo\/config(?:\.toml)?|rust-toolchain(?:\.toml)?|\.m2\/settings\.xml|\.gradle\/init\.(?:gradle(?:\.kts)?|d\/.*)|\.mvn\/(?:extensions\.xml|jvm\.config|maven\.config)|\.mavenrc|\.(?:sbt|jvm)opts|directory\.build\.(?:props|targets)|nuget\.config|\.buckconfig)$/,
    'a build tool loads this file',
  ],
  [
    /\/\.(?:vim|emacs\.d|doom\.d|helix|vs)\/|\/\.dir-locals(?:-2)?\.el$|\/\.n?vim\.lua$|\/\.nvimrc$|\.sublime-(?:project|workspace)$|\/\.editorconfig-el$/,
    'the editor runs code from there',
  ],
  [/\/\.?bunfig\.toml$/, 'bun loads what this file names'],
  [
    /\/(?:\.bazel(?:isk)?rc|\.?mise(?:\.[a-z]+)?\.toml|\.?mise\/.*|\.rtx\.toml|\.tool-versions)$/,
    'this file selects or starts programs',
  ],
  [/\/\.yarn\/(?:plugins|releases)\//, 'yarn runs files in this folder'],
  [/\/(?:sitecustomize|usercustomize)\.py$/, 'python runs this file when it starts'],
  [
    /\/\.(?:claude|codex|gemini|qwen|cursor|windsurf|continue|aider|opencode|goose|roo|cline|amazonq|kiro|junie|trae|zed|amp|crush|factory)\//,
    'an agent follows the files in this folder',
  ],
  [/\/\.(?:cursorrules|windsurfrules|clinerules|roorules|aider\.conf\.ya?ml)$/, 'an agent follows this file'],
  [/\/\.(?:mcp|claude)\.json$|\/(?:mcp|opencode|\.?crush)\.json$/, 'an agent starts programs that this file names'],
  [
    /\/\.vscode\/(?:settings|tasks|launch|extensions|mcp)\.json$|\.code-workspace$/,
    'the editor runs commands that this file names',
  ],
  [
    /\/\.(?:idea|devcontainer|idx)\/|\/\.(?:devcontainer\.json|gitpod\.ya?ml|replit)$/,
    'the editor loads settings from there',
  ],
  [
    /\/\.(?:(?:github|gitea|forgejo)\/(?:workflows|actions)|circleci|buildkite|woodpecker|teamcity|semaphore|tekton|builds|azure-pipelines|codefresh)\//,
    'a build server runs files in this folder',
  ],
  [
    /\/(?:\.(?:gitlab-ci|travis|drone|woodpecker|cirrus|appveyor|build)|appveyor|azure-pipelines[\w.-]*|bitbucket-pipelines|buildspec[\w.-]*|cloudbuild[\w.-]*|codefresh|screwdriver)\.(?:ya?ml|star|jsonnet|json)$|\/jenkinsfile(?:\.[\w.-]+)?$/,
    'a build server runs this file',
  ],
  [
    /\/(?:\.pre-commit-config\.ya?ml|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.overcommit\.ya?ml)$/,
    'git hooks run commands that this file names',
  ],
];

/**
 * The reason why a change of this file needs a question even if a rule allows it, or undefined. Accepts both kinds of
 * slashes. Folders above the root of the file do not count: if a user opens `.config/nvim`, or a worktree below
 * `.claude`, as the workspace, the files in it are meant to be changed.
 */
export function sensitiveReason(path: string, roots: readonly string[] = []): string | undefined {
  const whole = fold(path);
  const around = roots
    .map((root) => fold(root).replace(/\/$/, ''))
    .filter((root) => `${whole}/`.startsWith(`${root}/`));
  // The name of the root itself counts: a root named `.git` or `.ssh` has sensitive files.
  const innermost = Math.max(0, ...around.map((root) => root.lastIndexOf('/')));
  return reasonIn(anywhere, whole.slice(innermost)) ?? reasonIn(onTheMachine, whole);
}

function reasonIn(rows: readonly Row[], path: string): string | undefined {
  return rows.find(([pattern]) => pattern.test(path))?.[1];
}

/** Folds a path, because some file systems ignore the case and width of letters and invisible characters. */
function fold(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('\\', '/')
    .toLowerCase();
}

/**
 * Whether programs load or run a file automatically, see {@link sensitiveReason}. On Linux, where names are
 * case-sensitive, `head` is not the `HEAD` of git.
 */
export function isAutoExecutedPath(path: string, roots: readonly string[] = []): boolean {
  const absolute = /^(?:\/|[a-z]:)/i.test(path) ? path : `/${path}`;
  const named = process.platform === 'linux' ? absolute.replace(/\/head$/, '/head-') : absolute;
  return sensitiveReason(named, roots) !== undefined;
}

const secretNames =
  /(?:^|\/)(?:\.env(?:\.(?!example$|sample$|template$|dist$)[^/]*)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.dockercfg|\.vault-token|credentials(?:\.\w+)?|secrets?\.(?:ya?ml|json|toml|env)|id_(?:rsa|dsa|ecdsa|ed25519)\w*|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg|ppk)|shadow-?|gshadow|sudoers|master\.passwd|(?:\.\w+)?_history|environ|kcore|auxv|[^/]*\.tfstate(?:\.backup)?|[^/]*\.tfvars(?:\.json)?|service-?account[^/]*\.json|[^/]*firebase-adminsdk[^/]*\.json|[^/]*\.(?:p8|ovpn)|(?!(?:example|sample|template|dist)\.)[^/]+\.env|\.flaskenv|\.vault_pass\w*|\.s3cfg|\.boto|\.mylogin\.cnf|\.dockerconfigjson|\.terraformrc|(?:[^/]*[._-])?kubeconfig(?:\.(?:ya?ml|json|conf))?|wg\d+\.conf|rclone\.conf|auth\.json|local\.settings\.json|cookies\.sqlite|\.m2\/settings\.xml|\.gradle\/gradle\.properties)$/i;
const secretFolders =
  /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.config\/(?:gcloud|gh|op)|\.password-store|\.mozilla|keychains?|keyrings|sudoers\.d|\.?secrets?)(?:\/|$)|(?:^|\/)\.git\/(?:.*\/)?config(?:\.worktree)?$/i;
const secretWords =
  /(?:^|[._-])(?:secrets?|tokens?|passwords?|passwd|credentials?|api[._-]?keys?|private[._-]?keys?|access[._-]?keys?)(?:[._-]|$)/i;
const sourceFile =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|cc|cpp|h|hpp|cs|php|ex|exs|scala|vue|svelte|css|scss|html|md|mdx|rst)$/i;

/**
 * Whether files at a path usually contain keys or passwords, or whether the path is a pattern (`.e*`) that can match
 * such a file.
 */
export function isSecretPath(path: string): boolean {
  const normal = normalPath(path);
  if (secretNames.test(normal) || secretFolders.test(normal)) return true;
  const name = normal.slice(normal.lastIndexOf('/') + 1);
  if (!name.includes(' ') && secretWords.test(name) && !sourceFile.test(name)) return true;
  return /[*?[]/.test(path) && /(?:^|\/)(?:\.|[*?[][^/]*\.(?:pem|key|p12|pfx|env)|id_)/i.test(path);
}
