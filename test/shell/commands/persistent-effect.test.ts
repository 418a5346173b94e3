import { describe, expect, test } from 'vitest';
import { assessCommand } from '../../../src/index.js';
import { eachRow, samples } from '../../support/each-row.js';

const effectOf = (command: string, isAutoExecuted?: (path: string) => boolean) =>
  assessCommand(command, isAutoExecuted === undefined ? {} : { isAutoExecuted }).reasons.find(
    ({ category }) => category === 'persistence',
  )?.text;

const persisting: Readonly<Record<string, readonly string[]>> = {
  'timetables of the machine': samples`
    crontab - ¦ crontab file ¦ crontab -e ¦ crontab -u root file ¦ crontab -ulr file ¦ echo "* * * * * x" | crontab
    crontab < file ¦ (crontab -l; echo x) | crontab - ¦ sudo crontab file ¦ runuser -u x -- crontab y ¦ busybox crontab file
    echo file | xargs crontab ¦ bash -c 'crontab file'
    at now + 1 minute ¦ echo x | at noon ¦ at -f script.sh 12:00 ¦ batch < script.sh
    schtasks /create /tn x /tr y /sc daily ¦ systemd-run --on-calendar=daily x ¦ systemd-run --user --on-active 5 x
    systemd-run x ¦ systemd-run evil --wait ¦ systemd-run --user evil -t x ¦ systemd-run bash -c evil -P x
    git maintenance start ¦ echo x > /etc/cron.d/x ¦ cp x /var/spool/cron/crontabs/root
  `,
  'services and logins': samples`
    systemctl enable x ¦ systemctl --user enable --now x.service ¦ systemctl --now --user enable x
    systemctl -H host enable x ¦ systemctl -H "a b" enable x ¦ systemctl --root / link /x.service ¦ systemctl edit x
    systemctl set-default x.target ¦ docker run -d --restart=always x ¦ docker run --restart unless-stopped x
    cp x ~/.config/autostart/x.desktop
    mkdir -p ~/.config/systemd/user && cp x.service ~/.config/systemd/user/
  `,
  'rights and the kernel': samples`
    chmod u+s x ¦ chmod +s x ¦ chmod a+rs x ¦ chmod 4755 x ¦ chmod 06755 x ¦ chmod u=rwxs x ¦ chmod =4755 x
    chmod +6000 x ¦ chmod u+w+s x ¦ chmod g+s x ¦ chmod 2755 x ¦ install -m u+s x y ¦ install --mode u=rwxs x y
    install -m 4755 a b ¦ echo '|/x' > /proc/sys/kernel/core_pattern ¦ echo x > /proc/sys/fs/binfmt_misc/register
  `,
  'settings that git obeys': samples`
    git config core.hooksPath /x ¦ git config --global core.hookspath .hooks ¦ git config core.HOOKSPATH x
    git config --add core.sshCommand x ¦ git config --replace-all core.pager x ¦ git config core.pager "sh -c x"
    git config core.editor x ¦ git config core.fsmonitor ./x ¦ git config core.fsmonitor "$X"
    git config set core.pager x ¦ git config set --global --all core.pager x ¦ git config alias.x '!sh'
    git config --global alias.x '!f() { x; }; f' ¦ git config alias.x "$CODE" ¦ git config alias.x "rebase --exec x"
    git config -- alias.x "-c core.pager=x log" ¦ git config include.path /x ¦ git config includeIf.gitdir:/x/.path y
    git config -f x core.pager y ¦ git config --file x core.pager y ¦ git config --fil x core.pager y
    git config --comment -f core.hooksPath x ¦ git config --comment --list core.hooksPath x
    git config --type=path core.hooksPath x ¦ git config --bool core.fsmonitor /x
    git -C other config core.hooksPath x ¦ git --attr-source HEAD config core.hooksPath x
    git --git-dir x config core.hooksPath y ¦ git -c a.b=c config core.hooksPath y
    sudo git config --system core.hooksPath x ¦ git config diff.x.textconv y ¦ git config diff.external x
    git config filter.x.clean y ¦ git config merge.x.driver y ¦ git config mergetool.x.cmd y
    git config credential.helper "!x" ¦ git config credential.https://host.helper x ¦ git config gpg.program x
    git config gpg.ssh.program x ¦ git config sequence.editor x ¦ git config url.https://evil/.insteadOf https://good/
    git config remote.origin.url "ext::sh -c x" ¦ git config remote.origin.uploadpack x
    git config submodule.x.update "!y" ¦ git config init.templateDir x ¦ git config protocol.ext.allow always
    git config gc.recentObjectsHook x ¦ git config branch.x.remote ext::x ¦ git config log.showSignature true
    git config safe.directory '*' ¦ git config hook.x.command y ¦ git config "$KEY" x
    git config --rename-section a alias ¦ git config rename-section a alias ¦ git config --edit ¦ git config edit
    git remote add x "ext::sh -c y" ¦ git remote set-url origin ext::x ¦ git init --template=/x
    git clone --template /x url ¦ git clone -c core.hooksPath=/x url ¦ git clone --config core.sshCommand=x url
    git config alias.x '!evil' --list ¦ git config core.hooksPath x --get ¦ git config core.pager evil --unset
    git config core.hooksPath --get-hooks ¦ git clone --conf=core.sshCommand=x u ¦ git clone --templ=foo u
    git init --templat=foo ¦ git submodule add 'ext::sh -c evil' x ¦ git config alias.x 'difftool -yxevil'
    git config alias.x 'difftool --extcm evil' ¦ git config alias.x 'rebase --exe evil'
    git config alias.x 'grep -Oevil foo' ¦ git config alias.x 'clone -u evil x'
    git config alias.x 'config core.pager evil' ¦ git config alias.x 'log --outpu=/home/x'
    cat f | xargs git config alias.x ¦ xargs git config core.hooksPath < x
  `,
  'files by patterns': samples`
    cp x .gi?/hooks ¦ cp x .gi?/hooks/pre-commit ¦ tee .gi*/config
    cp x .[g]it/config
  `,
  'files, wherever the line has gone before': samples`
    ln -s ~/.bashrc b; echo x > b ¦ ln -s .git/hooks h; touch h/x ¦ jobs -x cp a .git/hooks/pre-commit
    cargo new .vscode ¦ git worktree add -q .git/hooks ¦ git worktree add -f .vscode HEAD ¦ echo --output=.bashrc | xargs git log
    echo -o.bashrc | xargs sort a ¦ git log $(echo --output=.bashrc) ¦ set -- --output=.bashrc; git log "$@"
    tee ~/.bashrc ¦ echo x | tee -a "$HOME/.zshrc" ¦ cd .git/hooks && cp x pre-commit
    cd .git && cd hooks && cp x pre-commit ¦ cd .git/hooks; echo x > pre-commit ¦ cd ./.git/hooks/ && mv /x/y .
    cd sub/../.git/hooks && ln -s /x/y pre-push ¦ pushd .git/hooks && install -m 755 x post-merge
    cd "$REPO/.git/hooks" && cp x pre-commit ¦ cd ~ && tee .profile < x ¦ cd /etc && cp x crontab
    cd /etc/cron.d && touch x ¦ cp -t .git/hooks x ¦ ln -s /x .git/hooks ¦ tar xf a -C .git/hooks
    unzip a.zip -d .git/hooks ¦ rsync -a a/ .git/hooks/ ¦ tar xfC a.tar .git/hooks
    tar -x --one-top-level=.git/hooks -f a ¦ cp --targ .git/hooks x ¦ cp --target-dir=.git/hooks x
    sort --outp=.git/hooks/pre-commit x ¦ sort -uo.git/hooks/pre-commit x ¦ split x .git/hooks/pre-commit
    iconv -o .git/hooks/pre-commit x ¦ curl -D .git/hooks/pre-commit http://x
  `,
  'words of unknown role, folders and addresses that are saved': samples`
    curl -O https://h/.npmrc ¦ curl -sSLO https://h/a/.bashrc ¦ curl --remote-name https://h/.envrc?x=1
    curl -OJ --output-dir .git/hooks https://h/pre-commit ¦ wget https://h/.npmrc ¦ wget -q https://h/.mcp.json#x
    wget -P .vscode h ¦ wget -P sub https://h/.gitconfig ¦ aria2c https://h/.bashrc ¦ http --download https://h/.npmrc
    awk -o.bashrc 1 ¦ gawk -o.git/hooks/x 1 ¦ mysql --tee=.bashrc ¦ psql -L .bashrc ¦ grep --unlisted=.bashrc x
    docker cp c:/x .bashrc ¦ docker cp c:/x .vscode ¦ docker compose cp c:/x .git/hooks ¦ kubectl cp p:/x .bashrc
    docker --host h cp c:/x .npmrc ¦ podman container cp c:/x .husky ¦ unlisted -o.bashrc ¦ unlisted --out=.bashrc
    tar cf .git/hooks/x a ¦ tar -cf .bashrc a ¦ tar --create --file=.npmrc a ¦ git clone x .vscode
    git clone -q x sub/.github ¦ git worktree add .vscode ¦ cp -r x .vscode ¦ rsync -a x/ .cargo ¦ unzip a -d .vscode
    docker cp c:/x .vscode/ ¦ kubectl cp p:/x .vscode/ ¦ unlisted --out .vscode/ ¦ unlisted .vscode/* ¦ unlisted @.bashrc
    tar xf a --transform=s/x/.npmrc/ ¦ rename s/a.txt/.bashrc/ a.txt ¦ rename s/a/.bashrc/g a ¦ unlisted .bash*
    x=.bashrc; unlisted "$x" ¦ curl -O --url https://h/.npmrc ¦ curl -o '#1' 'https://h/{.npmrc}'
    wget -x https://h/.vscode/tasks.json ¦ wget -r https://h/.vscode/tasks.json ¦ wget -m -nH https://h/.vscode/tasks.json
    aria2c -d .vscode https://h/tasks.json ¦ yt-dlp -P .vscode https://h/tasks.json ¦ wget --mirror h/.vscode/tasks.json
    rclone copy a: .vscode ¦ gsutil cp gs://a .bashrc ¦ scp -r h:x .vscode ¦ git config foo.bar x ¦ git config lfs.url x
    git -c foo.bar=x config filter.lfs.process y
  `,
  'words in braces, and trees and files that keep the name of their source': samples`
    touch {.bashrc,x} ¦ echo x > .vscode/{tasks,launch}.json ¦ cp a b .{git/hooks,x}/ ¦ touch .bash{q..s}c
    touch {a,{b,.bashrc}} ¦ touch .{a,b,c,d}{e,f,g,h}{i,j,k,l}{m,n,o,p}rc ¦ unlisted -o {.bashrc,x}
    cp -r tpl/.vscode . ¦ rsync -a tpl/.github . ¦ mv tpl/.vscode . ¦ ln -s ../x/.claude . ¦ git clone https://h/.vscode
    git clone https://h/.github.git ¦ git clone h:.vscode ¦ scp h:.bashrc . ¦ scp h:/home/x/.bashrc .
    docker cp c:.bashrc . ¦ docker cp c:/root/.bashrc . ¦ awk '{print >> ".git/hooks/pre-commit"}' x
  `,
  'members of archives, clones, and addresses in other spellings': samples`
    tar xf a .git/hooks/pre-commit ¦ tar -xf a -C .git hooks/pre-commit ¦ tar --extract -f a ./.bashrc ¦ tar xf a .vscode
    tar xf a --transform=s,x,.bashrc, x ¦ unzip a .bashrc ¦ unzip -o a '.bash*' ¦ unzip a .vscode/tasks.json
    unrar x a .bashrc ¦ 7z x a .git/hooks/x ¦ 7z e a .npmrc ¦ cpio -id .bashrc < a ¦ cpio -pd .git/hooks ¦ pax -r -f a .bashrc
    ar x a .bashrc ¦ git apply --directory=.git/hooks x ¦ git am --directory .husky x ¦ gh repo clone x .vscode
    gh repo clone me/.vscode ¦ gh gist clone 1 .vscode ¦ gh release download -O .bashrc ¦ gh run download 1 -D .git/hooks
    hg clone x .vscode ¦ svn checkout u .vscode ¦ wget 'https://h/.bash%72c' ¦ curl -O https://h/a/%2Ebashrc
    curl -O 'https://h/.{bashrc,x}' ¦ curl -O 'https://h/.bashr[c-c]' ¦ git clone 'https://h/x/.vscode/'
  `,
  'names in code, for code, and from other programs': samples`
    python3 -c 'open(".bashrc","w")' ¦ python3 -c 'import sys; open(sys.argv[1],"w")' .bashrc ¦ python3 x.py .bashrc
    node -e 'fs.writeFileSync(".git/hooks/pre-commit", "")' ¦ perl -e 'open(F,">.zshrc")' ¦ ruby -e 'File.write(ARGV[0],1)' .npmrc
    python3 <<< 'open(".bashrc","w")' ¦ bash x.sh .bashrc ¦ sh -c 'touch "$1"' _ .bashrc ¦ awk -v o=.bashrc '{print > o}' x
    psql -c "copy a to '/home/me/.bashrc'" ¦ sqlite3 x '.output .bashrc' ¦ make .git/hooks/pre-commit ¦ make OUT=.bashrc x
    echo .bashrc | xargs touch ¦ printf '%s' .bashrc | xargs -I{} cp x {} ¦ xargs touch <<< .bashrc ¦ echo .npmrc | xargs unlisted
    echo .bashrc | parallel touch ¦ ls .git/hooks | xargs chmod +x ¦ echo x .bashrc | tr ' ' '\n' | xargs sed -i s/a/b/
    echo .bashrc | xargs python3 x.py ¦ echo .bashrc | xargs -I{} sh -c 'echo x > {}' ¦ touch $(echo .bashrc)
    grep -l x .github/workflows/ci.yml | xargs sed -i s/a/b/ ¦ git ls-files .github | xargs sed -i s/a/b/
    find .github -name '*.yml' -exec sed -i s/a/b/ {} + ¦ echo .bashrc | while read f; do touch "$f"; done
    for f in .bashrc .zshrc; do echo x >> ~/$f; done ¦ while read f; do touch "$f"; done <<< .bashrc
    find . -name .bashrc -exec sed -i s/a/b/ {} + ¦ find . -path '*/.git/hooks/*' -exec chmod +x {} +
    fd -H .bashrc -X sed -i s/a/b/ ¦ find . -iname '.bash*' -exec sed -i s/a/b/ {} + ¦ fd -H .bashrc | xargs sed -i s/a/b/
    find . -name .npmrc | xargs sed -i s/a/b/ ¦ parallel touch ::: .bashrc ¦ set -- .bashrc; touch "$1"
  `,
};

const plain = samples`
  tar czf a.tgz .vscode .bashrc ¦ tar tf a .bashrc ¦ tar cf a.tar .git/hooks ¦ unzip -l a .bashrc ¦ unzip -p a .bashrc
  unzip a src/x ¦ unzip a -x .bashrc ¦ git apply x ¦ gh repo clone me/app ¦ gh repo clone me/app dir
  gh repo view me/app ¦ wget 'https://h/a%20b' ¦ curl -O 'https://h/a[1-9].txt' ¦ python3 -c 'print(1)' ¦ python3 x.py a
  awk '/.bashrc/ {print $1}' x ¦ sed 's/.bashrc/x/' x ¦ sed -n 5p .bashrc ¦ bash -n .husky/pre-commit ¦ bash x.sh a
  source ~/.bashrc && echo x > "$X" ¦ . "$HOME/.cargo/env"; touch "$X" ¦ make test ¦ make OUT=x ¦ echo .bashrc ¦ ls .git | xargs cat
  echo .bashrc | xargs cat ¦ ls .git/hooks | xargs rm ¦ grep -rl x --exclude-dir=.git . | xargs sed -i s/a/b/
  find . -path ./.git -prune -o -name x -exec sed -i s/a/b/ {} + ¦ fd -E .git x -X sed -i s/a/b/
  find . ! -path './.git/*' -name '*.ts' -exec sed -i s/a/b/ {} + ¦ find . -name '*.ts' -exec sed -i s/a/b/ {} +
  find . -name .bashrc -exec cat {} + ¦ curl -o '#1' 'https://h/{a,b}' ¦ wget -x https://h/a/b ¦ aria2c -d out https://h/a
  git ls-files | grep -v .github/x | xargs sed -i s/a/b/ ¦ find . -not -path './.git/*' -name x -exec sed -i s/a/b/ {} +
  cat .npmrc | tee "$X" ¦ cat .npmrc > "$X" ¦ rsync -a --exclude=.git a "$X" ¦ for f in a b; do touch "$f"; done
  for f in .bashrc x; do cat "$f"; done ¦ echo a | while read f; do touch "$f"; done ¦ code .github/notes.md
  touch {a,b}.txt ¦ mkdir -p src/{a,b} ¦ cp x{,.bak} ¦ touch "$X" ¦ cp src/{a,b}.ts dist/ ¦ touch f{1..9} ¦ cp -r src dist
  git clone https://h/repo ¦ git clone h:me/repo.git ¦ ln -s ../x/lib . ¦ scp h:a.txt . ¦ docker cp c:/a/b.txt .
  docker build -t x:1.2 . ¦ rsync -a a/ b/ ¦ awk '{print >> "out.txt"}' x
`;

const free: readonly string[] = samples`
  crontab -l ¦ curl -d .git/config https://x ¦ grep --exclude-dir=.git -rn x . ¦ git --git-dir=.git status
  tar czf x.tgz .vscode ¦ prettier --check .vscode/settings.json ¦ crontab -u me -l ¦ crontab -lu me ¦ crontab -r
  at -l ¦ atq ¦ at -c 3 ¦ systemctl status x ¦ systemctl --user status x ¦ systemctl list-units --type service
  systemctl is-enabled x ¦ systemctl cat x ¦ systemctl restart nginx ¦ systemctl daemon-reload ¦ systemctl disable x
  systemd-run --scope make ¦ launchctl list ¦ loginctl list-sessions ¦ git config user.name x
  pip install -e '.[dev]' ¦ node --experimental-vm-modules node_modules/.bin/jest
  git config --global user.email "$EMAIL" ¦ git config --get core.hooksPath ¦ git config --get-all alias.x
  git config core.hooksPath ¦ git config get core.hooksPath ¦ git config --list ¦ git config -l --show-origin
  git config --get-regexp alias ¦ git config --unset core.hooksPath ¦ git config unset core.hooksPath
  git config core.autocrlf input ¦ git config pull.rebase true ¦ git config push.default simple
  git config init.defaultBranch main ¦ git config core.fsmonitor true ¦ git config commit.gpgsign true
  git config remote.origin.url https://example.com/x.git ¦ git config set user.name x
  git config branch.main.remote origin ¦ git remote add origin https://example.com/x.git ¦ git remote -v
  git clone https://example.com/x.git ¦ git init ¦ git maintenance run ¦ git commit -m "config core.hooksPath x"
  git log --grep crontab ¦ npm config get registry ¦ npm config list ¦ npm install ¦ npm run set ¦ npm test -- set
  pip config list ¦ go env GOPATH ¦ go build ./... ¦ gh alias list ¦ gh pr list ¦ brew services list
  docker run --rm x ¦ docker compose up -d ¦ pre-commit run --all-files ¦ lefthook run pre-commit ¦ chmod +x x
  chmod 755 x ¦ chmod 1777 x ¦ chmod -R u+rwX,go-w x ¦ install -m 755 a b ¦ modprobe -r x ¦ sysctl kernel.core_pattern
  passwd -S ¦ ssh-copy-id -n host ¦ update-alternatives --display x ¦ direnv status ¦ code . ¦ claude mcp list
  echo crontab file ¦ grep -rn "crontab -" src ¦ man crontab ¦ which crontab ¦ cat ~/.bashrc ¦ cd .git/hooks && ls
  cd .git/hooks && cat pre-commit ¦ cd src && cp a b ¦ cd hooks && cp use-state.ts use-thing.ts
  echo crontab file > notes.txt
  curl https://h/.npmrc ¦ curl -s https://h/.bashrc ¦ curl -O https://h/a.tgz ¦ wget https://h/a.tgz
  docker cp c:/x out ¦ kubectl cp p:/x out ¦ unlisted --out=dist x ¦ tar xf a.tgz ¦ tar czf x.tgz .vscode .bashrc
  git clone https://h/x.git app ¦ cp -r src lib ¦ cp note.md .vscode ¦ rclone copy a: out ¦ mysql --tee=log
  git config push.autoSetupRemote true ¦ git config color.diff.meta yellow ¦ git config branch.main.rebase true
  git config --global merge.conflictStyle zdiff3 ¦ git config submodule.recurse true
`;

describe('assessCommand reports persistent effects', () => {
  describe.each(Object.entries(persisting))('%s', (_, commands) => {
    test('is detected', () => eachRow(commands, (command) => expect(effectOf(command)).toBeTypeOf('string')));
  });

  test('and finds none in other lines', () => eachRow(free, (command) => expect(effectOf(command)).toBeUndefined()));

  test('nor in ordinary braces and names of sources', () =>
    eachRow(plain, (command) => expect(effectOf(command)).toBeUndefined()));

  test('and asks the host about changed files', () =>
    eachRow(
      samples`
        echo x > .ci/a.yml ¦ cp x .ci/a.yml ¦ cp .ci/a.yml x; mv x .ci ¦ cd .ci && cp x a.yml ¦ ln -s /x .ci
        tar xf a -C .ci ¦ curl -o .ci/a.yml http://x ¦ sed -i s/a/b/ .ci/a.yml ¦ tee .ci/a.yml < x
      `,
      (command) => {
        expect(effectOf(command, (path) => /^\.ci\//.test(path))).toBeTypeOf('string');
        expect(effectOf(command)).toBeUndefined();
      },
    ));

  test('but not about files that are read, removed or only named', () =>
    eachRow(
      samples`
        cat .ci/a.yml ¦ cp .ci/a.yml x ¦ git diff .ci ¦ git checkout HEAD ¦ rm .ci/a.yml ¦ grep x .ci/a.yml > y
        make -C .ci
      `,
      (command) => expect(effectOf(command, (path) => /^\.ci(?:\/|$)|HEAD$/.test(path))).toBeUndefined(),
    ));

  describe('and with a host that treats every file in folders of tools as auto-executed', () => {
    const obeyed = (path: string) => /(?:^|\/)(?:\.git|\.husky|\.vscode|\.claude)(?:\/|$)/.test(path);

    test('a write is detected', () =>
      eachRow(
        samples`
          gzip -d .vscode/x.gz ¦ git clone x .git/hooks ¦ git worktree add .git/hooks
          git bundle create .git/hooks/pre-commit HEAD ¦ find . -fprint .git/hooks/pre-commit
          find . -fprintf .git/config '[core]' ¦ sed -n 'w .git/hooks/pre-commit' x
          sed 's/a/b/w .git/hooks/pre-commit' x ¦ awk 'BEGIN{print "x" > ".git/hooks/pre-commit"}'
          wget -P .git/hooks x ¦ curl -o .git/hooks/x http://x ¦ unzip x -d.git/hooks ¦ unzip x -d .git/hooks
          aria2c -d .git/hooks x ¦ tar xf x -C .git/hooks ¦ 7z x a.7z -o.git/hooks ¦ npm install --prefix .husky x
          go build -o .git/hooks/pre-commit . ¦ gcc x.c -o .git/hooks/pre-commit ¦ cp x .git/config
          gzip -c x > .git/hooks/x ¦ rsync -a x .git/hooks ¦ git mv x .husky/pre-commit
          git archive -o .git/hooks/pre-commit HEAD ¦ cp -r x .git/HEAD
        `,
        (command) => expect(effectOf(command, obeyed)).toBeTypeOf('string'),
      ));

    test('and none is found in other lines', () =>
      eachRow(
        samples`
          [ -d .git ] ¦ test -d .git ¦ [[ -d .git ]] ¦ [ -O .git/config ] ¦ test -d .husky ¦ [ -d .git/hooks ] && ls
          ls -d .git ¦ ls -d .claude/* ¦ ls -d .claude/ ¦ ls -dl .vscode ¦ npm run test -- -d .vscode
          rsync -av --exclude=.git src/ dst/ ¦ rsync -av --exclude .git src/ dst/ ¦ git rm .husky/pre-commit
          cp .git/config backup ¦ cp ~/.bashrc backup ¦ tar --exclude=.git/hooks -czf x .
          npx prettier --check .vscode/settings.json ¦ du -d 1 .git/ ¦ git config user.name x
          git clone https://example.com/x.git ¦ git clone https://example.com/x.git dir
          git worktree add ../other main ¦ git submodule add https://x/y.git lib ¦ npm config get registry
          npx prettier --write src ¦ npx vitest run ¦ python -m pytest ¦ python3 -m pip install x ¦ yarn install
          pnpm install ¦ pnpm test ¦ yarn add husky ¦ npm install husky ¦ systemd-run --scope make
          systemd-run --wait make ¦ systemd-run --user -t make ¦ chmod 755 x ¦ chmod +x x ¦ chmod 1777 x
          gh config get pager ¦ gh pr list ¦ find . -name x -print ¦ sed -n 5p x ¦ awk '{print $1}' x ¦ awk '$1 > 3' x
          git rm -r --cached .vscode ¦ zip -r x.zip . -x .vscode/settings.json ¦ cp 'app/[id]/page.tsx' x
          cp src/*.ts dist ¦ file .git/HEAD
        `,
        (command) => expect(effectOf(command, obeyed)).toBeUndefined(),
      ));
  });
});
