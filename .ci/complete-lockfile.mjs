// If the registry in use does not serve the optional packages of other systems, npm omits them from the lockfile, and
// then `npm ci` rejects the lockfile on every system. This script adds the missing entries: the version of the parent
// package, and the system from the name. The entries have no integrity hash; npm takes it from the registry when such a
// system installs the package. Run the script after a change of dependencies.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './run-command.mjs';

const file = join(projectRoot, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const platform =
  /(?<os>aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-(?<cpu>arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64)(?:-(?<libc>gnu|musl))?/;

const added = [];
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    const groups = platform.exec(name)?.groups;
    if (path in lock.packages || groups === undefined || !/^\d+\.\d+\.\d+\S*$/.test(version)) continue;
    const { os, cpu, libc } = groups;
    lock.packages[path] = {
      version,
      cpu: [cpu],
      ...(parent.dev ? { dev: true } : {}),
      ...(libc === undefined || os !== 'linux' ? {} : { libc: [libc === 'gnu' ? 'glibc' : libc] }),
      optional: true,
      os: [os],
    };
    added.push(`${name}@${version}`);
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} entries added to package-lock.json`);
