import type { ProgramRow, ProgramTable } from './program.js';

/** Options that npm and similar programs take with every subcommand. */
// biome-ignore format: as below
const packages = {
  flag: `-g -h -D -E -O -P -r -s -q -y -ws -silent --silent --save-dev --save --save-exact --save-optional --no-save --global --dev
    --if-present --ignore-scripts --force --quiet --yes --json --long --all --production --frozen-lockfile --no-audit
    --no-fund --prefer-offline --offline --legacy-peer-deps --audit --recursive --parallel --stream --immutable --workspaces
    --workspace-root --verbose --dry-run --watch --fix --coverage --ci --prod --debug --fast --update`,
  command: `--script-shell --scripts-prepend-node-path --node-options --userconfig --globalconfig --git --node-gyp --shell
    --init-module`,
  text: '-F --workspace --loglevel --tag --filter --depth --otp --access --location', folder: '--prefix --dir --cwd',
  codePath: '--registry',
} satisfies ProgramRow;

/** Programs that build, install and manage packages. */
// biome-ignore format: one program after the other, its options filled up to the width of a line
export const packagePrograms = {
  npm: { operands: ['text*'], ...packages, text: `${packages.text} -w --omit --include`, is: ['inherits'] },
  'pnpm|yarn': { operands: ['text*'], ...packages, is: ['inherits'] },
  'bun run|test|build|publish|remove|rm|update|outdated|link|pm': { operands: ['text*'], ...packages },
  'npm install|i|add|ci': { operands: ['text*'], ...packages, text: `${packages.text} -w --omit --include`,
    intoPath: `${packages.folder} --modules-folder`, enters: packages.folder },
  'pnpm|yarn|bun install|i|add': { operands: ['text*'], ...packages, flag: `${packages.flag} -w`,
    intoPath: `${packages.folder} --modules-folder`, enters: packages.folder },
  'pre-commit|lefthook': { operands: ['text*'], flag: '-a -v --all-files --verbose', text: '--files' },
  prettier: { operands: ['readPath*'], flag: '-c -l -u -w --check --list-different --write --ignore-unknown --cache',
    text: '--log-level', edits: '-w --write' },
  eslint: { operands: ['readPath*'], flag: '--fix --quiet --cache', text: '-f --ext --format --max-warnings',
    codePath: '-c --config --rulesdir', writePath: '-o --output-file', edits: '--fix' },
  go: { operands: ['unknown*'], folder: '-C' },
  'go build|test|run|install|vet|generate|get|list|mod|fmt|clean|doc|tool|fix|work|env': { operands: ['text*'],
    flag: `-v -x -n -a -i -u -w -d -e -m -race -cover -short -json -failfast -c -trimpath -benchmem -all -changed
    -modcache -cache -testcache -linkshared -msan -asan`, folder: '-C', command: '-exec -toolexec -vettool',
    writePath: '-o -coverprofile -cpuprofile -memprofile -trace -outputdir -blockprofile -mutexprofile', text: `-count
    -mod -run -skip -tags -timeout -bench -benchtime -p -parallel -cpu -covermode -coverpkg -shuffle -f -fuzz -fuzztime
    -buildmode -buildvcs`, codePath: '-ldflags -gcflags -asmflags -overlay -modfile -pgo', is: ['oneDash'] },
  cargo: { operands: ['text*'], flag: `-v -q -r --release --locked --offline --frozen --verbose --quiet --all-targets
    --workspace --all --all-features --no-default-features --lib --bins --tests --benches --examples --no-run
    --no-fail-fast --doc --no-deps --open --dev --build --fix --allow-dirty --allow-staged --keep-going --help`,
    folder: '-C', config: '--config', codePath: '--manifest-path --git', intoPath: '--target-dir', text: `--color --jobs
    --features --target --package --bin --test --example --bench --exclude --profile --message-format --edition --rename
    --branch --tag --rev -j -p -F`, optionalText: '+', onlyShows: '--help' },
  'apt|apt-get|dnf|yum|brew|pacman|apk|snap|dpkg|rpm|apt-cache': { operands: ['text*'], flag: `-y -q -a -l -i -s -S -V
    -f --yes --quiet --help --version --installed --no-install-recommends --assume-yes`, config: '-o', command: `--pipe
    --pre-invoke --post-invoke --status-logger --rsh` },
} satisfies ProgramTable;
