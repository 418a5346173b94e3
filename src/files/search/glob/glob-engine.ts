import { realpathSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { ToolError } from '../../../core/error.js';
import { isInside } from '../../../core/text/path-names.js';
import type { GlobQuery, GlobResult } from '../../../ports/file-system.js';
import { isKernelPath } from '../../paths/confinement.js';
import { refusedQuery } from '../query/pattern-error.js';
import type { SearchRun, SearchTurns } from '../query/search-turns.js';
import { diskFolders, type Folders } from '../walk/folder-source.js';
import { globSource } from './expression.js';
import { GlobWalk, type GlobWalkOptions } from './glob-walk.js';
import { PathStates } from './path-states.js';
import { globPattern } from './pattern.js';
import { literalName } from './segment-test.js';

/** The folders that a pattern applies to. */
export interface GlobPlace {
  /** Canonical absolute folder that the pattern starts from. */
  readonly cwd: string;
  /** If set, only this folder is walked, even if `cwd` or the pattern starts above it. */
  readonly within?: string | undefined;
  readonly roots: readonly string[];
  /** Folders to walk in place of the disk. */
  readonly folders?: Folders | undefined;
}

/** Finds files on the main thread, in slices of 10 ms. */
export async function globInTurns(
  turns: SearchTurns,
  query: GlobQuery,
  place: GlobPlace,
  run: SearchRun,
): Promise<GlobResult> {
  try {
    const walks = await walksOf(query.pattern, place);
    const walk = new GlobWalk(place.folders ?? diskFolders(place.roots), query.maxFiles, walks.length > 1);
    const end = await turns.run(steps(walk, walks), run);
    // If nothing was found, the pattern is parsed again as a whole: `globSource` throws for an invalid one.
    if (walk.total === 0) globSource(query.pattern);
    const { total, ignored, unreadable } = walk;
    return { paths: walk.newest(), total, ignored, timedOut: end === 'timeout', unreadable };
  } catch (thrown) {
    throw refusedQuery(thrown);
  }
}

function* steps(walk: GlobWalk, walks: readonly GlobWalkOptions[]): Generator<void> {
  yield;
  for (const options of walks) yield* walk.run(options);
}

/** One walk for each folder in which alternatives of the pattern start. */
async function walksOf(pattern: string, place: GlobPlace): Promise<GlobWalkOptions[]> {
  const { patterns, exclude } = globPattern(pattern);
  const byStart = new Map<string, string[][]>();
  for (const each of patterns) {
    const segments = each.split('/');
    const wild = segments.findIndex((segment) => literalName(segment) === undefined);
    const first = wild === -1 ? segments.length - 1 : wild;
    const base = segments.slice(0, first).map((segment) => literalName(segment) ?? '');
    const rest = segments.slice(first).filter((segment) => segment !== '' && segment !== '.');
    const start = startFolder(first === 0 ? '.' : base.join('/') || '/', pattern, place);
    // A walk only goes down, so `..` after a wildcard would find nothing.
    if (rest.includes('..'))
      throw new ToolError(
        'path_outside_root',
        `\`..\` after a wildcard is not supported: ${pattern}. Write the pattern without it.`,
      );
    if (start !== undefined) byStart.set(start, [...(byStart.get(start) ?? []), rest]);
  }
  const excluded = await PathStates.of(exclude.map((each) => each.split('/').filter((part) => !/^\.?$/.test(part))));
  const made = Array.from(byStart, async ([start, found]) => {
    const named = namesIn(found.flatMap((segments) => segments.slice(0, -1)));
    const namedFiles = namesIn(found.flatMap((segments) => (segments.length === 1 ? segments : [])));
    return { start, within: place.within, states: await PathStates.of(found), excluded, named, namedFiles };
  });
  return Promise.all(made);
}

function namesIn(segments: readonly string[]): ReadonlySet<string> {
  return new Set(segments.map(literalName).filter((name) => name !== undefined));
}

/** The canonical folder that a pattern starts in; undefined if it does not exist or is beside `within`. */
function startFolder(base: string, pattern: string, place: GlobPlace): string | undefined {
  const { cwd, within, roots, folders } = place;
  const [resolvePath, platform] = folders === undefined ? [resolve] : [posix.resolve, 'linux' as const];
  const lexical = resolvePath(cwd, base);
  // The pattern starts outside `within`. Folders beside `within` belong to other mounts and are not walked.
  if (within !== undefined && !isInside(lexical, [within], platform)) {
    return isInside(within, [lexical], platform) ? lexical : undefined;
  }
  if (folders !== undefined) {
    if (!isInside(lexical, roots, platform)) throw leavesRoots(pattern, place);
    return lexical;
  }
  if (isKernelPath(lexical)) throw leavesRoots(pattern, place);
  let real: string;
  try {
    real = realpathSync.native(lexical);
  } catch {
    if (isInside(lexical, roots)) return undefined;
    throw leavesRoots(pattern, place);
  }
  if (!isInside(real, roots)) throw leavesRoots(pattern, place);
  return real;
}

function leavesRoots(pattern: string, { roots }: GlobPlace): ToolError {
  return new ToolError(
    'path_outside_root',
    `The pattern leaves the workspace: ${pattern}. Search inside ${roots.join(' or ')}.`,
  );
}
