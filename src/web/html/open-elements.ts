import type { ElementKind } from './elements.js';

/** An open element. */
export interface OpenElement {
  readonly name: string;
  readonly kind: ElementKind;
  /** Whether the element stays open after its parent has ended, until its own end tag. */
  readonly isKeptOpen: boolean;
}

// The depth limit of browsers, so that no search through open elements takes long. Deeper elements are ignored.
const maxOpen = 512;
const set = <Value extends string>(names: string) => new Set(names.split(' ') as Value[]) as ReadonlySet<Value>;
/** Scope boundaries: end tags have no effect across them. */
const borders = set('table td th caption template object marquee applet svg math');
const listBorders = new Set([...borders, ...set('ul ol menu dir dl')]);
const tableBorders = set('table template');
const tableParts = set<ElementKind>('rows row cell');
/** The kinds of elements whose start ends an open paragraph. */
const blockKinds = set<ElementKind>('block paragraph heading quote list item term definition pre rule table');
const foreign: readonly ElementKind[] = ['foreign'];
const paragraph: readonly ElementKind[] = ['paragraph'];

/** The kinds of open elements that a start tag of a kind closes, up to the nearest element of `around`. */
const implied = new Map<ElementKind, readonly [ends: readonly ElementKind[], around: ReadonlySet<string>]>([
  ['item', [['item'], listBorders]],
  ['term', [['term', 'definition'], listBorders]],
  ['definition', [['term', 'definition'], listBorders]],
  ['link', [['link'], borders]],
  ['rows', [['rows', 'row', 'cell'], tableBorders]],
  ['row', [['row', 'cell'], tableBorders]],
  ['cell', [['cell'], tableBorders]],
]);

/** The stack of open elements. */
export class OpenElements<Element extends OpenElement> {
  readonly #elements: Element[] = [];
  readonly #counts = new Map<ElementKind, number>();
  readonly #onEnd: (element: Element) => void;

  /** `onEnd` is called for each element that ends, innermost first. */
  constructor(onEnd: (element: Element) => void) {
    this.#onEnd = onEnd;
  }

  get isFull(): boolean {
    return this.#elements.length >= maxOpen;
  }

  get last(): Element | undefined {
    return this.#elements.at(-1);
  }

  push(element: Element): void {
    this.#elements.push(element);
    this.#counts.set(element.kind, this.count(element.kind) + 1);
  }

  count(kind: ElementKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  innermost(...kinds: readonly ElementKind[]): Element | undefined {
    return this.#elements.findLast(({ kind }) => kinds.includes(kind));
  }

  has(...kinds: readonly ElementKind[]): boolean {
    return kinds.some((kind) => this.count(kind) > 0);
  }

  isInside(names: ReadonlySet<string>): boolean {
    return this.#elements.some(({ name }) => names.has(name));
  }

  /** Closes the elements that a start tag ends implicitly. Returns false if the new element is not allowed here. */
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

  /** Closes the element of an end tag. Returns false if no such element is open. */
  endByName(name: string, kind: ElementKind): boolean {
    const around = kind === 'table' || tableParts.has(kind) ? tableBorders : borders;
    return this.#endInnermost([kind], around, kind === 'heading' ? undefined : name);
  }

  endAll(): void {
    this.#endFrom(0);
  }

  /** Closes the innermost element of these kinds, unless an element of `around` lies inside of it. */
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
