import type { ProgramRow, ProgramTable } from './row.js';

// biome-ignore format: as below
const copies = { operands: ['readPath*', 'intoPath'], flag: '-3 -4 -6 -A -B -C -p -q -r -T -v -R',
    text: '-c -i -J -l -P -X',
    command: '-S -D', config: '-o', codePath: '-b -F', is: ['recursive', 'serves'],
} satisfies ProgramRow;

/** Programs that connect to other machines. */
// biome-ignore format: one program after the other, its options filled up to the width of a line
export const networkPrograms = {
  curl: { operands: ['url*'], flag: `-f -s -S -L -k -i -v -g -G -I -j -l -n -N -O -q -R -a -B -p -J -Z -# -0 -1 -2 -3 -4 -6
    --silent --fail --location --insecure --compressed --include --head --remote-name --show-error --verbose --get
    --globoff --netrc --create-dirs --remote-name-all --remote-header-name --fail-with-body --fail-early --http1.0 --http1.1 --http2 --http3 --basic --digest --raw
    --location-trusted --parallel --path-as-is --retry-all-errors --retry-connrefused --tlsv1.2 --tlsv1.3 --ipv4 --ipv6
    --no-progress-meter --progress-bar --no-buffer`, text: `-A -e -m -Q -r -t -u -U -x -X -y -Y -z -P -C --ciphers --connect-to --continue-at --data-raw
    --form-string --max-filesize --max-redirs --noproxy --oauth2-bearer
    --parallel-max --proto --retry-delay --retry-max-time --tls-max --user --proxy --request --user-agent --max-time --connect-timeout --retry --referer --range
    --resolve --interface --limit-rate`, writePath: `-o -D -c --output --dump-header --cookie-jar --trace --trace-ascii
    --stderr --hsts --alt-svc --etag-save --libcurl`, codePath: '-K --config', code: '-w --write-out', url: '--url', readPath: `-T -E
    -b --cookie --upload-file --cert --key --cacert --netrc-file --etag-compare`, data: `-F -d -H --data --data-binary
    --data-urlencode --data-ascii --form --json --url-query --header --proxy-header --variable`,
    intoPath: '--output-dir', saves: '-O -J --remote-name --remote-name-all --remote-header-name',
    creates: '-J --remote-header-name', is: ['readsData'] },
  'wget|wget2': { operands: ['url*'], flag: `-q -v -c -N -S -r -k -p -m -H -E -F -x -d -b -4 -6 -nc -nd -nH -np -nv
    --quiet --continue --no-check-certificate --recursive --mirror --no-clobber --spider --timestamping --no-verbose
    --content-disposition --no-directories --no-host-directories --no-parent --page-requisites --trust-server-names`, text: `-l -U -t -T -w -Q -I -X -D -R -A --post-data --body-data --header --user-agent --timeout
    --tries --user --password --level --accept --reject --progress --method`, config: '-e --execute', writePath: `-a
    -o --output-file --append-output --save-cookies --warc-file --hsts-file --rejected-log`,
    intoPath: '-O -P --output-document --directory-prefix', recursive: '-r -m -x --recursive --mirror --force-directories',
    creates: `-r -m -p -i -E --recursive --mirror --page-requisites --input-file
    --content-disposition --trust-server-names`, readPath: `-i --post-file --body-file --load-cookies --certificate --private-key
    --ca-certificate`, codePath: '--input-file --config', command: '--use-askpass', is: ['saves', 'readsData'] },
  ssh: { operands: ['url', 'command*'], flag: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y',
    text: '-B -b -c -D -e -i -J -L -l -m -O -p -Q -R -S -W -w', config: '-o', writePath: '-E', codePath: '-F -I',
    is: ['optionsFirst', 'joined', 'serves', 'runsInput'] },
  scp: copies,
  sftp: { ...copies, is: [...copies.is, 'takesCommands'] },
  'nc|ncat|netcat|nc.openbsd|nc.traditional|cryptcat|pwncat': { operands: ['url*'], flag: `-4 -6 -b -C -D -d -F -h -k -l
    -N -n -r -S -t -U -u -v -z -Z --listen --ssl --udp --verbose --version --keep-open --recv-only --send-only`,
    text: '-I -i -M -m -O -P -p -q -s -T -V -w -X -x --wait --source-port', command: `-e -c --exec --sh-exec
    --lua-exec`, is: ['serves', 'readsData'] },
  'socat|websocat': { operands: ['unknown*'], is: ['serves'] },
  'telnet|tftp|ipfs|snarf|dig|nslookup|host|invoke-webrequest|iwr': { operands: ['url*'] },
  'gh pr checkout|co': { operands: ['text*'], flag: '-f --force --detach', text: '-b -R --repo', is: ['changesTree'] },
} satisfies ProgramTable;
