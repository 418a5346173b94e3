/** Options by which npm and its like start a program, or read settings that name one. */
const starting = `--script-shell,scripts-prepend-node-path,node-options,userconfig,globalconfig,git,node-gyp,shell,init-module=shell`;
const node = `-ghwDEOP --prefix,dir,cwd=put ${starting} --workspace,loglevel,registry,tag=
  --silent,save-dev,save,global,if-present,omit,ignore-scripts,force,quiet`;

/** Programs that build, install and manage packages. The columns are those of `Row`. */
export const packagePrograms = `
npm | text* | ${node} | version either
pnpm/yarn | text* | ${node}
npm/pnpm/yarn/bun run/test/start/build/dev/lint/publish/install/ci/i/add/remove/rm/uninstall/view/why/ls/outdated | text* |
  -ghwDEOPsq --prefix,dir,cwd=put ${starting} --silent,save-dev,if-present,workspaces,global,quiet | either
npm/pnpm/yarn config/c set/edit | text* | -g --global --location= | lasts:settings
npm/pnpm/yarn set | text* | | lasts:settings
npm/pnpm/yarn config get/list/delete/ls | text*
npm/pnpm/yarn config | text* | -g --global --location=
npm pkg set | text* | | lasts:settings
pip/pip3/uv config set/edit | text* | --user,global,site | lasts:settings
pip/pip3/uv | text* | -qUvre= -t=put --target,prefix,root=put --requirement,constraint=code --user,quiet,upgrade
pip/pip3/uv config | text* | --user,global,site
poetry/pipenv/pdm/hatch/rye/pipx/conda/mamba/bundle/gem/composer/mise/corepack/rustup/asdf/rbenv | text* |
  --prefix,root,install-dir,bindir=put -i=put
conda/mamba/micromamba config | text* | --add,set,append,prepend,stdin!lasts --show,get
bundle config set | text* | | lasts:settings
gem sources/source | text* | -a!lasts --add!lasts
poetry/composer config | text* | -g --list,unset
composer global config | text*
go | text* | -o=write -exec,toolexec,vettool=shell -C=folder -v,x,n,a,race,cover,short,json,failfast,count,mod,run,tags,ldflags,
  timeout,bench,p | plain
go build/test/run/install/vet/generate/get/list/mod/fmt/clean/doc/tool/fix/work | text* | -o=write -C=folder -coverprofile,
  cpuprofile,memprofile,trace,outputdir=write -exec,toolexec,vettool=shell -v,x,n,a,race,cover,short,json,failfast
  -count,mod,run,tags,ldflags,gcflags,timeout,bench,p,parallel= | plain
go version | | | looks
go env | text* | -w!lasts -u!lasts -json,changed | plain
cargo | text* | -vqZ -C=folder --config=config --manifest-path=code --target-dir=put --color,jobs,features,target,package=
  --release,locked,offline,frozen,verbose,quiet,all-targets,workspace,all,help!idle -jpF= + -r | version
brew services start/restart | text* | | lasts:starts
brew services | text*
apt/apt-get/dnf/yum/brew/pacman/apk/snap/dpkg/rpm/apt-cache | text* | -o=config --pipe,pre-invoke,post-invoke,status-logger,rsh=shell
pre-commit install/init-templatedir | text* | | lasts:hooks
lefthook install/add | text* | | lasts:hooks
husky | text* | --version,help!idle | lasts:hooks
husky uninstall | text*
pnpm/yarn husky | text* | | lasts:hooks
simple-git-hooks | text* | | lasts:hooks
pre-commit/lefthook/pytest/vitest/jest | text* | -w!edit --write,fix!edit
prettier/eslint | read* | -w!edit --write,fix!edit --check -o=write --output-file=write --config,plugin,rulesdir,resolve-plugins-relative-to=code
direnv allow/permit/grant/edit | text* | | lasts:settings
mise trust | text* | | lasts:settings
gh alias set/import | text* | | lasts:settings
gh config set | text* | | lasts:settings
gh auth setup-git | text* | | lasts:settings
gh repo/pr/issue/run/auth/config/alias/release | text*
code/code-insiders/codium/cursor/windsurf | take* | --install-extension=!lasts --goto,wait,diff
claude/codex/gemini/qwen/cursor-agent/opencode/copilot mcp/plugin/extensions add/add-json/install/link | text* | | lasts:agent
claude/codex/gemini/qwen/cursor-agent/opencode/copilot config set/add | text* | | lasts:agent
claude/codex/gemini/qwen/cursor-agent/opencode/copilot mcp/plugin/extensions/config | text*
claude/codex/gemini/qwen/cursor-agent/opencode/copilot | text*
`;
