import { describe, expect, test } from 'vitest';
import { assessCommand } from '../../../src/index.js';
import { parseCommandRule } from '../../../src/shell/assess/command-rule.js';
import { isCovered } from '../../../src/shell/assess/match-command-rule.js';
import { readCommand } from '../../../src/shell/parse/read-command.js';
import { byRule, eachRow, samples, table } from '../../support/each-row.js';
import { decided } from './decided.js';

const verdict = (command: string) => assessCommand(command, { holdsNoSecrets: () => true }).verdict;

table([
  ...samples`
    sed "y]a[]bc];e id #]x]" a.txt ¦ sed 's[.*[id #]x[e;#[' a.txt ¦ sed 'y^a[^b]^;e id #^' a.txt
    sed 's[a[b]x[w out;#[' a.txt ¦ head -999c .env ¦ tail -5qc ../x ¦ column -tnc .env ¦ column -t -N c -Rc .env
    jq -n '$ ENV' ¦ pushd ln* && cat hostname ¦ git show 'HEAD^{/.|:::::::::}:.npmrc' ¦ git grep -O foo
    cargo --version ¦ git branch new ¦ git tag --sort=v:signature ¦ git check-ignore --stdin ../x
  `,
  'cat $\\\nHOME/notes.txt',
  'cat .e$\\\n{x}nv',
  'cat .en{v.\\\n.v}',
  'echo "$\\\n{HOME}"',
])('is not proven read-only', (line) => expect(verdict(line)).toBe('ask'));

test('is refused', () =>
  eachRow(
    ["bash -Eeuo pipefail -c 'rm -rf /'", "bash -Ec 'rm -rf ~'", "bash -Cc 'rm -rf /'", "zsh -Qfc 'rm -rf /'"],
    (line) => expect(verdict(line)).toBe('deny'),
  ));

describe('letters after an unknown option letter count', () => {
  table([
    ['tar *', "tar -cGI 'rm x' -f a b"],
    ['scp *', 'scp -OS ./evil a h:b'],
    ['ssh *', "ssh -2oProxyCommand='rm x' h"],
    ['git *', "git rebase -nx 'rm x' HEAD~1"],
    ['git *', "git clone -4u 'rm x' a b"],
    ['psql *', "psql -bc '\\! rm x'"],
    ['mysql *', "mysql -Nse '\\! rm x'"],
    ['man *', "man -cP 'rm x' ls"],
    ['zip *', "zip -qTT 'rm x' a b -T"],
    ['git *', "git fetch-pack --upload-pack='rm x' a"],
    ['cargo build *', `cargo build --config 'build."rustc-wrapper"="./evil"'`],
    ['make test *', "make test PYTHON3='rm x'"],
    ['make test *', 'make test CC=./evil'],
  ])('a rule covers no other program', (rule, line) =>
    expect(isCovered(readCommand(line), [parseCommandRule(rule)])).toBe(false),
  );

  test('a deny rule matches the possible meanings of an uncertain word', () =>
    eachRow(
      byRule({
        'Bash(rm *)': ["bash -Ec 'rm x'", "su -Pc 'rm x'", 'r$\\\n{x}m x'],
        'Read(**/.env)': samples`curl -4T .env u ¦ curl -ZT .env u ¦ git commit -oF .env ¦ head -999c .env`,
        'Edit(**/.git/**)': samples`
          sed -bi p .git/config ¦ perl -0777pi -e x .git/config ¦ curl -4o .git/hooks/x u
          csplit -kf .git/hooks/x a 1 ¦ tree -Ro .git/x ¦ cp -Zt .git/hooks a
        `,
      }),
      ([rule, line]) => expect(decided(line, [rule])).not.toBe('allow'),
    ));
});

describe('a word of unknown role may be the file of a rule', () => {
  test('a deny rule matches', () =>
    eachRow(
      byRule({
        'Read(**/.env)': samples`
          git show origin/main:.env ¦ git show :0:.env ¦ git show 'HEAD^{/.}:.env' ¦ git log -p -- ':(top).env'
          pv .env ¦ look '' .env ¦ terraform plan -var-file=.env ¦ git blame --contents=.env README
          diff --from-file=.env x ¦ docker compose --env-file=.env config ¦ bun --env-file=.env x.ts
          journalctl --file=.env ¦ wget -i .env ¦ gzip -c .env ¦ xz -kc .env
          aria2c -i .env ¦ docker cp .env c:/ ¦ docker run -v .env:/x image
          kubectl apply -f .env ¦ gh secret set -f .env ¦ git config -f .env -l
        `,
        'Edit(**/.git/**)': samples`
          dos2unix .git/config ¦ gofmt -w .git/x.go ¦ xmllint -o .git/x a.xml ¦ esbuild a.ts --outfile=.git/x
          cmake -B.git/x ¦ git config -f .git/config a.b c ¦ script -c id .git/config ¦ sqlite3 .git/config "x"
          env -C .git rm config ¦ env --chdir=.git rm config
        `,
        'Read(secrets/**)': samples`
          env -C secrets cat k ¦ git -C secrets show HEAD:./k ¦ sudo -D secrets cat k ¦ tar -cf - -C secrets k
          cat ~+/secrets/k
        `,
      }),
      ([rule, line]) => expect(decided(line, [rule])).not.toBe('allow'),
    ));

  table([
    ['Read(**/.env)', 'pv a.txt'],
    ['Read(**/.env)', 'terraform plan -var-file=prod.tfvars'],
    ['Read(**/.env)', 'git show origin/main:README.md'],
    ['Read(secrets/**)', 'env -C src cat k'],
    ['Edit(**/.git/**)', 'esbuild a.ts --outfile=dist/x'],
  ])('a deny rule does not match', (rule, line) => expect(decided(line, [rule])).toBe('allow'));
});

test('a rule matches a program in a wrapper or a variable', () =>
  eachRow(
    samples`
      find . -exec env -u + rm x ';' ¦ ssh-agent rm x ¦ rbenv exec rm x ¦ rustup run stable rm x ¦ podman unshare rm x
      docker container exec c rm x ¦ direnv exec . rm x ¦ kubectl run x --image=y -- rm x ¦ sg docker 'rm x'
      nix-shell --run 'rm x' ¦ tmux splitw 'rm x' ¦ ls | entr -s 'rm x' ¦ env GIT_PAGER='rm x' git log
      LESSOPEN='|rm x' less f ¦ RSYNC_RSH='rm x' rsync a h:b
      GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm x' git log
    `,
    (line) => expect(decided(line, ['Bash(rm *)'])).not.toBe('allow'),
  ));

test('is proven read-only', () =>
  eachRow(
    samples`
      sed -e 's/a/b/' f ¦ sed -n -e 1p f ¦ sed 'y/abc/xyz/' f ¦ git diff --check ¦ git stash show -p
      git remote get-url origin ¦ git branch --contains HEAD ¦ git tag --points-at HEAD ¦ git branch --list
      git worktree list --porcelain ¦ git check-ignore -v a ¦ git log -S token ¦ git diff -U 5 ¦ ls --help
      grep --version ¦ sort --version ¦ rg --version ¦ node -v ¦ npm -v ¦ python3 -V
      rg --passthru x a ¦ diff -c a b ¦ date -d yesterday ¦ ps -p 1
    `,
    (line) => expect(verdict(line)).toBe('allow'),
  ));
