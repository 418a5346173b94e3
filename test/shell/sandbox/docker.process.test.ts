import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createToolkit } from '../../../src/index.js';
import { dockerSandbox } from '../../../src/shell/sandbox/index.js';
import { processesWith, scopeOf, shellBench, uniqueSeconds } from '../../support/shell.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

/**
 * A program that replaces docker: it records its arguments, runs the command of `run` in the mounted folder, and ends
 * it on `kill`.
 */
function standIn() {
  const folder = temporaryFolder();
  const file = join(folder, 'docker');
  writeFileSync(
    file,
    `#!/bin/bash
printf '%s\\n' "$*" >> ${folder}/calls
case "$1" in
  version) [ -e ${folder}/down ] && { echo 'Cannot connect to the Docker daemon' >&2; exit 1; }; echo 28 ;;
  kill) touch ${folder}/killed ;;
  ps) cat ${folder}/list 2>/dev/null ;;
  run)
    while [ $# -gt 0 ] && [ "$1" != test-image ]; do
      case "$1" in --mount) [ -n "$root" ] || { root=\${2#*source=}; root=\${root%%,*}; } ;; esac
      shift
    done
    shift
    cd "$root" && exec "$@" ;;
esac
`,
  );
  chmodSync(file, 0o755);
  const calls = () =>
    existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [];
  return { folder, file, calls };
}

const boxOf = ({ file }: { readonly file: string }) => dockerSandbox({ image: 'test-image', file });

describe('commands in a container', () => {
  test('see only the workspace as /workspace, without network and privileges', () => {
    const { arguments: words } = dockerSandbox({ image: 'node:22' }).launch({
      command: 'npm test',
      roots: ['/abs/space', '/abs/more'],
      cwd: '/abs/space/sub',
      env: { PATH: '/bin', SSL_CERT_FILE: '/etc/certs', LANG: 'C.UTF-8', CI: '1', DB_PASSWORD: 'do-not-show' },
      inherited: new Set(['PATH', 'SSL_CERT_FILE', 'LANG']),
    });
    const line = words.join(' ');
    expect(line).toMatch(
      /^run --name toolwright-[0-9a-f]{16} --rm --init --network none --cap-drop ALL --security-opt no-new-privileges --pids-limit 512 /,
    );
    expect(line).toContain(
      '--mount type=bind,source=/abs/space,target=/workspace --mount type=bind,source=/abs/more,target=/workspace-2',
    );
    expect(line).toContain('--workdir /workspace/sub --env LANG --env CI --env DB_PASSWORD node:22 /bin/sh -c ');
    expect(line).not.toContain('do-not-show');
    expect(words.at(-1)).toBe('npm test');
  });

  test('have the user of this process, because root without capabilities cannot write the files of others', () => {
    const program = { command: 'true', roots: ['/abs'], cwd: '/abs', env: {}, inherited: new Set<string>() };
    const line = (user?: string) =>
      dockerSandbox({ image: 'x', ...(user && { user }) })
        .launch(program)
        .arguments.join(' ');
    const spies = [vi.spyOn(process, 'getuid').mockReturnValue(1000), vi.spyOn(process, 'getgid').mockReturnValue(100)];
    try {
      expect(line()).toContain(' --user 1000:100 ');
      expect(line('0:0')).toContain(' --user 0:0 ');
      spies[0]?.mockReturnValue(0);
      expect(line()).not.toContain('--user');
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  test('have a terminal on request', () => {
    const program = { command: 'python3', roots: ['/abs'], cwd: '/abs', env: {}, inherited: new Set<string>() };
    const words = (isInteractive: boolean) =>
      dockerSandbox({ image: 'x' }).launch({ ...program, isInteractive }).arguments;
    expect(words(true)).toEqual(expect.arrayContaining(['--interactive', '--tty']));
    expect(words(false)).not.toContain('--tty');
  });

  test('use the daemon that was checked, for any variables of the command', () => {
    process.env.DOCKER_HOST = 'tcp://127.0.0.1:1';
    try {
      const { env, arguments: words } = dockerSandbox({ image: 'x' }).launch({
        command: 'true',
        roots: ['/abs/a, b'],
        cwd: '/abs/a, b',
        env: { A: '1', DOCKER_HOST: 'tcp://127.0.0.1:2', DOCKER_CONTEXT: 'other' },
        inherited: new Set(),
      });
      expect(env).toMatchObject({ A: '1', DOCKER_HOST: 'tcp://127.0.0.1:1' });
      expect(env).not.toHaveProperty('DOCKER_CONTEXT');
      expect(words.join(' ')).not.toContain('--env DOCKER');
      expect(words).toContain('type=bind,"source=/abs/a, b",target=/workspace');
    } finally {
      delete process.env.DOCKER_HOST;
    }
  });

  test('are killed at once when this process ends', async () => {
    const docker = standIn();
    const program = { command: 'true', roots: ['/w'], cwd: '/w', env: {}, inherited: new Set<string>() };
    const { arguments: words, kill } = boxOf(docker).launch(program);
    kill?.();
    // The last action of the replacement, after which its folder may be removed.
    await until(() => existsSync(join(docker.folder, 'killed')));
    expect(docker.calls()).toEqual([`kill ${words[words.indexOf('--name') + 1]}`]);
  });

  test('run through the shell like others: output, exit code, file', async () => {
    const docker = standIn();
    const { run, root } = shellBench({ sandbox: boxOf(docker) });
    mkdirSync(join(root, 'sub'));
    expect(await run('pwd; echo e >&2; exit 3')).toMatchObject({ exitCode: 3, output: `${root}\ne\n` });
    expect(docker.calls().find((call) => call.startsWith('run'))).toContain(
      `source=${root},target=/workspace --workdir /workspace `,
    );
  });

  test('are killed in the container at their time limit', async () => {
    const seconds = uniqueSeconds();
    const docker = standIn();
    const { run } = shellBench({ sandbox: boxOf(docker) });
    expect(await run(`sleep ${seconds}`, { timeoutMs: 300 })).toMatchObject({ timedOut: true, survivors: [] });
    const [name] = /toolwright-[0-9a-f]{16}/.exec(docker.calls().join('\n')) ?? ['none'];
    expect(docker.calls()).toContain(`kill ${name}`);
    await until(() => processesWith(seconds).length === 0);
    expect(processesWith(seconds)).toEqual([]);
  });

  test('change the directory of their session in a container too', async () => {
    const docker = standIn();
    const root = temporaryFolder();
    mkdirSync(join(root, 'sub'));
    const sandbox = boxOf(docker);
    const toolkit = createToolkit({ root, permissions: 'bypassPermissions', sandbox, shell: { cwdPersists: true } });
    try {
      const lastRun = () => docker.calls().findLast((call) => call.startsWith('run'));
      // The replacement has no /workspace, so the command prints the folder of a container.
      const run = async (command: string) => (await toolkit.call('Bash', { command })).output;
      expect(await run('pwd() { echo /workspace/sub; }')).toBe('(no output)');
      expect(lastRun()).toMatch(/--mount type=bind,source=(\S+cwd-\S+),target=\1 /);
      await run('true');
      expect(lastRun()).toContain('--workdir /workspace/sub ');
      expect(await run('pwd() { echo /elsewhere; }')).toContain('/elsewhere is outside the workspace');
      await run('true');
      expect(lastRun()).toContain('--workdir /workspace ');
    } finally {
      await toolkit.dispose();
    }
  });

  test('of a killed program are ended by the next one, those of others are not', async () => {
    const docker = standIn();
    writeFileSync(join(docker.folder, 'list'), 'aaa gone\nbbb living\nccc gone\n');
    await dockerSandbox({ image: 'x', file: docker.file }).reap?.((owner) => owner === 'gone');
    expect(docker.calls().map((call) => call.split(' ')[0])).toEqual(['ps', 'kill']);
    expect(docker.calls()[1]).toBe('kill aaa ccc');
  });

  test('have the label of their owner, and leftovers are searched for at the first command', async () => {
    const docker = standIn();
    const { run, folder } = shellBench({ sandbox: boxOf(docker) });
    await run('true');
    expect(docker.calls().find((call) => call.startsWith('run'))).toContain(
      `--label toolwright.owner=${folder.owner} `,
    );
    await until(() => docker.calls().some((call) => call.startsWith('ps ')));
    expect(docker.calls().filter((call) => call.startsWith('ps '))).toHaveLength(1);
  });

  test('need a docker that answers, which is checked once', async () => {
    const docker = standIn();
    const sandbox = boxOf(docker);
    writeFileSync(join(docker.folder, 'down'), '');
    expect(await sandbox.obstacle(scopeOf())).toBe('Cannot connect to the Docker daemon');
    expect(await dockerSandbox({ image: 'x', file: join(docker.folder, 'missing') }).obstacle(scopeOf())).toMatch(
      /is not installed$/,
    );
    const up = standIn();
    const other = boxOf(up);
    expect([await other.obstacle(scopeOf()), await other.obstacle(scopeOf())]).toEqual([undefined, undefined]);
    expect(up.calls()).toHaveLength(1);
  });
});
