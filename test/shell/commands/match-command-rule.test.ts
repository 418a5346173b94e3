import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseCommandRule } from '../../../src/shell/assess/command-rule.js';
import { isCovered, matchRestriction } from '../../../src/shell/assess/match-command-rule.js';
import { suggestRules } from '../../../src/shell/assess/suggest-command-rules.js';
import { readCommand } from '../../../src/shell/parse/read-command.js';
import { byRule, eachRow, samples } from '../../support/each-row.js';

interface RuleOfCase {
  readonly tool: string;
  readonly prefix?: string;
}

interface RuleCase {
  readonly why: string;
  readonly rules: {
    readonly allow?: readonly RuleOfCase[];
    readonly deny?: readonly RuleOfCase[];
    readonly remembered?: readonly string[];
  };
  readonly call: { readonly input: { readonly command: string } };
  readonly expect: 'allow' | 'deny' | 'not_allow';
}

const cases: readonly RuleCase[] = JSON.parse(
  readFileSync(new URL('../../fixtures/command-rules.json', import.meta.url), 'utf8'),
).cases;

function specs(rules: readonly RuleOfCase[] = []): readonly string[] {
  return rules.map(({ prefix }) => (prefix === undefined ? '*' : `${prefix} *`));
}

function decide(command: string, allow: readonly string[], deny: readonly string[]): string {
  const reading = readCommand(command);
  const matches = deny.map((spec) => matchRestriction(parseCommandRule(spec), reading));
  if (matches.includes('yes')) return 'deny';
  return !matches.includes('possible') && isCovered(reading, allow.map(parseCommandRule)) ? 'allow' : 'ask';
}

describe('rules for commands', () => {
  test('the examples are decided as expected', () =>
    eachRow(cases, ({ rules, call, expect: wanted }) => {
      const remembered = (rules.remembered ?? []).flatMap((command) => suggestRules(readCommand(command)));
      const decision = decide(call.input.command, [...specs(rules.allow), ...remembered], specs(rules.deny));
      expect(wanted === 'not_allow' ? ['ask', 'deny'] : [wanted]).toContain(decision);
    }));
});

const covered: readonly (readonly [spec: string, command: string])[] = byRule({
  'git status': samples`git status ¦ git 'status' ¦ git   status  # now ¦ git status 2>&1 ¦ git status > /dev/null`,
  'npm run *': samples`npm run ¦ npm run build ¦ npm run build -- --watch ¦ npm run "a;b" ¦ npm run '$(x)'`,
  'npm run:*': ['npm run build'],
  'npm run test:*': ['npm run test x'],
  'npm run "test:"*': ['npm run test:unit'],
  'npm *': samples`
    CI=1 npm test ¦ NODE_ENV=test npm test ¦ npm test && npm run build; npm run x | npm run y ¦ npm test &
    (npm test) ¦ { npm test; } 2>&1 ¦ if npm test; then npm run x; fi ¦ for x in a b; do npm test; done
    time npm test ¦ ! npm test
  `,
  'ls *': ['ls *.ts src/**'],
  ls: ['ls'],
  'cat src/*': ['cat src/a.ts'],
  'cat src/*.ts': ['cat src/a.ts'],
  'mytool * status': ['mytool x status'],
  "echo 'a b'": ['echo "a b"'],
  "echo '*'": ["echo '*'"],
  './run.sh *': ['./run.sh -x'],
  '*': ['ls; npm publish $(x)'],
  '': ['anything at all'],
  'node *': ['node x.js < in'],
  'cat *': ['cat <<E\ntext\nE'],
});

const uncovered: readonly (readonly [spec: string, command: string])[] = byRule({
  'git status': [
    ...samples`
      git status -s ¦ git statusx ¦ git ¦ /usr/bin/git status ¦ GIT_DIR=x git status ¦ PATH=. git status
      git -C x status ¦ git status; ls ¦ git status && rm x ¦ git status | sh ¦ git status & x ¦ git status > file
      git status >> file ¦ git status 2> file ¦ git status &> file ¦ git status >& file ¦ { git status; } > file
      A=1; git status ¦ X=status; git $X ¦ git $'status' ¦ git st{atus,} ¦ git statu?
    `,
    'git status\nx',
  ],
  'npm run *': [
    ...samples`npm run $(x) ¦ npm run "$X" ¦ npm run <(x) ¦ npm run $((1)) ¦ npm runx ¦ npm test ¦ npm`,
    'npm run `x`',
  ],
  'npm run test:*': ['npm run test:unit'],
  'npm *': [
    ...samples`
      f() { npm test; }; f ¦ npm() { x; }; npm test ¦ npm exec -- rimraf x ¦ npm test "unterminated ¦ sudo npm test
      bash -c "npm test" ¦ $NPM test
    `,
    'npm test <<E\n$(x)\nE',
    'npm test \u202e',
    'npm test\r\nnpm test',
    '',
  ],
  'find *': ['find . -exec npm publish ;', 'find . -exec npm publish {} +'],
  'xargs *': ['xargs npm publish'],
  'timeout *': ['timeout 5 npm publish'],
  'env *': ['env npm publish'],
  'bash *': ["bash -c 'npm publish'"],
  'git *': ["git -c alias.x='!npm publish' x", "git submodule foreach 'npm publish'"],
  'echo *': ['echo "$(npm publish)"', 'echo x > ~/.bashrc'],
  'cat *': ['cat < "$F"', 'cat < /dev/tcp/h/1'],
  'cat src/*': samples`cat src/a/b.ts ¦ cat src/../x ¦ cat src/..`,
  'git * status': ['git -c status', 'git a b status'],
  ': *': ['ls'],
  "echo '*'": ['echo x'],
  'ls*': ['ls -la'],
  '[': ['[[ -f x ]]'],
  'cd *': ['cd x && npm test'],
});

describe('an allow rule', () => {
  test('covers', () =>
    eachRow(covered, ([spec, command]) =>
      expect(isCovered(readCommand(command), [parseCommandRule(spec)])).toBe(true),
    ));

  test('does not cover', () =>
    eachRow(uncovered, ([spec, command]) =>
      expect(isCovered(readCommand(command), [parseCommandRule(spec)])).toBe(false),
    ));

  test('covers a part of a line, and another rule may cover another part', () => {
    const rules = ['cd *', 'npm test', 'tee *'].map(parseCommandRule);
    expect(isCovered(readCommand('cd app && npm test | tee log'), rules)).toBe(true);
  });
});

const restricted: readonly (readonly [spec: string, command: string])[] = byRule({
  'pip install *': ['pip3 install x', 'pip3.11 install x'],
  'npm publish *': [
    ...samples`
      npx npm@latest publish ¦ npm exec npm@10 publish ¦ pnpm dlx npm@9 publish ¦ echo npm publish | sh
      docker exec box npm publish ¦ man -P 'npm publish' ls ¦ man --pager='npm publish' ls ¦ make SHELL='npm publish'
      npm publish ./pkg ¦ /usr/local/bin/npm publish ¦ ./npm publish ¦ npm.cmd publish ¦ NPM.CMD publish
      npm.exe publish ¦ NPM publish ¦ 'npm' pub"lish" ¦ \npm publish ¦ $'npm' publish ¦ X=publish; npm $X
      X=npm; $X publish ¦ CI=1 FOO=x npm publish ¦ ls; npm publish ¦ ls | npm publish ¦ false || npm publish
      (cd x; npm publish) ¦ if true; then npm publish; fi ¦ f() { npm publish; }; f ¦ echo $(npm publish)
      cat <(npm publish) ¦ sudo npm publish ¦ env -i A=1 npm publish ¦ timeout 5 npm publish
      nohup nice npm publish & ¦ xargs npm publish ¦ find . -exec npm publish {} + ¦ bash -c "npm publish"
      bash <<< "npm publish" ¦ eval npm publish ¦ command npm publish ¦ exec npm publish ¦ ssh host npm publish
      trap "npm publish" EXIT ¦ git -c alias.p='!npm publish' p
    `,
    'ls\nnpm publish &',
    'echo `npm publish`',
    'cat <<E\n$(npm publish)\nE',
  ],
  'npm run test:*': ['npm run test:unit', 'npm run test x'],
  'npm publish': samples`npm publish ¦ npm publish --tag beta ¦ npm --loglevel silly publish`,
  'npm.cmd publish *': ['npm.cmd publish', '/bin/npm.cmd publish'],
  'tool.bat *': ['tool.bat x'],
  'npm publish*': ['npm publish --tag x ./pkg'],
  'npm pub*': ['npm publish'],
  'git push': samples`git -C /x push ¦ git -C push push ¦ git --git-dir=x --work-tree y push -f`,
  'git push *': ['git -c a=b push origin main'],
  'rm *': ['rm x'],
  '/bin/rm *': ['rm x'],
  '*': ['ls'],
});

const possible: readonly (readonly [spec: string, command: string])[] = byRule({
  'npm publish *': [
    ...samples`
      sed '1e npm publish' f ¦ vim -c '!npm publish' f ¦ IFS=,; c=npm,publish; $c ¦ printf -v c 'npm publish'; $c
      read c <<< "npm publish"; $c ¦ {npm,publish} ¦ np{m,} publish; {npm,} publish ¦ npm $(echo publish)
      f() { npm "$@"; }; f publish ¦ echo publish | xargs npm ¦ echo npm publish | tee x | sh
      python3 -c "os.system('npm publish')" ¦ node "$(which npm)" publish ¦ hash -p /usr/bin/npm x; x publish
      alias x=npm; x publish ¦ BASH_CMDS[x]=npm; x publish ¦ IFS=$Y; c=npm,publish; $c ¦ npm $X ¦ npm "$(x)"
      np? publish ¦ npm publis? ¦ $X publish ¦ $X ¦ eval $X ¦ bash -c "$X" ¦ ls "unterminated
      unknown-wrapper npm publish ¦ yarn-wrapper --x -- npm publish ¦ npm --tag $X
    `,
    'npm ${Z:-publish}',
    `npm ${'--silent '.repeat(300)}publish`,
  ],
  'git push *': [`git ${'-c a.b=c '.repeat(101)}push`],
});

const unrestricted: readonly (readonly [spec: string, command: string])[] = byRule({
  'npm publish *': [
    ...samples`
      node x.js "$A" ¦ npm view publish ¦ npm run publish ¦ npm test ¦ npm test $X ¦ npmx publish ¦ echo npm publish
      echo "npm publish" ¦ git commit -m "npm publish" ¦ grep -rn "npm publish" . ¦ ls # npm publish
    `,
    'cat <<E > notes\nnpm publish\nE',
  ],
  'npm run test:*': ['npm run testing'],
  'npm publish': ['npm publish ./pkg'],
  'git push': ['git pull'],
  'git push *': ['git log --grep push'],
  'rm *': ['npm rm x'],
});

describe('an ask or deny rule', () => {
  test('matches', () =>
    eachRow(restricted, ([spec, command]) =>
      expect(matchRestriction(parseCommandRule(spec), readCommand(command))).toBe('yes'),
    ));

  test('possibly matches', () =>
    eachRow(possible, ([spec, command]) =>
      expect(matchRestriction(parseCommandRule(spec), readCommand(command))).toBe('possible'),
    ));

  test('does not match', () =>
    eachRow(unrestricted, ([spec, command]) =>
      expect(matchRestriction(parseCommandRule(spec), readCommand(command))).toBe('no'),
    ));
});
