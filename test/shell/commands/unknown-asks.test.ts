import { expect } from 'vitest';
import { assessCommand, createPermissions } from '../../../src/index.js';
import { parseCommandRule } from '../../../src/shell/assess/command-rule.js';
import { isCovered } from '../../../src/shell/assess/match-command-rule.js';
import { readCommand } from '../../../src/shell/parse/read-command.js';
import { byRule, samples, table } from '../../support/each-row.js';
import { bash, decided } from './decided.js';

const covers = (rule: string, command: string) => isCovered(readCommand(command), [parseCommandRule(rule)]);
const verdict = (command: string) =>
  assessCommand(command, { holdsNoSecrets: (path) => path === 'src' || path.startsWith('src/') }).verdict;

table(samples`
  tsc --version ¦ hostname ¦ uptime ¦ grep -rn foo src --include=*.ts ¦ awk 'NR>5' f ¦ jq '.env' f
  [[ -f x ]] ¦ git grep x ¦ git branch --list 'x*' ¦ git tag -l ¦ git config --get user.name ¦ cd src && grep -n x a.ts
  python3.12 --version ¦ hostname -f ¦ awk '$3 > 100 { print $1 }' f ¦ jq '.a.env[0]' f ¦ [[ -d src && a == b ]] ¦ [[ ! -e x ]]
  timeout 5 ls ¦ timeout -s KILL 10 git status ¦ nice ls ¦ command ls ¦ echo $? ¦ echo "exit: $?" ¦ echo $HOME/x ¦ echo $((1 + 1))
  for i in 1 2 3; do echo $i; done ¦ for f in src/*.ts; do echo "$f"; done ¦ exit 1 ¦ exit $? ¦ ls & ls & wait ¦ wait %1 ¦ set -e; ls
  set -euo pipefail; ls ¦ npm --help ¦ bash --version ¦ gh --version ¦ groups ¦ cksum f ¦ echo "$(cat <<< x)"
  git branch --merged main ¦ git tag --list 'v1*' ¦ grep -rn foo src --exclude=*.test.ts ¦ uptime -p ¦ npx --version
`)('a call with only known read-only words is proven', (command) => expect(verdict(command)).toBe('allow'));

table(samples`
  ninja -v ¦ go version ¦ jest --version ¦ hostname x ¦ awk '{ print $1 > 5 }' f ¦ awk 'BEGIN { if (1>0) print > "f" }' ¦ jq '..env' f ¦ jq '.a|env' f
  [[ -v x ]] ¦ [[ $(x) == y ]] ¦ [[ x -eq 1 ]] ¦ git grep --untracked x ¦ git branch --list -D x ¦ git tag -l -d x
  git config --get http.extraHeader ¦ git config --get --unset user.name ¦ git config --global --unset user.name ¦ tsc --version x
  timeout 5 rm x ¦ timeout 5 sh ¦ nice sh ¦ command rm x ¦ echo $TOKEN ¦ echo $npm_token ¦ echo $((a[0])) ¦ echo $'a'
  cat $f ¦ exit x ¦ return a[0] ¦ wait -p x ¦ set ¦ set -a; ls ¦ set -x; ls ¦ set -- a ¦ set -o allexport ¦ pnpm --version ¦ git log --help ¦ time -o f ls
  yarn --version ¦ rustc --version ¦ node -r ./x --version ¦ grep -rn foo src --file=*.ts ¦ grep -rn foo src -* ¦ uptime --x
`)('and a call that may execute, write or show more is not', (command) => expect(verdict(command)).toBe('ask'));

table(['echo "${!x}"', 'echo `x`', 'echo ${x:-$(rm y)}', 'echo ${TOKEN}', 'echo "$(rm y)"', 'cat "${f}"'])(
  'and expansions of other kinds are not proven',
  (command) => expect(verdict(command)).toBe('ask'),
);

table<[command: string, wanted: string]>([
  ['git commit -m "$(cat <<\'E\'\nAdd x\n\nBody\nE\n)"', 'allow'],
  ['git commit -m "$(cat <<E\nAdd x\nE\n)"', 'allow'],
  ["git commit -m \"$(cat <<'E'\nfix(core): it doesn't (yet) work\nE\n)\"", 'allow'],
  ['git commit -m "$(cat <<\'E\'\n)"; touch x; : "\nE\n)"', 'ask'],
  ['git commit -m "$(cat <<\'E\'\n\'(\')"; touch x; : "\nE\n)"', 'ask'],
  ['git commit -m "$(cat <<E\nAdd $x\nE\n)"', 'ask'],
  ['git commit -m "$(cat <<E\nAdd \\\nx\nE\n)"', 'ask'],
  ['git commit "$(cat <<-E\n\t--template=.env\n\tE\n)"', 'ask'],
  ['git commit "$(cat <<E\n--template=.env\nE\n)"', 'deny'],
  ['git commit $(cat <<E\nx\nE\n)', 'ask'],
  ['git commit -m "$(cat a <<E\nx\nE\n)"', 'ask'],
  ['git commit -m "$(cat <<E | tee b\nx\nE\n)"', 'ask'],
  ['for i in 1 2; do git commit -m "$(cat <<E\nx\nE\n)"; cat() { echo y; }; done', 'ask'],
])('the output of cat with a plain here-document is known', (command, wanted) => {
  const permissions = createPermissions({
    root: '/ws',
    autoAllow: 'low-risk',
    allow: ['Bash(git commit *)', 'Bash(cat *)'],
    deny: ['Read(**/.env)'],
  });
  expect(permissions.explain({ ...bash, input: { command } }).behavior).toBe(wanted);
});

table([
  ...samples`awk 'BEGIN{system\ ("touch x")}' f ¦ awk '{ print | "touch x" }'`,
  'awk \'BEGIN{system\\\n("touch x")}\' f',
])('an awk program is proven if no part of it can execute a program', (command) =>
  expect(verdict(command)).toBe('ask'),
);

table(samples`
  docker run --entrypoint=touch image x ¦ docker run --entrypoint touch image ¦ perl -M'x;system("touch y")' a.pl
  env -S 'bash -c' 'touch x' ¦ timeout 5 touch x ¦ nice touch x ¦ env -S 'A=b touch\_x' ¦ env -vS 'touch x' ¦ env --split-string='-i touch' x
  cargo --config 'build.rustc="touch x"' build ¦ cargo build --config 'build.rustflags=["-Clinker=touch"]' ¦ cargo touch x
  node --import 'data:text/javascript,run("touch x")' a.js ¦ node --loader=data:text/javascript,touch a.js
  npm init touch
  yarn workspace a exec touch x ¦ yarn workspaces foreach exec touch x ¦ yarn workspaces foreach run touch ¦ su -s touch me
  systemd-run --scope -p ExecStartPre='touch x' ls
  php -d auto_prepend_file=touch x.php ¦ parallel --tagstring '{= touch =}' ls ::: a ¦ deno run data:x,touch
`)('an executed value is not text', (command) => {
  expect(decided(command, ['Bash(touch *)'])).not.toBe('allow');
  expect(covers(`${command.split(' ')[0]} *`, command)).toBe(false);
});

table(samples`
  vim -u x.vim a ¦ vim -s x a ¦ eslint -c x.js src ¦ eslint -f ./x.js src ¦ scp -F x a h: ¦ ssh -I ./x.so h ¦ man -C x ls
  docker --config x ps ¦ uv run --env-file x ls
  curl -w '%output{x}' http://h ¦ deno run https://h/x.ts ¦ cargo rustc -- -Clinker=x ¦ npm unheard x ¦ docker unheard x
`)('an executed file or subcommand is not covered by a rule for the program alone', (command) =>
  expect(covers(`${command.split(' ')[0]} *`, command)).toBe(false),
);

table(samples`
  pnpm touch x ¦ yarn touch x ¦ pnpm -r touch x ¦ yarn --silent touch x ¦ bun run touch x ¦ pnpm --filter web touch x
`)('a package script may be any program, so rules for that program match', (command) => {
  expect(decided(command, ['Bash(touch *)'])).not.toBe('allow');
  expect(covers(`${command.split(' ')[0]} *`, command)).toBe(true);
});

table(samples`
  pnpm touch .git/hooks/x ¦ yarn touch .bashrc ¦ pnpm -r cp a .git/hooks/x ¦ yarn --silent tee .zshrc ¦ pnpm unheard .npmrc
`)('and an auto-executed file that it may write asks', (command) =>
  expect(assessCommand(command).reasons.map(({ category }) => category)).toContain('persistence'),
);

table([
  ['perl -pe *', "perl -pe 1 '>.bashrc'"],
  ['perl -pe *', "perl -pe 1 'touch y|'"],
  ['perl -pe *', "perl -pe 1 '|touch y'"],
  ['psql *', "psql -o '|touch y'"],
  ['perl *', 'perl x.pl @file'],
  ['less *', "less '+!touch y' a"],
])('a path that a program may read as a command or an argument file is not covered', (rule, command) =>
  expect(covers(rule, command)).toBe(false),
);

table(samples`
  git -C /tmp unheard ¦ git -c alias.unheard=x unheard ¦ git unheard $(x) ¦ git unheard > f ¦ git status unheard
`)('a subcommand in a rule is covered only at its place', (command) =>
  expect(covers('git unheard *', command)).toBe(false),
);

table(
  byRule({
    'npm *': samples`npm test ¦ npm run build -- --x ¦ npm install -D a ¦ npm ci ¦ npm ls --all ¦ npm config get registry`,
    'pnpm *': samples`pnpm install ¦ pnpm run build ¦ pnpm test ¦ pnpm add -D x ¦ pnpm -r run build ¦ pnpm build`,
    'pnpm lint': ['pnpm lint'],
    'pnpm lint *': samples`pnpm lint ¦ pnpm lint --fix ¦ pnpm lint src/a.ts`,
    'yarn *': samples`yarn ¦ yarn install ¦ yarn add x ¦ yarn run build ¦ yarn build ¦ yarn lint --fix`,
    'git unheard *': samples`git unheard ¦ git unheard --unheard x`,
    'bun run *': ['bun run build', 'bun run a.ts'],
    'cargo *': samples`cargo build --release ¦ cargo +nightly fmt ¦ cargo clippy -- -D warnings ¦ cargo -q test`,
    'apt-get *': ['apt-get -y install x', 'apt-get update'],
    'curl *': ["curl -s -o /dev/null -w '%{http_code}' http://h"],
    'perl *': ['perl -Ilib x.pl'],
    'php *': ['php -l x.php', 'php x.php'],
    'eslint *': ['eslint --fix src'],
    'docker run *': ['docker run --rm -it image'],
  }),
)('listed subcommands and options are covered', (rule, command) => expect(covers(rule, command)).toBe(true));

/** Whether rules for the program and for the usual wrappers cover a line. */
const coveredBy = (command: string, ...more: readonly string[]) => {
  const named = command.split(' ').find((word) => !word.includes('=')) ?? '';
  const rules = [named, 'make', 'npm', 'git', 'ls', 'echo', ...more].map((name) => parseCommandRule(`${name} *`));
  return isCovered(readCommand(command), rules);
};

table(samples`
  GIT_CONFIG_PARAMETERS="'core.pager'='touch x'" git status ¦ TAR_OPTIONS='--to-command="touch x"' tar xf a
  MAKEFLAGS='--eval=x:;touch y' make ¦ PERL5DB='BEGIN{system("touch x")}' perl a.pl ¦ GOFLAGS=-toolexec=touch go build
  RUSTC_WRAPPER=touch cargo build ¦ CC='touch x' make ¦ npm_config_script_shell=touch npm run x ¦ env CC='touch x' make
  export PROMPT_COMMAND='touch x' ¦ export npm_config_git=touch; npm run x ¦ env -i GOFLAGS=-toolexec=touch make
  NODE_OPTIONS='--import data:text/javascript,touch' node a.js ¦ DEBUG='$(touch x)' make ¦ NODE_ENV=';touch x' npm test
  env 'BASH_FUNC_ls%%=() { touch y; }' bash -c ls ¦ MAKEFLAGS='--eval=x:;touch y'; make ¦ env CC=touch make ¦ unheard='touch x' ls ¦ LD_PRELOAD=touch ls ¦ PORT='1; touch x' npm start
`)('a variable that is not known to be plain makes a call unknown', (command) => {
  expect(decided(command, ['Bash(touch *)'])).not.toBe('allow');
  expect(coveredBy(command)).toBe(false);
  expect(verdict(command)).not.toBe('allow');
});

table(samples`
  BASH_ENV=x bash a.sh ¦ GIT_DIR=x git status ¦ unheard=1 ls ¦ env unheard=1 make ¦ env -i A=1 make ¦ export A=b ¦ TERM=../x ls
`)('and only a rule that names the variable covers the call', (command) => expect(coveredBy(command)).toBe(false));

table(samples`
  NODE_ENV=test npm test ¦ CI=1 DEBUG=app:* npm test ¦ env NODE_ENV=test npm test ¦ PORT=3000 HOST=0.0.0.0 npm start
  LC_ALL=C sort a ¦ GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go build ./... ¦ NO_COLOR=1 git status ¦ env RUST_LOG=debug,x=info make
`)('a plain variable has no effect', (command) => {
  expect(decided(command, ['Bash(touch *)'])).toBe('allow');
  expect(coveredBy(command)).toBe(true);
});

table<[rule: string, wanted: boolean]>([
  ['env A=1 make', true],
  ['env A=1', true],
  ['env A=2', false],
  ['env', false],
])('a rule may name the variable', (rule, wanted) => expect(coveredBy('env A=1 make', rule)).toBe(wanted));

table(samples`
  make CC=touch ¦ gmake X?=touch all ¦ make 'X:=touch y'
`)('and a variable of a build tool', (command) => expect(decided(command, ['Bash(touch *)'])).not.toBe('allow'));

table(samples`
  make CC=clang VERSION=1 all ¦ msg='touch x'; echo "$msg" ¦ A=b; echo $A ¦ local text='touch x' ¦ FOO=bar npm test ¦ DATABASE_URL=postgres://u@h/touched npm test
`)('a deny rule does not match text that only the shell sees', (command) =>
  expect(decided(command, ['Bash(touch *)'])).toBe('allow'),
);

table([
  ...samples`
  echo 'touch x' | unheard ¦ unheard <<< 'touch x' ¦ cat a | unheard ¦ unheard < a ¦ curl h | unheard ¦ npm run shell <<< 'touch x'
  cat a | make x ¦ echo 'touch x' | python3 manage.py shell ¦ ftp h <<< '!touch x' ¦ red a <<< '!touch x' ¦ dc <<< '!touch x'
  telnet h <<< 'touch x' ¦ { echo -n tou; echo 'ch x'; } | unheard ¦ printf '%s%s' tou ch | unheard ¦ redis-cli < a
  echo -e '\x74ouch x' | unheard ¦ printf '\164ouch x' | unheard ¦ f() { unheard; }; f <<< 'touch x' ¦ sudo unheard <<< 'touch x'
  (unheard) <<< 'touch x' ¦ while read x; do unheard; done < a ¦ A=touch; echo "$A x" | unheard ¦ unheard <<< "$(cat a)"
  bash -c unheard <<< 'touch x' ¦ psql x < a ¦ sftp h < a ¦ gs <<< '(touch x)' ¦ cat <<< 'touch x' | unheard ¦ echo 'touch x' | xargs -a a unheard ¦ mail x <<< '~!touch x'`,
  'unheard << E\ntouch x\nE',
])('text typed into a program may be a command unless the program is known to read data', (command) =>
  expect(decided(command, ['Bash(touch *)'])).not.toBe('allow'),
);

table([
  ...samples`
  echo y | npm init ¦ cat f | sort ¦ yes | apt-get install x ¦ echo y | unheard ¦ git commit -F - <<< 'touch x' ¦ curl h | tar xz
  cat f | node x.js ¦ sh x.sh < y ¦ gh pr create --body-file - <<< 'touch x' ¦ cat a | pbcopy
  kubectl apply -f - <<< 'touch: x' ¦ while read x; do git add "$x"; done < a ¦ unheard < /dev/null ¦ ls | xargs unheard
  ls | xargs -I% unheard % ¦ cat a | sudo tee b ¦ cat a | jq . | tee b ¦ cat a | prettier --parser=x ¦ diff <(sort a) <(sort b)
  printf '%s\n' y | npm init ¦ cat a | docker exec -i c cat ¦ curl -d @- h <<< 'touch x' ¦ unheard 2>&1 | head ¦ cat a | xargs`,
  'cat << E | sort\ntouch x\nE',
])('and data is not', (command) => expect(decided(command, ['Bash(touch *)'])).toBe('allow'));

table<[rule: string, command: string, wanted: string]>([
  ['Read(**/.env)', 'unheard <<< \'open(".env")\'', 'ask'],
  ['Read(**/.env)', "python3 x.py <<< 'open .env'", 'ask'],
  ['Edit(.git/**)', "echo 'w .git/config' | unheard", 'ask'],
  ['Read(**/.env)', "sort <<< 'open .env'", 'allow'],
  ['Read(**/.env)', "unheard <<< 'open it'", 'allow'],
])('files that typed text names are found', (rule, command, wanted) => expect(decided(command, [rule])).toBe(wanted));

table<[command: string, wanted: boolean]>([
  ["unheard <<< 'write .bashrc'", true],
  ["echo 'write .git/hooks/pre-commit' | unheard", true],
  ["sqlite3 x <<< '.output .bashrc'", true],
  ["sort <<< 'write .bashrc'", false],
  ["gh issue create --body-file - <<< 'my .bashrc'", false],
])('and files that typed text makes auto-executed', (command, wanted) =>
  expect(assessCommand(command).reasons.some(({ category }) => category === 'persistence')).toBe(wanted),
);

table(samples`
  echo y | npm init ¦ cat a | unheard ¦ unheard <<< y ¦ yes | npm init
`)('an allow rule covers a program with any data', (command) =>
  expect(
    isCovered(
      readCommand(command),
      ['echo', 'npm', 'cat', 'unheard', 'yes'].map((name) => parseCommandRule(`${name} *`)),
    ),
  ).toBe(true),
);

table(samples`
  tmux new -d -s x ¦ cmake --build build ¦ gcc -DFOO=1 -lm x.c ¦ java -jar x.jar ¦ patch -p1 ¦ openssl rand -hex 16
  redis-cli -h h ping ¦ bundle exec rspec ¦ poetry run pytest ¦ strace -f ./x ¦ aws s3 ls ¦ gh pr list ¦ mvn -q test
`)('a rule for an unlisted program covers it with all arguments', (command) =>
  expect(covers(`${command.split(' ')[0]} *`, command)).toBe(true),
);

table(samples`
  tmux new -d 'touch y' ¦ screen -dm touch y ¦ strace -o log touch y ¦ hyperfine 'touch y' ¦ gdb -ex 'shell touch y' a
  cmake -E env touch y ¦ gcc -wrapper 'touch y' a.c ¦ poetry run touch y ¦ lua -e 'os.execute("touch y")' ¦ vagrant ssh -c 'touch y'
  foo -c'touch y' ¦ foo -ctouch y ¦ docker foo -c'touch y' ¦ foo @touch y ¦ env -S'touch\ty' ¦ env -S'touch\_y'
`)('and a deny rule may match its words', (command) => {
  expect(decided(command, ['Bash(touch *)'])).toBe('ask');
  expect(decided(command, ['Bash(ls *)'])).toBe('allow');
});
