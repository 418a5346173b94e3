import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Ignore } from 'ignore';

/** What one `.gitignore` says about a path: `unknown` leaves the decision to the file above it. */
export type IgnoreVerdict = 'ignored' | 'kept' | 'unknown';

/** The rules of one `.gitignore` file. */
export interface IgnoreRules {
  /** Absolute folder that holds the file. */
  readonly directory: string;
  /** Decides about a path below the folder, given relative to it with forward slashes. */
  decide(relativePath: string, name: string, isDirectory: boolean): IgnoreVerdict;
  /** The same for a path of which it is not known whether a folder above it is ignored. */
  decideWithParents(relativePath: string, isDirectory: boolean): IgnoreVerdict;
}

type MakeIgnore = (options: { readonly ignorecase: boolean; readonly allowRelativePaths: boolean }) => Ignore;

const require = createRequire(import.meta.url);
const wild = /[*?[\]\\]/;

/** The rules of `directory/.gitignore`, or undefined where there is no such file or nothing in it. */
export function readIgnoreRules(directory: string): IgnoreRules | undefined {
  let text: string;
  try {
    text = readFileSync(`${directory}/.gitignore`, 'utf8');
  } catch {
    return undefined;
  }
  return parseIgnoreRules(directory, text);
}

/** The rules that the text of a `.gitignore` in `directory` makes; undefined when there are none. */
export function parseIgnoreRules(directory: string, text: string): IgnoreRules | undefined {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const patterns = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (patterns.length === 0) return undefined;
  const mayMatch = nameFilter(patterns);
  const makeIgnore: MakeIgnore = require('ignore');
  const matcher = makeIgnore({ ignorecase: false, allowRelativePaths: true }).add(patterns);
  const decideWithParents = (relativePath: string, isDirectory: boolean): IgnoreVerdict => {
    const { ignored, unignored } = matcher.test(isDirectory ? `${relativePath}/` : relativePath);
    return ignored ? 'ignored' : unignored ? 'kept' : 'unknown';
  };
  return {
    directory,
    decideWithParents,
    decide: (relativePath, name, isDirectory) => (mayMatch(name) ? decideWithParents(relativePath, isDirectory) : 'unknown'),
  };
}

/**
 * Tells quickly for most names that no rule can match. A rule matches a path by its last segment, and most rules name it: `dist/`, `/build`, `docs/out`, `*.log`.
 * Everything else counts as a possible match.
 */
function nameFilter(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set<string>();
  const endings = new Set<string>();
  for (const pattern of patterns) {
    const last = pattern.replace(/^!/, '').trimEnd().replace(/\/$/, '').split('/').at(-1) ?? '';
    const ending = /^\*(\.[^.]+)$/.exec(last)?.[1];
    if (!wild.test(last) && last !== '') names.add(last);
    else if (ending !== undefined && !wild.test(ending)) endings.add(ending);
    else return () => true;
  }
  return (name) => names.has(name) || (endings.size > 0 && endings.has(name.slice(name.lastIndexOf('.'))));
}
