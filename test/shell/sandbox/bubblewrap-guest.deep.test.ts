import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sandboxShell } from '../../../src/shell/run/choose-sandbox.js';
import { bubblewrapSandbox } from '../../../src/shell/sandbox/index.js';
import { asOrdinaryUser, giveToOrdinaryUser } from '../../support/as-user.js';
import { eachRow } from '../../support/each-row.js';
import { processesWith, scopeOf, shellBench, uniqueSeconds } from '../../support/shell.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The home folder of this account according to the system; undefined for the real one. */
const account = vi.hoisted(() => ({ home: undefined as string | undefined }));
vi.mock('node:os', async (original) => {
  const os = await original<typeof import('node:os')>();
  const userInfo = () => ({ ...os.userInfo(), homedir: account.home ?? os.userInfo().homedir });
  return { ...os, userInfo };
});

/** Sets the home folder in the system and the environment until the test ends. */
function atHome(home: string, HOME = home): void {
  account.home = home;
  vi.stubEnv('HOME', HOME);
  onTestFinished(() => {
    account.home = undefined;
    vi.unstubAllEnvs();
  });
}

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

/** Lists the writable files in `/proc` outside processes, without writing. */
const writableInProc = "find /proc -path '/proc/[0-9]*' -prune -o ! -type l -writable -print 2>/dev/null";

describe('in a bubblewrap sandbox of an ordinary user', () => {
  const runAsUser = (command: string, options: Parameters<typeof bubblewrapSandbox>[0] = {}) => {
    const root = temporaryFolder();
    giveToOrdinaryUser(root);
    const env = { HOME: root };
    atHome(root);
    const launch = bubblewrapSandbox({ file, ...options }).launch({
      command,
      roots: [root],
      cwd: root,
      env,
      inherited: new Set(),
    });
    return { root, output: asOrdinaryUser(launch.file, launch.arguments, env) };
  };

  test('only the workspace can be written', () => {
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

  test('no kernel setting can be written', () => {
    expect(runAsUser(`${writableInProc}; echo end`).output).toBe('end\n');
  });

  test('a hidden path cannot be read, even if the user can read it outside', () => {
    const secrets = temporaryFolder();
    giveToOrdinaryUser(secrets);
    writeFileSync(join(secrets, 'key'), 'HIDDEN-MARKER');
    expect(asOrdinaryUser('cat', [join(secrets, 'key')], {})).toBe('HIDDEN-MARKER');
    const command = `cat ${secrets}/key; umount ${secrets}; cat ${secrets}/key; cat /proc/1/root${secrets}/key`;
    const { output } = runAsUser(command, { hide: [secrets] });
    expect(output).not.toContain('HIDDEN-MARKER');
  });

  test('the only network is its own loopback', () => {
    const { output } = runAsUser(
      "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; timeout 2 bash -c '< /dev/tcp/192.0.2.1/80'",
    );
    expect(output).toMatch(/^lo\n/);
    expect(output).toContain('unreachable');
  });

  test('no process survives its command', () => {
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

  test('no other path can be written', async () => {
    const { run } = bench();
    const places = ['/etc', '/usr', '', '/run', homedir(), '/dev/shm/../../etc'];
    await eachRow(
      places.map((place) => `${place}/planted`),
      async (path) => {
        await run(`touch ${path}; mkdir -p $(dirname ${path}); echo x > ${path}`);
        expect(existsSync(path)).toBe(false);
      },
    );
  });

  test('no kernel setting can be written, also not by root', async () => {
    const { output } = await bench().run(`[ -e /proc/sys/kernel/core_pattern ] && ${writableInProc}; echo end`);
    expect(output).toBe('end\n');
  });

  test('a folder beside the workspace cannot be written, also not through a link', async () => {
    const { run } = bench();
    const beside = temporaryFolder();
    writeFileSync(join(beside, 'file'), 'old');
    await run(`ln -s ${beside} link; echo new > link/file; echo new > ${beside}/file; rm -f ${beside}/file`);
    expect(readFileSync(join(beside, 'file'), 'utf8')).toBe('old');
  });

  test('a hidden path cannot be read or written back', async () => {
    const secrets = join(temporaryFolder(), 'secrets');
    mkdirSync(secrets);
    writeFileSync(join(secrets, 'key'), 'HIDDEN-MARKER');
    const { run } = bench({ hide: [secrets, join(secrets, 'nothing')] });
    const { output } = await run(
      `cat ${secrets}/key; ls -A ${secrets}; umount ${secrets}; cat ${secrets}/key; cat /proc/1/root${secrets}/key`,
    );
    expect(output).not.toContain('HIDDEN-MARKER');
  });

  test('the network of the machine cannot be reached', async () => {
    const server = createServer((socket) => socket.end('REACHED')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const connect = `timeout 2 bash -c 'cat < /dev/tcp/127.0.0.1/${port}'`;
    expect((await bench().run(connect)).output).not.toContain('REACHED');
    expect((await bench({ network: true }).run(connect)).output).toContain('REACHED');
  });

  test.each([process.cwd(), '/var/tmp'])('a socket in %s cannot be reached', async (place) => {
    const folder = mkdtempSync(join(place, 'socket-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'a.sock');
    const server = createServer((socket) => socket.end('REACHED')).listen(path);
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const script = `require('net').connect('${path}').on('error', (e) => console.log(e.code)).pipe(process.stdout)`;
    const connect = `${process.execPath} -e "${script}"`;
    expect((await bench().run(connect)).output).toMatch(/^E[A-Z]+\n$/);
    expect((await bench({ writable: [folder] }).run(connect)).output).toBe('REACHED');
  });

  test('no process survives its command, for any way to escape', async () => {
    const { run } = bench();
    // Many rounds, because a program that ends before its children is noticed only once in thirty.
    for (let round = 0; round < 60; round++) {
      const seconds = uniqueSeconds();
      const outcome = await run(
        `env -i setsid sleep ${seconds} >/dev/null 2>&1 & (setsid nohup sleep ${seconds} >/dev/null 2>&1 &); echo ok`,
      );
      expect(outcome).toMatchObject({
        output: 'ok\n',
        survivors: [],
        note: expect.stringContaining('no process outlives its command'),
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

  test('a time limit and an abort end it as usual', async () => {
    const seconds = uniqueSeconds();
    const { run } = bench();
    const command = `echo a; env -i setsid sleep ${seconds} >/dev/null 2>&1 & trap "" TERM; sleep ${seconds}`;
    const outcome = await run(command, { timeoutMs: 400 });
    expect(outcome).toMatchObject({ timedOut: true, output: 'a\n', survivors: [] });
    expect(processesWith(seconds)).toEqual([]);
  });

  test('processes of the machine cannot be seen or ended', async () => {
    const { run } = bench();
    const { output } = await run(`ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} && echo seen`);
    expect(Number(output.split('\n')[0])).toBeLessThan(10);
    expect(output).not.toContain('seen');
  });
});

describe('in the home folder only tools can be read', () => {
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

  const plantedInTools = `.local/share/uv/credentials/credentials.toml .stack/upload/credentials.json .stack/config.yaml
    .nvm/versions/node/v20.1.0/etc/npmrc .nvm/versions/node/v20.1.0/lib/node_modules/npm/npmrc .nvm/.git/config
    .volta/tools/image/node/20.1.0/etc/npmrc .fnm/node-versions/v20.1.0/installation/etc/npmrc
    .asdf/installs/nodejs/20.1.0/etc/npmrc .asdf/plugins/a/.git/config miniconda3/.condarc anaconda3/.condarc
    miniforge3/.condarc miniconda3/condarc.d/a.yml miniconda3/envs/a/.condarc miniconda3/conda-meta/state
    miniconda3/etc/conda/activate.d/keys.sh .conda/.condarc .conda/condarc.d/a.yml .conda/envs/a/pip.conf
    .dotnet/corefx/cryptography/x509stores/my/a.pfx .pyenv/versions/3.12.1/pip.conf .pyenv/.git/config
    .pyenv/versions/3.12.1/src/a/.git/config .pyenv/plugins/a/.git/config .local/share/virtualenvs/a-1/pip.conf
    .local/share/uv/tools/a/uv-receipt.toml .local/pipx/venvs/a/pip.conf .bun/install/global/.npmrc
    .bun/install/global/bunfig.toml .local/share/pnpm/.npmrc .local/share/pnpm/rc .local/share/pnpm/nodejs/20.1.0/etc/npmrc
    .julia/logs/repl_history.jl .julia/servers/a/auth.toml .julia/registries/General/.git/config go/src/example.org/a/.env
    .go/src/example.org/a/.env go/pkg/mod/cache/vcs/a/config .cargo/config.toml .cargo/git/db/a-1/config
    .cargo/git/db/a-1/FETCH_HEAD .cargo/git/checkouts/a-1/b/.git/config .rbenv/versions/3.3.0/etc/gemrc
    .gem/ruby/3.3.0/cache/bundler/git/a/config .opam/config .cabal/config .npm/_logs/a.log
    .m2/wrapper/dists/a/b/conf/settings.xml .sdkman/candidates/maven/3.9.6/conf/settings.xml
    .gradle/wrapper/dists/a/b/gradle-8/init.d/a.gradle .nuget/NuGet/NuGet.Config`.split(/\s+/);
  const tools = `.nvm/versions/node/v20.1.0/bin/node .nvm/nvm.sh .pyenv/versions/3.12.1/bin/python .pyenv/version
    .cargo/bin/cargo .cargo/registry/src/a/a.rs .cargo/git/db/a-1/HEAD .rustup/toolchains/a/bin/rustc go/bin/a
    go/pkg/mod/a/a.go miniconda3/bin/python miniconda3/etc/profile.d/conda.sh .stack/programs/a .volta/bin/node
    .volta/tools/image/node/20.1.0/bin/node .local/share/uv/python/a/bin/python3 .local/share/uv/tools/a/bin/a
    .local/share/pnpm/a .sdkman/candidates/maven/3.9.6/conf/logging/a .dotnet/sdk/8/a .bun/install/global/node_modules/a/a.js
    .opam/default/bin/ocaml .local/bin/a .local/share/virtualenvs/a-1/bin/python .gem/ruby/3.3.0/bin/a`.split(/\s+/);

  const fill = (home: string, names: readonly string[], text: string) => {
    for (const name of names) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    }
  };
  const secrets = [...planted, ...plantedInTools];
  const plant = (home: string) => {
    fill(home, secrets, 'PLANTED\n');
    fill(home, tools, 'TOOL\n');
  };

  /** The output of a command with these home folders. */
  const printed = (command: string, { home, HOME = home, root = temporaryFolder(), shown = [] }: Homes, env = {}) => {
    atHome(home, HOME);
    const { launch } = bubblewrapSandbox({ file, home: shown });
    const words = launch({ command, roots: [root], cwd: root, env: { HOME }, inherited: new Set() });
    const { stdout, stderr } = spawnSync(words.file, words.arguments, {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });
    expect(stderr).not.toMatch(/^bwrap: /m);
    return stdout;
  };
  interface Homes {
    readonly home: string;
    readonly HOME?: string;
    readonly root?: string;
    readonly shown?: readonly string[];
  }
  const reading = (home: string, names: readonly string[]) =>
    `cat ${names.map((name) => join(home, name)).join(' ')}; echo done`;

  test.each([
    ['of all places', 'beside'],
    ['where it is the workspace', 'itself'],
    ['where it holds the workspace', 'below'],
  ])('%s', (_, place) => {
    const home = temporaryFolder();
    plant(home);
    const root = { beside: temporaryFolder(), itself: home, below: join(home, 'go/src/space') }[place] ?? home;
    mkdirSync(root, { recursive: true });
    // Files with ordinary names in the workspace belong to the workspace.
    const secret = place === 'itself' ? secrets.filter((name) => !/^(notes|go\/src)\//.test(name)) : secrets;
    expect(printed(reading(home, secret), { home, root })).toBe('done\n');
    expect(printed(reading(home, tools), { home, root })).toBe(`${'TOOL\n'.repeat(tools.length)}done\n`);
  });

  test.each(['/', '', '/nonexistent', 'relative', '/usr', '/home', 'other', 'link'])('for HOME set to %j', (HOME) => {
    const [home, other, links] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    for (const folder of [home, other]) plant(folder);
    symlinkSync(home, join(links, 'home'));
    const named = { other, link: join(links, 'home') }[HOME] ?? HOME;
    const homes = { home, HOME: named, root: temporaryFolder() };
    expect(printed(reading(home, secrets), homes)).toBe('done\n');
    expect(printed(reading(other, secrets), homes)).toBe('done\n');
    expect(printed(reading(HOME === 'link' ? named : home, tools), homes)).toContain('TOOL\nTOOL\n');
    expect(
      printed('ls -A /home /root', homes)
        .replace(/^\/.*$/gm, '')
        .trim(),
    ).toBe(HOME === '/home' ? '.cache' : '');
  });

  test.each([
    ['below the home folder', 'dotfiles'],
    ['elsewhere', '../elsewhere'],
  ])('with dotfiles and tools that are links to a folder %s', (_, target) => {
    for (const isWorkspace of [false, true]) {
      for (const isAbsolute of [false, true]) {
        const home = join(temporaryFolder(), 'home');
        mkdirSync(home);
        const link = (name: string, to: string, text: string) => {
          fill(join(home, target), [to], text);
          mkdirSync(dirname(join(home, name)), { recursive: true });
          const up = '../'.repeat(name.split('/').length - 1);
          symlinkSync(isAbsolute ? join(home, target, to) : join(up, target, to), join(home, name));
        };
        fill(join(home, target, 'config'), ['gh/hosts.yml'], 'PLANTED');
        fill(join(home, target, 'tool'), ['bin/a'], 'TOOL\n');
        for (const name of ['config', 'tool']) {
          const path = name === 'config' ? '.config' : '.nvm/versions/node/v1';
          mkdirSync(dirname(join(home, path)), { recursive: true });
          symlinkSync(join(home, target, name), join(home, path));
        }
        link('.cargo/config.toml', 'cargo.toml', 'PLANTED');
        link('.pgpass', 'pgpass', 'PLANTED');
        symlinkSync('/dev/null', join(home, '.bash_history'));
        symlinkSync('/', join(home, '.everything'));
        symlinkSync(home, join(home, '.self'));
        symlinkSync('nowhere', join(home, '.dangling'));
        const names = ['.cargo/config.toml', '.pgpass', '.config/gh/hosts.yml', '.bash_history'];
        const homes = { home, ...(isWorkspace ? { root: home } : {}) };
        expect(printed(`cd /; ${reading(home, names)} >&2; ${reading(home, names)}`, homes)).toBe('done\n');
        const tool = reading(home, ['.nvm/versions/node/v1/bin/a']);
        // If the home folder is the workspace, a command could have created the link.
        expect(printed(tool, homes)).toBe(isWorkspace ? 'done\n' : 'TOOL\ndone\n');
      }
    }
  });

  test('a link that a command put in place of a tool shows nothing', () => {
    const [home, elsewhere] = [temporaryFolder(), temporaryFolder()];
    fill(home, ['.ssh/id_rsa'], 'PLANTED');
    fill(elsewhere, ['key'], 'PLANTED');
    symlinkSync(elsewhere, join(home, '.keys'));
    const homes = { home, root: home };
    printed(
      `cd ${home}; mkdir -p .bun .deno; ln -s ../.ssh .bun/bin; ln -s ${elsewhere} .deno/bin; ln -s .ssh .nix-profile`,
      homes,
    );
    expect(existsSync(join(home, '.bun/bin/id_rsa'))).toBe(true);
    const names = ['.bun/bin/id_rsa', '.ssh/id_rsa', '.deno/bin/key', '.keys/key', '.nix-profile/id_rsa'];
    expect(printed(reading(home, names), homes)).toBe('done\n');
  });

  test('caches can be written, and are removed with the command', () => {
    // Next to this project, because the temporary folder of each command is private and writable.
    const home = mkdtempSync(join(process.cwd(), 'node_modules', '.cache', 'home-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    expect(printed(`cd ${home}; mkdir -p .cache/a && echo b > .cache/a/b && cat .cache/a/b`, { home })).toBe('b\n');
    expect(readdirSync(home)).toEqual([]);
    fill(home, ['.cache/a/b'], 'B\n');
    expect(printed(`cat ${home}/.cache/a/b`, { home })).toBe('');
    for (const shown of ['.', '.cache', '.cache/a'])
      expect(printed(`cat ${home}/.cache/a/b`, { home, shown: [shown] })).toBe('B\n');
  });

  test.each(['nothing', 'a link to itself', 'a file'])(
    'an entirely visible or unusual home folder works: %s',
    (what) => {
      const home = mkdtempSync(join(process.cwd(), 'node_modules', '.cache', 'home-'));
      onTestFinished(() => rmSync(home, { recursive: true }));
      if (what === 'a link to itself') symlinkSync('.cache', join(home, '.cache'));
      if (what === 'a file') writeFileSync(join(home, 'file'), '');
      const homes = what === 'a file' ? { home, HOME: join(home, 'file') } : { home };
      for (const shown of [[], ['.']]) expect(printed('echo started', { ...homes, shown })).toBe('started\n');
    },
  );

  const go = [
    "cd $(mktemp -d) && printf 'module a\\n' > go.mod && printf 'package a\\n\\nconst B = 1'$(date +%N)'\\n' > a.go",
    'printf \'package a\\n\\nimport "testing"\\n\\nfunc TestA(t *testing.T) {}\\n\' > a_test.go && go test',
  ].join(' && ');
  test.each(['node --version', 'npm --version', 'python3 -m pip --version', 'cargo --version', 'go version', go])(
    '%s of this machine still starts',
    async (command) => {
      const here = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
      const { run } = bench();
      const outcome = await run(command, { env: { HOME: homedir() } });
      expect(outcome.exitCode, outcome.output).toBe(here.status);
    },
  );
});
