import type { ProgramRow, ProgramTable } from './row.js';

// biome-ignore format: as below
const dockerExec = { operands: ['text', 'program'], flag: '-d -i -t --interactive --tty --detach', text: `-e -u -w --env
    --user --workdir`, readPath: '--env-file', is: ['optionsFirst'] } satisfies ProgramRow;
// biome-ignore format: as below
const dockerBuild = { operands: ['readPath'], flag: '-q --quiet --no-cache --pull --rm --load --push', text: `-t --tag
    --build-arg --target --platform --progress --label --network`, codePath: '-f --file' } satisfies ProgramRow;
// biome-ignore format: as below
const dockerLists = { operands: ['text*'], flag: `-a -q -f -t -s --all --quiet --force --follow --timestamps --no-trunc
    --no-stream -v --volumes --size`, text: '-n --filter --format --tail --since --until --signal --time',
    is: ['readsData'] } satisfies ProgramRow;

/** Programs that start other programs: wrappers, shells, interpreters, build tools. */
// biome-ignore format: one program after the other, its options filled up to the width of a line
export const startingPrograms = {
  'env|genv': { operands: ['variable*', 'program'], flag: '-i -0 -v --ignore-environment --null --debug', text: `-u
    --unset`, folder: '-C --chdir', command: '-S --split-string', splits: '-S --split-string', is: ['optionsFirst'] },
  sudo: { operands: ['variable*', 'program'], flag: `-A -b -E -e -H -i -K -k -l -n -P -S -s -V -v --login --shell
    --non-interactive --stdin --background`, text: `-u -g -p -C -c -r -t -T -h -U --user --group --prompt --host --role
    --type --close-from --command-timeout --other-user`, folder: '-D -R --chdir --chroot',
    optionalText: '--preserve-env', runsInput: '-s -i --shell --login', is: ['optionsFirst'] },
  doas: { operands: ['program'], flag: '-n -s -L', text: '-u -C', runsInput: '-s' },
  pkexec: { operands: ['program'], text: '--user', is: ['runsInput'] },
  chroot: { operands: ['folder', 'program'], text: '--userspec --groups', is: ['optionsFirst',
    'runsInput'] },
  ionice: { operands: ['program'], flag: '-t', text: '-c -n -p -P -u --class --classdata' },
  'nohup|setsid': { operands: ['program'], flag: '-c -f -w' },
  'busybox|toybox|builtin|coproc|noglob|nocorrect': { operands: ['program'] },
  stdbuf: { operands: ['program'], text: '-i -o -e --input --output --error' },
  unshare: { operands: ['program'], flag: '-m -u -p -i -n -U -C -T -r -f -c', text: '-S -G', folder: '-R -w',
    is: ['runsInput'] },
  nsenter: { operands: ['program'], flag: '-a -m -u -i -n -p -C -U -T -F', text: `-t -S -G -N --target --setuid
    --setgid`, is: ['runsInput'] },
  exec: { operands: ['program'], flag: '-c -l', text: '-a', is: ['readsData'] },
  'xargs|gxargs': { operands: ['program'], flag: `-0 -p -r -t -x -o --null --interactive --no-run-if-empty --verbose
    --exit --open-tty`, text: `-I -n -P -L -d -E -s -R -J -S --max-args --max-procs --delimiter --max-chars
    --process-slot-var`, codePath: '-a --arg-file', optionalText: '-i -l -e --replace --max-lines --eof',
    is: ['optionsFirst', 'xargs'] },
  'parallel|rush': { operands: ['command*'], flag: `-k -q -v -X -m -t -u -z -0 --dry-run --bar --progress --halt --tag
    --line-buffer --keep-order`, text: `-j -I -d -N -n -L -C --jobs --delimiter --colsep --max-args --delay --timeout
    --retries`, writePath: '--joblog --results', unknown: '-S --sshlogin --tagstring', codePath: '-a --arg-file',
    is: ['optionsFirst', 'joined', 'xargs'] },
  watch: { operands: ['command*'], flag: '-b -c -d -e -g -t -w -x --exec --errexit --chgexit --color --beep --no-title',
    text: '-n -q --interval --equexit', optionalText: '--differences', is: ['optionsFirst', 'joined'] },
  flock: { operands: ['path', 'program'], flag: '-n -e -s -u -x -o -F --exclusive --shared --nonblock --unlock --close',
    text: '-w -E --wait --timeout --conflict-exit-code', command: '-c --command' },
  script: { operands: ['writePath', 'program'], flag: '-a -e -f -q --append --flush --quiet --return', command: '-c --command',
    writePath: '-B -I -O -T', text: '-E', is: ['runsInput'] },
  su: { operands: ['text', 'unknown*'], flag: '-l -p -f -q -a -e -m --login --quiet', text: '-g -G', command: `-c -s --command
    --session-command --shell`, is: ['runsInput'] },
  runuser: { operands: ['text', 'unknown*'], flag: '-l -p -f -m --login', command: `-c -s --command --session-command
    --shell`, text: '-g -G -u --user --group --supp-group', firstIsProgram: '-u --user', is: ['runsInput'] },
  'crontab|fcrontab|incrontab': { operands: ['codePath'], flag: '-l -r -T -V -e -i --help --version', text: '-u',
    onlyShows: '-l -r -T -V --help --version', is: ['runsInput'] },
  'at|batch': { operands: ['text*'], flag: '-l -r -d -c -V -m -M -v -b -t', text: '-q', codePath: '-f', onlyShows: `-l
    -r -d -c -V`, is: ['runsInput'] },
  'systemd-run': { operands: ['program'], flag: `--scope --wait --pty --pipe --shell --help --version -t -S -P -d -q -r
    -G --user --system --collect --no-block --quiet --same-dir`, text: `-u -H -M --unit --uid --gid --slice
    --description --nice --host --machine --on-active --on-boot --on-startup --on-unit-active --on-calendar`,
    folder: '--working-directory', variable: '-E --setenv', unknown: `-p --property --timer-property --path-property
    --socket-property` },
  'vi|vim|nvim|gvim|rvim|vimdiff|vimtutor|rview|view': { operands: ['editPath*'], flag: `-R -n -b -d -e -E -y -N -C -Z
    -m -M -o -O -p --clean --headless --noplugin`, code: '-c --cmd', codePath: '-S -u -U', text: '-V', writePath: `-i -w
    -W`, optionalCode: '+', is: ['takesCommands'] },
  sqlite3: { operands: ['editPath', 'code*'], flag: '-readonly -json -csv -batch -header -line -box -table',
    code: '-cmd', codePath: '-init', is: ['oneDash', 'takesCommands'] },
  psql: { operands: ['text*'], flag: `-0 -1 -a -A -b -e -E -H -l -n -q -s -S -t
    -w -W -x -X -z --csv --echo-all --echo-queries --expanded --list --no-align --no-password --no-psqlrc --quiet
    --tuples-only`, text: `-h -p -U -d -v -P -F -R -T
    --host --port --username --dbname --set --variable --pset`, codePath: '-f --file', code: '-c --command', writePath: `-o -L --output
    --log-file`, is: ['takesCommands'] },
  'mysql|mariadb': { operands: ['text*'], optionalText: '-h -P -u -D -p', code: '-e --execute', command: '--pager',
    is: ['takesCommands'] },
  'ex|ed|red': { operands: ['editPath*'], is: ['takesCommands'] },
  alias: { operands: ['command*'], flag: '-p' },
  eval: { operands: ['command*'], is: ['literal', 'joined'] },
  trap: { operands: ['command', 'text*'], flag: '-l -p' },
  'source|.': { operands: ['codePath', 'text*'], is: ['optionsFirst', 'runsInput'] },
  'sh|bash|zsh|dash|ksh|ksh93|mksh|lksh|pdksh|ash|hush|fish|rbash|yash|csh|tcsh|posh|oksh|elvish|nu|xonsh': { operands: ['codePath',
    'text*'], flag: `-a -b -e -f -h -i -k -l -m -p -r -t -u -v -x -B -C -E -H -P -T -D -d -y -z -n -c -s --command
    --norc --noprofile --login --posix --restricted --verbose --noediting --version --help`, text: '-o -O',
    optionalText: '+', codePath: '--rcfile --init-file --init-command', onlyShows: '-n --version --help',
    firstIsCommand: '-c --command', runsInput: '-s', is: ['optionsFirst'] },
  cmd: { operands: ['command*'], is: ['joined', 'literal'] },
  'powershell|pwsh': { operands: ['command*'], is: ['joined', 'literal'] },
  'python|python2|python3|pypy|pypy3': { operands: ['codePath', 'text*'], flag: `-b -B -d -E -i -I -O -P -q -R -s -S -u
    -v -x --version --help`, text: '-W -X --check-hash-based-pycs', code: '-c', module: '-m', replacesFirst: '-c',
    onlyShows: '--version --help', is: ['optionsFirst'] },
  'perl|ruby|jruby|raku': { operands: ['codePath', 'readPath*'], flag: `-a -c -f -n -l -p -s -S -t -T -u -U -v -w -W -X
    -0 --version --help`, code: '-e -E', optionalCode: '-M -m -F', codePath: '-I -r', optionalText: '-i -C -D -x -K',
    replacesFirst: '-e -E', edits: '-i', onlyShows: '--version --help', is: ['optionsFirst'] },
  'node|nodejs|tsx|ts-node': { operands: ['codePath', 'text*'], flag: `-i -v -c -h --version --help --check
    --interactive --test --watch --inspect --enable-source-maps --trace-warnings --experimental-strip-types --expose-gc
    --no-warnings --no-deprecation --trace-deprecation --experimental-vm-modules --test-only --prof --watch-path`, code: '-e -p --eval --print', codePath: `-r -C --require --import
    --loader --experimental-loader --env-file --test-reporter`, writePath: '--test-reporter-destination',
    text: '--max-old-space-size --stack-trace-limit --conditions --input-type --test-name-pattern --run',
    replacesFirst: '-e -p --eval --print', onlyShows: '--version --help', is: ['optionsFirst'] },
  php: { operands: ['codePath', 'text*'], flag: '-a -C -i -l -n -q -s -v -w -z --version --help', code: '-r -R -B -E',
    config: '-d', text: '-S -t', codePath: '-c -f -F', replacesFirst: '-r -R -B -E', onlyShows: '--version --help',
    is: ['optionsFirst'] },
  'deno eval': { operands: ['code*'] },
  'deno task|test|fmt|lint|check|install|add': { operands: ['text*'], flag: '-A -q --quiet --watch --no-check',
    command: '--eval' },
  'deno run': { operands: ['codePath', 'text*'], flag: '-A' },
  'deno|bun': { operands: ['codePath', 'text*'], flag: '-A --version --help', code: '-e -p', onlyShows: `--version
    --help`, replacesFirst: '-e -p' },
  'bunx|npx|pnpx': { operands: ['program'], flag: '-y -q --yes --no --no-install --quiet --bun', codePath: `-p
    --package`, command: '-c --call' },
  'npm explore': { operands: ['text', 'program'] },
  'npm exec|x': { operands: ['program'], flag: '-y -s --yes', text: '-w --workspace', codePath: '-p --package',
    folder: '--prefix', command: '-c --call', is: ['optionsAnywhere'] },
  'pnpm|yarn|bun exec|x|dlx': { operands: ['program'], flag: '-y -s -r --yes', text: '-w -F --workspace --filter',
    codePath: '-p --package', folder: '-C --prefix --dir --cwd', command: '-c --call' },
  'uv run': { operands: ['program'], flag: '-q --no-sync --frozen --isolated --dev', text: '--extra --group --package',
    codePath: '-p --with --python --env-file', folder: '--directory --project' },
  'docker|podman|nerdctl exec': dockerExec, 'docker|podman|nerdctl container exec': dockerExec,
  'docker|podman|nerdctl run|create': { operands: ['text', 'program'], flag: `-d -i -t -P -q --rm --init --interactive
    --tty --detach --read-only`, text: `-a -b -c -e -g -h -l -m -p -u -w --name --network --env --publish --workdir
    --user --memory --cpus --platform --label --add-host --hostname --shm-size --ulimit --gpus --log-driver --pull
    --restart`, unknown: '-v --volume --mount', command: '--entrypoint', readPath: '--env-file', is: ['optionsFirst'] },
  'docker|podman|nerdctl compose exec|run': { operands: ['text', 'program'], flag: '-d -T -i --rm --no-deps', text: `-e
    -u -w`, is: ['optionsFirst'] },
  'docker|podman|nerdctl': { operands: ['unknown*'], flag: '-D --debug --tls', text: '-l --log-level',
    codePath: '-c -H --config --context --host' },
  'docker|podman|nerdctl ps|images|logs|inspect|info|version|stats|top|port|history|events|search|diff|pull|push|tag|stop|start|restart|kill|pause|unpause|wait|rm|rmi|rename|login|logout': dockerLists,
  'docker|podman|nerdctl image|container|volume|network|context|buildx|builder|system ls|list|ps|inspect|df|info|use|version|du|rm|remove|prune|logs|start|stop|restart|kill|stats|top|port|history|pull|push|tag': dockerLists,
  'docker|podman|nerdctl volume|network create': { operands: ['text'], text: '-d --driver --label --subnet' },
  'docker|podman|nerdctl build': dockerBuild, 'docker|podman|nerdctl image|buildx|builder build': dockerBuild,
  'docker|podman|nerdctl compose': { operands: ['unknown*'], text: '-p --profile --project-name', codePath: `-f --file
    --env-file` },
  'docker|podman|nerdctl compose up|down|ps|logs|build|pull|push|stop|start|restart|images|top|ls|kill|rm|config|pause|unpause|port|version|events': { operands: ['text*'],
    flag: `-d -q -f -a -v -t --detach --build --volumes --remove-orphans --force-recreate --no-deps --quiet --follow
    --all --wait --no-cache --timestamps --services --no-color --pull`, text: '--tail --scale --since --format' },
  kubectl: { operands: ['unknown*'], flag: '--insecure-skip-tls-verify', text: '-n --namespace --as --request-timeout',
    codePath: '-s --server --kubeconfig --context --cluster --user', is: ['inherits'] },
  'kubectl get|describe|delete|scale|label|annotate|wait|edit|patch|taint|autoscale|expose|set': { operands: ['text*'],
    flag: '-A -w -R', optionalText: `--all-namespaces --watch --show-labels --no-headers --all --force --now --overwrite
    --recursive --ignore-not-found --wait --cascade --dry-run`, text: `-o -l -c -L -p --output --selector --sort-by
    --replicas --for --timeout --field-selector --grace-period --type --patch --label-columns --port --target-port
    --name --min --max`, readPath: '-f -k --filename --kustomize --patch-file' },
  'kubectl logs|top|version|api-resources|explain|cluster-info|port-forward|cordon|uncordon|drain': { operands: ['text*'],
    flag: '-A -f -p', optionalText: `--follow --previous --all-containers --client --timestamps --prefix --containers
    --recursive --ignore-daemonsets --delete-emptydir-data --force`, text: `-c -l -o --container --tail --since
    --selector --output --sort-by --address` },
  'kubectl rollout status|restart|history|undo|pause|resume': { operands: ['text*'], text: `-l --timeout --revision
    --to-revision --selector` },
  'kubectl config current-context|get-contexts|get-clusters|use-context|view': { operands: ['text*'], flag: `--minify
    --flatten`, text: '-o --output' },
  'kubectl apply|diff|create|replace': { operands: ['text*'], readPath: '-f -k --filename --kustomize', text: `-l -o
    --selector --output`, optionalText: '--dry-run --force --server-side --prune', is: ['readsData'] },
  'kubectl exec': { operands: ['text', 'program'], flag: '-i -t --stdin --tty', text: '-c --container' },
  'kubectl run|debug': { operands: ['text', 'program'], flag: '-i -t --stdin --tty --rm --command --attach', text: `-c
    --image --restart --env --labels --overrides` },
  'make|gmake|bmake': { operands: ['config*'], flag: `-b -B -d -e -i -k -L -n -p -q -r -R -s -S -t -v -w --dry-run
    --just-print --silent --quiet --keep-going --always-make --no-print-directory --question --version --help`,
    folder: '-C --directory', codePath: '-f -I --file --makefile --include-dir', optionalText: `-j -l -O -W --jobs
    --load-average`, text: '-o', code: '--eval -E', onlyShows: '--version --help' },
  'ninja|samu|just|task|rake|scons|mage|invoke': { operands: ['config*'], flag: `-l -n -q -v --list --dry-run --quiet
    --verbose --version`, folder: '-C', text: '-j -k', codePath: '-f --justfile --taskfile --rakefile',
    onlyShows: '--version -l --list' },
} satisfies ProgramTable;
