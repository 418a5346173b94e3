import { homedir } from 'node:os';
import { expect } from 'vitest';
import { createPermissions, type PermissionsOptions } from '../../src/core.js';
import { byRule, samples, table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';

function decided(command: string, options: PermissionsOptions): string {
  const request = permissionRequest('Bash', { input: { command }, sideEffect: 'network', risk: 'high' });
  return createPermissions({ root: '/ws', ...options }).explain(request).behavior;
}

const denied = (command: string, ...deny: readonly string[]) => decided(command, { mode: 'bypassPermissions', deny });

table(samples`
  git -C ~root/x status ¦ make -C ~root x ¦ cd ~root/x && git status ¦ npm --prefix ~root/x run x ¦ cd ~- && make
  cd ~1 && make ¦ make -C ~+1 x ¦ find src -execdir make ';'
`)('an allow rule covers no folder that is known only when the line runs', (command) =>
  expect(decided(command, { allow: ['cd', 'find', 'git', 'make', 'npm'].map((name) => `Bash(${name} *)`) })).toBe(
    'ask',
  ),
);

table(
  byRule({
    'Read(~/.ssh/**)': samples`
      cat ~root/.ssh/id_rsa ¦ tar c ~root ¦ cd ~root && cat .ssh/id_rsa ¦ foo --x=~root/.ssh/id_rsa ¦ cat ~-/id_rsa
      sqlite3 x '.import ~root/.ssh/k t'
    `,
    'Read(.env)': samples`
      cd sub && cat ~-/.env ¦ pushd sub && cat ~1/.env ¦ cat ~+0/.env ¦ cd "$X" && awk 'BEGIN{getline x < "../.env"}'
      cd "$X" && grep -r x .. ¦ find sub -name a -execdir cat ../.env ';' ¦ find sub -okdir sh -c 'cat ../.env' ';'
      git grep --no-index KEY ¦ git grep --no-index KEY .
    `,
    'Read(**/.env)': samples`curl -K - <<< 'url=file:.env' ¦ echo file=.env | curl -K -`,
    'Edit(secrets/**)': samples`
      cd sub && rm ~-/secrets/k.txt ¦ cd sub && foo ~-/secrets/k.txt ¦ find sub -name a -execdir tee ../secrets/k ';'
    `,
  }),
)('a restriction may match a file in such a folder, or a file that a search reads', (rule, command) =>
  expect(denied(command, rule)).not.toBe('allow'),
);

table(samples`
  cat ~root/a.txt ¦ git show -s HEAD~1 ¦ git reset HEAD~ ¦ cat a.txt~ ¦ grep "$X" a.txt ¦ echo $X ¦ cat ~/x/y ¦ echo ~root ¦ cd "$X" && cat a.txt
  cd "$X" && python3 -c 'open("../a.txt")' ¦ find src -exec wc -l a ';'
`)('a restriction does not match other names in such a folder', (command) =>
  expect(denied(command, 'Read(.env)', `Read(${homedir()}/.env)`)).toBe('allow'),
);

table([
  ...samples`
  cat $(echo .env x)/a.txt ¦ set -- .env x; cat "$@/a.txt" ¦ cat .@(env) ¦ cat +(.env|x)
  bash -O extglob -c 'cat .@(env)' ¦ cat !(a) ¦ bash -O dotglob -c 'cat *' ¦ shopt -s dotglob; cat * ¦ GLOBIGNORE=x; cat *
  shopt -s dotglob nullglob; grep -n x -- * ¦ read GLOBIGNORE <<< a; cat * ¦ zsh -c 'setopt globdots; cat *'
  cat {~-,x}/.env ¦ cat {sub/..,x}/.env ¦ grep $(echo x .env) a.txt ¦ head -n $N a.txt ¦ cut -d $(echo , .env) -f 1`,
  'shopt -s extglob\ncat @(.env)',
  'a=(.env x); cat "${a[@]}/a.txt"',
])('an expansion with an unknown value, and a pattern after a change of shell options, may be any file', (command) => {
  expect(denied(command, 'Read(.env)')).toBe('ask');
  expect(denied(command, 'Bash(rm *)')).toBe('allow');
});

table(samples`
  find . -type f | cpio -o ¦ find . -type f | tar cT - ¦ find . -type f | zip -@ o.zip ¦ ls -a | cpio -o ¦ cpio -o < list
  zip -@ o.zip < list ¦ find . | rsync --files-from=- . h: ¦ find . -print0 | wc --files0-from=-
  find . | sort --files0-from=- ¦ ls -a | foo ¦ ls -a | curl -K -
`)('a restriction may match a file whose name a program reads from its input', (command) => {
  expect(denied(command, 'Read(.env)')).toBe('ask');
  expect(denied(command, 'Edit(secrets/**)')).toBe('ask');
});

table(samples`
  ls | grep x ¦ ls | sort ¦ npm test | tee log ¦ cat a | jq . ¦ cat a | python3 x.py ¦ cat a | node x.js ¦ cat a | perl -pe s/a/b/
  curl h | tar xz -C build ¦ git commit -F - < a ¦ tar czf - src | ssh h cat ¦ cat a | docker exec -i c cat ¦ cat a | head -5
`)('a restriction does not match data on the standard input', (command) =>
  expect(denied(command, 'Read(.env)', 'Edit(secrets/**)')).toBe('allow'),
);

table(samples`
  tar xf a.tar ¦ tar xf a.tar -C . ¦ unzip a.zip -d . ¦ unzip a.zip ¦ tar xzf a.tgz --one-top-level=. ¦ tar xf a -C sub/..
  bsdtar -xf a ¦ tar --extract --file a ¦ curl -OJ http://h/y ¦ wget --content-disposition http://h/y
  wget -i list ¦ wget -r -nH http://h/ ¦ wget -r -nd http://h/ ¦ wget -m h ¦ wget -p h ¦ curl -J --output-dir . -O h/x
  wget --trust-server-names h/x ¦ wget -rnH -P . h ¦ wget -i list -P ./
`)('a restriction may match a file whose name an archive or a server chooses', (command) => {
  expect(denied(command, 'Edit(secrets/**)')).toBe('ask');
  expect(denied(command, 'Edit(/other/**)')).toBe('allow');
});

table(samples`
  tar xf a.tar -C sub ¦ unzip a.zip -d build ¦ tar tf a.tar ¦ tar cf a.tar src ¦ unzip -l a.zip ¦ unzip -p a.zip x ¦ tar czf x.tgz .
  curl -O http://h/y ¦ wget http://h/y ¦ wget -nv -nc -q http://h/y ¦ wget -P build -r -np h ¦ curl -OJ --output-dir build h/y
`)('a restriction does not match files below another destination', (command) =>
  expect(denied(command, 'Edit(secrets/**)')).toBe('allow'),
);

table(samples`
  rg foo ¦ rg foo . ¦ rg -l -t ts foo ¦ rg foo src ¦ cd src && rg foo .. ¦ rg foo -g '*.ts'
`)('a search that skips hidden files reads no hidden file', (command) => {
  expect(denied(command, 'Read(.env)', 'Read(**/.env*)', 'Read(.ssh/**)')).toBe('allow');
  expect(denied(command, 'Read(**/k.txt)')).toBe('ask');
});

table(samples`
  rg -uu foo ¦ rg --hidden foo . ¦ rg -g .env foo ¦ rg -. foo ¦ rg -L foo ¦ rg --unheard foo ¦ rg foo .e* ¦ rg foo -- .env
  RIPGREP_CONFIG_PATH=x rg foo ¦ export RIPGREP_CONFIG_PATH=x; rg foo ¦ grep -r foo . ¦ cd "$X" && rg foo .env
`)('a search that may read hidden files matches a restriction', (command) =>
  expect(denied(command, 'Read(.env)')).not.toBe('allow'),
);
