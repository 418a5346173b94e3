import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ToolCallResult, ToolkitOptions } from '../../src/index.js';
import { temporaryFolder } from './temporary-folder.js';
import { testToolkit } from './test-toolkit.js';

/**
 * A step of the setup: what to create, its path, and its content or target. Steps whose name begins with `x` have a
 * full path.
 */
export type SetupStep = readonly [
  kind: 'dir' | 'file' | 'xfile' | 'exec' | 'link' | 'xlink' | 'hard',
  path: string,
  what?: string,
];

/** The content of the file outside the workspace, which must never be shown or changed. */
export const outsideMarker = 'OUTSIDE-MARKER';

/** The table of cases in `test/fixtures`. */
export function fixture<Case>(name: string): readonly Case[] {
  const table: { readonly cases: readonly Case[] } = JSON.parse(
    readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'),
  );
  return table.cases;
}

/**
 * A workspace with two files, a folder beside it with a secret, a home folder, and a toolkit that works in the
 * workspace.
 */
export function caseWorld(setup: readonly SetupStep[] = [], options: Partial<ToolkitOptions> = {}) {
  const base = temporaryFolder();
  const places: Record<string, string> = { WS: join(base, 'ws'), OUT: join(base, 'out'), HOME: join(base, 'home') };
  const { WS: root = '', OUT: outside = '', HOME: home = '' } = places;
  for (const folder of [join(root, 'src'), outside, home]) mkdirSync(folder, { recursive: true });
  const expand = (text: string) => text.replace(/\$\{(WS|OUT|HOME)\}/g, (_, name: string) => places[name] ?? '');
  writeFileSync(join(root, 'a.txt'), 'alpha\nbeta\n');
  writeFileSync(join(root, 'src', 'b.txt'), 'b\n');
  writeFileSync(join(outside, 'secret.txt'), `${outsideMarker}\n`);
  writeFileSync(join(home, '.profile'), `${outsideMarker}\n`);
  for (const step of setup) prepare(root, expand, step);

  const toolkit = testToolkit({ root, permissions: 'bypassPermissions', ...options });
  const call = async (name: string, input: unknown, id = 'call'): Promise<ToolCallResult> => {
    const { results } = await toolkit.execute([{ id, name, input: expandAll(input, expand) }]);
    const [result] = results;
    if (result === undefined || results.length !== 1) throw new Error(`${results.length} results for one call`);
    return result;
  };
  return { base, root, outside, home, toolkit, call, expand, states: () => statesOf(base) };
}

/** All paths below a folder with their state except times: kind, mode, target and content. */
function statesOf(folder: string, prefix = ''): Record<string, string> {
  const states: Record<string, string> = {};
  for (const name of readdirSync(join(folder, prefix)).sort()) {
    const inner = join(prefix, name);
    const path = join(folder, inner);
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) states[inner] = `link to ${readlinkSync(path)}`;
    else if (stats.isDirectory()) Object.assign(states, { [inner]: 'folder' }, statesOf(folder, inner));
    else
      states[inner] =
        `${(stats.mode & 0o7777).toString(8)} ${stats.isFile() ? readFileSync(path, 'latin1') : 'special'}`;
  }
  return states;
}

/** The states of all paths outside the workspace. */
export function outsideOf(states: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(states).filter(([path]) => path !== 'ws' && !path.startsWith('ws/')));
}

function prepare(root: string, expand: (text: string) => string, [kind, path, what = '']: SetupStep): void {
  const isFull = kind === 'xfile' || kind === 'xlink';
  const at = isFull ? expand(path) : join(root, expand(path));
  mkdirSync(dirname(at), { recursive: true });
  const content = expand(what);
  if (kind === 'dir') mkdirSync(at, { recursive: true });
  else if (kind === 'link' || kind === 'xlink') symlinkSync(content, at);
  else if (kind === 'hard') linkSync(content, at);
  else writeFileSync(at, content);
  if (kind === 'exec') chmodSync(at, 0o755);
  if (basename(at) === '') throw new Error(`no name in ${path}`);
}

function expandAll(value: unknown, expand: (text: string) => string): unknown {
  if (typeof value === 'string') return expand(value);
  if (Array.isArray(value)) return value.map((one) => expandAll(one, expand));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expandAll(inner, expand)]));
}
