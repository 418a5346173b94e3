import type { ProgramRow, ProgramTable } from './row.js';

/** Options of every subcommand of npm and similar programs. */
// biome-ignore format: as below
const packages = {
  flag: `-g -h -D -E -O -P -r -s -q -y -ws -silent --silent --save-dev --save --save-exact --save-optional --no-save --global --dev
    --if-present --ignore-scripts --force --quiet --yes --json --long --all --production --frozen-lockfile --no-audit
    --no-fund --prefer-offline --offline --legacy-peer-deps --audit --recursive --parallel --stream --immutable --workspaces
    --workspace-root --verbose --dry-run --watch --fix --coverage --ci --prod --debug --fast --update`,
  command: '--script-shell --scripts-prepend-node-path --node-options --git --node-gyp --shell',
  text: '-F --workspace --loglevel --tag --filter --depth --otp --access --location', folder: '--prefix --dir --cwd',
  codePath: '--registry --userconfig --globalconfig --init-module',
} satisfies ProgramRow;

/** Programs that build, install and manage packages. */
// biome-ignore format: one program after the other, its options filled up to the width of a line
export const packagePrograms = {
  npm: { operands: ['unknown*'], ...packages, text: `${packages.text} -w --omit --include`, is: ['inherits'] },
  'pnpm|yarn': { operands: ['script', 'unknown*'], ...packages, is: ['inherits'] },
  'npm|pnpm|yarn test|t|start|stop|restart|run|run-script|ls|list|ll|view|info|show|outdated|audit|pack|publish|unpublish|version|update|up|upgrade|uninstall|un|remove|rm|unlink|link|ln|prune|dedupe|fund|search|whoami|get|cache|help|doctor|explain|why|root|prefix|bin|ping|docs|bugs|repo|owner|dist-tag|deprecate|login|logout|adduser|token|team|access|profile|query|rebuild|rb|shrinkwrap|diff|store|import|licenses|fetch|deploy|global': { operands: ['text*'] },
  'npm|pnpm|yarn config|c|pkg|set': { operands: ['unknown*'] },
  'npm|pnpm|yarn config|c|pkg get|list|ls': { operands: ['text*'] },
  'yarn workspaces': { operands: ['unknown*'] }, 'yarn workspace': { operands: ['text', 'script'], ...packages },
  'yarn workspaces list|info|focus': { operands: ['text*'] },
  'npm|pnpm|yarn|bun init': { operands: ['unknown*'], ...packages, is: ['readsData'] },
  'bun run': { operands: ['codePath', 'text*'], ...packages },
  'bun test|build|publish|remove|rm|update|outdated|link|pm': { operands: ['text*'], ...packages },
  'npm install|i|add|ci': { operands: ['text*'], ...packages, text: `${packages.text} -w --omit --include`,
    intoPath: `${packages.folder} --modules-folder`, enters: packages.folder },
  'pnpm|yarn|bun install|i|add': { operands: ['text*'], ...packages, flag: `${packages.flag} -w`,
    intoPath: `${packages.folder} --modules-folder`, enters: packages.folder },
  'pre-commit|lefthook run': { operands: ['text*'], flag: '-a --all-files', text: '--files' },
  prettier: { operands: ['readPath*'], flag: '-c -l -u -w --check --list-different --write --ignore-unknown --cache',
    text: '--log-level --parser', edits: '-w --write', is: ['readsData'] },
  eslint: { operands: ['readPath*'], flag: '--fix --fix-dry-run --quiet --cache', text: '--ext --max-warnings',
    codePath: '-c -f --config --format --rulesdir', writePath: '-o --output-file', edits: '--fix', is: ['readsData'] },
  go: { operands: ['unknown*'], folder: '-C' },
  'go build|test|run|install|vet|generate|get|list|mod|fmt|clean|doc|fix|work': { operands: ['text*'],
    flag: `-v -x -n -a -i -u -w -d -e -m -race -cover -short -json -failfast -c -trimpath -benchmem -all -changed
    -modcache -cache -testcache -linkshared -msan -asan`, folder: '-C', command: '-exec -toolexec -vettool',
    writePath: '-o -coverprofile -cpuprofile -memprofile -trace -outputdir -blockprofile -mutexprofile', text: `-count
    -mod -run -skip -tags -timeout -bench -benchtime -p -parallel -cpu -covermode -coverpkg -shuffle -f -fuzz -fuzztime
    -buildmode -buildvcs`, codePath: '-ldflags -gcflags -asmflags -overlay -modfile -pgo', is: ['oneDash'] },
  'go env': { operands: ['text*'], flag: '-json -changed', is: ['oneDash'] },
  'go tool cover': { operands: ['text*'], text: '-mode -var', readPath: '-func -html', writePath: '-o', is: ['oneDash'] },
  cargo: { operands: ['unknown*'], flag: `-v -q -r --release --locked --offline --frozen --verbose --quiet --all-targets
    --workspace --all --all-features --no-default-features --lib --bins --tests --benches --examples --no-run
    --no-fail-fast --doc --no-deps --open --dev --build --fix --allow-dirty --allow-staged --keep-going --check --duplicates --help`,
    folder: '-C', config: '--config', codePath: '--manifest-path --git', intoPath: '--target-dir', text: `--color --jobs
    --features --target --package --bin --test --example --bench --exclude --profile --message-format --edition --rename
    --branch --tag --rev --format-version --invert --depth --edges --prefix -i -e -j -p -F`, optionalText: '+', onlyShows: '--help', is: ['inherits'] },
  'cargo build|b|check|c|test|t|run|r|bench|doc|d|clean|clippy|fmt|fix|update|add|remove|rm|tree|metadata|search|publish|package|install|uninstall|fetch|generate-lockfile|locate-project|login|logout|owner|yank|pkgid|info|help|nextest': { operands: ['text*'] },
  'cargo new|init|vendor': { operands: ['writePath*'], is: ['recursive'] },
} satisfies ProgramTable;
