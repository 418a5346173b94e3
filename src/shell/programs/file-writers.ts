import type { ProgramTable } from './row.js';

/** Programs that create, change, move, pack, show and remove files, and builtins of the shell. */
// biome-ignore format: one program after the other, its options filled up to the width of a line
export const filePrograms = {
  'rm|grm|srm|trash|shred': { operands: ['writePath*'], flag: `-f -v -i -d -I -z -u -r -R --force --verbose --dir --zero
    --remove --one-file-system --no-preserve-root --recursive`, text: '-n -s --iterations --size',
    optionalText: '--interactive --preserve-root', recursive: '-r -R --recursive' },
  'rmdir|unlink|mkfifo|sponge|mktemp|rimraf': { operands: ['writePath*'], flag: `-p -v -a -d -u --parents --verbose
    --ignore-fail-on-non-empty --directory` },
  mkdir: { operands: ['writePath*'], flag: '-p -v --parents --verbose', text: '-m -Z --mode' },
  touch: { operands: ['writePath*'], flag: '-a -c -f -h -m --no-create', text: '-d -t --date --time', path: `-r
    --reference` },
  truncate: { operands: ['writePath*'], flag: '-c -o', text: '-s --size', path: '-r --reference' },
  tee: { operands: ['writePath*'], flag: '-a -i -p --append --ignore-interrupts', optionalText: '--output-error' },
  yes: { operands: ['text*'] },
  'chmod|chown|chgrp|setfacl|chattr': { operands: ['text', 'writePath*'], flag: `-c -f -v -h -H -L -P -R --recursive
    --changes --silent --quiet --verbose --no-preserve-root --dereference --no-dereference`, path: '--reference',
    text: '--from', recursive: '-R --recursive' },
  'cp|gcp': { operands: ['readPath*', 'intoPath'], flag: `-a -b -d -f -i -l -n -p -P -u -v -x -T -s -L -H -r -R
    --recursive --archive --force --interactive --no-clobber --no-target-directory --update --verbose --dereference
    --no-dereference --link --symbolic-link`, intoPath: '-t --target-directory', text: '-S --suffix',
    optionalText: '--preserve --backup --reflink --sparse', recursive: '-a -r -R --recursive --archive' },
  'install|ginstall': { operands: ['readPath*', 'intoPath'], flag: `-b -c -C -d -D -p -v -T --directory --compare
    --verbose`, text: '-m -g -o -S --mode --owner --group', intoPath: '-t --target-directory',
    command: '--strip-program' },
  'ln|gln|link': { operands: ['editPath*', 'intoPath'], flag: `-b -d -f -F -i -L -n -P -r -s -T -v --symbolic --force
    --relative --no-dereference`, text: '-S', intoPath: '-t --target-directory', is: ['recursive'] },
  'mv|gmv': { operands: ['editPath*', 'intoPath'], flag: '-b -f -i -n -u -v -T --force --no-clobber --update --verbose',
    text: '-S', intoPath: '-t --target-directory', is: ['recursive'] },
  rsync: { operands: ['readPath*', 'intoPath'], flag: `-v -q -c -r -R -b -u -d -l -L -k -K -H -p -E -A -X -o -g -D -t -S
    -n -W -x -P -C -m -y -z -h -i -0 -1 -4 -6 -a -8 --archive --verbose --delete --delete-after --delete-before
    --delete-excluded --dry-run --progress --stats --compress`, command: '-e --rsh --rsync-path', unknown: '-f --filter', text: `-T -B
    --exclude --include --bwlimit --timeout --port --chmod --chown --usermap --groupmap --out-format
    --log-file-format --info --debug`, readPath: '--exclude-from --include-from --files-from --password-file',
    writePath: '--log-file --backup-dir --partial-dir --temp-dir --write-batch', is: ['recursive'] },
  'dd|gdd|dcfldd|dc3dd': { operands: ['text*'] },
  'tar|bsdtar|gtar': { operands: ['readPath*'], flag: `-A -d -k -m -n -O -p -r -t -u -U -v -w -W -x -z -j -J -Z -P -S -l
    -B -c -h -i -a -o --create --extract --list --gzip --bzip2 --xz --zstd --verbose --append --update --get --to-stdout
    --keep-old-files`, editPath: '-f --file', intoPath: '-C --directory', enters: '-C --directory', codePath: `-T -X
    --files-from --exclude-from`, command: `-I -F --to-command --use-compress-program --rsh-command --info-script
    --new-volume-script --checkpoint-action --rmt-command`, text: `-b -K -L -N -V -H --exclude --strip-components
    --owner --group --mode`, code: '--transform --xform', edits: '-x --extract --get', creates: '-x --extract --get', writePath: `-g
    --listed-incremental --index-file`, optionalText: '--checkpoint', optionalIntoPath: '--one-top-level',
    is: ['recursive', 'bundled'] },
  zip: { operands: ['writePath', 'readPath*'], flag: '-r -q -v -j -m -u -F -f -D -T -y --recurse-paths', text: '-x -i',
    command: '-TT --unzip-command', edits: '-m', writePath: '-O -b --out', is: ['numbers', 'recursive'] },
  'unzip|funzip': { operands: ['readPath', 'writePath*'], flag: '-o -q -n -t -l -j -a -v -p', intoPath: '-d',
    text: '-x', onlyShows: '-t -l -v -p', is: ['creates'] },
  'gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd|lz4|lzma|unlzma|pigz|brotli|compress|uncompress': { operands: ['editPath*'],
    flag: '-c -d -f -k -l -n -N -q -t -v -z -r --stdout --decompress --keep --force --test --list --verbose',
    text: '-S', writePath: '-o', recursive: '-r', is: ['numbers', 'unpacks'] },
  'bzcat|xzcat|zstdcat|iconv|pr|tsort|numfmt|less|more|most|bat|batcat|zless|basenc|base32': { operands: ['readPath*'],
    flag: '-n', writePath: '-o -O --output --log-file --LOG-FILE', command: '--pager' },
  'split|gsplit|csplit': { operands: ['readPath', 'writePath'], text: '-a -b -C -l -n -t', writePath: '-f',
    command: '--filter' },
  'help|hash|unalias|popd|((': { operands: ['text*'] },
  'declare|typeset|local|export|readonly': { operands: ['text*'], flag: '-a -A -f -F -g -i -I -l -p -r -t -u -x',
    is: ['evaluates'] },
  read: { operands: ['text*'], flag: '-e -E -r -s', text: '-a -d -i -n -N -p -t -u', is: ['evaluates'] },
  'mapfile|readarray': { operands: ['text'], flag: '-t', text: '-d -n -O -s -u -c', command: '-C', is: ['evaluates'] },
  'let|unset|shift|getopts': { operands: ['text*'], flag: '-f -n -v', is: ['evaluates'] },
  'complete|compgen': { operands: ['text*'], flag: '-a -b -c -d -e -f -g -j -k -s -u -v -p -r -D -E -I', text: `-o -A -G
    -P -S -X -W`, command: '-C -F', is: ['evaluates'] },
  jobs: { operands: ['text*'], flag: '-l -n -p -r -s -x', firstIsProgram: '-x' },
  man: { operands: ['readPath*'], flag: '-a -f -k -K -w -W -D -d -t -u -l -e -i -7 -8', optionalCommand: '-H --html',
    command: '-P --pager', readPath: '-M', codePath: '-C' },
} satisfies ProgramTable;
