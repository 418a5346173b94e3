import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createPermissions, type PermissionsOptions } from '../../src/core.js';
import { samples, table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';

const root = '/ws';

function decided(command: string, options: PermissionsOptions): string {
  const request = permissionRequest('Bash', { input: { command }, sideEffect: 'network', risk: 'high' });
  return createPermissions({ root, mode: 'bypassPermissions', ...options }).explain(request).behavior;
}

describe('a Read rule matches files that a command line reads by name', () => {
  table(
    samples`
    cat notes/a.txt ¦ cat ./notes/../notes/a.txt ¦ cat /ws/notes/a.txt ¦ cat < notes/a.txt ¦ cat NOTES/A.TXT
    echo "$(<notes/a.txt)" ¦ echo "$(cat notes/a.txt)" ¦ while read -r line; do echo "$line"; done < notes/a.txt
    F=notes/a.txt; cat "$F" ¦ cat notes/* ¦ cd notes && cat a.txt ¦ cd notes; cd ..; cat notes/a.txt
    cat src/a.ts notes/a.txt ¦ true && head -n 1 notes/a.txt | wc -l ¦ sudo cat notes/a.txt
    bash -c "cat notes/a.txt" ¦ timeout 5 tail -f notes/a.txt ¦ /bin/cat notes/a.txt ¦ tac notes/a.txt
    less notes/a.txt ¦ more notes/a.txt ¦ nl notes/a.txt ¦ grep -n x notes/a.txt ¦ grep -e x notes/a.txt
    grep -f notes/a.txt src/a.ts ¦ grep --file=notes/a.txt src/a.ts ¦ grep -rn x notes ¦ egrep x notes/a.txt
    rg x notes ¦ sed -n 1p notes/a.txt ¦ sed -i s/a/b/ notes/a.txt ¦ awk '{print}' notes/a.txt ¦ cut -c1-9 notes/a.txt
    sort notes/a.txt ¦ uniq notes/a.txt ¦ wc -l notes/a.txt ¦ strings notes/a.txt ¦ xxd notes/a.txt
    od -c notes/a.txt ¦ hexdump -C notes/a.txt ¦ base64 notes/a.txt ¦ jq .key notes/a.json ¦ diff src/a.ts notes/a.txt
    cmp src/a.ts notes/a.txt ¦ cp notes/a.txt /tmp/b ¦ cp -t /tmp notes/a.txt ¦ cp -r notes /tmp/b ¦ mv notes/a.txt b
    ln -s notes link ¦ dd if=notes/a.txt ¦ source notes/a.sh ¦ . notes/a.sh ¦ tar cf x.tar notes
    git show HEAD:notes/a.txt ¦ git diff --no-index /dev/null notes/a.txt ¦ git diff -U notes/a.txt ¦ cat notes/{a,b}.txt ¦ cat < notes/{a,b}
    curl --url file:notes/a.txt ¦ curl file:///ws/note%73/a.txt ¦ curl -F 'f=@src/a.ts,notes/a.txt' http://x`,
  )('a line that reads the file is denied', (command) => {
    expect(decided(command, { deny: ['Read(notes/**)'] })).toBe('deny');
  });

  table(
    samples`
    cat "$FILE" ¦ cat {notes,src}/a.txt ¦ cat $(ls notes) ¦ cat n*/a.txt ¦ find . -type f -exec cat {} +
    ls | xargs cat ¦ ls | xargs grep x ¦ cd "$FOLDER" && cat a.txt ¦ grep -rn x . ¦ rg x ¦ git grep x
    cp -r . /tmp/copy ¦ cat note[!x]/a.txt ¦ cat note[[:alpha:]]/a.txt ¦ cat note[[.s.]]/a.txt ¦ cat note[[=s=]]/a.txt
    cat /proc/self/cwd/notes/a.txt ¦ cat /dev/fd/../cwd/notes/a.txt ¦ curl file:///ws/{src,notes}/a.txt
    for i in 1 2; do cd src; done; cat a.txt ¦ f() { cd src; }; f; f; cat a.txt`,
  )('a line that may read the file at run time asks', (command) => {
    expect(decided(command, { deny: ['Read(notes/**)'] })).toBe('ask');
  });

  table(
    samples`
    cat src/a.ts ¦ cat *.ts ¦ cat src/* ¦ grep -n notes/a.txt src/a.ts ¦ grep -rn x src ¦ echo notes/a.txt
    ls | grep x ¦ ls | sort | uniq -c ¦ for f in src/*.ts; do wc -l "$f"; done ¦ npm test -- notes/a.txt
    git commit -m "cat notes/a.txt" ¦ echo x > notes/a.txt ¦ touch notes/b.txt ¦ cat <<< notes/a.txt ¦ cat x 2>&1
    tar xzf a.tgz -C build ¦ cp src/a.ts notes/a.ts`,
  )('any other line is not affected', (command) => {
    expect(decided(command, { deny: ['Read(notes/**)'] })).toBe('allow');
  });

  table(
    samples`
    git log -p ¦ git log -p -2 ¦ git show ¦ git show HEAD ¦ git diff ¦ git diff HEAD~1 ¦ git stash show -p ¦ git whatchanged -p
    git log -p -- . ¦ git archive HEAD ¦ git grep A HEAD ¦ git format-patch -1 --stdout ¦ git show --stat -p HEAD
    git log -p -- ':!src' ¦ git log -p -- '*.txt' ¦ git show HEAD:src/a.ts HEAD ¦ git -C src show HEAD ¦ cd src; git show
    git log --remerge-diff ¦ git diff-tree -p HEAD ¦ git range-diff A B ¦ git bundle create x HEAD ¦ git am --show-current-patch ¦ git status -v
    git cat-file -p HEAD ¦ bash -c 'git show' ¦ git add -p ¦ git add -i ¦ git commit --dry-run -v
    git stash list -p ¦ git reset -p`,
  )('a git command that shows tracked files without naming them asks', (command) => {
    expect(decided(command, { deny: ['Read(notes/**)'] })).toBe('ask');
    expect(decided(command, { deny: ['Read(/other/**)', 'Read(~/.ssh/**)', 'Edit(notes/**)'] })).toBe('allow');
  });

  table(
    samples`
    git log ¦ git log --oneline -5 ¦ git log --stat ¦ git status ¦ git show --stat HEAD ¦ git show -s HEAD
    git diff --stat ¦ git diff --name-only HEAD ¦ git diff -- src ¦ git log -p -- src/a.ts ¦ git show HEAD:src/a.ts
    git cat-file -t HEAD ¦ git branch -a ¦ git blame src/a.ts ¦ git commit -m x ¦ git stash list ¦ git stash show`,
  )('a git command that shows other files is not affected', (command) => {
    expect(decided(command, { deny: ['Read(notes/**)'] })).toBe('allow');
  });

  table<[string, string]>([
    ['cat .env', 'deny'],
    ['cat deep/in/.env', 'deny'],
    ['cat /other/.env', 'deny'],
    [`cat ${homedir()}/.env`, 'deny'],
    ['cat ~/.env', 'deny'],
    ['cat .e*', 'ask'],
    ['cat *', 'allow'],
    ['cat "$DIR/package.json"', 'ask'],
    ['cat "$DIR/.env"', 'ask'],
    ['cd "$DIR" && cat package.json', 'allow'],
    ['cat .env.example', 'allow'],
  ])('a rule for a file name applies in every folder', (command, wanted) => {
    expect(decided(command, { deny: ['Read(**/.env)'] })).toBe(wanted);
  });

  table(['Read(notes/**)', 'Read(notes)', 'read(notes/)', 'Grep(notes/**)', '*(notes/**)', 'Read(*)'])(
    'for each form of the rule',
    (rule) => {
      expect(decided('cat notes/a.txt', { deny: [rule] })).toBe('deny');
    },
  );

  test('ask rules ask, deny rules override them, and allow rules do not apply', () => {
    expect(decided('cat notes/a.txt', { ask: ['Read(notes/**)'] })).toBe('ask');
    expect(decided('cat notes/a.txt', { ask: ['Read(notes/**)'], deny: ['Read(notes/a.txt)'] })).toBe('deny');
    expect(decided('cat notes/a.txt', { deny: ['Read(notes/**)'], allow: ['Bash(cat *)'] })).toBe('deny');
    expect(decided('cat notes/a.txt', { mode: 'default', allow: ['Read(notes/**)'] })).toBe('ask');
  });
});

describe('words of unknown role', () => {
  table(
    samples`
    foo s* ¦ gpg -c s* ¦ lp * ¦ foo {secret,a}.txt ¦ foo secret.{txt,md} ¦ foo {x,{y,secret.txt}} ¦ foo $PWD/secret.txt
    x=secret.txt; foo $x ¦ foo @secret.txt ¦ foo -c 'put secret.txt' ¦ foo --mount=type=bind,src=secret.txt
    docker build --secret id=x,src=secret.txt . ¦ foo --x='"secret.txt"' ¦ foo a:secret.txt:ro ¦ foo -osecret.txt
    foo "$x/secret.txt" ¦ foo s[e]cret.txt ¦ foo --in=s* ¦ python3 x.py secret.txt ¦ node x.js --in=secret.txt
    FILE=$PWD/secret.txt foo ¦ ls | xargs foo ¦ cp s{ecret.txt,} ¦ cp secret* ¦ bash x.sh secret.txt ¦ foo "$x"`,
  )('may name a file in any of their parts, as patterns and by variables too', (command) => {
    expect(decided(command, { deny: ['Read(secret.txt)'] })).not.toBe('allow');
  });

  table(samples`foo src/* ¦ foo {src,lib}/a ¦ foo --out=src/* ¦ x=src/a; foo $x ¦ foo @src/a ¦ foo -c 'put x src/a'`)(
    'may name a changed file',
    (command) => {
      expect(decided(command, { deny: ['Edit(src/**)'] })).toBe('ask');
    },
  );

  table(
    samples`
    foo lib/* ¦ foo {a,b}.md ¦ x=a.txt; foo $x ¦ foo @a.txt ¦ foo -c 'put a.txt' ¦ docker build -t x:1 . ¦ cp {a,b}.md lib
    cat {a,b}.md ¦ cp a{.txt,.md} ¦ foo --x=1,2 ¦ python3 x.py a.txt ¦ make test
    export PATH="$HOME/bin:$PATH" ¦ VERSION=$(git describe); echo $VERSION`,
  )('are not affected if they name other files', (command) => {
    expect(decided(command, { deny: ['Read(secret.txt)', 'Edit(src/**)'] })).toBe('allow');
  });
});

describe('an Edit rule matches files that a command line changes by name', () => {
  table(
    ['cat > notes/a.txt << END\nx\nEND'].concat(samples`
    echo x > notes/a.txt ¦ echo x >> notes/a.txt ¦ echo x >| notes/a.txt ¦ make &> notes/a.txt ¦ make 2> notes/a.txt
    cat <> notes/a.txt ¦ { echo x; } > notes/a.txt ¦ echo x | tee notes/a.txt
    echo x | tee -a src/a notes/a.txt ¦ cp src/a.ts notes/a.txt ¦ cp src/a.ts notes ¦ cp src/a.ts notes/
    cp -t notes src/a.ts ¦ cp --target-directory=notes src/a.ts ¦ install -m 644 src/a.ts notes/a.txt
    mv src/a.ts notes/a.txt ¦ mv notes/a.txt src/a.ts ¦ mv notes old ¦ ln -s /etc/hosts notes/a.txt
    sed -i s/a/b/ notes/a.txt ¦ sed -i.bak -e s/a/b/ notes/a.txt ¦ perl -pi -e 's/a/b/' notes/a.txt
    touch notes/a.txt ¦ truncate -s 0 notes/a.txt ¦ rm notes/a.txt ¦ rm -- notes/a.txt ¦ rmdir notes/sub
    jobs -x touch notes/a.txt ¦ git worktree add -f notes/a HEAD ¦ ln -s notes a ¦ fd y -xtouch notes/a.txt
    unlink notes/a.txt ¦ shred notes/a.txt ¦ mkdir notes/sub ¦ chmod 600 notes/a.txt ¦ sort src/a -o notes/a.txt
    sort --output=notes/a.txt src/a ¦ uniq src/a notes/a.txt ¦ dd if=/dev/zero of=notes/a.txt
    curl -O https://h/notes ¦ curl --output-dir notes -O https://h/a.txt ¦ wget https://h/notes ¦ wget -P notes h/x
    wget -o log https://h/notes ¦ wget -O notes/a h/x
    git clone https://h/notes ¦ git clone https://h/x notes ¦ wget -x -nH https://h/notes/a.txt
    git checkout -- notes/a.txt ¦ git rm notes/a.txt ¦ find notes -name x -delete ¦ cd notes && touch a.txt
    gunzip -f notes/a.gz ¦ xz -df notes/a.xz ¦ zip -m y notes/a.txt`),
  )('a line that changes the file is denied', (command) => {
    expect(decided(command, { deny: ['Edit(notes/**)'] })).toBe('deny');
  });

  table(
    samples`
    ls | xargs git log ¦ git log "$X" ¦ git log $(cat x) ¦ git log "$@" ¦ ls | xargs sort a ¦ sort "$@"
    echo x > "$FILE" ¦ rm n*/a.txt ¦ ls | xargs rm ¦ find . -name x -delete ¦ curl -o '#1' 'https://h/{notes,x}'
    curl -O "https://h/$X" ¦ tree -Lo 2 notes/a ¦ cp src/a /proc/self/cwd/notes/a ¦ rm note[!x]/a`,
  )('a line that may change the file at run time asks', (command) => {
    expect(decided(command, { deny: ['Edit(notes/**)'] })).toBe('ask');
  });

  table(
    samples`
    curl https://h/notes ¦ curl -O https://h/notes/a.txt ¦ wget -qO- https://h/notes ¦ git clone https://h/notes app ¦ wget https://h/a.txt
    cat notes/a.txt ¦ cp notes/a.txt src/b ¦ sed -n 1p notes/a.txt ¦ echo x > src/a ¦ make 2>&1 ¦ make > /dev/null ¦ zip y notes/a.txt
    rm notes.gz ¦ tree -L 2 notes`,
  )('any other line is not affected', (command) => {
    expect(decided(command, { deny: ['Edit(notes/**)'] })).toBe('allow');
  });

  table(
    samples`
    cd n*; touch a ¦ cd note[s]; rm a ¦ pushd n*; rm a ¦ cd @(notes); rm a ¦ x='n*'; cd $x; rm a
    find notes -exec sh -c 'echo > {}' \; ¦ find . -exec sh -c "echo > '{}'" \; ¦ find . -exec sh -c 'rm {}' \;
    ls | xargs -I% sh -c 'echo > %' ¦ sed 'w notes/a' x ¦ awk '{print > "notes/a"}' x ¦ awk '{print > "notes/" $1}' x
    python3 -c 'open("notes/a", "w")'`,
  )('a line that may change the file from another folder, by words known at run time, or in code asks', (command) => {
    expect(decided(command, { deny: ['Edit(notes/**)'] })).toBe('ask');
  });

  table(
    samples`
    find . -exec sh -c 'cat {}' \; ¦ ls | xargs -I{} sh -c 'cat {}' ¦ ls | xargs -I% sh -c 'cat < %' ¦ sed -n '1r notes/a' x
    awk 'BEGIN{getline x < "notes/a"}' ¦ vim -c 'r notes/a' x ¦ python3 -c 'print(open("notes/a").read())'
    python3 - <<< 'print(open("notes/a").read())' ¦ sqlite3 x <<< '.import notes/a t' ¦ ed -s x <<< 'r notes/a'`,
  )('and so does a line that reads it', (command) => {
    expect(decided(command, { deny: ['Read(notes/**)'] })).toBe('ask');
  });

  table(
    samples`
    cd src; touch a ¦ sed 's/notes/lib/' x
    sed -n '/notes/p' x ¦ awk '/notes/ {print $1}' x ¦ awk '{print > "out"}' x ¦ python3 -c 'print(1)' ¦ sed 'w out' x`,
  )('code and folders of other files are not affected', (command) => {
    expect(decided(command, { deny: ['Edit(notes/**)', 'Read(notes/**)'] })).toBe('allow');
  });

  table(
    samples`
    ls | xargs -I% sh -c 'echo %' ¦ find . -exec sh -c 'echo {}' \; ¦ set -- cat notes/a; "$@"
    "$(echo cat notes/a)" ¦ bash -c "$X" ¦ eval "$x" ¦ echo 'cat notes/a' | parallel ¦ env $X a ¦ $PY x.py ¦ cat x | sh`,
  )('a program or shell code that is known only at run time may read and change any file', (command) => {
    for (const deny of ['Edit(notes/**)', 'Read(notes/**)']) expect(decided(command, { deny: [deny] })).toBe('ask');
  });

  const long = (part: string) => part.repeat(99_000 / part.length);
  table<[string, string]>([
    [`wget -r ${long('a/')}`, 'ask'],
    [`curl -O ${long('a/')}`, 'allow'],
    [`curl -O ${long('[a')}`, 'ask'],
    [`cp ${'-t a b '.repeat(2_000)}`, 'allow'],
    [`echo ${long('${')}`, 'ask'],
    [`echo ${long('{a,b}')}`, 'allow'],
  ])(
    'a line of 100,000 characters is judged, without a list of all names that its words may have',
    (command, wanted) => {
      expect(decided(command, { deny: ['Edit(notes/**)', 'Read(notes/**)'] })).toBe(wanted);
    },
  );

  table(
    samples`
    git checkout . ¦ git checkout main ¦ git checkout -f ¦ git checkout -b x origin/main ¦ git checkout HEAD~1 -- .
    git checkout -- '*.txt' ¦ git checkout -- ':!src' ¦ git switch main ¦ git switch -c x main ¦ git restore . ¦ git restore -s x .
    git restore --staged --worktree . ¦ git clean -fd ¦ git clean -fdx . ¦ git clean -f 'n*' ¦ git reset --hard
    git reset --hard HEAD~1 ¦ git reset --keep x ¦ git reset --har ¦ git stash ¦ git stash push ¦ git stash pop
    git stash -u ¦ git stash apply ¦ git apply x.patch ¦ git apply --index x ¦ git am x ¦ git pull ¦ git pull --rebase
    git merge x ¦ git merge --stat x ¦ git merge --abort ¦ git rebase main ¦ git rebase --abort ¦ git cherry-pick x
    git revert HEAD ¦ git rm -r . ¦ git rm '*.txt' ¦ git bisect reset ¦ git read-tree -u x ¦ git checkout-index -a
    git lfs pull ¦ git filter-branch x ¦ git p ¦ gh pr checkout 1 ¦ git -c core.x=y checkout . ¦ sudo git clean -fd
    cd src; git checkout .. ¦ bash -c 'git pull' ¦ yes | git clean -fd ¦ git clean -nf --no-dry-run`,
  )('a git command that changes files without naming them asks', (command) => {
    expect(decided(command, { deny: ['Edit(notes/**)'] })).toBe('ask');
    expect(decided(command, { ask: ['Edit(notes/**)'] })).toBe('ask');
    expect(decided(command, { deny: ['Edit(/other/**)'] })).toBe('allow');
  });

  table(
    samples`
    git checkout -b x ¦ git switch -c x ¦ git checkout -- src/a.ts ¦ git restore src ¦ git restore --staged . ¦ git clean -n
    git clean -fd src ¦ git reset ¦ git reset HEAD~1 ¦ git stash list ¦ git stash drop ¦ git apply --check x.patch ¦ git fetch
    git commit -am x ¦ git add . ¦ git push ¦ git rm src/a.ts ¦ git branch -D x ¦ git tag x ¦ git log -p ¦ git worktree list`,
  )('other git commands are not affected', (command) => {
    expect(decided(command, { deny: ['Edit(notes/**)'] })).toBe('allow');
  });

  test('a copy into a folder keeps its file name', () => {
    expect(decided('cp /other/.env .', { deny: ['Edit(**/.env)'] })).toBe('deny');
  });
});

test('a root with pattern characters is matched literally', () => {
  const options = { root: '/ws [1]', deny: ['Read(notes/**)'] };
  expect(decided('cat notes/a.txt', options)).toBe('deny');
  expect(decided('cat n*/a.txt', options)).toBe('ask');
  expect(decided('cat src/*.ts', options)).toBe('allow');
});

test('a pattern with many stars is matched in linear time', () => {
  const path = `${'**/a/'.repeat(150)}b`;
  expect(decided(`cat ${path}`, { deny: ['Read(**/x/**/y/**/z/**/w.txt)'] })).toMatch(/^(?:allow|ask)$/);
  expect(decided(`cat ${'*'.repeat(5_000)}`, { deny: ['Read(notes/**)'] })).toBe('ask');
});
