/**
 * Settings of git that name no program, no file and nobody to trust, and switches of others. Letter case does not count;
 * what is not listed may be obeyed.
 */
const plainKey =
  /^(?:user\.(?:name|email|signingkey|useconfigonly)|core\.(?:abbrev|autocrlf|bigfilethreshold|checkstat|commentchar|compression|eol|filemode|ignorecase|logallrefupdates|longpaths|precomposeunicode|preloadindex|quotepath|safecrlf|sparsecheckout|symlinks|trustctime|untrackedcache|whitespace)|init\.defaultbranch|(?:pull|rebase|stash|status|rerere|gc|pack|index|advice|apply|blame|color|column|fetch|log|push|feature|versionsort)\.\w+|color\.\w+\.\w+|merge\.(?:ff|conflictstyle|log|renamelimit|renames|stat)|commit\.(?:gpgsign|verbose|cleanup|status)|tag\.(?:gpgsign|sort)|diff\.(?:algorithm|colormoved|colormovedws|context|ignoresubmodules|indentheuristic|interhunkcontext|mnemonicprefix|noprefix|renamelimit|renames|statgraphwidth|submodule|wordregex)|grep\.\w+|format\.pretty|pretty\..+|branch\.(?:sort|autosetupmerge|autosetuprebase|.+\.(?:remote|pushremote|merge|rebase|description))|remote\.(?:pushdefault|.+\.(?:fetch|push|prune|prunetags|tagopt|mirror))|transfer\.fsckobjects|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version|maxrequests)|submodule\.(?:recurse|fetchjobs|.+\.(?:branch|shallow|ignore|fetchrecursesubmodules)))$/is;
const plainSwitch = /^(?:core\.fsmonitor|pager\..+|sequence\.editor)=(?:true|false|yes|no|on|off|0|1|)$/is;
/** Addresses of which git runs a part. */
const runningAddress = /^(?:ext|fd)::(?:%S\s)?(.*)|^(-.*)/s;

/** Settings of programs, `*` for any part of a name, that start nothing where their value is a word or a number. */
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
  ...{ cargo: 'cargo', wget: 'wget', wget2: 'wget', apt: 'apt', 'apt-get': 'apt', 'apt-cache': 'apt' },
};
const plainValue = /^["']?[\w.,:@+-]*["']?$/;
/** The same for settings whose value has a form of its own. */
const plainPair =
  /^(?:(?:user|global)knownhostsfile=(?:\/dev\/null|none)|identityfile=[\w./~-]+|dpkg::options::=--force-conf(?:def|old|new|miss|ask))$/i;

/** Whether a setting of a program other than git starts nothing; one that is not listed may. */
function isPlainSetting(name: string, key: string, value: string | undefined): boolean {
  const [program = ''] = name.split(' ');
  const listed = Object.hasOwn(settingsOf, program) ? plainSettings[settingsOf[program] ?? 'ssh'] : '';
  if (value === undefined) return false;
  if (listed !== '' && plainPair.test(`${key}=${value}`)) return true;
  return plainValue.test(value) && patternOf(listed).test(key);
}

/** What any name of a list matches. */
function patternOf(names: string): RegExp {
  const each = names.split(/\s+/).map((name) => name.replaceAll('.', '\\.').replace('*', '[\\w-]+'));
  return new RegExp(`^(?:${each.join('|')})$`, 'i');
}

/** Whether git may run, obey or trust what a setting says; an alias of its own commands counts only where they run. */
export function isObeyedSetting(key: string, value: string | undefined): boolean {
  if (/^(?:remote|submodule)\..+\.(?:push)?url$/is.test(key)) return value === undefined || runningAddress.test(value);
  return !plainKey.test(key) && !(value !== undefined && plainSwitch.test(`${key}=${value}`));
}

/** Programs whose operands are targets, and variables that their recipes hold. */
const builders = /^(?:[gb]?make|ninja|samu|just|task|rake|scons|mage|invoke)$/;
/** Variables of a build that are by their usual meaning words, switches and numbers. */
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

/** A target, or a variable of a build whose name and value start nothing; of any name where it is a number or a switch. */
function isPlainOperand(text: string): boolean {
  const [, name, value = ''] = /^([a-z_]\w*)[:?+]?=(.*)$/is.exec(text) ?? [];
  if (name === undefined) return target.test(text);
  return numberOrSwitch.test(value) || (plainWord.test(value) && patternOf(plainVariables).test(name));
}

/** The text for a shell that an address makes git run; undefined where it runs none. */
export function addressProgram(text: string): string | undefined {
  const address = runningAddress.exec(text);
  // `% ` is a blank that parts no words.
  return (address?.[1] ?? address?.[2])?.replaceAll('% ', '\\ ');
}

/** The text for a shell that a setting makes a program run; undefined where it runs none. */
export function settingProgram(name: string, text: string): string | undefined {
  const [, key = '', value] = /^\s*([^=\s]*)(?:\s*[=\s]\s*(.*))?$/s.exec(text) ?? [];
  if (builders.test(name)) return isPlainOperand(text) ? undefined : text.replace(/^[^=]*=/s, '');
  if (!name.startsWith('git')) return isPlainSetting(name, key, value) ? undefined : (value ?? text);
  const [, option = '', said = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  if (!isObeyedSetting(option, text.includes('=') ? said : undefined)) return undefined;
  const program = said.replace(/^!/, '');
  return /^alias\./i.test(option) && program === said ? `git ${said}` : program;
}
