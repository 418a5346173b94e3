/**
 * Settings of git that name no program, no file and nobody to trust, and switches of others. Letter case does not count;
 * what is not listed may be obeyed.
 */
const plainKey =
  /^(?:user\.(?:name|email|signingkey|useconfigonly)|core\.(?:abbrev|autocrlf|bigfilethreshold|checkstat|commentchar|compression|eol|filemode|ignorecase|logallrefupdates|longpaths|precomposeunicode|preloadindex|quotepath|safecrlf|sparsecheckout|symlinks|trustctime|untrackedcache|whitespace)|init\.defaultbranch|(?:pull|rebase|stash|status|rerere|gc|pack|index|advice|apply|blame|color|column|fetch|log|push|feature|versionsort)\.\w+|color\.\w+\.\w+|merge\.(?:ff|conflictstyle|log|renamelimit|renames|stat)|commit\.(?:gpgsign|verbose|cleanup|status)|tag\.(?:gpgsign|sort)|diff\.(?:algorithm|colormoved|colormovedws|context|ignoresubmodules|indentheuristic|interhunkcontext|mnemonicprefix|noprefix|renamelimit|renames|statgraphwidth|submodule|wordregex)|grep\.\w+|format\.pretty|pretty\..+|branch\.(?:sort|autosetupmerge|autosetuprebase|.+\.(?:remote|pushremote|merge|rebase|description))|remote\.(?:pushdefault|.+\.(?:fetch|push|prune|prunetags|tagopt|mirror))|transfer\.fsckobjects|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version|maxrequests)|submodule\.(?:recurse|fetchjobs|.+\.(?:branch|shallow|ignore|fetchrecursesubmodules)))$/is;
const plainSwitch = /^(?:core\.fsmonitor|pager\..+|sequence\.editor)=(?:true|false|yes|no|on|off|0|1|)$/is;
/** Addresses of which git runs a part. */
const runningAddress = /^(?:ext|fd)::(?:%S\s)?(.*)|^(-.*)/s;

/** Other programs' settings that name a program, the program being the first group. */
const settings: readonly (readonly [names: RegExp, form: RegExp])[] = [
  [/^(?:ssh|scp|sftp)$/, /^\s*(?:Proxy|Local|KnownHosts|AuthorizedKeys|Remote)Command[=\s]+(.*)/is],
  [/^(?:ssh|scp|sftp)$/, /^\s*(?:PKCS11Provider|SecurityKeyProvider|XAuthLocation|Include)[=\s]+(.*)/is],
  [
    /^cargo/,
    /^(?:[^=]*\.)?["']?(?:rustc|rustc-wrapper|rustc-workspace-wrapper|rustdoc|runner|linker|credential-provider|ar|path|include|[\w-]*alias\.[\w-]+|\w*flags)["']?\s*=\s*(.*)/is,
  ],
  [/^wget/, /^\s*use[-_]?askpass\s*=\s*(.*)/is],
  [/^cargo/, /^([^=]+)$/s],
  [/^apt/, /^[^=]*(?:command|hook|invoke|pre-install|post-install|methods|bin)[^=]*=(.*)/is],
];

/** Whether git may run, obey or trust what a setting says; an alias of its own commands counts only where they run. */
export function isObeyedSetting(key: string, value: string | undefined): boolean {
  if (/^(?:remote|submodule)\..+\.(?:push)?url$/is.test(key)) return value === undefined || runningAddress.test(value);
  return !plainKey.test(key) && !(value !== undefined && plainSwitch.test(`${key}=${value}`));
}

/** Programs whose operands are targets, and variables that their recipes hold. */
const builders = /^(?:[gb]?make|ninja|samu|just|task|rake|scons|mage|invoke)$/;
/** A target, or a variable of a build whose name and value start nothing. */
const plainOperand =
  /^(?:[\w./:@%+-]+|(?!\w*(?:SHELL|MAKE|PATH|PRELOAD|AUDIT|OPT(?:ION)?S?=|COMMAND|STARTUP|BASH_ENV))[a-z_]\w*[:?+]?=(?:[\w.,+:@%][\w.,+:@%-]*)?)$/i;

/** The text for a shell that an address makes git run; undefined where it runs none. */
export function addressProgram(text: string): string | undefined {
  const address = runningAddress.exec(text);
  // `% ` is a blank that parts no words.
  return (address?.[1] ?? address?.[2])?.replaceAll('% ', '\\ ');
}

/** The text for a shell that a setting makes a program run; undefined where it runs none. */
export function settingProgram(name: string, text: string): string | undefined {
  if (builders.test(name)) return plainOperand.test(text) ? undefined : text.replace(/^[^=]*=/s, '');
  if (!name.startsWith('git')) {
    const found = settings.find(([names, form]) => names.test(name) && form.test(text))?.[1].exec(text);
    return found?.slice(1).find((part) => part !== undefined);
  }
  const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  if (!isObeyedSetting(key, text.includes('=') ? value : undefined)) return undefined;
  const program = value.replace(/^!/, '');
  return /^alias\./i.test(key) && program === value ? `git ${value}` : program;
}
