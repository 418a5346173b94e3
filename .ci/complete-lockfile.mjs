// npm leaves optional packages of other systems out of the lockfile where the registry at hand does not serve them, and
// `npm ci` then refuses the lockfile everywhere. This writes the missing entries: version from the parent, system from
// the name. No integrity is known for them, so npm takes it from the registry where such a system installs. Run it
// after a change of dependencies.
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
