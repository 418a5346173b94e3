// The marks of the scrubber in the sources of a folder that contains only made-up secrets: the number of marks per 10
// MB, by kind, and each mark with its surrounding text. Usage: npm run bench -- marks [folder]
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CredentialScan } from '../src/secrets/credential-scan.js';

const root = process.argv[2] ?? fileURLToPath(new URL('../node_modules', import.meta.url));
const sources =
  /\.(?:[cm]?[jt]s|json|md|ya?ml|py|html|css|sh|toml|txt|pl|pm|go|rs|java|rb|c|h|hpp|cpp|php|ini|conf|cfg|properties)$/;
const marker = '\u0000';
const counts = new Map<string, number>();
const shown = new Set<string>();
let chars = 0;

for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  const path = join(root, entry);
  if (!sources.test(entry) || !statSync(path).isFile()) continue;
  const text = readFileSync(path, 'utf8').replaceAll(marker, ' ');
  chars += text.length;
  const found: (readonly [kind: string, secret: string])[] = [];
  const scan = new CredentialScan((kind, secret = '') => {
    found.push([kind, secret]);
    return marker;
  });
  const parts = scan.end(text).split(marker);
  for (const [index, [kind, secret]] of found.entries()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const before = parts[index]?.split('\n').at(-1)?.slice(-70) ?? '';
    const after = parts[index + 1]?.split('\n')[0]?.slice(0, 40) ?? '';
    shown.add(`${kind.padEnd(14)} ${before.trimStart()}«${secret.slice(0, 60)}»${after}   ${relative(root, path)}`);
  }
}

const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
console.log([...shown].sort().join('\n'));
console.log(`\n${(chars / 1e6).toFixed(0)} MB, ${total} marks, ${((total / chars) * 1e7).toFixed(1)} per 10 MB`);
for (const [kind, count] of counts) console.log(`  ${kind.padEnd(14)} ${count}`);
