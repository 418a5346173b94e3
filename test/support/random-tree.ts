import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A seeded random number generator (mulberry32). */
export class RandomSource {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the items. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** A list of generated items. */
  list<Item>(count: number, make: () => Item): Item[] {
    return Array.from({ length: count }, make);
  }
}

const folders = [
  'src',
  'lib',
  'docs',
  'test',
  '.config',
  'dist',
  'build',
  'a b',
  'über',
  'node_modules',
  'pkg.v2',
  'x',
];
const names = ['index', 'main', 'util', 'README', 'data', '.env', 'a-b', 'Ünï', 'test_one', 'zz', '(group)', '[id]'];
const endings = ['.ts', '.js', '.md', '.json', '.log', '.py', '.txt', '.tmp', '.rs', '', '.test.ts', '.d.ts'];
const words = [
  'foo',
  'bar',
  'Foo',
  'BAR',
  'baz1',
  'x',
  'foo_bar',
  'naïve',
  'ÉCOLE',
  'straße',
  '日本語',
  'a.b',
  '(x)',
  '[1]',
  '{}',
  '42',
  '3.14',
  '$5',
  '*',
  '\\n',
  'Σ',
  'ς',
  '🚀',
  '👨\u200d👩\u200d👧',
  '👍🏽',
  '\u2028',
];
const gaps = [' ', ' ', ' ', '  ', '\t', ', ', ': ', ' = ', '-', '/', ''];
const rules = [
  '*.log',
  '*.tmp',
  'dist/',
  '/build',
  'node_modules',
  '!keep.log',
  'docs/*.md',
  '**/x/',
  'pkg.v2/*.md',
  '!README.md',
  'a\\ b',
  '*.[pr]y',
  '# comment',
  '',
  'lib/',
];

/** The words from which the text of a random tree is made. */
export const treeWords: readonly string[] = words;

/** A file of a random tree. */
export interface TreeFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Writes text files of many kinds into `folder`, some of them ignored, hidden, binary or in other encodings. Returns
 * the files.
 */
export function writeRandomTree(folder: string, random: RandomSource, fileCount: number): TreeFile[] {
  const files = new Map<string, Buffer>();
  for (let index = 0; index < fileCount; index++) {
    const path = [
      ...random.list(random.below(4), () => random.pick(folders)),
      random.pick(names) + random.pick(endings),
    ].join('/');
    files.set(path, randomContent(random));
  }
  const withRules = ['', ...random.list(3, () => `${random.pick(folders)}/`)];
  for (const prefix of withRules)
    files.set(
      `${prefix}.gitignore`,
      Buffer.from(random.list(1 + random.below(5), () => random.pick(rules)).join('\n')),
    );
  files.set('.git/config', Buffer.from('foo bar\n'));
  const written: TreeFile[] = [];
  for (const [path, bytes] of files) {
    const isFolder = [...files.keys()].some((other) => other.startsWith(`${path}/`));
    if (isFolder) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    written.push({ path, bytes });
  }
  return written;
}

function randomContent(random: RandomSource): Buffer {
  const lineEnd = random.chance(0.3) ? '\r\n' : '\n';
  const lines = random.list(random.below(30), () => randomLine(random));
  const text = lines.join(lineEnd) + (random.chance(0.7) ? lineEnd : '');
  if (random.chance(0.04)) return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
  if (random.chance(0.04)) return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  if (random.chance(0.04)) return Buffer.concat([Buffer.from(text), Buffer.from([0]), Buffer.from(text)]);
  if (random.chance(0.08))
    return Buffer.concat([
      // A lone surrogate would become U+FFFD, which also stands for invalid bytes.
      Buffer.from(Array.from(text).slice(0, 40).join('')),
      Buffer.from([0xff, 0xc3, 0x28, 0xe2, 0x82]),
      Buffer.from(text),
    ]);
  return Buffer.from(text);
}

function randomLine(random: RandomSource): string {
  if (random.chance(0.12)) return '';
  return random.list(1 + random.below(6), () => random.pick(words) + random.pick(gaps)).join('');
}
