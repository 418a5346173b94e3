import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.js';
import { sandboxShell } from '../../src/shell/sandboxed-shell.js';
import { asOrdinaryUser, giveToOrdinaryUser } from '../support/as-user.js';
import { processesWith, scopeOf, shellBench, uniqueSeconds } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const file = process.env.TOOLWRIGHT_BWRAP ?? 'bwrap';

function bench(options: Parameters<typeof bubblewrapSandbox>[0] = {}) {
  const sandbox = bubblewrapSandbox({ file, ...options });
  const { shell, root } = shellBench({ sandbox });
  const guarded = sandboxShell({
    sandbox,
    inside: shell,
    outside: { run: () => Promise.reject(new Error('on the host')) },
  });
  return { root, run: (command: string, request = {}) => guarded.run({ command, ...request }, scopeOf()) };
}

beforeAll(async () => {
  expect(
    await bubblewrapSandbox({ file }).obstacle(scopeOf()),
    'install bubblewrap, or name it in TOOLWRIGHT_BWRAP',
  ).toBeUndefined();
});

describe('in a bubblewrap sandbox of an ordinary user', () => {
  const runAsUser = (command: string, options: Parameters<typeof bubblewrapSandbox>[0] = {}) => {
    const root = temporaryFolder();
    giveToOrdinaryUser(root);
    const env = { HOME: root };
    vi.stubEnv('HOME', root);
    const launch = bubblewrapSandbox({ file, ...options }).launch({
      command,
      roots: [root],
      cwd: root,
      env,
      inherited: new Set(),
    });
    return { root, output: asOrdinaryUser(launch.file, launch.arguments, env) };
  };

  test('the workspace can be written, and nothing else', () => {
    const beside = temporaryFolder();
    giveToOrdinaryUser(beside);
    const { root, output } = runAsUser(
      `id -u; echo new > in; echo new > ${beside}/out; echo new > /var/tmp/planted; cat in; rm -rf ${beside}`,
    );
    expect(output).toMatch(/^\d+\n/);
    expect(output).not.toMatch(/^0\n/);
    expect(output).toContain('\nnew\n');
    expect(readFileSync(join(root, 'in'), 'utf8')).toBe('new\n');
    expect([existsSync(beside), existsSync(join(beside, 'out')), existsSync('/var/tmp/planted')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a hidden place cannot be read, though the user could outside', () => {
    const secrets = temporaryFolder();
    giveToOrdinaryUser(secrets);
    writeFileSync(join(secrets, 'key'), 'HIDDEN-MARKER');
    expect(asOrdinaryUser('cat', [join(secrets, 'key')], {})).toBe('HIDDEN-MARKER');
    const { output } = runAsUser(
      `cat ${secrets}/key; umount ${secrets}; cat ${secrets}/key; cat /proc/1/root${secrets}/key`,
      {
        hide: [secrets],
      },
    );
    expect(output).not.toContain('HIDDEN-MARKER');
  });

  test('there is no network but its own loopback', () => {
    const { output } = runAsUser(
      "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; timeout 2 bash -c '< /dev/tcp/192.0.2.1/80'",
    );
    expect(output).toMatch(/^lo\n/);
    expect(output).toContain('unreachable');
  });

  test('nothing outlives its command', () => {
    const seconds = uniqueSeconds();
    const { output } = runAsUser(
      `env -i setsid sleep ${seconds} >/dev/null 2>&1 & (setsid nohup sleep ${seconds} >/dev/null 2>&1 &); echo ok`,
    );
    expect(output).toBe('ok\n');
    expect(processesWith(seconds)).toEqual([]);
  });
});

describe('in a bubblewrap sandbox', () => {
  test('the workspace can be read and written', async () => {
    const { run, root } = bench();
    writeFileSync(join(root, 'in'), 'hello');
    expect(await run('cat in; echo out > out; pwd; exit 3')).toMatchObject({
      exitCode: 3,
      output: `hello${root}\n`,
      sandbox: 'bubblewrap',
      survivors: [],
    });
    expect(readFileSync(join(root, 'out'), 'utf8')).toBe('out\n');
  });

  test.each([
    '/etc/planted',
    '/usr/planted',
    '/planted',
    '/run/planted',
    `${homedir()}/planted`,
    '/dev/shm/../../etc/planted',
  ])('nothing can be written to %s', async (path) => {
    const { run } = bench();
    await run(`touch ${path}; mkdir -p $(dirname ${path}); echo x > ${path}`);
    expect(existsSync(path)).toBe(false);
  });

  test('a folder beside the workspace is out of reach of writing, by link too', async () => {
    const { run } = bench();
    const beside = temporaryFolder();
    writeFileSync(join(beside, 'file'), 'old');
    await run(`ln -s ${beside} link; echo new > link/file; echo new > ${beside}/file; rm -f ${beside}/file`);
    expect(readFileSync(join(beside, 'file'), 'utf8')).toBe('old');
  });

  test('a hidden place cannot be read, and not be written back', async () => {
    const secrets = join(temporaryFolder(), 'secrets');
    mkdirSync(secrets);
    writeFileSync(join(secrets, 'key'), 'HIDDEN-MARKER');
    const { run } = bench({ hide: [secrets, join(secrets, 'nothing')] });
    const { output } = await run(
      `cat ${secrets}/key; ls -A ${secrets}; umount ${secrets}; cat ${secrets}/key; cat /proc/1/root${secrets}/key`,
    );
    expect(output).not.toContain('HIDDEN-MARKER');
  });

  test('there is no way to the network of the machine', async () => {
    const server = createServer((socket) => socket.end('REACHED')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const connect = `timeout 2 bash -c 'cat < /dev/tcp/127.0.0.1/${port}'`;
    expect((await bench().run(connect)).output).not.toContain('REACHED');
    expect((await bench({ network: true }).run(connect)).output).toContain('REACHED');
  });

  test('nothing outlives its command, whatever it does to get away', async () => {
    const { run } = bench();
    // Many, as a program that ends before the kernel has ended the rest shows it once in thirty.
    for (let round = 0; round < 60; round++) {
      const seconds = uniqueSeconds();
      const outcome = await run(
        `env -i setsid sleep ${seconds} >/dev/null 2>&1 & (setsid nohup sleep ${seconds} >/dev/null 2>&1 &); echo ok`,
      );
      expect(outcome).toMatchObject({
        output: 'ok\n',
        survivors: [],
        note: expect.stringContaining('nothing outlives its command'),
      });
      expect(processesWith(seconds)).toEqual([]);
    }
  });

  test.each([
    ['exit 7', 7, ''],
    ['kill -TERM $$', 143, ''],
    ['kill -KILL $$', 137, ''],
    ['trap "echo caught" TERM; kill $$; echo on', 0, 'caught\non\n'],
    ['echo err >&2; exec true', 0, 'err\n'],
  ])('the command gets its signals and keeps its status and output: %s', async (command, exitCode, output) => {
    expect(await bench().run(command)).toMatchObject({ exitCode, output });
  });

  test('a time limit and an abort end it as always', async () => {
    const seconds = uniqueSeconds();
    const { run } = bench();
    expect(
      await run(`echo a; env -i setsid sleep ${seconds} >/dev/null 2>&1 & trap "" TERM; sleep ${seconds}`, {
        timeoutMs: 400,
      }),
    ).toMatchObject({
      timedOut: true,
      output: 'a\n',
      survivors: [],
    });
    expect(processesWith(seconds)).toEqual([]);
  });

  test('processes of the machine cannot be seen or ended', async () => {
    const { run } = bench();
    const { output } = await run(`ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} && echo seen`);
    expect(Number(output.split('\n')[0])).toBeLessThan(10);
    expect(output).not.toContain('seen');
  });
});

describe('of the home folder nothing can be read but tools', () => {
  const planted = `.pgpass .vault-token .m2/settings.xml .config/rclone/rclone.conf .claude/.credentials.json
    .codex/auth.json .gemini/oauth_creds.json .bash_history .zsh_history .python_history .psql_history .mysql_history
    .node_repl_history .ssh/id_rsa .ssh/id_ed25519 .ssh/config .aws/credentials .aws/config .azure/accessTokens.json
    .gnupg/secring.gpg .kube/config .docker/config.json .netrc .npmrc .yarnrc.yml .pypirc .git-credentials .gitconfig
    .config/git/credentials .config/gcloud/credentials.db .config/gh/hosts.yml .config/glab-cli/config.yml
    .config/hub .config/op/config .config/doctl/config.yaml .config/heroku/auth .terraform.d/credentials.tfrc.json
    .cargo/credentials .cargo/credentials.toml .gem/credentials .password-store/a.gpg .mozilla/firefox/x/logins.json
    .mozilla/firefox/x/cookies.sqlite .config/google-chrome/Default/Cookies .config/chromium/Default/Login_Data
    .config/BraveSoftware/Brave-Browser/Default/Cookies .local/share/keyrings/login.keyring .my.cnf .mylogin.cnf .s3cfg
    .boto .vault_pass .config/sops/age/keys.txt .age/key.txt .gradle/gradle.properties .ivy2/.credentials
    .sbt/.credentials .composer/auth.json .bundle/config .nuget/NuGet.Config .irssi/config .msmtprc .mbsyncrc
    .config/filezilla/sitemanager.xml .rclone.conf .databrickscfg .snowsql/config .wakatime.cfg notes/passwords.txt`.split(
    /\s+/,
  );

  const plant = (home: string) => {
    for (const name of planted) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), 'PLANTED');
    }
  };

  test.each([
    ['of all places', 'beside'],
    ['where it is the workspace', 'itself'],
  ])('%s', async (_, place) => {
    const home = temporaryFolder();
    plant(home);
    mkdirSync(join(home, '.nvm'));
    writeFileSync(join(home, '.nvm', 'tool'), 'TOOL');
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const root = place === 'itself' ? home : temporaryFolder();
    const { launch } = bubblewrapSandbox({ file });
    const secret = place === 'itself' ? planted.filter((name) => name.startsWith('.')) : planted;
    const command = `cat ${secret.map((name) => join(home, name)).join(' ')} ${home}/.nvm/tool; echo done`;
    const program = launch({ command, roots: [root], cwd: root, env: { HOME: home }, inherited: new Set() });
    const { stdout } = spawnSync(program.file, program.arguments, {
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });
    expect(stdout).toBe('TOOLdone\n');
  });

  test.each(['node --version', 'npm --version', 'python3 -m pip --version', 'cargo --version', 'go version'])(
    '%s of this machine still starts',
    async (command) => {
      const [name = ''] = command.split(' ');
      const here = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
      const { run } = bench();
      const outcome = await run(command, { env: { HOME: homedir() } });
      expect([name, outcome.exitCode]).toEqual([name, here.status]);
    },
  );
});
