import { existsSync, readdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isInside } from '../../core/text/path-names.js';
import { canonical } from './mount-plan.js';

const systemFolders = ['/bin', '/boot', '/dev', '/etc', '/lib', '/nix', '/proc', '/sbin', '/sys', '/usr'];
/**
 * Folders that `HOME` may name for a service account or by mistake. They contain no user data and must stay readable.
 */
const noHomes = ['/', ...systemFolders, '/usr/bin', '/usr/sbin'];

/** Whether a canonical path belongs to the system, not to a user. */
export function isOfSystem(path: string): boolean {
  return path === '/' || isInside(path, systemFolders);
}

/** The home folders of this account, according to the account database and to `HOME`, which may have any value. */
export function ownHomes(): readonly string[] {
  return [...new Set([accountHome(), homedir()])].filter((path) => {
    const real = isAbsolute(path) ? canonical(path) : undefined;
    return real !== undefined && !noHomes.includes(real);
  });
}

/**
 * A regular expression for a name with `*` and `{a,b}`; a glob package would be larger than the rest of this entry
 * point.
 */
function namePattern(part: string): RegExp {
  const source = part
    .replace(/[.+]/g, '\\$&')
    .replaceAll('*', '.*')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`);
  return new RegExp(`^${source}$`, 's');
}

/** The existing paths that match a pattern. */
export function pathsOf(folder: string, pattern: string): readonly string[] {
  return pattern.split('/').reduce<readonly string[]>(
    (found, part) => {
      // Most paths do not exist, so missing ones are dropped before further lookups.
      if (!/[*{]/.test(part)) return found.map((path) => join(path, part)).filter((path) => existsSync(path));
      const form = namePattern(part);
      return found.flatMap((path) => namesIn(path).flatMap((name) => (form.test(name) ? [join(path, name)] : [])));
    },
    [folder],
  );
}

/** The names in a folder; empty if missing or unreadable. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    // The user id has no account, as in containers.
    return '';
  }
}

/*
 * The parts of a home folder that are readable in a sandbox. Names are relative to the home folder; `*` and `{a,b}`
 * match names of one level. The folders of programs are listed, not their parents, which also contain settings and
 * keys.
 */

const list = (names: string) => names.trim().split(/\s+/);

/** Installations: each is one version of a language, one program with its libraries, or one environment. */
const installations = list(`
  .{py,rb,nod,go,j}env/versions/* .pyenv/versions/*/envs/* .nvm/versions/*/* .volta/tools/image/*/*
  .asdf/installs/*/* .local/share/mise/installs/*/* .fnm/node-versions/*/installation
  .local/share/fnm/node-versions/*/installation .local/share/pnpm/nodejs/* .local/share/uv/{python,tools}/*
  .local/pipx/venvs/* .local/share/pipx/{venvs,py}/* .local/share/virtualenvs/*
  {miniconda,anaconda,miniforge}3/envs/* .conda/envs/* .julia/conda/* .pixi/envs/* .gem/ruby/*`);

/** User settings in an installation, or records of its sources, which may contain credentials. */
const settings = list(`
  {.condarc,condarc,condarc.d,.mambarc,.npmrc,.netrc,.env,.git,pip.conf,uv-receipt.toml} etc conda-meta/state
  lib/node_modules/npm/npmrc lib/ruby/gems/*/cache/bundler cache/bundler src/*/.git`);

const condas = list('{miniconda,anaconda,miniforge}3');

/** Git repositories that cargo reads. Their settings record the address of the source and stay hidden. */
const repositories = list('.cargo/git/db/* .cargo/git/checkouts/*/*/.git .cargo/registry/index/*/.git');

const mavens = list('.sdkman/candidates/maven/* .m2/wrapper/dists/*/* .m2/wrapper/dists/*/*/*');

const within = (folders: readonly string[], names: readonly string[]) =>
  folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));

/** Patterns for the readable paths of a home folder. */
export const shownInHome: readonly string[] = [
  ...installations,
  ...list(`
    .cargo/{bin,env*,registry,git} .rustup/{toolchains,settings.toml,update-hashes,downloads,tmp}
    .nvm/{alias,nvm.sh,nvm-exec,bash_completion} .npm/{_cacache,_npx,_prebuilds} .{py,rb,nod,go,j}env/{bin,libexec,shims,plugins,completions,version,*.d}
    .asdf/{bin,lib,libexec,shims,plugins,completions,asdf.sh} .volta/{bin,tools,layout.*} .fnm/{aliases,fnm} .bun/bin
    .bun/install/cache .bun/install/global/{node_modules,package.json} .deno/bin .sdkman/{bin,src,libexec,candidates}
    go/bin go/pkg/{mod,sumdb} .go/{bin,pkg,lib,src,VERSION,go.env} .nuget/packages
    .dotnet/{dotnet,host,packs,sdk,sdk-manifests,shared,store,templates,tools}
    .ghcup/{bin,ghc,hls,cabal,stack,env,share} .cabal/{bin,packages,store,lib,share}
    .stack/{programs,snapshots,pantry,setup-exe-cache,stack.sqlite3} .opam/*/{bin,sbin,lib,share}
    .julia/{packages,artifacts,compiled,juliaup,registries,environments,bin} .juliaup/bin
    .elan/{bin,toolchains,env,settings.toml} .pixi/bin .conda/pkgs
    .m2/{repository,wrapper} .gradle/{wrapper,caches} .yarn/berry/cache .nix-profile .local/{bin,lib}
    .local/pipx/shared .local/share/pipx/shared .local/share/pnpm .local/share/fnm/aliases
    .local/share/mise/{shims,plugins}
    .cache/pip/{http,http-v2,wheels} .cache/uv/{archive,builds,environments,interpreter,sdists,simple,wheels}-*
    .cache/{yarn,pnpm,go-build,ms-playwright,node}`),
  ...within(repositories, ['{HEAD,objects,refs,packed-refs,index,shallow}']),
  // conda does not start if a hidden settings file cannot be opened, so the entries beside the settings are listed
  // instead of the whole folder.
  ...within(condas, [
    '{bin,sbin,condabin,lib,lib64,libexec,include,share,ssl,shell,compiler_compat,conda-meta,pkgs,*-conda*-linux-gnu}',
    'etc/profile.d',
  ]),
  // Maven does not start without these files.
  ...within(mavens, ['conf/logging', 'conf/maven-system.properties']),
];

/** Patterns for paths in the readable folders that stay hidden. */
export const hiddenInHome: readonly string[] = [
  ...within([...installations, ...condas], settings),
  ...within(mavens, ['conf']),
  ...repositories,
  ...list(`
    .{py,rb,nod,go,j}env/plugins/*/.git .asdf/plugins/*/.git
    .local/share/mise/plugins/*/.git .julia/registries/*/.git go/pkg/mod/cache/vcs .go/pkg/mod/cache/vcs .go/src/*.*
    .local/share/pnpm/{.npmrc,rc,auth.ini,config.yaml,.env} .m2/repository/settings.xml
    .sdkman/candidates/gradle/*/init.d .gradle/wrapper/dists/*/*/*/init.d`),
];
