const tokens =
  /\\(?:k(?:<[^>\\]*>)?|.)|\[(?:\\.|[^\]\\])*\]?|\((?:\?(?:<?[=!]|:|<\w+>))?|[)|]|(?<quantifier>(?:[*+?]|\{(?<min>\d+)(?:,(?<max>\d*))?\})\??)|./gsu;

/**
 * The cost of a part of a pattern at one position of a text: its steps, and the number of ways in which the part can
 * match there.
 */
interface Cost {
  readonly steps: number;
  readonly ways: number;
}

/** An open group of the pattern: its finished alternatives, the current alternative, and its last part. */
interface Group {
  readonly opening: string;
  before: Cost;
  sequence: Cost;
  last: Cost;
}

const nothing: Cost = { steps: 0, ways: 1 };
const openGroup = (opening: string): Group => ({
  opening,
  before: { steps: 0, ways: 0 },
  sequence: nothing,
  last: nothing,
});

/** The cost of two parts in sequence: the second is tried once for each way in which the first matches. */
const inTurn = (first: Cost, next: Cost): Cost => ({
  steps: first.steps + first.ways * next.steps,
  ways: first.ways * next.ways,
});
const either = (one: Cost, other: Cost): Cost => ({ steps: one.steps + other.steps, ways: one.ways + other.ways });

/**
 * An upper bound on the steps in which a backtracking engine searches a text of `chars` characters for a pattern, to
 * detect ReDoS. Infinite for a pattern whose syntax is unknown or whose bound is too large.
 */
export function backtrackingSteps(pattern: string, chars: number): number {
  const groups = [openGroup('')];
  for (const { 0: token, groups: { quantifier, min, max } = {} } of pattern.matchAll(tokens)) {
    const group = groups.at(-1);
    if (group === undefined) return Number.POSITIVE_INFINITY;
    if (quantifier !== undefined) {
      // A quantifier right after an opening parenthesis belongs to an unknown kind of group.
      if (group.last === nothing) return Number.POSITIVE_INFINITY;
      const least = Number(min ?? (quantifier.startsWith('+') ? 1 : 0));
      const most = quantifier.startsWith('?')
        ? 1
        : max === undefined
          ? Number(min ?? Infinity)
          : Number(max || Infinity);
      group.last = repeated(group.last, least, Math.min(most, Math.max(least, chars + 1)));
      continue;
    }
    group.sequence = inTurn(group.sequence, group.last);
    group.last = nothing;
    if (token.startsWith('(')) groups.push(openGroup(token));
    else if (token === '|') Object.assign(group, { before: either(group.before, group.sequence), sequence: nothing });
    else if (token === ')') {
      groups.pop();
      const { steps, ways } = either(group.before, group.sequence);
      const outer = groups.at(-1);
      if (outer !== undefined) outer.last = { steps: steps + 1, ways: /[=!]$/.test(group.opening) ? 1 : ways };
    } else group.last = { steps: /^\\(?:k|[1-9])/.test(token) ? chars + 1 : 1, ways: 1 };
  }
  const [whole = openGroup('')] = groups;
  const { steps } = either(whole.before, inTurn(whole.sequence, whole.last));
  const isAnchored = pattern.startsWith('^') && whole.before.ways === 0;
  return steps * (isAnchored ? 1 : chars + 1);
}

function repeated({ steps, ways }: Cost, least: number, most: number): Cost {
  if (ways === 1) return { steps: Math.max(1, most) * steps, ways: most - least + 1 };
  return { steps: ways ** most * Math.max(1, most) * steps, ways: ways ** (most + 1) };
}
