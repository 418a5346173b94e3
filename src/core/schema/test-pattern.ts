import { createContext, Script } from 'node:vm';
import type { RE2JS } from 're2js';
import { backtrackingSteps } from './backtracking-steps.js';
import { linearEngine } from './linear-engine.js';
import { isLinearPattern, patternFlag, patternTokens, tooMuchWork } from './patterns.js';

/** Counts steps of work and throws when the bound is exceeded. */
export type Spend = (steps: number) => void;

/** Whether a pattern matches a text; undefined if the pattern cannot be run. */
export type PatternTest = (pattern: string, text: string, spend: Spend) => boolean | undefined;

const maxPatternSize = 5_000;
/** The size of a property such as `\p{L}`, which has hundreds of ranges. */
const propertySize = 15;
/** A class of up to this many characters has a constant size; in a longer class each character counts. */
const maxClassChars = 1_000;
const wholeClass = /^\[(?:\\.|[^\]\\])*\]$/s;

/** Steps of backtracking that count as one step of work. */
const backtrackingPerStep = 32;
/**
 * Up to this many steps of work a non-linear pattern runs directly on the engine of JavaScript. With more steps the
 * pattern runs under a deadline.
 */
const maxBacktracking = 10_000;
/** Starting a run under a deadline counts as this many steps of work. */
const deadlineSteps = 200;
/** The deadline of one run. */
const backtrackMs = 30;
/** Each millisecond of a run under a deadline counts as this many steps of work. */
const stepsPerMs = 2_000;

/** A pattern compiled for both engines, with its backtracking cost by the magnitude of the text length. */
interface ReadPattern {
  readonly size: number;
  readonly native: RegExp | undefined;
  readonly linear: RE2JS | undefined;
  readonly backtracking: number[];
}

/**
 * Runs patterns without ReDoS: on the engine of JavaScript if the form of the pattern bounds its backtracking, else on
 * an engine of linear time. A pattern that suits neither engine is skipped; with `mayBacktrack` such a pattern runs on
 * the engine of JavaScript under a deadline, and its time counts as steps.
 */
export async function patternTest(mayBacktrack: boolean): Promise<PatternTest> {
  const Engine = await linearEngine();
  const patterns = new Map<string, ReadPattern>();
  const underDeadline = deadlineRunner();
  const read = (pattern: string, spend: Spend) => {
    const size = patternSize(pattern);
    const isSmall = size <= maxPatternSize;
    spend(pattern.length + 20 * Math.min(size, maxPatternSize));
    const flag = isSmall ? patternFlag(pattern) : undefined;
    const native = flag === undefined ? undefined : new RegExp(pattern, flag);
    const made = { size, native, linear: isSmall ? compile(Engine, pattern) : undefined, backtracking: [] };
    patterns.set(pattern, made);
    return made;
  };
  return (pattern, text, spend) => {
    const { size, native, linear, backtracking } = patterns.get(pattern) ?? read(pattern, spend);
    // One estimate serves all text lengths up to the next power of two.
    const magnitude = 32 - Math.clz32(text.length);
    if (native !== undefined && backtracking[magnitude] === undefined) {
      spend(pattern.length);
      backtracking[magnitude] = Math.ceil(backtrackingSteps(pattern, 2 ** magnitude - 1) / backtrackingPerStep);
    }
    const steps = backtracking[magnitude] ?? Number.POSITIVE_INFINITY;
    const linearSteps = Math.floor((size * text.length) / 8);
    if (native !== undefined && steps <= (linear === undefined ? maxBacktracking : linearSteps)) {
      spend(steps);
      return native.test(text);
    }
    spend(1 + (linear === undefined ? deadlineSteps : linearSteps));
    if (linear !== undefined) return linear.test(text);
    if (!mayBacktrack || native === undefined) return undefined;
    const start = performance.now();
    const matches = underDeadline(() => native.test(text));
    spend(Math.ceil((performance.now() - start) * stepsPerMs));
    return matches;
  };
}

function compile(Engine: typeof RE2JS, pattern: string): RE2JS | undefined {
  // RE2JS reads `\s` as ASCII only.
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

/**
 * Estimates the compiled instructions of a pattern, with counted repetitions expanded. Infinite if a class has no end,
 * because no engine compiles such a pattern.
 */
export function patternSize(pattern: string): number {
  const outer: number[] = [];
  let sum = 0;
  let last = 0;
  for (const { 0: token, groups: { min, max } = {} } of pattern.matchAll(patternTokens)) {
    if (min !== undefined) sum += last * (Math.max(Number(min), Number(max ?? min)) - 1);
    else if (token.startsWith('(')) {
      outer.push(sum);
      sum = 0;
    } else {
      last = token === ')' ? sum + 2 : partSize(token);
      sum = token === ')' ? (outer.pop() ?? 0) + last : sum + last;
    }
  }
  return outer.reduce((all, before) => all + before + 2, sum);
}

function partSize(token: string): number {
  if (token.startsWith('[') && !wholeClass.test(token)) return Number.POSITIVE_INFINITY;
  const long = token.length > maxClassChars ? token.length : 0;
  return 2 + long + propertySize * (token.match(/\\p/gi)?.length ?? 0);
}

/**
 * Runs synchronous work under a deadline. The work is a script of `node:vm`, because nothing else can be interrupted on
 * the main thread.
 */
function deadlineRunner(): (work: () => boolean) => boolean {
  const script = new Script('work()');
  const context = createContext({});
  return (work) => {
    context.work = work;
    try {
      return script.runInContext(context, { timeout: backtrackMs }) as boolean;
    } catch {
      throw tooMuchWork;
    }
  };
}
