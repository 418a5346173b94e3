import { normalPath } from '../read/denied-command.js';

const secretNames =
  /(?:^|\/)(?:\.env(?:\.(?!example$|sample$|template$|dist$)[^/]*)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.dockercfg|\.vault-token|credentials(?:\.\w+)?|secrets?\.(?:ya?ml|json|toml|env)|id_(?:rsa|dsa|ecdsa|ed25519)\w*|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg|ppk)|shadow-?|gshadow|sudoers|master\.passwd|(?:\.\w+)?_history|environ|kcore|auxv|[^/]*\.tfstate(?:\.backup)?|[^/]*\.tfvars(?:\.json)?|service-?account[^/]*\.json|[^/]*firebase-adminsdk[^/]*\.json|[^/]*\.(?:p8|ovpn)|(?!(?:example|sample|template|dist)\.)[^/]+\.env|\.flaskenv|\.vault_pass\w*|\.s3cfg|\.boto|\.mylogin\.cnf|\.dockerconfigjson|\.terraformrc|(?:[^/]*[._-])?kubeconfig(?:\.(?:ya?ml|json|conf))?|wg\d+\.conf|rclone\.conf|auth\.json|local\.settings\.json|cookies\.sqlite|\.m2\/settings\.xml|\.gradle\/gradle\.properties)$/i;
const secretFolders =
  /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.config\/(?:gcloud|gh|op)|\.password-store|\.mozilla|keychains?|keyrings|sudoers\.d|\.?secrets?)(?:\/|$)|(?:^|\/)\.git\/(?:.*\/)?config(?:\.worktree)?$/i;
const startup =
  /(?:^|\/)(?:\.(?:bash_?(?:rc|_profile|_login|_logout|_aliases)|bashrc|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|logout|inputrc|xinitrc|xprofile|xsession|vimrc|exrc|gdbinit|lldbinit|pythonrc(?:\.py)?|gitconfig|npmrc|yarnrc(?:\.yml)?|curlrc|wgetrc|mcp\.json|envrc|rhosts|forward)|authorized_keys2?|config\.fish)$|^\/proc\/sys\/(?:kernel\/(?:core_pattern|modprobe|hotplug)|fs\/binfmt_misc\/\w+)$|^\/sys\/kernel\/uevent_helper$|^\/(?:private\/)?etc\/(?:crontab|sudoers|ld\.so\.preload|ld\.so\.conf|rc\.local|hosts|hosts\.equiv|passwd|group|shadow|environment|profile|bash\.bashrc|bashrc|zshrc)$|(?:^|\/)(?:\.git\/(?:hooks|config|info)|\.ssh|\.gnupg|cron\.\w+|crontabs|init\.d|profile\.d|sudoers\.d|pam\.d|systemd\/(?:system|user)|autostart|LaunchAgents|LaunchDaemons|ld\.so\.conf\.d|\.config\/(?:fish|autostart|systemd)|\.husky|\.vscode|\.idea|update-motd\.d|sites-enabled)(?:\/|$)/i;

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

/** True for files that a shell, a login or another program runs later: writing one outlives the command. */
export function isStartupPath(path: string): boolean {
  return startup.test(normalPath(path));
}

/** True for a path that may lead out of the folder a command works in: absolute, from home, or with `..`. */
export function mayLeaveFolder(path: string): boolean {
  return /^[/~\\]|^[a-z]:[\\/]/i.test(path) || /(?:^|[/\\=:])\.\.(?:[/\\]|$)/.test(path);
}
