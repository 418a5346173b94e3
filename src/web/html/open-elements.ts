import type { ElementKind } from './elements.js';

/** An element that has begun and not ended. */
export interface OpenElement {
  readonly name: string;
  readonly kind: ElementKind;
  /** Does it go on after the end of what is around it, until its own end? */
  readonly isKeptOpen: boolean;
}

// As deep as browsers go; what is deeper is not remembered, so no search through the open elements takes long.
const maxOpen = 512;
const set = <Value extends string>(names: string) => new Set(names.split(' ') as Value[]) as ReadonlySet<Value>;
/** Elements that what is outside them cannot end from inside, nor the other way round. */
const borders = set('table td th caption template object marquee applet svg math');
const listBorders = new Set([...borders, ...set('ul ol menu dir dl')]);
const tableBorders = set('table template');
const tableParts = set<ElementKind>('rows row cell');
/** Kinds that start on a line of their own, and so end a paragraph that nobody ended. */
const blockKinds = set<ElementKind>('block paragraph heading quote list item term definition pre rule table');
const foreign: readonly ElementKind[] = ['foreign'];
const paragraph: readonly ElementKind[] = ['paragraph'];

/** What the start of an element ends without saying so, and what that cannot reach out of. */
const implied = new Map<ElementKind, readonly [ends: readonly ElementKind[], around: ReadonlySet<string>]>([
  ['item', [['item'], listBorders]],
  ['term', [['term', 'definition'], listBorders]],
  ['definition', [['term', 'definition'], listBorders]],
  ['link', [['link'], borders]],
  ['rows', [['rows', 'row', 'cell'], tableBorders]],
  ['row', [['row', 'cell'], tableBorders]],
  ['cell', [['cell'], tableBorders]],
]);

/** The elements that are open, and which of them a tag ends. */
export class OpenElements<Element extends OpenElement> {
  readonly #elements: Element[] = [];
  readonly #counts = new Map<ElementKind, number>();
  readonly #onEnd: (element: Element) => void;

  /** `onEnd` is told of each that ends, the innermost first. */
  constructor(onEnd: (element: Element) => void) {
    this.#onEnd = onEnd;
  }

  /** Is there no more room? */
  get isFull(): boolean {
    return this.#elements.length >= maxOpen;
  }

  /** The innermost one. */
  get last(): Element | undefined {
    return this.#elements.at(-1);
  }

  /** Adds the innermost one. */
  push(element: Element): void {
    this.#elements.push(element);
    this.#counts.set(element.kind, this.count(element.kind) + 1);
  }

  /** How many of this kind are open. */
  count(kind: ElementKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** The innermost of these kinds. */
  innermost(...kinds: readonly ElementKind[]): Element | undefined {
    return this.#elements.findLast(({ kind }) => kinds.includes(kind));
  }

  /** Is one of these kinds open? */
  has(...kinds: readonly ElementKind[]): boolean {
    return kinds.some((kind) => this.count(kind) > 0);
  }

  /** Is an element of one of these names open? */
  isInside(names: ReadonlySet<string>): boolean {
    return this.#elements.some(({ name }) => names.has(name));
  }

  /** Ends what the start of an element ends without saying so; false where the element cannot be. */
  endImplied(kind: ElementKind): boolean {
    if (tableParts.has(kind) && this.count('table') === 0) return false;
    const [ends, around] = implied.get(kind) ?? [];
    if (ends !== undefined) while (this.#endInnermost(ends, around));
    // A block ends SVG and MathML.
    if (blockKinds.has(kind)) {
      while (this.#endInnermost(foreign));
      this.#endInnermost(paragraph);
    }
    return true;
  }

  /** Ends the element that an end tag means; false when there is none to end. */
  endByName(name: string, kind: ElementKind): boolean {
    const around = kind === 'table' || tableParts.has(kind) ? tableBorders : borders;
    return this.#endInnermost([kind], around, kind === 'heading' ? undefined : name);
  }

  /** Ends all. */
  endAll(): void {
    this.#endFrom(0);
  }

  /** Ends the innermost element of these kinds, and all in it, unless something else is around it. */
  #endInnermost(kinds: readonly ElementKind[], around = borders, wanted?: string): boolean {
    if (!kinds.some((kind) => this.count(kind) > 0)) return false;
    for (let at = this.#elements.length - 1; at >= 0; at--) {
      const { kind, name } = this.#elements[at] as Element;
      if (kinds.includes(kind) && (wanted ?? name) === name) {
        this.#endFrom(at);
        return true;
      }
      if (around.has(name)) return false;
    }
    return false;
  }

  #endFrom(at: number): void {
    const { name } = this.#elements[at] ?? { name: '' };
    const stays = borders.has(name) ? [] : this.#elements.slice(at + 1).filter(({ isKeptOpen }) => isKeptOpen);
    while (this.#elements.length > at) {
      const element = this.#elements.pop() as Element;
      if (stays.includes(element)) continue;
      this.#counts.set(element.kind, this.count(element.kind) - 1);
      this.#onEnd(element);
    }
    this.#elements.push(...stays);
  }
}
