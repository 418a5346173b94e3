import type { ProgramTable } from './row.js';

/** Programs that only show files, names and the state of the machine, with the options and operands listed here. */
// biome-ignore format: one program after the other, its options filled up to the width of a line
export const readOnlyPrograms = {
  cat: { operands: ['readPath*'], flag: '-A -b -e -E -n -s -t -T -v --number --show-all --squeeze-blank' },
  head: { operands: ['readPath*'], flag: '-q -v -z --quiet --verbose', text: '-n -c --lines --bytes', is: ['numbers'] },
  tail: { operands: ['readPath*'], flag: '-q -v -z -f -F -r --quiet --verbose --retry', text: `-n -c -s --lines --bytes
    --pid --sleep-interval`, optionalText: '--follow', is: ['numbers'] },
  nl: { operands: ['readPath*'], flag: '-p', text: '-b -d -f -h -i -l -n -s -v -w --body-numbering --number-width' },
  'tac|rev|cksum': { operands: ['readPath*'] },
  cut: { operands: ['readPath*'], flag: '-n -s -z --complement --only-delimited', text: `-b -c -d -f --bytes
    --characters --delimiter --fields --output-delimiter` },
  paste: { operands: ['readPath*'], flag: '-s -z --serial', text: '-d --delimiters' },
  comm: { operands: ['readPath*'], flag: '-1 -2 -3 -z --check-order --nocheck-order --total' },
  od: { operands: ['readPath*'], flag: '-a -b -c -d -f -h -i -l -o -s -x -v', text: '-A -j -N -t --format',
    optionalText: '-w -S' },
  'hexdump|hd': { operands: ['readPath*'], flag: '-b -c -C -d -o -v -x', text: '-n -s' },
  strings: { operands: ['readPath*'], flag: '-a -w --all', text: '-n -t -e -T --bytes --encoding',
    unless: /^@/, is: ['numbers'] },
  column: { operands: ['readPath*'], flag: '-t -e -x -J -L -d --table --json', text: '-c -s -o -N -R --separator' },
  'zcat|gzcat': { operands: ['readPath*'], flag: '-f --force' },
  cmp: { operands: ['readPath*'], flag: '-b -l -s --print-bytes --verbose --quiet --silent', text: '-i -n --bytes' },
  diff: { operands: ['readPath*'], flag: `-a -b -B -c -d -E -e -H -i -N -n -p -q -s -T -t -u -w -y -Z -r --recursive
    --brief --side-by-side --suppress-common-lines --show-c-function --no-dereference --new-file --ignore-case
    --ignore-all-space --ignore-space-change --ignore-trailing-space --ignore-blank-lines --text --strip-trailing-cr
    --minimal`, text: '-C -D -F -I -U -W -x --width --label --exclude --ignore-matching-lines', optionalText: `--context
    --unified --color`, recursive: '-r --recursive', is: ['numbers', 'readsFolders'] },
  wc: { operands: ['readPath*'], flag: '-c -l -m -L -w --bytes --chars --lines --words --max-line-length' },
  'md5sum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum|b2sum': { operands: ['readPath*'], flag: `-b -t -z --binary
    --text --tag` },
  base64: { operands: ['readPath*'], flag: '-d -D -i --decode --ignore-garbage', text: '-w -b --wrap' },
  xxd: { operands: ['readPath', 'writePath'], flag: '-a -b -e -E -i -p -u -r -ps -plain -bits -include -revert',
    text: '-c -g -l -n -o -s -cols -len -seek', is: ['oneDash'] },
  'uniq|guniq': { operands: ['readPath', 'writePath'], flag: `-c -d -D -u -i -z --count --repeated --unique
    --ignore-case`, text: '-f -s -w --skip-fields --skip-chars --check-chars', is: ['numbers'] },
  'sort|gsort': { operands: ['readPath*'], flag: `-b -d -f -g -h -i -M -n -R -r -V -c -C -m -s -u -z --ignore-case
    --reverse --general-numeric-sort --human-numeric-sort --numeric-sort --version-sort --check --merge --stable
    --unique`, text: '-k -t -S --sort --key --field-separator --buffer-size --parallel', writePath: `-o -T --output
    --temporary-directory`, command: '--compress-program', codePath: '--files0-from', readPath: '--random-source' },
  tr: { operands: ['text*'], flag: '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1' },
  'ls|dir|vdir': { operands: ['path*'], flag: `-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q
    -r -R -s -S -t -u -U -v -x -X -Z -1 --all --almost-all --directory --file-type --full-time --group-directories-first
    --no-group --human-readable --inode --dereference --numeric-uid-gid --reverse --recursive --size --zero`, path: `-I
    -T -w`, text: '--format --hide --ignore --sort --time --time-style --width', optionalText: '--color --classify',
    changes: '-L --dereference' },
  stat: { operands: ['path*'], flag: '-L -f -t -x -r --dereference --file-system --terse', text: `-c --format
    --printf` },
  du: { operands: ['path*'], flag: `-0 -a -b -c -D -h -H -k -l -L -m -s -S -x --all --apparent-size --bytes --total
    --human-readable --inodes --summarize --one-file-system`, text: `-B -d -t --block-size --max-depth --threshold
    --exclude`, codePath: '-X --exclude-from --files0-from', changes: '-L' },
  df: { operands: ['path*'], flag: `-a -h -H -i -k -l -P -T --all --human-readable --inodes --local --total
    --print-type`, text: '-B -t -x --block-size --type --exclude-type' },
  readlink: { operands: ['path*'], flag: '-f -e -m -n -q -s -v -z --canonicalize --no-newline' },
  realpath: { operands: ['path*'], flag: '-e -m -L -P -q -s -z --strip --no-symlinks', path: `--relative-to
    --relative-base` },
  file: { operands: ['path*'], flag: '-b -h -i -I -k -L -N -n -r -s -d -0 --brief --mime --mime-type --mime-encoding',
    codePath: '-m -f' },
  tree: { operands: ['path*'], flag: `-a -d -f -i -l -p -s -t -u -x -D -F -g -h -n -q -Q -A -C -S -v -c -r -U -X -J
    --dirsfirst --noreport --prune --gitignore --ignore-case --du --si`, text: '-I -P -L --filelimit --sort', apart: '-I -P -L',
    changes: '-l', writePath: '-o --output' },
  pwd: { flag: '-L -P' },
  'exit|return|break|continue|wait': { operands: ['text*'], flag: '-f -n', text: '-p', unless: /[^\d%]/,
    is: ['evaluates'] },
  set: { operands: ['unknown*'], flag: '-e -u -x -f -n -v -a -b -h -m -p -t -B -C -E -H -P -T', text: '-o',
    optionalText: '+', changes: '-x -f -n -v -a -b -h -m -p -t -B -C -E -H -P -T +',
    unless: /^(?!(?:errexit|nounset|pipefail)$)/ },
  'timeout|gtimeout': { operands: ['text', 'program'], flag: '-f -p -v --foreground --preserve-status --verbose',
    text: '-k -s --kill-after --signal', is: ['optionsFirst'] },
  nice: { operands: ['program'], text: '-n --adjustment' },
  'time|gtime': { operands: ['program'], flag: '-a -p -v', text: '-f --format', writePath: '-o --output' },
  'true|false|:|sleep': { operands: ['text*'] },
  printf: { operands: ['text*'], text: '-v', changes: '-v', unless: /%[^%a-zA-Z]*n/, is: ['evaluates'] },
  echo: { operands: ['text*'], is: ['literal'] },
  basename: { operands: ['text*'], flag: '-a -z --multiple --zero', text: '-s --suffix' },
  dirname: { operands: ['text*'], flag: '-z --zero' },
  hostname: { flag: `-a -A -d -f -i -I -s --alias --all-fqdns --domain --fqdn --ip-address --all-ip-addresses
    --short` },
  uptime: { flag: '-p -s --pretty --since' },
  'node|nodejs|tsx|ts-node|npm|npx|bun|deno|perl|ruby|php|make|gmake|gcc|g++|cc|c++|clang|clang++|git|tsc|docker|podman --version|-v|--help': { },
  'python|python2|python3|pypy|pypy3|pip|pip3 --version|-V': { },
  'bash|zsh|uv|gh|xargs|tar|curl|wget|ssh|rsync|psql|sqlite3|cmake|meson|ninja|just|rake|scons|eslint|prettier|vite|vitest --version': { },
  'java|javac --version|-version': { },
  uname: { flag: '-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --machine' },
  free: { flag: '-b -k -m -g -h -t -w --human --total --wide' }, lscpu: { flag: '-a -J --all --json' },
  nproc: { flag: '--all', text: '--ignore' },
  'whoami|groups': { },
  id: { operands: ['text*'], flag: '-u -g -G -n -r -z --user --group --groups --name --real' },
  seq: { operands: ['text*'], flag: '-w --equal-width', text: '-f -s --format --separator', is: ['numbers'] },
  'which|type': { operands: ['text*'], flag: '-a -f -t -p -s -P --all' },
  date: { flag: '-u -R --utc --universal --rfc-email', text: '-d --date --rfc-3339', codePath: '-f --file',
    optionalText: '+ -I --iso-8601', unless: /^(?!\+).*\d{3}/ },
  ps: { flag: '-e -A -f -H -j -L -F -l', text: '-p -u -C -g -s -t -o' },
  'ps aux|ax|axu': { },
  'test|[|[[': { operands: ['path*'], text: '-v -R', flag: `-a -b -c -d -e -f -g -h -k -n -o -p -r -s -t -u -w -x -z -L
    -O -S -G -N -eq -ne -lt -le -gt -ge -nt -ot -ef -0 -1 -2`, is: ['oneDash', 'expression', 'evaluates'] },
  'cd|pushd': { operands: ['folder'], unless: /^[-~]|[*?[\]]/ },
  command: { operands: ['program'], flag: '-v -V -p', textFollows: '-v -V', is: ['oneDash'] },
  jq: { operands: ['text', 'readPath*'], flag: `-r -c -e -n -s -S -j -a -M -C -R --raw-output --compact-output
    --null-input --exit-status --slurp --sort-keys --join-output --ascii-output --monochrome-output --color-output
    --raw-input --args --jsonargs --tab --stream --seq`, text: '--indent', namedText: '--arg --argjson',
    namedReadPath: '--slurpfile --rawfile', codePath: '-f --from-file -L', replacesFirst: '-f --from-file',
    unless: /\bENV\b|(?<!(?<!\.)\.)\benv\b|\binclude\b|\bimport\b|\bmodulemeta\b|input_filename|\$__prog/ },
  'grep|egrep|fgrep|ggrep': { operands: ['text', 'readPath*'], flag: `-a -b -c -E -F -G -H -h -I -i -L -l -n -o -P -q -s
    -T -U -v -V -w -x -y -z -Z -r -R --extended-regexp --fixed-strings --perl-regexp --ignore-case --no-ignore-case
    --invert-match --word-regexp --line-regexp --count --files-without-match --files-with-matches --only-matching
    --quiet --no-messages --with-filename --no-filename --line-number --null --text --recursive
    --dereference-recursive`, text: `-A -B -C -m -D -d -e --regexp --max-count --after-context --before-context
    --context --binary-files --exclude --exclude-dir --include --directories`, optionalText: '--color --colour',
    readPath: '-f --file --exclude-from', recursive: '-r -R -d --recursive --dereference-recursive --directories',
    replacesFirst: '-e -f --regexp --file', is: ['numbers'] },
  'rg|ripgrep': { operands: ['text', 'readPath*'], flag: `-a -c -F -H -I -i -L -l -N -n -o -P -p -q -S -s -U -u -v -w -x
    -. -0 --files --type-list --line-number --no-line-number --files-with-matches --files-without-match --count
    --count-matches --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --line-regexp
    --invert-match --multiline --hidden --no-ignore --no-ignore-vcs --unrestricted --heading --no-heading --column
    --only-matching --json --stats --trim --vimgrep --with-filename --no-filename --quiet --null --text --follow --pcre2
    --passthru`, text: `-A -B -C -E -j -M -m -r -t -T -d -g -e --regexp --type --type-not --glob --iglob --max-count
    --max-depth --max-columns --context --before-context --after-context --replace --sort --sortr --threads --color
    --encoding --max-filesize`, readPath: '-f --file --ignore-file', command: '--pre --hostname-bin', replacesFirst: `-e
    -f --regexp --file --files --type-list`, readsHidden: `-. -L -u -g -t --follow --glob --hidden --iglob --ignore-file
    --type --unrestricted`, is: ['recursive', 'readsHere', 'skipsHidden'] },
  'find|gfind': { operands: ['path*'], flag: `-L -H -P -empty -depth -d -xdev -mount -print -print0 -prune -quit -ls -o
    -or -a -and -not -readable -writable -executable -true -false -nouser -nogroup -daystart -noleaf -O1 -O2 -O3
    -delete`, text: `-name -iname -path -ipath -wholename -regex -iregex -regextype -type -xtype -size -atime -ctime
    -mtime -amin -cmin -mmin -maxdepth -mindepth -printf -user -group -uid -gid -perm -links -inum -fstype -lname
    -ilname -newermt -newerat -newerct`, path: '-anewer -cnewer -newer -newermm -samefile', commandUntil: `-exec
    -execdir -ok -okdir`, writePath: '-fprint -fprint0 -fls -fprintf', codePath: '-files0-from', edits: '-delete', changes: '-L', enters: '-execdir -okdir',
    is: ['oneDash', 'expression'] },
  'sed|gsed': { operands: ['code', 'readPath*'], flag: `-n -E -r -s -u -z --quiet --silent --regexp-extended --separate
    --unbuffered --null-data --posix`, optionalText: '-i --in-place', code: '-e --expression', codePath: '-f --file',
    text: '--line-length', edits: '-i --in-place', replacesFirst: '-e -f --expression --file' },
  'fd|fdfind': { operands: ['text', 'path*'], flag: `-H -I -u -L -a -p -0 -s -i -g -F -q -1 --hidden --no-ignore
    --unrestricted --follow --absolute-path --full-path --print0 --case-sensitive --ignore-case --glob --fixed-strings
    --quiet`, text: `-t -e -d -E -c -j -S --type --extension --max-depth --min-depth --exclude --color --size
    --max-results`, commandUntil: '-x -X --exec --exec-batch', changes: '-L --follow' },
  'awk|gawk|mawk|nawk|bwk': { operands: ['code', 'readPath*'], flag: '-b -c -C -h -M -n -N -O -P -r -s -S -t -V',
    text: '-F -v --assign --field-separator', codePath: '-f -i -E -l --file --include --load --exec', code: `-e
    --source`, edits: '-i --include', replacesFirst: '-f -e --file --source' },
} satisfies ProgramTable;
