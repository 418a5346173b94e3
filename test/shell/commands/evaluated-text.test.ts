import { expect, test } from 'vitest';
import { createPermissions } from '../../../src/core.js';
import { eachRow, samples } from '../../support/each-row.js';
import { bash, decided } from './decided.js';

/** The decision about a command under allow rules for its own program and the usual ones. */
function allowed(command: string): string {
  const [program = ''] = command.split(' ');
  const allow = [program, 'echo', 'ls', 'set', 'bash'].map((name) => `Bash(${name} *)`);
  return createPermissions({ root: '/ws', allow }).explain({ ...bash, input: { command } }).behavior;
}

const evaluated = samples`
  printf -v 'a[$(touch x)]' y ¦ printf -v'a[$(touch x)]' y ¦ printf '%n' 'a[$(touch x)]'
  test -v 'a[$(touch x)]' ¦ [ -v 'a[$(touch x)]' ] ¦ [ -n x -a -v 'a[$(touch x)]' ] ¦ [[ -v 'a[$(touch x)]' ]]
  [[ 'a[$(touch y)]' -eq 0 ]] ¦ read 'a[$(touch x)]' <<< 1 ¦ read -r -a 'a[$(touch x)]' ¦ let 'a[$(touch x)]=1'
  declare 'a[$(touch x)]=1' ¦ declare -n x='a[$(touch y)]' ¦ typeset 'a[$(touch x)]=1' ¦ local 'a[$(touch x)]'
  export 'a[$(touch x)]' ¦ readonly 'a[$(touch x)]=1' ¦ declare -i 'x=a[$(touch y)]' ¦ unset 'a[$(touch x)]'
  wait -p 'a[$(touch x)]' ¦ getopts a 'a[$(touch x)]' ¦ compgen -W '$(touch x)' ¦ complete -W '$(touch x)' y
  mapfile 'a[$(touch x)]' < f ¦ builtin printf -v 'a[$(touch x)]' y ¦ command test -v 'a[$(touch x)]'
  (( a[$(touch x)] )) ¦ a['$(touch x)']=1
  x='a[$(touch y)]'; echo $((x)) ¦ echo $((x)); x='a[$(touch y)]'
  x='a[$(touch y)]'; read $x
  x='a[$(touch y)]'; let x ¦ declare -i x; x='a[$(touch y)]' ¦ read x <<< 'a[$(touch y)]'; (( x ))
  x=$(printf %s 'a[$(touch y)]'); (( x > 1 )) ¦ x='a[$(touch y)]'; for ((i = x; i; )); do :; done
  read RANDOM <<< 'a[$(touch y)]' ¦ mapfile RANDOM <<< 'a[$(touch y)]' ¦ printf -v OPTIND '%s' 'a[$(touch y)]'
  RANDOM='a[$(touch y)]' ¦ x='a[$(touch y)]'; SRANDOM=$x ¦ x='a[$(touch y)]'; a=([x]=1)
  PS4='$(touch y)'; set -x; ls ¦ PS4='$(touch y)' bash -x -c ls ¦ x='a[$'; y='(touch z)]'; (( $x$y ))
`;

const inBraces = [
  `: \${RANDOM:='a[$(touch y)]'}`,
  ...[`a['$(touch x)']`, `a[$'\\x24(touch x)']`].map((expansion) => `echo \${${expansion}}`),
  ...['b:x', '!x', 'x@P', 'a[x]'].map((expansion) => `x='a[$(touch y)]'; echo \${${expansion}}`),
];

test('a rule for a builtin does not cover text that the builtin executes', () =>
  eachRow([...evaluated, ...inBraces], (command) => expect(allowed(command)).toBe('ask')));

test('and a deny rule matches the command in this text', () =>
  eachRow([...evaluated, ...inBraces], (command) => expect(decided(command, ['Bash(touch *)'])).not.toBe('allow')));

test('a command that a builtin executes is assessed as a command', () =>
  eachRow(
    samples`mapfile -C 'touch x' -c 1 < f ¦ compgen -C 'touch x' ¦ complete -C 'touch x' y ¦ jobs -x touch x`,
    (command) => {
      expect(allowed(command)).toBe('ask');
      expect(decided(command, ['Bash(touch *)'])).toBe('deny');
    },
  ));

test('plain names and texts are covered', () =>
  eachRow(
    samples`
      printf -v out '%s' x ¦ printf '[%s]\n' x ¦ declare -i n=1 ¦ declare -a list ¦ read -r line ¦ read -p 'Name: ' x
      unset x ¦ unset -f x ¦ wait -n -p id ¦ let n=1 ¦ let 'n += 2' ¦ mapfile -t lines < f ¦ getopts ab: option
      test -v x ¦ [ -f a ] ¦ [ a -lt 3 ] ¦ shift 2 ¦ set -euo pipefail ¦ set +e ¦ compgen -A function
    `,
    (command) => expect(allowed(command)).toBe('allow'),
  ));

test('and expressions without quoted code are not matched by deny rules', () =>
  eachRow(
    samples`
      i=0; while (( i < 3 )); do (( i++ )); done ¦ n=$(wc -l < f); if [[ $n -gt 3 ]]; then echo $((n * 2)); fi
      [[ "$(git status --porcelain)" == '' ]] && echo clean ¦ echo $(( $(grep -c 'x' f) + 1 ))
      n=$(awk '{print $(NF-1)}' f); (( n > 1 )) ¦ [ "$x" = y ] && ls
      export A=1 B="$PATH:x"; grep -n '$(' f ¦ read -r line; echo '$(x)'
    `,
    (command) => expect(decided(command, ['Bash(touch *)'])).toBe('allow'),
  ));
