import { describe, expect, test } from 'vitest';
import { sensitiveReason } from '../../src/core/text/sensitive-paths.js';
import { eachRow, samples, table } from '../support/each-row.js';

table([
  ...samples`
    /w/.git/hooks/post-merge ¦ /w/deep/er/.git/hooks/pre-commit ¦ /w/.GIT/Hooks/pre-push ¦ /w/.git/modules/x/hooks/y
    /w/.git/config ¦ /w/.git ¦ /w/.git/refs/heads/main ¦ /w/git~1/hooks/x ¦ /w/.hg/hgrc ¦ /w/.xprofile
    /w/lefthook.yml ¦ /w/.cargo/config.toml ¦ /w/.yarn/releases/yarn.cjs ¦ /w/.gitattributes ¦ /w/.husky/pre-commit
    /w/.emacs ¦ /w/.emacs.d/init.el ¦ /w/.vim/plugin/x.vim ¦ /w/.config/nvim/init.lua ¦ /w/.config/emacs/init.el
    /w/.config/mise/config.toml ¦ /w/.bazelrc ¦ /w/mise.toml ¦ /w/.mise.toml ¦ /w/.mise.local.toml
    /w/.tool-versions ¦ /w/.bzr/hooks ¦ /w/planted/HEAD ¦ /w/planted/hooks/post-merge ¦ /w/hooks/pre-commit
    /w/repository.git/config ¦ /w/repository.git/hooks/x ¦ /home/u/.bashrc ¦ /home/u/.ZSHRC ¦ /home/u/.profile
    /home/u/.config/fish/config.fish ¦ /home/u/.ssh/authorized_keys ¦ /home/u/.aws/credentials ¦ /w/.npmrc
    /w/.mcp.json ¦ /w/.claude/settings.json ¦ /w/.vscode/tasks.json ¦ /w/.github/workflows/ci.yml
    /w/.pre-commit-config.yaml ¦ C:\w\.git\hooks\pre-commit ¦ /home/u/bin/ls ¦ /Users/u/bin/ls ¦ /root/bin/ls
    /w/node_modules/.bin/tsc ¦ /home/u/.config/pip/pip.conf ¦ /home/u/.pip/pip.conf ¦ /etc/udev/rules.d/9-x.rules
    /lib/udev/rules.d/9-x.rules ¦ /private/etc/sudoers ¦ /etc/cron.d/x ¦ /etc/crontab ¦ /etc/profile.d/x.sh
    /etc/sudoers.d/x ¦ /etc/systemd/system/x.service ¦ /etc/ld.so.preload
  `,
  '/w/.gi\u200bt/hooks/x',
  '/w/.\uff47it/hooks/pre-commit',
])('files with secrets ask', (path) => expect(sensitiveReason(path)).toBeTypeOf('string'));

describe('an auto-executed file is recognised under each of its names', () => {
  table([
    '/w/.mvn/extensions.xml /w/.mvn/jvm.config /w/.mavenrc /w/.gradle/init.gradle.kts /w/.gradle/init.d/a.gradle',
    '/w/Directory.Build.props /w/src/Directory.Build.targets /w/nuget.config /w/rust-toolchain.toml /w/.sbtopts /w/.jvmopts',
    '/w/.bazeliskrc /w/tools/bazel /w/.buckconfig /w/.bundle/config /w/.rspec /w/.pylintrc /w/.mise/config.toml /w/.rtx.toml',
    '/w/.pdbrc /w/.ghci /w/.ocamlinit /w/.iex.exs /w/.erlang /h/.Renviron /h/.ipython/profile_default/startup/a.py',
    '/h/.jupyter/jupyter_notebook_config.py /h/.julia/config/startup.jl /h/.config/gdb/gdbinit',
    '/w/env/bin/python /w/.env/bin/python /w/.tox/py/bin/pip /w/.nox/x/bin/pip /w/venv/pyvenv.cfg /h/.cargo/env',
    '/w/.simple-git-hooks.json /w/.simple-git-hooks.cjs /w/.overcommit.yml /w/lefthook.toml /w/.lefthook.json',
    '/w/.gitpod.yml /w/.replit /w/.idx/dev.nix /w/.builds/a.yml /w/.build.yml /w/.tekton/a.yaml /w/.drone.jsonnet',
    '/w/Jenkinsfile.release /w/.azure-pipelines/a.yml /w/azure-pipelines-release.yml /w/.codefresh/a.yml /w/screwdriver.yaml',
    '/w/cloudbuild.test.yaml /w/buildspec-prod.yml /h/.bash_completion /h/.xonshrc /h/.mkshrc /h/.config/powershell/profile.ps1',
    '/h/.config/nushell/config.nu /h/.config/elvish/rc.elv /h/.config/tmux/tmux.conf /h/.lessfilter /h/.mailcap /h/.procmailrc',
    '/h/.xserverrc /h/.vnc/xstartup /h/.local/share/dbus-1/services/a.service /h/.config/i3/config /h/.config/sway/config',
    '/h/.config/helix/config.toml /h/.config/zed/tasks.json /h/_vimrc /w/.lvimrc /h/.doom.d/init.el /h/.emacs.el /w/.vs/tasks.vs.json',
    '/h/.terraformrc /h/.config/containers/containers.conf /h/.config/gh/config.yml /w/opencode.json /w/.crush.json',
    '/h/.git-credentials /w/.amp/settings.json',
  ])('for every program', (paths) => {
    for (const path of paths.split(' ')) expect(sensitiveReason(path), path).toBeTypeOf('string');
  });
});

test('similar names are ordinary files', () =>
  eachRow(
    samples`
      /w/src/a.ts ¦ /w/git/hooks/x ¦ /w/.git-hooks.md ¦ /w/.gitignore ¦ /w/.gitkeep ¦ /w/.github/CODEOWNERS
      /w/.nvmrc ¦ /w/.prettierrc ¦ /w/.yarn/cache/a.zip ¦ /w/bashrc ¦ /w/src/hooks/use-state.ts
      /w/hooks/pre-commit.md ¦ /w/src/config ¦ /w/src/head.ts ¦ /w/CLAUDE.md ¦ /w/AGENTS.md
      /w/.github/copilot-instructions.md ¦ /w/src/agents.ts ¦ /w/mise.md ¦ /w/.vimrc.md ¦ /w/docs/.bashrc.md
      /w/.vscode/words.txt ¦ /w/.github/README.md ¦ /w/my.ssh/notes.txt ¦ /w/.env ¦ /w/bin/cli.js
      /home/u/project/bin/cli.js ¦ /w/node_modules/x/index.js ¦ /etc/hosts ¦ /w/src/etc/groups.ts
    `,
    (path) => expect(sensitiveReason(path)).toBeUndefined(),
  ));

describe('below a root', () => {
  table([
    ['/w/.claude/worktrees/x', '/w/.claude/worktrees/x/a.txt'],
    ['/w/.CLAUDE/worktrees/x', '/w/.claude/worktrees/x/a.txt'],
    ['/w/.git/worktrees/y/', '/w/.git/worktrees/y/a.txt'],
    ['/home/u/.config/nvim', '/home/u/.config/nvim/init.lua'],
    ['C:\\w\\.cursor\\z', 'C:\\w\\.cursor\\z\\a.txt'],
  ])('the folders above the root do not count', (root, path) =>
    expect(sensitiveReason(path, ['/elsewhere', root])).toBeUndefined(),
  );

  table([
    ['/w/.claude/worktrees/x', '/w/.claude/worktrees/x/.claude/settings.json'],
    ['/w/.claude/worktrees/x', '/w/.claude/worktrees/y/a.txt'],
    ['/w/.claude/worktrees/x', '/w/.claude/worktrees/xy/a.txt'],
    ['/home/u', '/home/u/.bashrc'],
    ['/w/.git', '/w/.git/config'],
    ['/w/.ssh', '/w/.ssh/authorized_keys'],
    ['/w/.github', '/w/.github/workflows/ci.yml'],
    ['/w/.claude', '/w/.claude/settings.json'],
    ['/w/x.git', '/w/x.git/config'],
    ['/home/u', '/home/u/bin/ls'],
    ['/', '/etc/profile'],
    ['/etc', '/etc/profile'],
    ['/', '/w/.git/config'],
  ])('the path below the root counts, and paths outside', (root, path) =>
    expect(sensitiveReason(path, ['/elsewhere', root])).toBeTypeOf('string'),
  );
});
