import type { CommandLimits } from './command-limits.js';

const maxOpen = 40;
const maxWork = 60_000_000;

/** True for a text that would cost the parser too much: more openings of substitutions, expansions or here-documents than any script has. Looks at characters only. */
export function isTangled(text: string, limits: CommandLimits): boolean {
  const more = (opening: RegExp, most: number) => (text.match(opening)?.length ?? 0) > most;
  if (more(/<</g, limits.maxHereDocuments) || more(/[$<>]\(|\$\[|`/g, limits.maxSubstitutions)) return true;
  if (more(/[;&|\n]/g, limits.maxSeparators) || more(/\$/g, limits.maxSeparators)) return true;
  const expansions = text.match(/\$[{([]/g)?.length ?? 0;
  if (expansions > limits.maxExpansions || expansions * text.length > maxWork) return true;
  return expansions > maxOpen && mostOpen(text) > maxOpen;
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
