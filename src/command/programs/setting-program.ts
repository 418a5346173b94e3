/** Settings of git that name a program, a file with more settings, or whom git trusts. Letter case does not count. */
const gitKey =
  /^(?:core\.(?:hookspath|sshcommand|pager|editor|fsmonitor|askpass|gitproxy|attributesfile|alternaterefscommand|worktree)|alias\..+|include\.path|includeif\..*\.path|pager\..+|sequence\.editor|interactive\.difffilter|diff\.external|diff\..+\.(?:command|textconv)|(?:difftool|mergetool|browser|man|guitool)\..+\.(?:cmd|path)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?(?:program|defaultkeycommand)|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs)|submodule\..+\.update|url\..+\.(?:push)?insteadof|init\.templatedir|sendemail\.(?:.+\.)?\w*(?:cmd|server)|trailer\..+\.(?:command|cmd)|tar\..+\.command|hook\..+\.command|protocol\.(?:.+\.)?allow|safe\.directory|instaweb\.\w+|web\.browser|http\.(?:.+\.)?sslverify)$/is;
const plainSwitch = /^(?:true|false|yes|no|on|off|0|1|)$/i;
const switchable = /^(?:core\.fsmonitor|pager\..+|sequence\.editor)$/i;
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
  [/^[gb]?make$/, /^SHELL[:?+!]*=(.*)|^\w+[:?+!]*=(.*[\s/].*)/s],
  [/^apt/, /^[^=]*(?:command|hook|invoke|pre-install|post-install|methods|bin)[^=]*=(.*)/is],
];

/** Whether git runs, obeys or trusts what a setting says; an alias of its own commands counts only where they run. */
export function isObeyedSetting(key: string, value: string | undefined): boolean {
  if (/\.(?:push)?url$/i.test(key)) return value === undefined || runningAddress.test(value);
  if (!gitKey.test(key)) return false;
  if (value === undefined) return true;
  return !(switchable.test(key) && plainSwitch.test(value));
}

/** The text for a shell that a setting or an address makes a program run; undefined where it runs none. */
export function settingProgram(name: string, text: string): string | undefined {
  if (!name.startsWith('git')) {
    const found = settings.find(([names, form]) => names.test(name) && form.test(text))?.[1].exec(text);
    return found?.slice(1).find((part) => part !== undefined);
  }
  const address = runningAddress.exec(text);
  // `% ` is a blank that parts no words.
  if (address !== null) return (address[1] ?? address[2])?.replaceAll('% ', '\\ ');
  const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  if (!isObeyedSetting(key, text.includes('=') ? value : undefined)) return undefined;
  const program = value.replace(/^!/, '');
  return /^alias\./i.test(key) && program === value ? `git ${value}` : program;
}
