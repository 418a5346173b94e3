import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { entryFiles } from '../.ci/entry-files.js';
import { knownNames } from '../src/core/tool-names.js';
import {
  type FolderRules,
  folderCircles,
  type HouseRules,
  privateWords,
  readFolderRules,
  violations,
} from './support/architecture.js';
import { samples, table } from './support/each-row.js';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));

/** The folders of src, with the text of their README.md. */
const readmes = new Map(
  readdirSync(join(projectRoot, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, readFileSync(join(projectRoot, 'src', name, 'README.md'), 'utf8')] as const),
);

/** The layers of a folder of src: the folder itself as `.`, and those in it by their path. */
function layersOf(folder: string): string[] {
  const entries = readdirSync(join(projectRoot, 'src', folder), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => posix.relative(join(projectRoot, 'src', folder), entry.parentPath) || '.');
  return [...new Set(paths)];
}

const folders: Readonly<Record<string, FolderRules>> = {
  ...Object.fromEntries(Array.from(readmes, ([name, text]) => [name, readFolderRules(text, layersOf(name))] as const)),
  '.': { imports: [], layers: ['.'], pure: [] },
};

/** What layers without I/O use of the platform: values of the language, and classes that only compute. */
const pureGlobals = samples`
  undefined ¦ Infinity ¦ Object ¦ Array ¦ String ¦ Number ¦ Boolean ¦ Symbol ¦ Math ¦ JSON ¦ RegExp ¦ Date ¦ Promise
  Map ¦ Set ¦ WeakMap ¦ WeakSet ¦ Error ¦ TypeError ¦ RangeError ¦ ArrayBuffer ¦ Uint8Array ¦ Uint16Array ¦ Uint32Array
  Int32Array ¦ Buffer ¦ TextDecoder ¦ URL ¦ URLSearchParams ¦ encodeURIComponent ¦ decodeURIComponent ¦ AbortController`;

/** The files without I/O that use the platform all the same, which the README.md of their folder says. */

const platformHomes: HouseRules['platformHomes'] = {
  'node:crypto': [
    'src/core/registry/runnable-registry.ts',
    'src/core/support/same-secret.ts',
    'src/core/text/content-hash.ts',
  ],
  'node:vm': ['src/core/schema/test-pattern.ts'],
  'process.emitWarning': [
    'src/core/registry/registry.ts',
    'src/core/registry/tool-definitions.ts',
    'src/ports/parse-decision.ts',
  ],
  'process.cwd': ['src/core/registry/tools-with-init.ts'],
  'process.platform': ['src/core/text/path-names.ts', 'src/core/text/sensitive-paths.ts'],
  'performance.now': [
    'src/core/schema/test-pattern.ts',
    'src/core/support/event-loop-yield.ts',
    'src/core/support/timers.ts',
  ],
  'Date.now': ['src/core/support/retry-after.ts'],
  'Math.random': ['src/core/support/timers.ts'],
  setTimeout: ['src/core/support/timers.ts'],
  clearTimeout: ['src/core/support/timers.ts'],
  setImmediate: ['src/core/support/timers.ts'],
  // WebAssembly, which no type declares without the DOM.
  globalThis: ['src/editing/encodings/line-feed-counter.ts'],
};

const rules: HouseRules = {
  folders,
  vendorHomes: {
    '@modelcontextprotocol/sdk': ['src/mcp/connection/sdk.ts', 'src/mcp-server/load-sdk.ts'],
    '@lydell/node-pty': 'src/shell/run/terminal.ts',
    '@xterm/headless': 'src/shell/run/terminal.ts',
    '@anthropic-ai/claude-agent-sdk': 'src/mcp-server/claude-agent.ts',
    '@langchain/core': 'src/adapters/langchain.ts',
    '@openai/agents': 'src/adapters/openai-agents.ts',
    ai: 'src/adapters/ai-sdk.ts',
    croner: 'src/extras/cron/schedule-times.ts',
    diff: 'src/editing/diff/by-lines.ts',
    '@electric-sql/pglite': 'src/managed/admin/serve.ts',
    '@hono/node-server': 'src/managed/admin/serve.ts',
    execa: 'src/shell/sandbox/run-program-once.ts',
    hono: 'src/managed/admin/http-api.ts',
    pg: 'src/managed/admin/serve.ts',
    ignore: 'src/files/search/walk/ignore-rules.ts',
    'js-yaml': 'src/extras/skills/front-matter.ts',
    'jsonc-parser': 'src/editing/notebook/json-nodes.ts',
    minisearch: 'src/core/text/word-index.ts',
    parse5: 'src/web/html/to-markdown.ts',
    picomatch: 'src/core/text/glob-matcher.ts',
    'playwright-core': 'src/extras/browser/playwright.ts',
    'rate-limiter-flexible': 'src/managed/shared-rate-limiter.ts',
    re2js: 'src/core/schema/linear-engine.ts',
    'robots-parser': 'src/web/fetch/robots.ts',
    unbash: 'src/shell/parse/shell-syntax.ts',
    undici: 'src/web/fetch/http-exchange.ts',
    ws: 'src/extras/nodes/connection.ts',
    'zod-to-json-schema': 'src/core/schema/input.ts',
  },
  pureGlobals: ['node:buffer', 'node:url', ...pureGlobals],
  platformHomes,
  computedImports: 'src/core/support/optional-package.ts',
  entries: [...entryFiles.values()],
  toolNames: knownNames,
  toolHomes: [
    ...[
      'src/tools/',
      'src/core/builtin-tool-facts.ts',
      'src/adapters/anthropic-native.ts',
      'src/adapters/openai-native.ts',
    ],
    // This file calls the tool, as any program may.
    'src/extras/gateway/from-toolkit.ts',
    // The name of a node in the syntax tree of a command.
    'src/shell/parse/expand-word.ts',
    'src/shell/template/portable-syntax.ts',
  ],
  // `letter`, `odd`, `floor`, `told` and `candidate` have ordinary uses too.
  privateWords: /\b(?:heed(?:s|ed)?|swings?|tangle[sd]?|strange|breathe?[sd]?|planting|lasting|patience|settling)\b/gi,
  maxLines: 300,
};

/** All text files in the given folders, by path relative to the project. */
function filesBelow(...places: readonly string[]): Map<string, string> {
  const paths = places.flatMap((place) =>
    readdirSync(join(projectRoot, place), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name).slice(projectRoot.length)),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(projectRoot, path), 'utf8')]));
}

const files = filesBelow('src', 'test');

test('every file of src follows the rules of the architecture', () => {
  expect(violations(files, rules)).toEqual([]);
});

/** Uses of the platform with the code that makes each. */
const platformUses: readonly (readonly [use: string, text: string])[] = [
  ['fetch', `await fetch('http://127.0.0.1');`],
  ['WebSocket', `const open = (url: string) => new WebSocket(url);`],
  ['process.chdir', `process.chdir('/');`],
  ['process.kill', `process.kill(1);`],
  ['process.binding', `process.binding('fs');`],
  ['process.stdout', `process.stdout.write('x');`],
  ['process.env', `const { HOME } = process.env;`],
  ['process', `const { env } = process;`],
  ['process', `const own = { process };`],
  ['process', `const run = process['binding'];`],
  ['globalThis.fetch', `await globalThis.fetch('http://127.0.0.1');`],
  ['Date.now', `const at = Date.now();`],
  ['Date.now', `const at = new Date();`],
  ['Math.random', `const salt = Math.random();`],
  ['setTimeout', `setTimeout(() => {}, 1);`],
  ['eval', `eval('x');`],
  ['Function', `const run = new Function('x');`],
];

describe('the check reports', () => {
  const house = new Map([
    ['src/index.ts', ''],
    ['src/ports/hosts.ts', ''],
    ['src/shell/run/run.ts', `const { execa } = await import('execa');`],
    ['src/files/host-files.ts', ''],
    ['src/tools/shell/bash.ts', `import { z } from 'zod/v4';\nimport type { Hosts } from '../../ports/hosts.js';`],
    ['src/call/turn-run.ts', `export function run(): void {}`],
    ['src/secrets/scrubber.ts', ''],
    ['src/extras/cron/index.ts', ''],
    ['test/call/run.test.ts', ''],
  ]);
  const rulesOfIt: HouseRules = { ...rules, vendorHomes: { execa: 'src/shell/run/run.ts', ajv: 'src/core/parser.ts' } };

  test('nothing in valid files', () => {
    expect(violations(house, rulesOfIt)).toEqual([]);
  });

  const planted: readonly (readonly [message: string, path: string, text: string])[] = [
    ['tools may not know call', 'src/tools/planted.ts', `import { Run } from '../call/turn-run.js';`],
    ['shell may not know files', 'src/shell/run/planted.ts', `import { x } from '../../files/host-files.js';`],
    ['core may not know ports', 'src/core/planted.ts', `import type { Hosts } from '../ports/hosts.js';`],
    ['core may not know .', 'src/core/planted.ts', `const x = await import('../index.js');`],
    ['core may not know .', 'src/core/planted.ts', `type X = import('../index.js').X;`],
    ['testing may not know tools', 'src/testing/planted.ts', `import { x } from '../tools/shell/bash.js';`],
    ['rules may not know .', 'src/secrets/rules/planted.ts', `import { x } from '../scrubber.js';`],
    ['layer that its README.md does not name', 'src/secrets/attic/planted.ts', `import { x } from '../scrubber.js';`],
    ['no file of src', 'src/core/planted.ts', `import { x } from './nowhere.js';`],
    ['whose home is src/shell/run/run.ts', 'src/shell/run/planted.ts', `const { execa } = await import('execa');`],
    ['whose home is src/shell/run/run.ts', 'src/tools/planted.ts', `import type { Result } from 'execa';`],
    ['has no home', 'src/files/planted.ts', `import type { Request } from '@scope/vendor/deep';`],
    ['uses createRequire', 'src/core/text/planted.ts', `const load = createRequire(process.cwd());`],
    ['uses createRequire', 'src/core/text/planted.ts', "const program = `createRequire('/')`;"],
    ['uses import.meta', 'src/core/text/planted.ts', `const here = import.meta.url;`],
    ['written with zod/v4', 'src/tools/planted.ts', `import { z } from 'zod';`],
    ['no I/O', 'src/core/text/planted.ts', `import { readFileSync } from 'node:fs';`],
    ['no I/O', 'src/shell/parse/planted.ts', `import { readFileSync } from 'node:fs';`],
    ['of another layer', 'src/extras/tts/planted.ts', `import { x } from '../cron/index.js';`],
    ['re-exports', 'src/files/planted.ts', `export { x } from './planted.js';`],
    ['exports *', 'src/core.ts', `export * from './ports/hosts.js';`],
    ['exports *', 'src/core.ts', `export type * from './call/run.js';`],
    ['circular import', 'src/core/planted.ts', `import { x } from './planted.js';`],
    ['repeats the name of its folder', 'src/files/files-planted.ts', ''],
    ['repeats the name of its folder', 'src/files/file-planted.ts', ''],
    ['has 301 lines', 'src/core/planted.ts', '\n'.repeat(301)],
    ["says Lasting; say it in the field's", 'src/core/planted.ts', `const isLastingNow = 1;`],
    ['says breathe', 'src/core/planted.ts', `// Let it breathe.`],
    ['says swing', 'src/core/swing-planted.ts', ''],
    ['goes by the name "ExitPlanMode"', 'src/permissions/planted.ts', `const ends = tool === 'ExitPlanMode';`],
    ['goes by the name "Read Grep"', 'src/sessions/planted.ts', `const names = 'Read Grep'.split(' ');`],
    ['goes by the name "Write"', 'src/toolkit/planted.ts', `const fields = { Write: 'file_path' };`],
    ['goes by the name "Edit\\("', 'src/call/planted.ts', 'const rule = `Edit(${path})`;'],
    ['writes to the console', 'src/core/planted.ts', `console.log('x');`],
    ['writes to the console', 'src/core/planted.ts', `const { log } = console;`],
    ['re-exports x', 'src/core/planted.ts', `import { x } from './tool.js';\nexport { x };`],
    ['hides an import .*import\\(\\)', 'src/core/planted.ts', 'await import(`../call/${name}.js`);'],
    ['hides an import .*import\\(\\)', 'src/core/planted.ts', `const load = (name: string) => import('./' + name);`],
    ['hides an import .*import run =', 'src/core/planted.ts', `import run = require('../call/turn-run.js');`],
    ['hides an import .*<reference>', 'src/core/planted.ts', `/// <reference path="../call/turn-run.ts" />`],
    ['hides an import .*<reference>', 'src/core/planted.ts', `/// <reference types="execa" />`],
    ['hides an import .*declare', 'src/core/planted.ts', `declare module '../call/turn-run.js' { interface Run {} }`],
    ['hides an import .*declare global', 'src/core/planted.ts', `declare global { interface Run {} }`],
    ...platformUses.map(([use, text]) => [`uses ${use}, but its layer`, 'src/shell/parse/planted.ts', text] as const),
    ['imports node:vm, but', 'src/shell/parse/planted.ts', `import { runInNewContext } from 'node:vm';`],
    ['imports node:crypto, but', 'src/shell/parse/planted.ts', `import { randomBytes } from 'node:crypto';`],
  ];

  table(planted)('each mistake', (message, path, text) => {
    expect(violations(new Map([...house, [path, text]]), rulesOfIt)).toContainEqual(
      expect.stringMatching(`^(?=.*${path}).*${message}`),
    );
  });

  table(
    Object.entries(folders).flatMap(([folder, { layers }]) =>
      layers.slice(1).map((layer, index) => [folder, layers[index] ?? '', layer] as const),
    ),
  )('an import of a higher layer', (folder, low, high) => {
    const place = (layer: string, name: string) => posix.join('src', folder, layer, name);
    const [from, to] = [place(low, 'planted.ts'), place(high, 'above.ts')];
    const text = `import { x } from '${posix
      .relative(posix.dirname(from), to)
      .replace(/^(?!\\.)/, './')
      .replace(/ts$/, 'js')}';`;
    expect(violations(new Map([...house, [to, ''], [from, text]]), rulesOfIt)).toEqual([
      `${from} imports ${to}: ${low} may not know ${high}`,
    ]);
  });

  test('a circular import, also on first use and of types alone', () => {
    const circle = (text: string) => [
      ['src/core/planted.ts', `import { x } from './other.js';`] as const,
      ['src/core/other.ts', text] as const,
    ];
    const texts = samples`
      import { x } from './planted.js'; ¦ import type { x } from './planted.js'; ¦ type X = import('./planted.js').X;
      const { x } = await import('./planted.js');`;
    for (const text of texts)
      expect(violations(new Map([...house, ...circle(text)]), rulesOfIt)).toEqual([
        'circular import: src/core/planted.ts -> src/core/other.ts -> src/core/planted.ts',
      ]);
  });
});

test('the documentation uses standard terms', () => {
  const pages = [...filesBelow('docs', 'src', 'test')].map(([path, text]) => (path.startsWith('docs') ? text : path));
  expect(privateWords(pages, rules)).toEqual([]);
});

test('every source file and folder that a page names exists', () => {
  const pages = ['CONTRIBUTING.md', 'README.md'].map((page) => readFileSync(join(projectRoot, page), 'utf8'));
  const text = [...pages, ...filesBelow('docs').values()].join('\n');
  const named = text.match(/(?<=`)(?:src|test|bench|\.ci)\/[\w/.-]+(?:\.\w+|\/)(?=`)/g) ?? [];
  // The example of a new tool.
  const made = ['src/tools/size.ts', 'test/tools/size.test.ts'];
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !made.includes(path) && !existsSync(join(projectRoot, path)))).toEqual([]);
});

describe('the README.md of each folder of src', () => {
  const each = [...readmes];

  table(each)('has at most ten lines', (_name, text) => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  });

  table(each)('names entry points that exist', (name, text) => {
    const entryPoints = [...(/^- Entry points: (.*)$/m.exec(text)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
      ([, entryPoint]) => entryPoint ?? '',
    );
    expect(entryPoints.length).toBeGreaterThan(0);
    expect(entryPoints.filter((entryPoint) => !files.has(`src/${name}/${entryPoint}`))).toEqual([]);
  });

  table(each)('names exactly the layers that exist', (name) => {
    const { layers = [] } = folders[name] ?? {};
    if (layers.length > 0) expect([...layers].sort()).toEqual(layersOf(name).sort());
  });

  table(each)('names only folders that it imports', (name) => {
    const sources = [...files].filter(([path]) => path.startsWith(`src/${name}/`) && path.endsWith('.ts'));
    const { imports = [] } = folders[name] ?? {};
    expect(imports.filter((folder) => !sources.some(([, text]) => text.includes(`../${folder}/`)))).toEqual([]);
  });

  test('has its purpose and imports in the table of the page on architecture', () => {
    const page = readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8');
    const rows = Array.from(readmes, ([name, text]) => {
      const purpose = text.split('\n\n')[1]?.replaceAll('\n', ' ');
      const [, imports] = /^- May import: (.*)$/m.exec(text) ?? [];
      return `| \`${name}/\` | ${purpose} | ${imports} |`;
    });
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });

  test('allows no circle of folders', () => {
    expect(folderCircles(folders)).toEqual([]);
    const { core = { imports: [], layers: [], pure: [] } } = folders;
    expect(folderCircles({ ...folders, core: { ...core, imports: ['toolkit'] } })).toContain('toolkit');
  });
});

test('no file mentions the workshop of the project', () => {
  // The patterns must not match this file.
  const workshop = [
    /\/(?:work|tmp)\/(?:main|shared|tw)\b/,
    /\bshared\/(?:design|cases|seeds|hooks)\b/,
    /\b(?:seed|ruling|issue|session)s? #?\d+/i,
    /\b[A-Z]\d?-\d{2}\b/,
  ];
  const texts = [...files, ...filesBelow('docs', 'examples', 'bench', '.ci')].filter(
    ([path]) => path !== 'test/architecture.test.ts',
  );
  const root = ['README.md', 'CONTRIBUTING.md'].map(
    (name) => [name, readFileSync(join(projectRoot, name), 'utf8')] as const,
  );
  const found = [...texts, ...root].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        workshop.some((word) => word.test(line)) ? [`${path}:${index + 1} ${line.trim()}`] : [],
      ),
  );
  expect(found).toEqual([]);
});
