import { expect } from 'vitest';
import { createPermissions, type PermissionsOptions } from '../../src/core.js';
import { samples, table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';

function decided(command: string, options: PermissionsOptions): string {
  const request = permissionRequest('Bash', { input: { command }, sideEffect: 'network', risk: 'high' });
  return createPermissions({ root: '/ws', allow: ['Bash(npm test)', 'Bash(git push *)'], ...options }).explain(request)
    .behavior;
}

table(samples`
  npm test 2>&1 | tail -50 ¦ npm test || true ¦ cd packages/web && npm test ¦ npm test | grep fail | head -3
  npm test || exit 1 ¦ npm test; echo "exit: $?" ¦ set -e; npm test ¦ npm test & npm test & wait ¦ timeout 60 npm test
  git push origin 2>&1 | tail -5 ¦ npm test; echo done ¦ date && npm test
`)('low-risk: read-only commands beside an allowed one need no rule if they name no files', (command) => {
  expect(decided(command, { autoAllow: 'low-risk' })).toBe('allow');
  expect(decided(command, {})).toBe('ask');
});

table(samples`
  timeout 60 npm run x ¦ npm test; echo $NPM_TOKEN ¦ set -a; npm test ¦ npm test | sh ¦ npm test > log ¦ npm test | tee log ¦ npm test && rm x ¦ cat $(npm test) ¦ cat .env; npm test
  cd /etc && npm test ¦ npm test; git -C /x status ¦ X=1 npm test | tail
  npm test && cat a.txt ¦ cat a.txt | npm test ¦ npm test && git status ¦ npm test | tail -5 a.txt
`)(
  'low-risk: what is not known to be read-only, or rests on files that the line may change, needs a rule',
  (command) => {
    expect(decided(command, { autoAllow: 'low-risk' })).toBe('ask');
  },
);

table(samples`touch -- --checkpoint=1 ; tar cf a * ¦ tar cf a * & touch -- -x`)(
  'a pattern may expand to an option that an earlier command of the line creates',
  (command) => {
    expect(decided(command, { allow: ['Bash(touch *)', 'Bash(tar *)'] })).toBe('ask');
    expect(decided('cd sub && tar cf a *', { allow: ['Bash(tar *)', 'Bash(cd *)'] })).toBe('allow');
  },
);

table(samples`npm test | cat secret.txt ¦ cat ./secret.txt; npm test`)('a deny rule comes first', (command) => {
  expect(decided(command, { autoAllow: 'low-risk', deny: ['Read(secret.txt)'] })).toBe('deny');
});
