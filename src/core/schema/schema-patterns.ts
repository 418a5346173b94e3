import { runInNewContext } from 'node:vm';
import type { RE2JS } from 're2js';
import { once } from '../support/once.js';

/** Thrown where a check is given up: it takes too many steps. */
export const tooMuchWork = new Error('the check takes too many steps');

/** Charges for work, and throws where it becomes too much. */
export type Spend = (steps: number) => void;

/** Whether a pattern finds something in a text; undefined where the pattern cannot be run. */
export type PatternTest = (pattern: string, text: string, spend: Spend) => boolean | undefined;

const tokens = /\\k<|\\[1-9]|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!])|\{(?<min>\d+)(?:,(?<max>\d*))?\}|[()]|./gsu;
// Letters after a backslash that JavaScript does not know and `{,9}` are of Python or PCRE, delimiters of PHP.
const foreign = /\\[^\W\dbBdDwWsSnrtvfcxukpP_]|\{,\d|^\/\^.*\/[a-z]*$/s;
const maxPatternSize = 5_000;

/** How JavaScript reads a pattern: with the flag `u`, as JSON Schema says, without it, or not at all. */
export function patternFlag(pattern: string): 'u' | '' | undefined {
  const reads = (flag: string) => {
    try {
      return new RegExp(pattern, flag) !== undefined;
    } catch {
      return false;
    }
  };
  if (foreign.test(pattern.replaceAll('\\\\', ''))) return undefined;
  return (['u', ''] as const).find(reads);
}

/** Whether a pattern has neither look-around nor back references, so that its time can grow with the text only. */
export function isLinearPattern(pattern: string): boolean {
  return !Array.from(pattern.matchAll(tokens), ([token]) => token).some((token) =>
    /^(?:\\k<|\\[1-9]|\(\?)/.test(token),
  );
}

/** Whether the engines of providers read a pattern: without look-around, named groups, back references and `\p{…}`. */
export function isPortablePattern(pattern: string): boolean {
  return patternFlag(pattern) === 'u' && !/\\[1-9kpP]|\(\?[^:]/.test(pattern.replaceAll('\\\\', ''));
}

const loadEngine = once(async () => (await import('re2js')).RE2JS);

/**
 * Runs patterns on an engine whose time is linear. What that does not read is run by JavaScript under a deadline where
 * `mayBacktrack`, and is not run otherwise.
 */
export async function patternTest(mayBacktrack: boolean): Promise<PatternTest> {
  const Engine = await loadEngine();
  const compiled = new Map<string, RE2JS | undefined>();
  return (pattern, text, spend) => {
    const size = patternSize(pattern);
    if (!compiled.has(pattern)) {
      spend(20 * Math.min(size, maxPatternSize));
      compiled.set(pattern, size > maxPatternSize ? undefined : compile(Engine, pattern));
    }
    const linear = compiled.get(pattern);
    spend(1 + (linear === undefined ? 200 : (size * text.length) >> 3));
    if (linear !== undefined) return linear.test(text);
    return mayBacktrack ? backtrack(pattern, text) : undefined;
  };
}

function compile(Engine: typeof RE2JS, pattern: string): RE2JS | undefined {
  // `\s` means ASCII to this engine.
  const spaces = (token: string) => token.replaceAll('\\s', '\\s\\v\\p{Z}\\x{feff}');
  const written = pattern.replaceAll(tokens, (token) => (token === '\\s' ? `[${spaces(token)}]` : spaces(token)));
  try {
    return isLinearPattern(pattern) ? Engine.compile(Engine.translateRegExp(written)) : undefined;
  } catch {
    return undefined;
  }
}

/** About how many instructions a pattern comes to, with counted repetitions written out. */
function patternSize(pattern: string): number {
  const outer: number[] = [];
  let sum = 0;
  let last = 0;
  for (const { 0: token, groups: { min, max } = {} } of pattern.matchAll(tokens)) {
    if (min !== undefined) sum += last * (Math.max(Number(min), Number(max ?? min)) - 1);
    else if (token.startsWith('(')) {
      outer.push(sum);
      sum = 0;
    } else {
      last = token === ')' ? sum + 2 : 2;
      sum = token === ')' ? (outer.pop() ?? 0) + last : sum + last;
    }
  }
  return sum;
}

const backtrackMs = 1_000;

function backtrack(pattern: string, text: string): boolean | undefined {
  const flag = patternFlag(pattern);
  if (flag === undefined) return undefined;
  const expression = new RegExp(pattern, flag);
  try {
    return runInNewContext('test()', { test: () => expression.test(text) }, { timeout: backtrackMs }) as boolean;
  } catch {
    throw tooMuchWork;
  }
}
