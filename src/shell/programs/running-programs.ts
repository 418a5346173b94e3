import type { ProgramTable } from './program.js';

/** Programs that start others: wrappers, shells, interpreters, builders. */
// biome-ignore format: one program after the other, its options filled up to the width of a line
export const runningPrograms = {
  'env|genv': { operands: ['variable*', 'program'], flag: '-i -0 -v --ignore-environment --null --debug', text: `-u
    --unset`, folder: '-C --chdir', command: '-S --split-string', splits: '-S --split-string', is: ['optionsFirst'] },
  sudo: { operands: ['variable*', 'program'], flag: `-A -b -E -e -H -i -K -k -l -n -P -S -s -V -v --login --shell
    --non-interactive --stdin --background`, text: `-u -g -p -C -c -r -t -T -h -U --user --group --prompt --host --role
    --type --close-from --command-timeout --other-user`, folder: '-D -R --chdir --chroot',
    optionalText: '--preserve-env', is: ['optionsFirst'] },
  doas: { operands: ['program'], flag: '-n -s -L', text: '-u -C' },
  pkexec: { operands: ['program'], text: '--user' },
  run0: { operands: ['program'], text: '-u --user', folder: '-D --chdir' },
  'gosu|su-exec|setarch|taskset|linux32|linux64': { operands: ['text', 'program'], flag: '-c -R -p -a',
    is: ['optionsFirst'] },
  chroot: { operands: ['folder', 'program'], text: '--userspec --groups', is: ['optionsFirst'] },
  nice: { operands: ['program'], text: '-n --adjustment' },
  ionice: { operands: ['program'], flag: '-t', text: '-c -n -p -P -u --class --classdata' },
  chrt: { operands: ['text', 'program'], flag: '-b -d -f -i -o -r -m -a -v', text: '-T -P -D -p',
    is: ['optionsFirst'] },
  numactl: { operands: ['program'], text: '-C -N -m -i -p --cpunodebind --membind --interleave' },
  cpulimit: { operands: ['program'], text: '-l -p -e -P' },
  'nohup|setsid|unbuffer|chronic|valgrind|catchsegv|capsh|fakechroot|bwrap|firejail|systemd-inhibit|dbus-run-session': { operands: ['program'],
    flag: '-c -f -w -v -a' },
  entr: { operands: ['program'], flag: '-a -c -d -n -p -r -z', command: '-s' },
  'torsocks|torify|tsocks|rlwrap|dumb-init|busybox|toybox|builtin|coproc|noglob|nocorrect|xcrun': { operands: ['program'],
    flag: '-r -c -d -n -p -a -s' },
  'timeout|gtimeout': { operands: ['text', 'program'], flag: '-f -p -v --foreground --preserve-status --verbose',
    text: '-k -s --kill-after --signal', is: ['optionsFirst'] },
  'time|gtime': { operands: ['program'], flag: '-a -p -v', text: '-f --format', writePath: '-o --output' },
  stdbuf: { operands: ['program'], text: '-i -o -e --input --output --error' },
  ltrace: { operands: ['program'], flag: '-f -i -S -L -r -t -C -T', text: '-e -p -s -l -u -n -F -a -A -D -x -w',
    writePath: '-o --output' },
  strace: { operands: ['program'], flag: '-f -q -v -i -t -r -T -y -x -c -k', text: `-e -p -P -s -u -a -b -I -O -S -X
    -U`, variable: '-E', unknown: '-o --output' },
  'gdb|lldb': { operands: ['program'], flag: '--args --batch --quiet --nx -q', codePath: '-x --command', code: `-ex -iex
    -eval-command`, text: '-p', is: ['optionsFirst', 'oneDash', 'takesCommands'] },
  unshare: { operands: ['program'], flag: '-m -u -p -i -n -U -C -T -r -f -c', text: '-S -G', folder: '-R -w' },
  nsenter: { operands: ['program'], flag: '-a -m -u -i -n -p -C -U -T -F', text: `-t -S -G -N --target --setuid
    --setgid` },
  setpriv: { operands: ['program'], flag: '--no-new-privs --clear-groups --init-groups', text: `--reuid --regid
    --groups` },
  fakeroot: { operands: ['program'], flag: '-u', text: '-l -i -s -b' },
  proot: { operands: ['program'], flag: '-0 -S', text: '-k', folder: '-r -w', unknown: '-b' },
  screen: { operands: ['program'], flag: '-d -m -A -R -r -x', text: '-e -h -p -S -T -t', codePath: '-c',
    command: '-s' },
  tmux: { operands: ['unknown*'], flag: '-2 -u -v -C -N', text: '-L -S -T', codePath: '-f', command: '-c' },
  'tmux ls|list-sessions|list-windows|lsw|list-panes|lsp|kill-session|kill-window|killw|kill-pane|killp|kill-server|has-session|has|attach-session|attach|a|detach-client|detach|select-window|selectw|select-pane|selectp|capture-pane|capturep': { flag: `-a
    -d -p -J -e -q -N`, text: '-t -s -S -E', code: '-F' },
  'tmux new-session|new-window|split-window|splitw|new|neww|respawn-pane|respawnp|respawn-window|respawnw|run-shell|run|if-shell|if|send-keys|send|display-popup|popup|popen|pipe-pane|pipep': { operands: ['command*'],
    flag: '-d -A -P -b -h -v', text: '-t -x -y -L', code: '-c -n -s -F', variable: '-e' },
  hyperfine: { operands: ['command*'], flag: '-N -i --ignore-failure --show-output', text: `-w -m -M -r -n -u --warmup
    --min-runs --max-runs --runs --command-name --style --time-unit`, command: `-p -c -s -S --prepare --cleanup --setup
    --conclude --shell`, namedUnknown: '-L --parameter-list', writePath: `--export-json --export-markdown --export-csv
    --output` },
  'xvfb-run': { operands: ['program'], flag: '-a -l', text: '-n -s -w -p', writePath: '-e -f' },
  caffeinate: { operands: ['program'], flag: '-d -i -m -s -u', text: '-t -w' },
  'proxychains|proxychains4': { operands: ['program'], flag: '-q', codePath: '-f' },
  faketime: { operands: ['text', 'program'], flag: '-m', text: '-f', is: ['optionsFirst'] },
  cgexec: { operands: ['program'], text: '-g' },
  tini: { operands: ['program'], flag: '-s -g -v -w', text: '-p -e' },
  exec: { operands: ['program'], flag: '-c -l', text: '-a' },
  dotenv: { operands: ['program'], flag: '-o', codePath: '-e -f', variable: '-v' },
  'perf stat|record|trace': { operands: ['program'], flag: '-a -g -d -v', text: '-e -F -C -p -r', writePath: '-o' },
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
  sg: { operands: ['text', 'command'], command: '-c' },
  script: { operands: ['writePath*'], flag: '-a -e -f -q --append --flush --quiet --return', command: '-c --command',
    writePath: '-B -I -O -T', text: '-E' },
  su: { operands: ['text*'], flag: '-l -p -f -q -a -e -m --login --quiet', text: '-g -G', command: `-c -s --command
    --session-command --shell`, is: ['runsInput'] },
  runuser: { operands: ['program'], flag: '-l -p -f', command: '-c -s --command --shell', text: `-g -G -u --user
    --group`, is: ['optionsFirst', 'runsInput'] },
  vagrant: { operands: ['text*'], command: '-c --command' },
  'crontab|fcrontab|incrontab': { operands: ['codePath'], flag: '-l -r -T -V -e -i --help --version', text: '-u',
    onlyShows: '-l -r -T -V --help --version', is: ['runsInput'] },
  'at|batch': { operands: ['text*'], flag: '-l -r -d -c -V -m -M -v -b -t', text: '-q', codePath: '-f', onlyShows: `-l
    -r -d -c -V`, is: ['runsInput'] },
  'systemd-run': { operands: ['program'], flag: `--scope --wait --pty --pipe --shell --help --version -t -S -P -d -q -r
    -G --user --system --collect --no-block --quiet --same-dir`, text: `-u -H -M --unit --uid --gid --slice
    --description --nice --host --machine --on-active --on-boot --on-startup --on-unit-active --on-calendar`,
    folder: '--working-directory', variable: '-E --setenv', unknown: `-p --property --timer-property --path-property
    --socket-property` },
  'emacs|emacsclient': { operands: ['editPath*'], flag: '-q -n -c -t --batch --script --no-init-file --quick',
    codePath: '-l --load', code: '-f --eval --execute --funcall' },
  'vi|vim|nvim|gvim|rvim|vimdiff|vimtutor|rview|view': { operands: ['editPath*'], flag: `-R -n -b -d -e -E -y -N -C -Z
    -m -M -o -O -p --clean --headless --noplugin`, code: '-c --cmd', codePath: '-S -u -U', text: '-V', writePath: `-i -w
    -W`, optionalCode: '+', is: ['takesCommands'] },
  sqlite3: { operands: ['editPath', 'code*'], flag: '-readonly -json -csv -batch -header -line -box -table',
    code: '-cmd', codePath: '-init', is: ['oneDash', 'takesCommands'] },
  psql: { operands: ['text*'], flag: '-A -t -q -x -X -w -W -a -e -E -n -s -S -1', text: `-h -p -U -d -v -P -F -R -T
    --host --port --username --dbname --set`, codePath: '-f --file', code: '-c --command', writePath: `-o -L --output
    --log-file`, is: ['takesCommands'] },
  'mysql|mariadb': { operands: ['text*'], optionalText: '-h -P -u -D -p', code: '-e --execute', command: '--pager',
    is: ['takesCommands'] },
  'redis-cli': { operands: ['text*'] },
  mongosh: { operands: ['unknown*'], code: '--eval' },
  'ex|ed|red': { operands: ['editPath*'], is: ['takesCommands'] },
  'nano|pico|micro|hx|kak|gedit': { operands: ['editPath*'] },
  gs: { operands: ['codePath', 'text*'] },
  'mail|mailx|dc|m4|gnuplot|octave': { operands: ['unknown*'], is: ['takesCommands'] },
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
    --no-warnings --test-only --prof --watch-path`, code: '-e -p --eval --print', codePath: `-r -C --require --import
    --loader --experimental-loader --env-file --test-reporter`, writePath: '--test-reporter-destination',
    text: '--max-old-space-size --stack-trace-limit --conditions --input-type --test-name-pattern --run',
    replacesFirst: '-e -p --eval --print', onlyShows: '--version --help', is: ['optionsFirst'] },
  php: { operands: ['codePath', 'text*'], flag: '-a -C -i -n -q -s -v -w -z --version --help', code: '-r -R -B -E',
    config: '-d', text: '-S -t', codePath: '-c -f -F', replacesFirst: '-r -R -B -E', onlyShows: '--version --help',
    is: ['optionsFirst'] },
  'lua|luajit|julia|rscript|osascript|elixir|groovy|guile|tclsh|expect|wish|irb|iex|jshell|ghci|scala|racket|sbcl|clojure|erl': { operands: ['codePath',
    'text*'], flag: '-i -q -v', code: '-e -E -c --eval --print', codePath: '-l -r', replacesFirst: `-e -E -c --eval
    --print`, is: ['optionsFirst'] },
  'deno eval': { operands: ['code*'] },
  'deno task|test|fmt|lint|check|install|add': { operands: ['text*'], flag: '-A -q --quiet --watch --no-check',
    command: '--eval' },
  'deno run': { operands: ['codePath', 'text*'], flag: '-A' },
  'deno|bun': { operands: ['codePath', 'text*'], flag: '-A --version --help', code: '-e -p', onlyShows: `--version
    --help`, replacesFirst: '-e -p' },
  'bunx|npx|pnpx': { operands: ['program'], flag: '-y -q --yes --no --no-install --quiet --bun', codePath: `-p
    --package`, command: '-c --call' },
  uvx: { operands: ['program'], flag: '-q', codePath: '--from --with --python --index-url -p' },
  'npm explore': { operands: ['text', 'program'] },
  'npm exec|x': { operands: ['program'], flag: '-y -s --yes', text: '-w --workspace', codePath: '-p --package',
    folder: '--prefix', command: '-c --call', is: ['optionsAnywhere'] },
  'pnpm|yarn|bun exec|x|dlx': { operands: ['program'], flag: '-y -s -r --yes', text: '-w -F --workspace --filter',
    codePath: '-p --package', folder: '-C --prefix --dir --cwd', command: '-c --call' },
  'pipx run': { operands: ['program'], codePath: '--spec' },
  'uv run': { operands: ['program'], flag: '-q --no-sync --frozen --isolated --dev', text: '--extra --group --package',
    codePath: '-p --with --python --env-file', folder: '--directory --project' },
  'uv tool run': { operands: ['program'], codePath: '--from --with' },
  'poetry|pipenv|pdm|hatch|rye run': { operands: ['program'] },
  'bundle exec': { operands: ['program'] },
  'mise exec|x': { operands: ['program'] },
  'conda|mamba run': { operands: ['program'], flag: '--no-capture-output', text: '-n --name', codePath: '-p --prefix' },
  'podman unshare': { operands: ['program'], flag: '--rootless-netns' },
  'rbenv|pyenv|nodenv|goenv|jenv|asdf exec': { operands: ['program'] },
  'rustup run': { operands: ['text', 'program'], flag: '--install', is: ['optionsFirst'] },
  'direnv exec': { operands: ['folder', 'program'], is: ['optionsFirst'] },
  'nix-shell|nix': { operands: ['unknown*'], flag: '--pure', unknown: '-p -A -I', command: '--run --command' },
  'docker|podman|nerdctl container exec': { operands: ['text', 'program'], flag: `-d -i -t --interactive --tty
    --detach`, text: '-e -u -w --env --user --workdir', readPath: '--env-file', is: ['optionsFirst'] },
  'docker|podman|nerdctl exec': { operands: ['text', 'program'], flag: '-d -i -t --interactive --tty --detach',
    text: '-e -u -w --env --user --workdir', readPath: '--env-file', is: ['optionsFirst'] },
  'docker|podman|nerdctl run|create': { operands: ['text', 'program'], flag: `-d -i -t -P -q --rm --init --interactive
    --tty --detach --read-only`, text: `-a -b -c -e -g -h -l -m -p -u -w --name --network --env --publish --workdir
    --user --memory --cpus --platform --label --add-host --hostname --shm-size --ulimit --gpus --log-driver --pull
    --restart`, unknown: '-v --volume --mount', command: '--entrypoint', readPath: '--env-file', is: ['optionsFirst'] },
  'docker|podman|nerdctl compose exec|run': { operands: ['text', 'program'], flag: '-d -T -i --rm --no-deps', text: `-e
    -u -w`, is: ['optionsFirst'] },
  'docker|podman|nerdctl': { operands: ['unknown*'], flag: '-D --debug --tls', text: '-l --log-level',
    codePath: '-c -H --config --context --host' },
  'docker|podman|nerdctl ps|images|image|logs|inspect|info|version|stats|top|port|history|events|search|diff|pull|push|tag|stop|start|restart|kill|pause|unpause|wait|rm|rmi|rename|volume|network|login|logout|system': { operands: ['text*'],
    flag: '-a -q -f -t --all --quiet --force --follow --timestamps --no-trunc --no-stream -v --volumes', text: `-n
    --filter --format --tail --since --until --signal --time`, is: ['readsData'] },
  'docker|podman|nerdctl build': { operands: ['readPath'], flag: '-q --quiet --no-cache --pull --rm', text: `-t --tag
    --build-arg --target --platform --progress --label --network`, codePath: '-f --file' },
  'docker|podman|nerdctl compose': { operands: ['unknown*'], text: '-p --profile --project-name', codePath: `-f
    --file` },
  'docker|podman|nerdctl compose up|down|ps|logs|build|pull|stop|start|restart|images|top|ls|kill|rm': { operands: ['text*'],
    flag: `-d -q -f -a -v -t --detach --build --volumes --remove-orphans --force-recreate --no-deps --quiet --follow
    --all --wait --no-cache --timestamps`, text: '--tail --scale --since' },
  kubectl: { operands: ['unknown*'], flag: '--insecure-skip-tls-verify', text: '-n --namespace --as --request-timeout',
    codePath: '-s --server --kubeconfig --context --cluster --user', is: ['inherits'] },
  'kubectl get|describe|logs|top|version|api-resources|explain|cluster-info|delete|scale|rollout|label|annotate': { operands: ['text*'],
    flag: '-A -w -f -p --all-namespaces --watch --follow --previous --show-labels --no-headers --all --all-containers',
    text: '-o -l -c --output --selector --container --tail --since --sort-by --replicas' },
  'kubectl apply|diff|create': { operands: ['text*'], readPath: '-f -k --filename --kustomize', text: `-l --selector
    --dry-run`, is: ['readsData'] },
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
  'gcc|g++|cc|c++|clang|clang++': { operands: ['readPath*'], flag: `-c -S -E -g -O0 -O1 -O2 -O3 -Os -Wall -Wextra
    -Werror -shared -fPIC -MMD -MP -fsanitize -g3 -pthread -static --version --help`, writePath: '-o -MF',
    command: '-wrapper', codePath: '-B -specs -fplugin', path: '-I -L -U -std -isystem -include -MT -x -march',
    onlyShows: '--version --help', is: ['oneDash'] },
  java: { operands: ['codePath', 'text*'], codePath: '-jar -cp -classpath --class-path', is: ['oneDash',
    'optionsFirst'] },
  'cmake|meson|javac': { operands: ['readPath*'], flag: '--version --help', codePath: '-P', module: '-E', intoPath: `-d
    -B`, folder: '-S', onlyShows: '--version --help' },
} satisfies ProgramTable;
