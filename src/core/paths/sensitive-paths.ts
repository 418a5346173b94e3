import { normalPath } from './normal-path.js';

/**
 * Names of files that others run or obey, and of files that hold credentials: for the tools for files, the judgement of
 * commands and the sandbox.
 */
type Row = readonly [pattern: RegExp, what: string];

/** Files of the machine and of its users that are obeyed where they are. */
const onTheMachine: readonly Row[] = [
  [
    /^(?:\/private)?\/etc\/(?:cron[^/]*|anacrontab|profile|(?:bash\.)?bashrc|zshrc|hosts\.(?:equiv|allow|deny)|rc\.local|environment|update-motd|nginx\/sites-enabled|sudoers|systemd|udev|init|rc[^/]*|ld\.so[^/]*|pam|ssh|xdg|apt|modprobe|modules-load|security|passwd|shadow|group)(?:\.d)?(?:\/|$)/,
    'the machine or a login obeys this file',
  ],
  [/^\/(?:usr\/)?lib\/(?:systemd|udev)\//, 'the machine obeys this file'],
  [/^\/var\/spool\/(?:cron|at)|\/crontabs\//, 'the machine runs what this file names'],
  [
    /^\/proc\/sys\/(?:kernel\/(?:core_pattern|modprobe|hotplug)|fs\/binfmt_misc\/\w+)$|^\/sys\/kernel\/uevent_helper$/,
    'the kernel runs what this file names',
  ],
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
    /\/(?:(?:pre|post)-(?:commit|merge-commit|push|rebase|receive|applypatch|checkout|merge|rewrite|update|auto-gc|index-change)|p4-(?:changelist|prepare-changelist|post-changelist|pre-submit)|prepare-commit-msg|commit-msg|applypatch-msg|sendemail-validate|reference-transaction|proc-receive|push-to-checkout|fsmonitor-watchman)$/,
    'git runs files of this name',
  ],
  [/\/\.(?:gitconfig|gitmodules|gitattributes)$/, 'git runs commands that this file names'],
  [/\/\.(?:husky|githooks|lefthook)\/|\/\.simple-git-hooks\.\w+$/, 'git runs what is named here'],
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
    'a login or a mail server obeys this file',
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
  [/\/(?:\.pip\/pip\.conf|pip\.(?:conf|ini)|\.config\/(?:pip|uv|conda)\/.*)$/, 'a tool obeys this file when it starts'],
  [/\/\.(?:ssh|gnupg|aws|kube|docker)\//, 'this folder holds keys and who may use them'],
  [
    /\/\.(?:npmrc|yarnrc|yarnrc\.ya?ml|pnpmfile\.[cm]?js|netrc|pypirc|curlrc|wgetrc|gemrc|condarc|git-credentials|terraformrc|lessfilter|pylintrc|rspec|bundle\/config)$/,
    'a tool obeys this file when it starts',
  ],
  [
    /\/(?:\.(?:l?vimrc|gvimrc|exrc|nanorc|emacs|emacs\.el|envrc|direnvrc|tmux\.conf|screenrc)|_g?vimrc)$/,
    'a tool obeys this file when it starts',
  ],
  [
    /\/\.(?:gdbinit|lldbinit|rprofile|renviron|irbrc|pryrc|pdbrc|ghci|ocamlinit|iex\.exs|erlang|pythonrc|pythonrc\.py|psqlrc|sqliterc|my\.cnf|ipython\/.*startup\/.*|jupyter\/.*_config\.py|julia\/config\/startup\.jl)$/,
    'a tool obeys this file when it starts',
  ],
  [
    /\/(?:\.cargo\/config(?:\.toml)?|rust-toolchain(?:\.toml)?|\.m2\/settings\.xml|\.gradle\/init\.(?:gradle(?:\.kts)?|d\/.*)|\.mvn\/(?:extensions\.xml|jvm\.config|maven\.config)|\.mavenrc|\.(?:sbt|jvm)opts|directory\.build\.(?:props|targets)|nuget\.config|\.buckconfig)$/,
    'a build obeys this file',
  ],
  [
    /\/\.(?:vim|emacs\.d|doom\.d|helix|vs)\/|\/\.dir-locals(?:-2)?\.el$|\/\.n?vim\.lua$|\/\.nvimrc$|\.sublime-(?:project|workspace)$|\/\.editorconfig-el$/,
    'the editor runs what is written there',
  ],
  [/\/\.?bunfig\.toml$/, 'bun loads what this file names'],
  [
    /\/(?:\.bazel(?:isk)?rc|\.?mise(?:\.[a-z]+)?\.toml|\.?mise\/.*|\.rtx\.toml|\.tool-versions)$/,
    'programs are chosen or started as this file says',
  ],
  [/\/\.yarn\/(?:plugins|releases)\//, 'yarn runs what is in this folder'],
  [/\/(?:sitecustomize|usercustomize)\.py$/, 'python runs this file when it starts'],
  [
    /\/\.(?:claude|codex|gemini|qwen|cursor|windsurf|continue|aider|opencode|goose|roo|cline|amazonq|kiro|junie|trae|zed|amp|crush|factory)\//,
    'an agent obeys the files of this folder',
  ],
  [/\/\.(?:cursorrules|windsurfrules|clinerules|roorules|aider\.conf\.ya?ml)$/, 'an agent obeys this file'],
  [/\/\.(?:mcp|claude)\.json$|\/(?:mcp|opencode|\.?crush)\.json$/, 'an agent starts programs that this file names'],
  [
    /\/\.vscode\/(?:settings|tasks|launch|extensions|mcp)\.json$|\.code-workspace$/,
    'the editor runs commands that this file names',
  ],
  [
    /\/\.(?:idea|devcontainer|idx)\/|\/\.(?:devcontainer\.json|gitpod\.ya?ml|replit)$/,
    'the editor obeys what is written there',
  ],
  [
    /\/\.(?:(?:github|gitea|forgejo)\/(?:workflows|actions)|circleci|buildkite|woodpecker|teamcity|semaphore|tekton|builds|azure-pipelines|codefresh)\//,
    'a build server runs what is in this folder',
  ],
  [
    /\/(?:\.(?:gitlab-ci|travis|drone|woodpecker|cirrus|appveyor|build)|appveyor|azure-pipelines[\w.-]*|bitbucket-pipelines|buildspec[\w.-]*|cloudbuild[\w.-]*|codefresh|screwdriver)\.(?:ya?ml|star|jsonnet|json)$|\/jenkinsfile(?:\.[\w.-]+)?$/,
    'a build server obeys this file',
  ],
  [
    /\/(?:\.pre-commit-config\.ya?ml|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.overcommit\.ya?ml)$/,
    'commands that this file names are run',
  ],
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

/** As {@link sensitiveReason}; where letter case tells names apart, `head` is not the `HEAD` that git looks for. */
export function isObeyedName(path: string, roots: readonly string[] = []): boolean {
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

/** True for files that usually hold keys or passwords, and for patterns (`.e*`) that can stand for one. */
export function isSecretPath(path: string): boolean {
  const normal = normalPath(path);
  if (secretNames.test(normal) || secretFolders.test(normal)) return true;
  const name = normal.slice(normal.lastIndexOf('/') + 1);
  if (!name.includes(' ') && secretWords.test(name) && !sourceFile.test(name)) return true;
  return /[*?[]/.test(path) && /(?:^|\/)(?:\.|[*?[][^/]*\.(?:pem|key|p12|pfx|env)|id_)/i.test(path);
}
