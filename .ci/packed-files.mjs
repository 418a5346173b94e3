// Compares the files of the package with .ci/packed-files.txt, and searches them for text that must not be published.
// --write writes the list again.
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { mustRun, projectRoot } from './run-command.mjs';

const listFile = join(projectRoot, '.ci/packed-files.txt');
const [{ files }] = JSON.parse(mustRun('npm pack --dry-run --json --loglevel=error'));

// Files of shared code have a hash in their name. Their number and names depend on the bundler.
const hashed = /\/[^/]+-(?=[A-Za-z0-9_-]{0,7}[A-Z0-9])[A-Za-z0-9_-]{8}(?=\.(?:js|d\.ts)$)/;
const nameless = (path) =>
  path
    .replace(hashed, '/shared-HASH')
    .replace(/^docs\/.*\.md$/, 'docs/*.md')
    .replace(/^dist\/extras\/[\w-]+/, 'dist/extras/*');
const packed = `${[...new Set(files.map(({ path }) => nameless(path)))].sort().join('\n')}\n`;

if (process.argv.includes('--write')) writeFileSync(listFile, packed);
const problems = [];
if (readFileSync(listFile, 'utf8') !== packed)
  problems.push(`the files of the package differ from .ci/packed-files.txt:\n${packed}`);
for (const { path } of files) {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  for (const place of [projectRoot, `${homedir()}/`])
    if (place.length > 2 && text.includes(place)) problems.push(`${path} contains ${place}`);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
