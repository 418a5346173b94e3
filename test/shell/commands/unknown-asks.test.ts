import { expect } from 'vitest';
import { assessCommand } from '../../../src/shell/assess/assess-command.js';
import { samples, table } from '../../support/each-row.js';

const verdict = (command: string) =>
  assessCommand(command, { holdsNoSecrets: (path) => path === 'src' || path.startsWith('src/') }).verdict;

table(samples`
  go version ¦ tsc --version ¦ hostname ¦ uptime ¦ grep -rn foo src --include=*.ts ¦ awk 'NR>5' f ¦ jq '.env' f
  [[ -f x ]] ¦ git grep x ¦ git branch --list 'x*' ¦ git tag -l ¦ git config --get user.name ¦ cd src && grep -n x a.ts
  python3.12 --version ¦ hostname -f ¦ awk '$3 > 100 { print $1 }' f ¦ jq '.a.env[0]' f ¦ [[ -d src && a == b ]] ¦ [[ ! -e x ]]
  git branch --merged main ¦ git tag --list 'v1*' ¦ grep -rn foo src --exclude=*.test.ts ¦ uptime -p ¦ npx --version
`)('a call of which every word is known to read only is proven', (command) => expect(verdict(command)).toBe('allow'));

table(samples`
  ninja -v ¦ hostname x ¦ awk '{ print $1 > 5 }' f ¦ awk 'BEGIN { if (1>0) print > "f" }' ¦ jq '..env' f ¦ jq '.a|env' f
  [[ -v x ]] ¦ [[ $(x) == y ]] ¦ [[ x -eq 1 ]] ¦ git grep --untracked x ¦ git branch --list -D x ¦ git tag -l -d x
  git config --get http.extraHeader ¦ git config --get --unset user.name ¦ git config --global --unset user.name ¦ tsc --version x
  yarn --version ¦ rustc --version ¦ node -r ./x --version ¦ grep -rn foo src --file=*.ts ¦ grep -rn foo src -* ¦ uptime --x
`)('and one that may run, write or show more is not', (command) => expect(verdict(command)).toBe('ask'));

table([
  ...samples`awk 'BEGIN{system\ ("touch x")}' f ¦ awk '{ print | "touch x" }'`,
  'awk \'BEGIN{system\\\n("touch x")}\' f',
])('an awk program is proven where nothing of it can run a program', (command) => expect(verdict(command)).toBe('ask'));
