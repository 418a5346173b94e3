import { expect } from 'vitest';
import { createPermissions, type PermissionsOptions } from '../../src/core.js';
import { samples, table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';

const rules: PermissionsOptions = { allow: ['Bash'], deny: ['Bash(touch *)'] };

function decided(command: string, options: PermissionsOptions): string {
  const request = permissionRequest('Bash', { input: { command }, sideEffect: 'network', risk: 'high' });
  return createPermissions({ root: '/ws', ...rules, ...options }).explain(request).behavior;
}

const runningInput = [
  ...['coproc sh; echo "touch x" >&"${COPROC[1]}"', 'mapfile -t a <<< "touch x"; "${a[@]}"'],
  ...samples`
  echo 'touch x' | xargs -I% sh -c % ¦ echo 'touch x' | xargs -I % sh -c '% y' ¦ echo 'touch x' | xargs --replace=% sh -c %
  echo 'touch x' | xargs -i sh -c {} ¦ echo 'touch x' | xargs -J% sh -c % ¦ echo touch | xargs -I% % x
  echo touch | xargs -I% env % x ¦ echo touch | xargs -I% sudo -u me % x ¦ echo touch | xargs -I% nice % x
  echo 'touch x' | xargs -0 sh -c ¦ echo '-c "touch x"' | xargs sh ¦ echo 'touch x' | xargs env
  echo 'touch x' | xargs sudo nice ¦ echo 'touch x' | xargs -d '\n' bash -c ¦ echo '. -exec touch x ;' | xargs find
  echo '-e "require(1)"' | xargs node ¦ echo '--pre touch x y' | xargs rg ¦ xargs -a lines sh -c
  echo 'touch x' | parallel ¦ cat lines | parallel -j4 ¦ echo 'touch x' | parallel sh -c ¦ parallel -a lines
  echo 'touch x' | parallel sh -c {} ¦ parallel -I% sh -c % ::: 'touch x' ¦ parallel {1} x ::: touch ¦ parallel {} ::: 'touch x'
  parallel '{= s/a/b/ =}' ::: 'aouch x' ¦ parallel -I% % x ::: touch ¦ echo 'touch x' | rush sh -c {}
  find . -name 'x*' -exec sh -c {} \; ¦ find . -exec bash -c 'echo {}' \; ¦ find /usr/bin -name 'to*' -exec {} x \;
  find . -exec env {} x \; ¦ find . -execdir {} x + ¦ fd x -x sh -c ¦ fd x -x {} y ¦ fd x -x sh -c {/.}
  printf 'tou\143h x' | sh ¦ cat x | bash -s ¦ echo 'touch x' | tee >(sh) ¦ echo 'touch x' > >(bash)
  echo 'touch x' | while read -r line; do sh -c "$line"; done ¦ set -- -c 'touch x'; sh "$@"
`,
];

table(runningInput)('a deny rule possibly matches a command made of words known at run time', (command) => {
  for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const)
    expect([mode, decided(command, { mode })]).toEqual([mode, 'ask']);
  expect(decided(command, { mode: 'dontAsk' })).toBe('deny');
  expect(decided(command, { deny: [], ask: ['Bash(touch *)'] })).toBe('ask');
});

table(samples`
  ls | xargs cat ¦ ls | xargs -n1 grep x ¦ ls | xargs -I% cp % /tmp ¦ ls | xargs -I% mv % %.old ¦ ls | xargs wc -l
  ls | xargs sh script.sh ¦ ls | xargs -I% sh -c 'echo "$1"' _ % ¦ ls | xargs node x.js ¦ ls | xargs git add
  ls | xargs rg x -- ¦ find . -name x -exec cat {} + ¦ find . -exec sh -c 'wc -l "$1"' _ {} \; ¦ find . -exec sh x.sh {} \;
  parallel gzip ::: a b ¦ ls | parallel gzip {} ¦ parallel wc -l {1} ::: a b ¦ fd x -x cat ¦ fd x -x mv {} {.}.old
  ls | tee >(wc -l) ¦ coproc cat ¦ git status ¦ sh script.sh ¦ bash ¦ node
`)('and does not match a literal program', (command) => {
  expect(decided(command, {})).toBe('allow');
});

table<[rules: string[], command: string]>([
  [['Bash(find *)', 'Bash(grep *)'], "find . -name '*.ts' -exec grep -l x {} +"],
  [['Bash(ls *)', 'Bash(xargs *)', 'Bash(grep *)'], 'ls | xargs grep x'],
  [['Bash(ls *)', 'Bash(xargs rg *)'], 'ls | xargs rg x --'],
])('an allow rule covers a program that gets files at run time', (allow, command) => {
  expect(decided(command, { allow, deny: [] })).toBe('allow');
});

table<[rules: string[], command: string]>([
  [['Bash(xargs *)', 'Bash(sh *)'], 'xargs -I% sh -c %'],
  [['Bash(parallel *)', 'Bash(sh *)'], 'parallel sh -c {} ::: x'],
  [['Bash(find *)', 'Bash(sh *)'], 'find . -exec sh -c {} ;'],
])('but not a program that gets code at run time', (allow, command) => {
  expect(decided(command, { allow, deny: [] })).toBe('ask');
});
