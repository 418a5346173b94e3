import type { CommandLimits } from './command-limits.js';
import { withoutQuoted } from './remove-quoted-text.js';

const maxOpen = 40;
const maxWork = 60_000_000;
const maxUnclosedWork = 2_000_000;

/**
 * True for a text that would cost the parser too much: more openings of substitutions, expansions or here-documents
 * than any script has. Looks at characters only; what stands in single quotes or in a here-document with a quoted end
 * does not count.
 */
export function isUnclear(text: string, limits: CommandLimits): boolean {
  return holdsTooMuch(text, limits) && holdsTooMuch(withoutQuoted(text), limits);
}

function holdsTooMuch(text: string, limits: CommandLimits): boolean {
  const more = (opening: RegExp, most: number) => (text.match(opening)?.length ?? 0) > most;
  if (more(/<</g, limits.maxHereDocuments) || more(/[$<>]\(|\$\[|`/g, limits.maxSubstitutions)) return true;
  if (more(/[;&|\n]/g, limits.maxSeparators) || more(/\$/g, limits.maxSeparators)) return true;
  const expansions = text.match(/\$[{([]/g)?.length ?? 0;
  if (expansions > limits.maxExpansions || expansions * text.length > maxWork) return true;
  return expansions > maxOpen && mostOpen(text) > maxOpen;
}

/** True for a text with an opening that never ends, where looking for the end of each would cost too much. */
export function isCostlyUnclosed(text: string): boolean {
  return (text.match(/[$<>][{([]|`/g)?.length ?? 0) * text.length > maxUnclosedWork;
}

function mostOpen(text: string): number {
  let open = 0;
  let most = 0;
  for (const [token] of text.matchAll(/[$<>][{([]|[)}\]]/g)) {
    open = token.length > 1 ? open + 1 : Math.max(0, open - 1);
    if (open > most) most = open;
  }
  return most;
}
