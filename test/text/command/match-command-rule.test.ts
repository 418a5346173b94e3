import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCommand } from '../../../src/command/read/read-command.js';
import { parseCommandRule } from '../../../src/command/rules/command-rule.js';
import { isCovered, matchRestriction } from '../../../src/command/rules/match-command-rule.js';
import { suggestRules } from '../../../src/command/rules/suggest-command-rule.js';
import { eachRow } from '../../support/each-row.js';

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
  test('the example cases are decided as they should be', () =>
    eachRow(cases, ({ rules, call, expect: wanted }) => {
      const remembered = (rules.remembered ?? []).flatMap((command) => suggestRules(readCommand(command)));
      const decision = decide(call.input.command, [...specs(rules.allow), ...remembered], specs(rules.deny));
      expect(wanted === 'not_allow' ? ['ask', 'deny'] : [wanted]).toContain(decision);
    }));
});

const covered: readonly (readonly [spec: string, command: string])[] = [
  ['git status', 'git status'],
  ['git status', "git 'status'"],
  ['git status', 'git   status  # now'],
  ['git status', 'git status 2>&1'],
  ['git status', 'git status > /dev/null'],
  ['npm run *', 'npm run'],
  ['npm run *', 'npm run build'],
  ['npm run *', 'npm run build -- --watch'],
  ['npm run:*', 'npm run build'],
  ['npm run test:*', 'npm run test x'],
  ['npm run "test:"*', 'npm run test:unit'],
  ['npm run *', 'npm run "a;b"'],
  ['npm run *', "npm run '$(x)'"],
  ['npm *', 'CI=1 npm test'],
  ['npm *', 'NODE_ENV=test npm test'],
  ['npm *', 'npm test && npm run build; npm run x | npm run y'],
  ['npm *', 'npm test &'],
  ['npm *', '(npm test)'],
  ['npm *', '{ npm test; } 2>&1'],
  ['npm *', 'if npm test; then npm run x; fi'],
  ['npm *', 'for x in a b; do npm test; done'],
  ['npm *', 'time npm test'],
  ['npm *', '! npm test'],
  ['ls *', 'ls *.ts src/**'],
  ['ls', 'ls'],
  ['cat src/*', 'cat src/a.ts'],
  ['cat src/*.ts', 'cat src/a.ts'],
  ['git * status', 'git x status'],
  ["echo 'a b'", 'echo "a b"'],
  ["echo '*'", "echo '*'"],
  ['./run.sh *', './run.sh -x'],
  ['*', 'ls; npm publish $(x)'],
  ['', 'anything at all'],
  ['node *', 'node x.js < in'],
  ['cat *', 'cat <<E\ntext\nE'],
];

const uncovered: readonly (readonly [spec: string, command: string])[] = [
  ['git status', 'git status -s'],
  ['git status', 'git statusx'],
  ['git status', 'git'],
  ['git status', '/usr/bin/git status'],
  ['git status', 'GIT_DIR=x git status'],
  ['git status', 'PATH=. git status'],
  ['git status', 'git -C x status'],
  ['git status', 'git status; ls'],
  ['git status', 'git status && rm x'],
  ['git status', 'git status | sh'],
  ['git status', 'git status & x'],
  ['git status', 'git status\nx'],
  ['git status', 'git status > file'],
  ['git status', 'git status >> file'],
  ['git status', 'git status 2> file'],
  ['git status', 'git status &> file'],
  ['git status', 'git status >& file'],
  ['git status', '{ git status; } > file'],
  ['git status', 'A=1; git status'],
  ['git status', 'X=status; git $X'],
  ['git status', "git $'status'"],
  ['git status', 'git st{atus,}'],
  ['git status', 'git statu?'],
  ['npm run *', 'npm run $(x)'],
  ['npm run *', 'npm run `x`'],
  ['npm run *', 'npm run "$X"'],
  ['npm run *', 'npm run <(x)'],
  ['npm run *', 'npm run $((1))'],
  ['npm run *', 'npm runx'],
  ['npm run *', 'npm test'],
  ['npm run *', 'npm'],
  ['npm run test:*', 'npm run test:unit'],
  ['npm *', 'f() { npm test; }; f'],
  ['npm *', 'npm() { x; }; npm test'],
  ['npm *', 'npm exec -- rimraf x'],
  ['npm *', 'npm test "unterminated'],
  ['npm *', 'npm test <<E\n$(x)\nE'],
  ['npm *', 'npm test \u202e'],
  ['npm *', 'npm test\r\nnpm test'],
  ['npm *', 'sudo npm test'],
  ['npm *', 'bash -c "npm test"'],
  ['npm *', '$NPM test'],
  ['find *', 'find . -exec npm publish ;'],
  ['find *', 'find . -exec npm publish {} +'],
  ['xargs *', 'xargs npm publish'],
  ['timeout *', 'timeout 5 npm publish'],
  ['env *', 'env npm publish'],
  ['bash *', "bash -c 'npm publish'"],
  ['git *', "git -c alias.x='!npm publish' x"],
  ['git *', "git submodule foreach 'npm publish'"],
  ['echo *', 'echo "$(npm publish)"'],
  ['echo *', 'echo x > ~/.bashrc'],
  ['cat *', 'cat < "$F"'],
  ['cat *', 'cat < /dev/tcp/h/1'],
  ['cat src/*', 'cat src/a/b.ts'],
  ['cat src/*', 'cat src/../x'],
  ['cat src/*', 'cat src/..'],
  ['git * status', 'git -c status'],
  ['git * status', 'git a b status'],
  ["echo '*'", 'echo x'],
  ['ls*', 'ls -la'],
  ['[', '[[ -f x ]]'],
  ['cd *', 'cd x && npm test'],
  ['npm *', ''],
];

describe('an allow rule', () => {
  test('what a rule covers', () =>
    eachRow(covered, ([spec, command]) =>
      expect(isCovered(readCommand(command), [parseCommandRule(spec)])).toBe(true),
    ));

  test('what a rule does not cover', () =>
    eachRow(uncovered, ([spec, command]) =>
      expect(isCovered(readCommand(command), [parseCommandRule(spec)])).toBe(false),
    ));

  test('every part may be covered by another rule', () => {
    const rules = ['cd *', 'npm test', 'tee *'].map(parseCommandRule);
    expect(isCovered(readCommand('cd app && npm test | tee log'), rules)).toBe(true);
  });
});

const restricted: readonly (readonly [spec: string, command: string])[] = [
  ['npm publish *', 'docker exec box npm publish'],
  ['npm publish *', "man -P 'npm publish' ls"],
  ['npm publish *', "man --pager='npm publish' ls"],
  ['npm publish *', "make SHELL='npm publish'"],
  ['npm run test:*', 'npm run test:unit'],
  ['npm run test:*', 'npm run test x'],
  ['npm publish', 'npm publish'],
  ['npm publish', 'npm publish --tag beta'],
  ['npm publish', 'npm --loglevel silly publish'],
  ['npm publish *', 'npm publish ./pkg'],
  ['npm publish *', '/usr/local/bin/npm publish'],
  ['npm publish *', './npm publish'],
  ['npm publish *', 'npm.cmd publish'],
  ['npm publish *', 'NPM.CMD publish'],
  ['npm publish *', 'npm.exe publish'],
  ['npm.cmd publish *', 'npm.cmd publish'],
  ['npm.cmd publish *', '/bin/npm.cmd publish'],
  ['tool.bat *', 'tool.bat x'],
  ['npm publish *', 'NPM publish'],
  ['npm publish *', '\'npm\' pub"lish"'],
  ['npm publish *', '\\npm publish'],
  ['npm publish *', "$'npm' publish"],
  ['npm publish *', 'X=publish; npm $X'],
  ['npm publish *', 'X=npm; $X publish'],
  ['npm publish *', 'CI=1 FOO=x npm publish'],
  ['npm publish *', 'ls; npm publish'],
  ['npm publish *', 'ls\nnpm publish &'],
  ['npm publish *', 'ls | npm publish'],
  ['npm publish *', 'false || npm publish'],
  ['npm publish *', '(cd x; npm publish)'],
  ['npm publish *', 'if true; then npm publish; fi'],
  ['npm publish *', 'f() { npm publish; }; f'],
  ['npm publish *', 'echo $(npm publish)'],
  ['npm publish *', 'echo `npm publish`'],
  ['npm publish *', 'cat <(npm publish)'],
  ['npm publish *', 'cat <<E\n$(npm publish)\nE'],
  ['npm publish *', 'sudo npm publish'],
  ['npm publish *', 'env -i A=1 npm publish'],
  ['npm publish *', 'timeout 5 npm publish'],
  ['npm publish *', 'nohup nice npm publish &'],
  ['npm publish *', 'xargs npm publish'],
  ['npm publish *', 'find . -exec npm publish {} +'],
  ['npm publish *', 'bash -c "npm publish"'],
  ['npm publish *', 'bash <<< "npm publish"'],
  ['npm publish *', 'eval npm publish'],
  ['npm publish *', 'command npm publish'],
  ['npm publish *', 'exec npm publish'],
  ['npm publish *', 'ssh host npm publish'],
  ['npm publish *', 'trap "npm publish" EXIT'],
  ['npm publish *', "git -c alias.p='!npm publish' p"],
  ['npm publish*', 'npm publish --tag x ./pkg'],
  ['npm pub*', 'npm publish'],
  ['git push', 'git -C /x push'],
  ['git push', 'git -C push push'],
  ['git push', 'git --git-dir=x --work-tree y push -f'],
  ['git push *', 'git -c a=b push origin main'],
  ['rm *', 'rm x'],
  ['/bin/rm *', 'rm x'],
  ['*', 'ls'],
];

const possible: readonly (readonly [spec: string, command: string])[] = [
  ['npm publish *', "sed '1e npm publish' f"],
  ['npm publish *', "vim -c '!npm publish' f"],
  ['npm publish *', 'IFS=,; c=npm,publish; $c'],
  ['npm publish *', "printf -v c 'npm publish'; $c"],
  ['npm publish *', 'read c <<< "npm publish"; $c'],
  ['npm publish *', '{npm,publish}'],
  ['npm publish *', 'np{m,} publish; {npm,} publish'],
  ['npm publish *', 'npm ${Z:-publish}'],
  ['npm publish *', 'npm $(echo publish)'],
  ['npm publish *', 'f() { npm "$@"; }; f publish'],
  ['npm publish *', 'echo publish | xargs npm'],
  ['npm publish *', 'echo npm publish | sh'],
  ['npm publish *', 'python3 -c "os.system(\'npm publish\')"'],
  ['npm publish *', 'node "$(which npm)" publish'],
  ['npm publish *', 'hash -p /usr/bin/npm x; x publish'],
  ['npm publish *', 'alias x=npm; x publish'],
  ['npm publish *', 'BASH_CMDS[x]=npm; x publish'],
  ['npm publish *', 'IFS=$Y; c=npm,publish; $c'],
  ['npm publish *', 'npm $X'],
  ['npm publish *', 'npm "$(x)"'],
  ['npm publish *', 'np? publish'],
  ['npm publish *', 'npm publis?'],
  ['npm publish *', '$X publish'],
  ['npm publish *', '$X'],
  ['npm publish *', 'eval $X'],
  ['npm publish *', 'bash -c "$X"'],
  ['npm publish *', 'ls "unterminated'],
  ['npm publish *', 'unknown-wrapper npm publish'],
  ['npm publish *', 'yarn-wrapper --x -- npm publish'],
  ['npm publish *', 'npm --tag $X'],
  ['git push *', `git ${'-c a.b=c '.repeat(101)}push`],
  ['npm publish *', `npm ${'--silent '.repeat(300)}publish`],
];

const unrestricted: readonly (readonly [spec: string, command: string])[] = [
  ['npm publish *', 'node x.js "$A"'],
  ['npm run test:*', 'npm run testing'],
  ['npm publish *', 'npm view publish'],
  ['npm publish *', 'npm run publish'],
  ['npm publish *', 'npm test'],
  ['npm publish *', 'npm test $X'],
  ['npm publish *', 'npmx publish'],
  ['npm publish *', 'echo npm publish'],
  ['npm publish *', 'echo "npm publish"'],
  ['npm publish *', 'git commit -m "npm publish"'],
  ['npm publish *', 'grep -rn "npm publish" .'],
  ['npm publish *', 'cat <<E > notes\nnpm publish\nE'],
  ['npm publish *', 'ls # npm publish'],
  ['npm publish', 'npm publish ./pkg'],
  ['git push', 'git pull'],
  ['git push *', 'git log --grep push'],
  ['rm *', 'npm rm x'],
];

describe('an ask or deny rule', () => {
  test('what a restriction meets', () =>
    eachRow(restricted, ([spec, command]) =>
      expect(matchRestriction(parseCommandRule(spec), readCommand(command))).toBe('yes'),
    ));

  test('what a restriction may meet', () =>
    eachRow(possible, ([spec, command]) =>
      expect(matchRestriction(parseCommandRule(spec), readCommand(command))).toBe('possible'),
    ));

  test('what a restriction leaves alone', () =>
    eachRow(unrestricted, ([spec, command]) =>
      expect(matchRestriction(parseCommandRule(spec), readCommand(command))).toBe('no'),
    ));
});
