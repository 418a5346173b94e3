const shells = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'ksh93',
  'mksh',
  'lksh',
  'pdksh',
  'ash',
  'hush',
  'fish',
  'rbash',
  'yash',
  'csh',
  'tcsh',
  'posh',
  'oksh',
  'elvish',
  'nu',
  'xonsh',
]);

const interpreters =
  /^(?:python|pypy|perl|ruby|jruby|node|nodejs|deno|bun|php|lua|luajit|tclsh|wish|expect|rscript|julia|osascript|irb|ghci|scala|groovy|jshell|guile|racket|sbcl|clojure|erl|elixir|iex|raku|ts-node|tsx|gawk|mawk|nawk|awk|powershell|pwsh|cmd)[\d.]*$/;

const runners = new Set([
  'npx',
  'pnpx',
  'bunx',
  'uvx',
  'pipx',
  'dlx',
  'nix-shell',
  'nix',
  'poetry',
  'pipenv',
  'conda',
  'mise',
  'asdf',
  'bundle',
  'rbenv',
  'rustup',
  'corepack',
]);

/** True for a program that runs shell text. */
export function isShell(name: string): boolean {
  return shells.has(name);
}

/** True for a program that runs code of a general language. */
export function isInterpreter(name: string): boolean {
  return interpreters.test(name);
}

/** True for a program that fetches packages and runs what is in them. */
export function isPackageRunner(name: string): boolean {
  return runners.has(name);
}

const textual = new Set(
  (
    'echo printf grep egrep fgrep rg ag ack zgrep git gh glab man info tldr cheat help which whereis type hash ' +
    'apropos whatis test [ [[ (( let ls cat head tail wc less more nl cut sort uniq tr sed jq yq ' +
    'read export declare typeset local readonly alias unalias unset set shift return exit cd pushd popd mkdir ' +
    'touch cp mv ln rm rmdir tee diff cmp file stat tree du df find fd locate dirname basename realpath ' +
    'logger wall write say figlet cowsay banner notify-send zenity dialog whiptail mail mailx npm yarn pnpm pip ' +
    'pip3 cargo go make cmake apt apt-get dnf yum brew pacman apk snap code vim vi nvim nano emacs ed ' +
    'curl wget kill pkill killall pgrep ps history last lsof dpkg rpm msgfmt bat delta fzf systemctl service ' +
    'journalctl tar zip unzip ssh scp rsync seq true false : expr date id sleep'
  ).split(' '),
);

/** True for a program whose operands are known to be text, names or patterns and never a command to run. */
export function takesText(name: string): boolean {
  return textual.has(name);
}

const fetchers = new Set([
  'curl',
  'wget',
  'wget2',
  'fetch',
  'aria2c',
  'http',
  'https',
  'xh',
  'curlie',
  'lynx',
  'links',
  'elinks',
  'w3m',
  'lwp-request',
  'lwp-download',
  'get',
  'axel',
  'ftp',
  'tftp',
  'lftp',
  'nc',
  'ncat',
  'netcat',
  'telnet',
  'invoke-webrequest',
  'iwr',
  'gsutil',
  'rclone',
  'snarf',
  'ssh',
  'sftp',
  'socat',
  'dig',
  'nslookup',
  'host',
  'ipfs',
  'cryptcat',
]);

/** True for a program whose output comes from another machine. */
export function isFetcher(name: string, words: readonly string[]): boolean {
  if (fetchers.has(name)) return true;
  if (name === 'openssl') return words.includes('s_client');
  if (name === 'aws') return words.includes('s3') || words.includes('s3api');
  if (name === 'gh') return words.includes('api') || words.includes('download') || words.includes('gist');
  if (name === 'git') return words.includes('archive') && words.some((word) => word.startsWith('--remote'));
  return /^(?:python|perl|ruby|php|node)/.test(name) && words.some((word) => /https?:\/\//.test(word));
}

/** True for a program that sends and receives bytes over the network. */
export function isNetworkPipe(name: string, words: readonly string[]): boolean {
  return (
    [
      'nc',
      'ncat',
      'netcat',
      'nc.openbsd',
      'nc.traditional',
      'telnet',
      'socat',
      'cryptcat',
      'pwncat',
      'websocat',
    ].includes(name) ||
    (name === 'openssl' && words.includes('s_client'))
  );
}

/**
 * True for a call that turns disguised bytes back into text: decoding, decompressing, decrypting, reversing, letter
 * swapping.
 */
export function isDecoder(name: string, words: readonly string[]): boolean {
  const decodes = words.some((word) => /^-[a-zA-Z]*[dD]/.test(word) || /^--d(?:ec|$)/.test(word));
  if (
    [
      'base64',
      'base32',
      'base16',
      'basenc',
      'base58',
      'gbase64',
      'gzip',
      'pigz',
      'bzip2',
      'xz',
      'lzma',
      'zstd',
      'lz4',
      'lzop',
      'brotli',
      'gpg',
      'gpg2',
      'age',
      'uuencode',
      'ascii85',
      'basez',
    ].includes(name)
  )
    return decodes;
  if (/^python[\d.]*$/.test(name))
    return words.includes('-m') && /^(?:base64|quopri|uu)$/.test(words[words.indexOf('-m') + 1] ?? '') && decodes;
  if (name === 'openssl')
    return (
      words.some((word) => ['enc', 'base64', 'aes-256-cbc', 'rsautl', 'pkeyutl'].includes(word)) && words.includes('-d')
    );
  if (name === 'xxd') return words.some((word) => /^-[a-z]*r/.test(word));
  if (name === 'tr') return !words.some((word) => /^(?:-[a-zA-Z]*[ds]|--delete|--squeeze-repeats)/.test(word));
  return [
    'uudecode',
    'gunzip',
    'zcat',
    'gzcat',
    'bzcat',
    'bunzip2',
    'xzcat',
    'unxz',
    'zstdcat',
    'unzstd',
    'unlzma',
    'lz4cat',
    'rev',
    'tr',
    'rot13',
    'caesar',
    'funzip',
    'base64decode',
    'qprint',
    'tac',
  ].includes(name);
}
