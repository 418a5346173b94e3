/**
 * Harmless git settings: they neither name nor enable a program, a file or a trusted party. Case-insensitive; unlisted
 * settings may be dangerous.
 */
const plainKey =
  /^(?:user\.(?:name|email|signingkey|useconfigonly)|core\.(?:abbrev|autocrlf|bigfilethreshold|checkstat|commentchar|compression|eol|filemode|ignorecase|logallrefupdates|longpaths|precomposeunicode|preloadindex|quotepath|safecrlf|sparsecheckout|symlinks|trustctime|untrackedcache|whitespace)|init\.defaultbranch|(?:pull|rebase|stash|status|rerere|gc|pack|index|advice|apply|blame|color|column|fetch|log|push|feature|versionsort)\.\w+|color\.\w+\.\w+|merge\.(?:ff|conflictstyle|log|renamelimit|renames|stat)|commit\.(?:gpgsign|verbose|cleanup|status)|tag\.(?:gpgsign|sort)|diff\.(?:algorithm|colormoved|colormovedws|context|ignoresubmodules|indentheuristic|interhunkcontext|mnemonicprefix|noprefix|renamelimit|renames|statgraphwidth|submodule|wordregex)|grep\.\w+|format\.pretty|pretty\..+|branch\.(?:sort|autosetupmerge|autosetuprebase|.+\.(?:remote|pushremote|merge|rebase|description))|remote\.(?:pushdefault|.+\.(?:fetch|push|prune|prunetags|tagopt|mirror))|transfer\.fsckobjects|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version|maxrequests)|submodule\.(?:recurse|fetchjobs|.+\.(?:branch|shallow|ignore|fetchrecursesubmodules)))$/is;
const plainSwitch = /^(?:core\.fsmonitor|pager\..+|sequence\.editor)=(?:true|false|yes|no|on|off|0|1|)$/is;
/** URLs that contain a command for git to run. */
const runningAddress = /^(?:ext|fd)::(?:%S\s)?(.*)|^(-.*)/s;

/** Settings of programs, `*` for any part of a name, that start nothing if their value is a word or number. */
// biome-ignore format: a list of words
const plainSettings = {
  ssh: `addressfamily batchmode checkhostip ciphers compression connectionattempts connecttimeout exitonforwardfailure
    forwardagent forwardx11 gssapiauthentication hashknownhosts hostkeyalgorithms identitiesonly ipqos
    kbdinteractiveauthentication kexalgorithms loglevel macs numberofpasswordprompts passwordauthentication port
    preferredauthentications pubkeyacceptedalgorithms pubkeyauthentication requesttty serveraliveinterval
    serveralivecountmax stricthostkeychecking tcpkeepalive updatehostkeys user visualhostkey`,
  cargo: `build.jobs build.incremental build.target net.offline net.retry net.git-fetch-with-cli http.timeout
    http.multiplexing http.check-revoke http.low-speed-limit term.color term.quiet term.verbose term.progress.*
    profile.*.opt-level profile.*.debug profile.*.debug-assertions profile.*.overflow-checks profile.*.lto
    profile.*.panic profile.*.incremental profile.*.codegen-units profile.*.strip profile.*.split-debuginfo`,
  php: `memory_limit max_execution_time display_errors error_reporting log_errors date.timezone short_open_tag
    xdebug.mode opcache.enable opcache.enable_cli zend.assertions`,
  wget: `robots timeout tries wait waitretry randomwait quiet verbose continue recursive reclevel timestamping
    check_certificate checkcertificate limit_rate limitrate user_agent useragent retry_connrefused inet4_only inet6_only
    max_redirect no_parent span_hosts progress quota`,
  apt: `acquire::retries acquire::forceipv4 acquire::force-ipv4 acquire::forceipv6 acquire::check-valid-until
    acquire::languages acquire::pdiffs acquire::queue-mode acquire::*::timeout acquire::*::pipeline-depth
    acquire::*::no-cache acquire::*::dl-limit apt::install-recommends apt::install-suggests apt::color apt::architecture
    apt::default-release apt::get::assume-yes apt::get::fix-missing apt::get::only-source apt::get::show-upgraded
    apt::get::allow-downgrades apt::get::purge apt::get::automaticremove apt::get::list-cleanup dpkg::use-pty
    dpkg::lock::timeout dpkg::progress-fancy`,
} as const;
const settingsOf: Readonly<Record<string, keyof typeof plainSettings>> = {
  ...{ ssh: 'ssh', scp: 'ssh', sftp: 'ssh', 'ssh-copy-id': 'ssh' },
  ...{ cargo: 'cargo', php: 'php', wget: 'wget', wget2: 'wget', apt: 'apt', 'apt-get': 'apt', 'apt-cache': 'apt' },
};
const plainValue = /^["']?[\w.,:@+-]*["']?$/;
/** Settings with their own patterns for harmless values. */
const plainPair =
  /^(?:(?:user|global)knownhostsfile=(?:\/dev\/null|none)|identityfile=[\w./~-]+|dpkg::options::=--force-conf(?:def|old|new|miss|ask))$/i;

/** Whether a setting of a program other than git starts nothing; false for an unlisted one. */
function isPlainSetting(name: string, key: string, value: string | undefined): boolean {
  const [program = ''] = name.split(' ');
  const listed = Object.hasOwn(settingsOf, program) ? plainSettings[settingsOf[program] ?? 'ssh'] : '';
  if (value === undefined) return false;
  if (listed !== '' && plainPair.test(`${key}=${value}`)) return true;
  return plainValue.test(value) && patternOf(listed).test(key);
}

/** A pattern that matches any name of a list. */
function patternOf(names: string): RegExp {
  const each = names.split(/\s+/).map((name) => name.replaceAll('.', '\\.').replace('*', '[\\w-]+'));
  return new RegExp(`^(?:${each.join('|')})$`, 'i');
}

/** Whether git may run or trust the value of a setting. An alias is checked when it is used. */
export function isExecutedSetting(key: string, value: string | undefined): boolean {
  if (/^(?:remote|submodule)\..+\.(?:push)?url$/is.test(key)) return value === undefined || runningAddress.test(value);
  return !plainKey.test(key) && !(value !== undefined && plainSwitch.test(`${key}=${value}`));
}

/** Build programs: operands are targets and variables. */
const builders = /^(?:[gb]?make|ninja|samu|just|task|rake|scons|mage|invoke)$/;
/** Build variables that usually hold words, switches or numbers. */
// biome-ignore format: a list of words
const plainVariables = `v q j n cc cxx verbose quiet silent debug release version prefix destdir target targets arch goos
  goarch os platform jobs name app service package pkg module component project env environment stage profile config
  configuration build build_type buildtype type mode tag image branch ref commit date region cluster namespace host port
  user test tests filter match run count seed level log_level lang locale color format node_env rails_env app_env ci
  dry_run force fast coverage race strict watch lto opt *_version *_tag *_port *_arch *_type *_level *_mode *_count
  *_name enable_* disable_* with_* without_* use_* have_* no_* skip_* build_* config_*`;
const target = /^[\w./:@%+-]+$/;
const plainWord = /^(?:[\w.,+:@%][\w.,+:@%-]*)?$/;
const numberOrSwitch = /^(?:\d[\d.]*|true|false|yes|no|on|off|y|)$/i;

/**
 * Whether an operand is a target, or a build variable that starts nothing. Any variable with a number or switch as its
 * value starts nothing.
 */
function isPlainOperand(text: string): boolean {
  const [, name, value = ''] = /^([a-z_]\w*)[:?+]?=(.*)$/is.exec(text) ?? [];
  if (name === undefined) return target.test(text);
  return numberOrSwitch.test(value) || (plainWord.test(value) && patternOf(plainVariables).test(name));
}

/** The shell command in a git URL; undefined if it has none. */
export function addressProgram(text: string): string | undefined {
  const address = runningAddress.exec(text);
  // In a git URL, `% ` is a space that does not separate words.
  return (address?.[1] ?? address?.[2])?.replaceAll('% ', '\\ ');
}

/** The shell command in a setting; undefined if it has none. */
export function settingProgram(name: string, text: string): string | undefined {
  const [, key = '', value] = /^\s*([^=\s]*)(?:\s*[=\s]\s*(.*))?$/s.exec(text) ?? [];
  if (builders.test(name)) return isPlainOperand(text) ? undefined : text.replace(/^[^=]*=/s, '');
  if (!name.startsWith('git')) return isPlainSetting(name, key, value) ? undefined : (value ?? text);
  const [, option = '', said = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  if (!isExecutedSetting(option, text.includes('=') ? said : undefined)) return undefined;
  const program = said.replace(/^!/, '');
  return /^alias\./i.test(option) && program === said ? `git ${said}` : program;
}
