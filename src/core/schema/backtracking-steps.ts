const tokens =
  /\\(?:k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|[)|]|(?<quantifier>(?:[*+?]|\{(?<min>\d+)(?:,(?<max>\d*))?\})\??)|./gsu;

/** What a part of a pattern costs from one place of a text: all steps, and in how many ways it can hold there. */
interface Cost {
  readonly steps: number;
  readonly ways: number;
}

/** A group that is open: its alternatives that are read, the one that is being read, and its last part. */
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

/** What follows is tried again for each way in which what stands before it holds. */
const inTurn = (first: Cost, next: Cost): Cost => ({
  steps: first.steps + first.ways * next.steps,
  ways: first.ways * next.ways,
});
const either = (one: Cost, other: Cost): Cost => ({ steps: one.steps + other.steps, ways: one.ways + other.ways });

/**
 * The most steps that a backtracking engine takes to look for a pattern in a text of so many characters; infinite where
 * that is beyond numbers or the pattern has a form that is not read here.
 */
export function backtrackingSteps(pattern: string, chars: number): number {
  const groups = [openGroup('')];
  for (const { 0: token, groups: { quantifier, min, max } = {} } of pattern.matchAll(tokens)) {
    const group = groups.at(-1);
    if (group === undefined) return Number.POSITIVE_INFINITY;
    if (quantifier !== undefined) {
      // Behind an opening bracket it is a sign of a group that is not known.
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
