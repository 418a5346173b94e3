import { runInNewContext } from 'node:vm';
import type { RE2JS } from 're2js';
import { once } from '../support/once.js';
import { isLinearPattern, patternFlag, patternTokens, tooMuchWork } from './schema-patterns.js';

/** Charges for work, and throws where it becomes too much. */
export type Spend = (steps: number) => void;

/** Whether a pattern finds something in a text; undefined where the pattern cannot be run. */
export type PatternTest = (pattern: string, text: string, spend: Spend) => boolean | undefined;

const maxPatternSize = 5_000;
/** A class such as `\p{L}` has hundreds of ranges. */
const propertySize = 15;

const loadEngine = once(async () => (await import('re2js')).RE2JS);

/**
 * Runs patterns on an engine whose time is linear. What that does not read is run by JavaScript under a deadline where
 * `mayBacktrack`, and is not run otherwise.
 */
export async function patternTest(mayBacktrack: boolean): Promise<PatternTest> {
  const Engine = await loadEngine();
  const compiled = new Map<string, { readonly size: number; readonly linear: RE2JS | undefined }>();
  const compiledOnce = (pattern: string, spend: Spend) => {
    const size = patternSize(pattern);
    spend(pattern.length + 20 * Math.min(size, maxPatternSize));
    const made = { size, linear: size > maxPatternSize ? undefined : compile(Engine, pattern) };
    compiled.set(pattern, made);
    return made;
  };
  return (pattern, text, spend) => {
    const { size, linear } = compiled.get(pattern) ?? compiledOnce(pattern, spend);
    spend(1 + (linear === undefined ? 200 : (size * text.length) >> 3));
    if (linear !== undefined) return linear.test(text);
    return mayBacktrack ? backtrack(pattern, text) : undefined;
  };
}

function compile(Engine: typeof RE2JS, pattern: string): RE2JS | undefined {
  // `\s` means ASCII to this engine.
  const spaces = (token: string) => token.replaceAll('\\s', '\\s\\v\\p{Z}\\x{feff}');
  const written = pattern.replaceAll(patternTokens, (token) =>
    token === '\\s' ? `[${spaces(token)}]` : spaces(token),
  );
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
  for (const { 0: token, groups: { min, max } = {} } of pattern.matchAll(patternTokens)) {
    if (min !== undefined) sum += last * (Math.max(Number(min), Number(max ?? min)) - 1);
    else if (token.startsWith('(')) {
      outer.push(sum);
      sum = 0;
    } else {
      last = token === ')' ? sum + 2 : 2 + propertySize * (token.match(/\\p/gi)?.length ?? 0);
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
