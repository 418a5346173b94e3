/**
 * Harmless git settings. They neither name nor enable a program, a file or a trusted party. All other settings count as
 * dangerous.
 */
const plainKey = new RegExp(
  `^(?:user\\.(?:name|email|signingkey|useconfigonly)|core\\.(?:abbrev|autocrlf|bigfilethreshold|checkstat|commentchar|
    compression|eol|filemode|ignorecase|logallrefupdates|longpaths|precomposeunicode|preloadindex|quotepath|safecrlf|
    sparsecheckout|symlinks|trustctime|untrackedcache|whitespace)|init\\.defaultbranch
  |(?:advice|color|color\\.\\w+)\\.\\w+|column\\.(?:ui|branch|status|tag)|pull\\.(?:ff|rebase)
  |rebase\\.(?:autosquash|autostash|stat|updaterefs)|stash\\.show(?:includeuntracked|patch|stat)|rerere\\.enabled
  |status\\.(?:aheadbehind|branch|relativepaths|renames|short|showstash|showuntrackedfiles)|gc\\.(?:auto|autodetach)
  |pack\\.(?:threads|window|windowmemory)|index\\.(?:threads|version)|apply\\.whitespace|blame\\.(?:coloring|date)
  |fetch\\.(?:output|parallel|prune|prunetags|recursesubmodules|writecommitgraph)
  |log\\.(?:abbrevcommit|date|decorate|follow|mailmap)|feature\\.(?:experimental|manyfiles)|versionsort\\.suffix
  |push\\.(?:autosetupremote|default|followtags|recursesubmodules)|merge\\.(?:ff|conflictstyle|log|renamelimit|renames|
    stat)|commit\\.(?:gpgsign|verbose|cleanup|status)|tag\\.(?:gpgsign|sort)|diff\\.(?:algorithm|colormoved|colormovedws|
    context|ignoresubmodules|indentheuristic|interhunkcontext|mnemonicprefix|noprefix|renamelimit|renames|statgraphwidth|
    wordregex)|grep\\.(?:column|fullname|linenumber|patterntype|threads)|format\\.pretty|pretty\\..+
  |branch\\.(?:sort|autosetupmerge|autosetuprebase|.+\\.(?:remote|pushremote|merge|rebase|description))
  |remote\\.(?:pushdefault|.+\\.(?:fetch|push|prune|prunetags|tagopt|mirror))|transfer\\.fsckobjects
  |http\\.(?:postbuffer|lowspeedlimit|lowspeedtime|version|maxrequests)
  |submodule\\.(?:recurse|fetchjobs|.+\\.(?:branch|shallow|ignore|fetchrecursesubmodules)))$`.replace(/\s+/g, ''),
  'is',
);
const plainSwitch =
  /^(?:(?:core\.fsmonitor|pager\..+)=(?:true|false|yes|no|on|off|0|1|)|sequence\.editor=(?:true|:)?)$/is;
/** URLs that contain a command for git to run, or that git may read as an option. */
const runningAddress = /^(?:ext|fd)::(?:%S\s)?(.*)|^(-.*)/s;

/** Harmless settings of ssh with their values. They neither name nor enable a program. */
const plainSsh =
  /^(?:(?:addressfamily|batchmode|checkhostip|compression|connectionattempts|connecttimeout|exitonforwardfailure|identitiesonly|loglevel|numberofpasswordprompts|passwordauthentication|port|preferredauthentications|pubkeyauthentication|requesttty|serveralive(?:interval|countmax)|stricthostkeychecking|tcpkeepalive|user)=[\w.,:@+-]*|(?:user|global)knownhostsfile=(?:\/dev\/null|none)|identityfile=[\w./~-]+)$/i;

/** Whether git may run or trust the value of a setting. */
export function isExecutedSetting(key: string, value: string | undefined): boolean {
  if (/^(?:remote|submodule)\..+\.(?:push)?url$/is.test(key)) return value === undefined || runningAddress.test(value);
  if (value === undefined) return !plainKey.test(key);
  // In place of the name of a remote, git also accepts a URL.
  return runningAddress.test(value) || !(plainKey.test(key) || plainSwitch.test(`${key}=${value}`));
}

/** Build tools, whose operands are targets and variables. */
const builders = /^(?:[gb]?make|ninja|samu|just|task|rake|scons|mage|invoke)$/;
/** Build variables whose value is usually a plain word. */
const plainVariable =
  /^(?:v|q|j|n|(?:go)?(?:os|arch)|target|name|app|service|package|module|env|profile|config|build_?type|type|mode|tag|image|branch|region|namespace|host|user|tests?|filter|match|level|(?:node|app|rails|rack|mix|flask|go)_env|\w+_(?:version|tag|port|arch|type|level|mode|count|name)|(?:enable|disable|with|without|use|skip)_\w+)$/i;
const plainCompiler = /^(?:cc|cxx)=(?:g?cc|[cg]\+\+|clang(?:\+\+)?)(?:-[\d.]+)?$/i;
const target = /^[\w./:@%+-]+$/;
const plainWord = /^(?:[\w.,+:@%][\w.,+:@%-]*)?$/;
const numberOrSwitch = /^(?:\d[\d.]*|true|false|yes|no|on|off|y|)$/i;

/** Whether an operand is a target, or a build variable whose value, such as a number or a switch, starts no program. */
function isPlainOperand(text: string): boolean {
  const [, name, value = ''] = /^([a-z_]\w*)[:?+]?=(.*)$/is.exec(text) ?? [];
  if (name === undefined) return target.test(text);
  if (plainCompiler.test(`${name}=${value}`)) return true;
  return numberOrSwitch.test(value) || (plainWord.test(value) && plainVariable.test(name));
}

/** The shell command in a git URL; undefined if the URL has none. */
export function addressProgram(text: string): string | undefined {
  const address = runningAddress.exec(text);
  // In a git URL, `% ` is a space that does not separate words.
  return (address?.[1] ?? address?.[2])?.replaceAll('% ', '\\ ');
}

/** The shell command that may be in a setting; undefined if the setting is harmless. */
export function settingProgram(name: string, text: string): string | undefined {
  const [, key = '', value] = /^\s*([^=\s]*)(?:\s*[=\s]\s*(.*))?$/s.exec(text) ?? [];
  if (builders.test(name)) return isPlainOperand(text) ? undefined : text.replace(/^[^=]*=/s, '');
  if (!name.startsWith('git'))
    return /^(?:ssh|scp|sftp)$/.test(name) && plainSsh.test(`${key}=${value}`) ? undefined : (value ?? text);
  const [, option = '', said = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  if (!isExecutedSetting(option, text.includes('=') ? said : undefined)) return undefined;
  const program = addressProgram(said) ?? said.replace(/^!/, '');
  return /^alias\./i.test(option) && program === said ? `git ${said}` : program;
}
