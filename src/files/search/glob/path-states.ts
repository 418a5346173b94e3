import { Pause } from '../../../core/support/event-loop-yield.js';
import { PatternError } from '../query/pattern-error.js';
import { globTest } from './to-regex.js';

/** Tells whether one segment of a pattern matches a name. */
type NameTest = (name: string) => boolean;

/** One segment of a pattern, and the segments after it. */
interface Node {
  /** Undefined for `**`, which matches any number of folders. */
  readonly matches: NameTest | undefined;
  readonly next: Node | undefined;
  /** Whether the path may end here. */
  readonly mayEnd: boolean;
}

/** The states of an NFA over path segments: the pattern segments that may match the next name. */
export class PathStates {
  readonly #nodes: ReadonlySet<Node>;

  private constructor(nodes: ReadonlySet<Node>) {
    this.#nodes = nodes;
  }

  /** The initial states for patterns, each split into segments. Rejects if the signal aborts. */
  static async of(patterns: readonly (readonly string[])[], signal: AbortSignal): Promise<PathStates> {
    const pause = new Pause(signal);
    const tests = new Map<string, NameTest>();
    const nodes = new Set<Node>();
    for (const segments of patterns) {
      await pause.ifDue();
      let next: Node | undefined;
      for (const segment of segments.toReversed()) {
        const matches = segment === '**' ? undefined : (tests.get(segment) ?? (await nameTest(segment)));
        if (matches !== undefined) tests.set(segment, matches);
        next = { matches, next, mayEnd: next === undefined || (next.matches === undefined && next.mayEnd) };
      }
      enter(nodes, next);
    }
    return new PathStates(nodes);
  }

  /** Whether no path below can match. */
  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** Whether a file of this name matches. */
  accepts(name: string): boolean {
    for (const { matches, mayEnd } of this.#nodes) if (mayEnd && (matches === undefined || matches(name))) return true;
    return false;
  }

  /** The states in a folder of this name. */
  inside(name: string): PathStates {
    const nodes = new Set<Node>();
    for (const node of this.#nodes) {
      if (node.matches === undefined) enter(nodes, node);
      else if (node.next !== undefined && node.matches(name)) enter(nodes, node.next);
    }
    return new PathStates(nodes);
  }
}

function enter(nodes: Set<Node>, node: Node | undefined): void {
  for (let each = node; each !== undefined; each = each.next) {
    nodes.add(each);
    if (each.matches !== undefined) return;
  }
}

const wild = /[*?[\]{}]/;
const anyEnding = /^\*([\w. -]*)$/;

/** The literal name of a segment without wildcards; undefined for a segment with wildcards. */
export function literalName(segment: string): string | undefined {
  return wild.test(segment.replaceAll(/\\./gs, '')) ? undefined : unescaped(segment);
}

/** The test for one segment of a pattern. A segment that is not a valid pattern is matched literally. */
async function nameTest(segment: string): Promise<NameTest> {
  const literal = literalName(segment);
  if (literal !== undefined) return (name) => name === literal;
  const ending = anyEnding.exec(segment)?.[1];
  if (ending !== undefined) return (name) => name.endsWith(ending);
  try {
    return await globTest(segment);
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    const name = unescaped(segment);
    return (each) => each === name;
  }
}

function unescaped(segment: string): string {
  return segment.replaceAll(/\\(.)/gs, '$1');
}
