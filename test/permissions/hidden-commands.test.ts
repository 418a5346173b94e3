import { expect } from 'vitest';
import { createPermissions, type PermissionsOptions } from '../../src/core.js';
import { samples, table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';

function decided(command: string, options: PermissionsOptions = { deny: ['Bash(touch *)'] }): string {
  const request = permissionRequest('Bash', { input: { command }, sideEffect: 'network', risk: 'high' });
  return createPermissions({ root: '/ws', allow: ['Bash'], ...options }).explain(request).behavior;
}

table([
  ...['c=; : ${c:=touch}; $c y', 'c=; : ${c=touch}; $c y', 'c=; : ${!r:=touch}; $c y'],
  ...['x=C; c=ls; declare "${x,,}=touch"; $c y'],
  ...samples`
  c=touch; declare -n r=c; $r x ¦ c=touch; typeset -n r=c; $r x ¦ f() { local -n r=c; $r x; }; c=touch; f
  c=ls; declare $'\x63'=touch; $c x ¦ c=ls; printf -v $'\x63' touch; $c x ¦ c=ls; export $'\x63=touch'; $c x
  c=ls; read $'\x63' <<< touch; $c x ¦ c=ls; builtin declare $'\x63'=touch; $c x ¦ c=ls; eval $'\x63=touch'; $c x
  ab=ls; declare a"b"=touch; $ab x ¦ c=ls; f() { $c x; }; declare $'\x63'=touch; f`,
])('a deny rule possibly matches a command in a variable that the line may set indirectly', (command) => {
  expect(decided(command)).not.toBe('allow');
});

table([
  'f=a.txt; cat $f ${f%.txt}.md',
  ...samples`
  c=ls; $c x ¦ declare c=ls; $c y ¦ x=1; read -p "Sure? " y; echo $x ¦ x=1; printf '%s' $x
  code=1; exit $code ¦ for i in a b; do echo $i; done ¦ export A=b; x=y; echo $x ¦ declare -r x="y z"; echo "$x"`,
])('and does not match a variable with a literal value', (command) => {
  expect(decided(command)).toBe('allow');
});

table([
  ...samples`
  . /dev/stdin <<< 'touch x' ¦ source /dev/stdin <<< 'touch x' ¦ . /dev/fd/3 3<<< 'touch x' ¦ bash /dev/fd/3 3<<< 'touch x'
  bash /dev/fd/3 3<<< 'touch x' <<< ls ¦ f(){ sh; }; f <<< 'touch x' ¦ f(){ sh; }; echo 'touch x' | f
  exec <<< 'touch x'; sh ¦ exec 3<<< 'touch x'; sh <&3 ¦ exec < x; sh ¦ ed -s y <<< '!touch x' ¦ echo '!touch x' | ed -s y
  sqlite3 x <<< '.shell touch x' ¦ gdb x <<< '!touch x' ¦ psql x <<< '\! touch x' ¦ mysql x <<< '\! touch x'
  ex -s x <<< '!touch x' ¦ vim -es x <<< '!touch x' ¦ sftp -b - h <<< '!touch x' ¦ dc <<< '!touch x'
  sudo -s <<< 'touch x' ¦ chroot / <<< 'touch x' ¦ unshare -r <<< 'touch x' ¦ script -q log <<< 'touch x'
  ssh h bash <<< 'touch x' ¦ bash -c sh <<< 'touch x' ¦ echo 'touch x' | sudo -i
  m4 <<< 'syscmd(touch x)' ¦ other <<< 'system(touch x)' ¦ psql x <<< 'select 1' ¦ sqlite3 x <<< 'select 1;'
  psql -o '|touch y' x ¦ su root -- -c 'touch y' ¦ script -q /dev/null touch y ¦ less '+!touch y' a.txt ¦ gcc -wrapper touch,y a.c
  perl x.pl 'touch y|' ¦ perl x.pl '| touch y' ¦ cat f | python3 -c 'print(1)' ¦ python3 -i -c 1 <<< 'import os;os.system("touch y")' ¦ node -i -e 1 <<< 'require(1)'
  perl -e 'do "/dev/stdin"' <<< 'system("touch y")' ¦ php -r '("sys"."tem")("touch y");' ¦ psql -c '\e touch y'
  ruby -e 'send(:"sys"+"tem","touch y")' ¦ perl -MShell=touch -e 'touch("y")' ¦ python3 -c 'import sh; sh.touch("y")'`,
  'source /dev/stdin << E\ntouch x\nE',
])('a deny rule matches or possibly matches text that a line types into a program', (command) => {
  expect(decided(command)).not.toBe('allow');
});

table(samples`
  cat <<< 'touch x' ¦ other <<< ls ¦ git commit -F - <<< 'touch x'
  echo x | xargs ¦ bash -c cat <<< 'touch x' ¦ sudo -v ¦ echo x | env ls ¦ command -v sh < x ¦ exec < x; cat
  vim x ¦ exec 3>&1; ls ¦ f(){ ls; }; f ¦ source ./a.sh ¦ sh x.sh < y
`)('but not plain text, and not input of a program that reads data', (command) => {
  expect(decided(command)).toBe('allow');
});
