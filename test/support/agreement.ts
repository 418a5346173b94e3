import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { SearchEngines } from '../../src/files/search/engines.js';
import { grepFiles } from '../../src/files/search/grep-files.js';
import { GrepPattern } from '../../src/files/search/javascript/grep-pattern.js';
import type { GrepQuery } from '../../src/ports/file-system.js';
import { callScope } from './call-scope.js';
import { randomPattern } from './random-pattern.js';
import { RandomSource, type TreeFile, writeRandomTree } from './random-tree.js';
import { realRipgrep } from './real-ripgrep.js';
import { grepQuery } from './search.js';

const globs = [
  '*.ts',
  '*.{ts,js}',
  '!*.ts',
  'src/**',
  '**/lib/*.js',
  '!docs',
  '*.log',
  '/src/*',
  '[a-m]*',
  '!**/*.md',
  'dist/**',
  'node_modules',
  '?ain.*',
];
const types = ['ts', 'js', 'py', 'rust', 'md', 'json'];
const queriesOfOneTree = 50;

/** The result of a comparison. */
export interface Agreement {
  readonly compared: number;
  readonly withMatches: number;
  /** One line for each result that differs from the ripgrep program. */
  readonly disagreements: readonly string[];
}

/** Runs the same random queries on random trees with both engines and with the ripgrep program itself. */
export async function compareEngines(seed: number, queryCount: number): Promise<Agreement> {
  const random = new RandomSource(seed);
  const engines = { ripgrep: new SearchEngines(), javascript: new SearchEngines({ ripgrep: false }) };
  const disagreements: string[] = [];
  let compared = 0;
  let withMatches = 0;
  try {
    for (let done = 0; done < queryCount; done += queriesOfOneTree) {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-tree-')));
      try {
        const files = writeRandomTree(root, random, 40);
        for (let index = 0; index < Math.min(queriesOfOneTree, queryCount - done); index++) {
          const query = await randomQuery(random, root, files);
          const wanted = comparable(
            realRipgrep(
              query,
              root,
              files.map(({ path }) => join(root, path)),
            ),
            query,
          );
          if (wanted !== undefined && wanted.length > 0) withMatches++;
          for (const [engine, own] of Object.entries(engines)) {
            const got = await answer(own, query, root);
            compared++;
            if (JSON.stringify(got) !== JSON.stringify(wanted))
              disagreements.push(`${engine} ${JSON.stringify(query)}: ${difference(wanted, got)}`);
          }
        }
      } finally {
        rmSync(root, { recursive: true });
      }
    }
  } finally {
    await Promise.all(Object.values(engines).map((own) => own.dispose()));
  }
  return { compared, withMatches, disagreements };
}

function difference(wanted: readonly string[] | undefined, got: readonly string[] | string): string {
  if (wanted === undefined || typeof got === 'string')
    return `wanted ${wanted?.length ?? 'a refusal'}, got ${typeof got === 'string' ? got : got.length}`;
  const at = wanted.findIndex((line, index) => line !== got[index]);
  const index = at === -1 ? wanted.length : at;
  return `line ${index + 1} of ${wanted.length} and ${got.length}: wanted ${JSON.stringify(wanted[index])}, got ${JSON.stringify(got[index])}`;
}

async function answer(engines: SearchEngines, query: GrepQuery, root: string): Promise<readonly string[] | string> {
  try {
    const { lines, timedOut } = await grepFiles({ roots: [root], limits: defaultLimits, engines }, query, callScope());
    if (timedOut) return 'timed out';
    return comparable(query.mode === 'files_with_matches' ? [...lines].sort() : lines, query) ?? [];
  } catch (thrown) {
    return String(thrown);
  }
}

/** ripgrep also finds empty matches inside a character, so lines with an empty match are omitted. */
function comparable(
  lines: readonly string[] | undefined,
  { onlyMatching, mode }: GrepQuery,
): readonly string[] | undefined {
  return onlyMatching && mode === 'content' ? lines?.filter((line) => !line.endsWith(':')) : lines;
}

/**
 * A query with the same meaning for ripgrep and re2. Three cases are omitted. Empty matches with `multiline` or counts
 * of single matches, because ripgrep counts places between bytes. `multiline` with word boundaries or single matches,
 * because ripgrep searches each line of a match again and loses some. Context in a named binary file, for which ripgrep
 * prints nothing.
 */
async function randomQuery(random: RandomSource, root: string, files: readonly TreeFile[]): Promise<GrepQuery> {
  const searched = files.map(({ path }) => join(root, path)).filter((path) => !path.includes('/.git/'));
  const folders = [...new Set(searched.map((path) => path.slice(0, path.lastIndexOf('/'))))];
  const roll = random.next();
  const mode = random.pick(['content', 'content', 'content', 'count', 'files_with_matches'] as const);
  const isFile = roll >= 0.9;
  const query = grepQuery({
    pattern: randomPattern(random),
    path: roll < 0.7 ? undefined : random.pick(isFile ? searched : folders),
    glob: random.chance(0.25) ? random.pick(globs) : undefined,
    type: random.chance(0.12) ? random.pick(types) : undefined,
    mode,
    before: !isFile && random.chance(0.3) ? random.below(4) : 0,
    after: !isFile && random.chance(0.3) ? random.below(4) : 0,
    lineNumbers: random.chance(0.85),
    ignoreCase: random.chance(0.25),
    onlyMatching: random.chance(0.2),
    multiline: random.chance(0.2),
  });
  const isSingle = query.multiline && (query.onlyMatching || /\\b/i.test(query.pattern));
  if (isSingle) return { ...query, multiline: false, onlyMatching: query.onlyMatching && !(await canBeEmpty(query)) };
  if (!(await canBeEmpty(query))) return query;
  return { ...query, multiline: false, onlyMatching: query.onlyMatching && mode === 'content' };
}

async function canBeEmpty(query: GrepQuery): Promise<boolean> {
  return (await GrepPattern.of(query)).isIn({ text: '', kind: 'ascii' });
}
