import type { Token } from 'parse5';
import { attribute } from './elements.js';

/** A landmark element or role. */
export type Landmark = 'main' | 'article' | 'aside';

// If the text outside of asides is less than this share of the page, the asides are the content of the page.
const leastShare = 0.05;
const byName = new Map<string, Landmark>(
  Object.entries({ main: 'main', article: 'article', nav: 'aside', aside: 'aside', dialog: 'aside' }),
);
const asideRoles = /^(?:navigation|banner|contentinfo|complementary|dialog|alertdialog)$/;

/** The landmark that a tag starts; `isInside` returns whether the tag is inside one of the `sections`. */
export function landmarkOf(tag: Token.TagToken, isInside: () => boolean): Landmark | undefined {
  const role = attribute(tag, 'role');
  if (role === 'main') return 'main';
  const isFrame = /^(?:header|footer)$/.test(tag.tagName) && !isInside();
  return isFrame || asideRoles.test(role) ? 'aside' : byName.get(tag.tagName);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Finds the main content by the positions of landmarks in the pieces of text. */
export class MainContent {
  readonly #depth = { main: 0, article: 0, aside: 0 };
  readonly #spans: Readonly<Record<Landmark, Span[]>> = { main: [], article: [], aside: [] };

  /**
   * Records the start of a landmark and returns the function that records its end. A landmark inside another of the
   * same kind does not count.
   */
  begin(landmark: Landmark, from: number): (to: number) => void {
    const isOutermost = this.#depth[landmark]++ === 0;
    return (to) => {
      this.#depth[landmark]--;
      if (isOutermost) this.#spans[landmark].push({ from, to });
    };
  }

  /**
   * Returns the main content: the pieces of the landmark with more than half of the page's text, or else all pieces
   * outside of asides. The text of asides does not count. If nearly all text is in asides, returns all pieces.
   */
  choose(pieces: readonly string[]): readonly string[] {
    const { main, article, aside } = this.#spans;
    const shown = [...pieces];
    for (const { from, to } of aside) shown.fill('', from, to);
    const ends = [0];
    for (const piece of shown) ends.push((ends.at(-1) ?? 0) + piece.length);
    const size = ({ from, to }: Span) => (ends[to] ?? 0) - (ends[from] ?? 0);
    const whole = size({ from: 0, to: pieces.length });
    if (whole < pieces.reduce((sum, { length }) => sum + length, 0) * leastShare) return pieces;
    const named = [...main, ...(article.length === 1 ? article : [])];
    const [longest] = named.sort((left, right) => size(right) - size(left));
    const isMain = longest !== undefined && size(longest) > whole / 2;
    return isMain ? pieces.slice(longest.from, longest.to) : shown;
  }
}
