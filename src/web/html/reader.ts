import type { Token } from 'parse5';
import {
  attribute,
  type ElementKind,
  elementKind,
  formatting,
  hasAttribute,
  isHidden,
  isNeverShown,
  languageOf,
  layoutKinds,
  numberOf,
  rawTexts,
  refreshOf,
  sections,
  voidKinds,
} from './elements.js';
import { maxBlockChars } from './inline-text.js';
import type { linkAddresses } from './link-addresses.js';
import { landmarkOf, MainContent } from './main-content.js';
import { MarkdownTable } from './markdown-table.js';
import { MarkdownWriter } from './markdown-writer.js';
import { raisedMarks } from './math-notation.js';
import { type OpenElement, OpenElements } from './open-elements.js';

/** The state that the reader keeps for an open element. */
interface Begun {
  readonly close?: (() => unknown) | undefined;
  readonly table?: MarkdownTable;
  readonly list?: { next: number; hasItems: boolean };
  /** The number of operands of a math expression that have been read so far. */
  readonly parts?: { count: number };
  readonly language?: string | undefined;
}

interface ShownElement extends OpenElement, Begun {
  readonly isHiding: boolean;
}

/** The length at which alt text is cut; longer text is not meant for people. */
const maxAltChars = 10_000;

/** Consumes the tokens of a page and writes its visible text. */
export class HtmlReader {
  readonly #markdown = new MarkdownWriter();
  readonly #addresses: ReturnType<typeof linkAddresses>;
  readonly #main = new MainContent();
  readonly #open = new OpenElements<ShownElement>((element) => this.#ended(element));
  readonly #endBlock = () => this.#markdown.endBlock(2);
  #hidden = 0;
  #isAfterMath = false;
  #refresh: string | undefined;

  constructor(addresses: ReturnType<typeof linkAddresses>) {
    this.#addresses = addresses;
  }

  /** Whether the current tag is inside SVG or MathML, where other rules apply. */
  get isForeign(): boolean {
    return this.#open.has('foreign');
  }

  /** Consumes characters. All of them are white space if `isSpace` is true; otherwise none is. */
  text(characters: string, isSpace: boolean): void {
    if (this.#hidden > 0) return;
    if (!isSpace) this.#isAfterMath = false;
    // TeX is not escaped.
    const isTex = this.#open.last?.name === 'annotation' && !this.#markdown.isPreformatted;
    if (isSpace) this.#markdown.space(characters);
    else if (isTex) this.#markdown.inline.add(characters, true);
    else this.#markdown.text(characters);
  }

  start(tag: Token.TagToken): void {
    const { tagName: name } = tag;
    const kind = elementKind(name);
    // An element without effect matters only if it hides its content.
    if (kind === 'nothing' || (kind === 'inline' && this.#hidden === 0 && !this.#hides(tag))) return;
    if (!this.#open.endImplied(kind)) return;
    if (voidKinds.has(kind)) {
      if (this.#hidden === 0 && !this.#hides(tag)) this.#addVoid(tag, kind);
    } else if (this.#open.isFull && (this.isForeign || !rawTexts.has(name))) {
      // An element beyond the depth limit is not tracked; its text still starts a new block.
      if (kind !== 'inline' && this.#hidden === 0) this.#endBlock();
    } else if (!(this.isForeign && tag.selfClosing)) this.#push(tag, kind);
  }

  end({ tagName: name }: Token.TagToken): void {
    const kind = elementKind(name);
    if (this.#open.endByName(name, kind) || this.#hidden > 0) return;
    if (kind === 'break') this.#markdown.breakLine();
    if (kind === 'paragraph') this.#endBlock();
  }

  finish(isMainOnly: boolean): string {
    this.#open.endAll();
    this.#endBlock();
    const { pieces } = this.#markdown;
    const text = (isMainOnly ? this.#main.choose(pieces) : pieces).join('').replace(/^\n+/, '');
    return this.#refresh === undefined
      ? text
      : `[The page redirects to another page](${this.#refresh})\n\n${text}`.trimEnd();
  }

  #ended({ name, close, isHiding }: ShownElement): void {
    close?.();
    if (isHiding) this.#hidden--;
    if (name === 'math') this.#isAfterMath = true;
  }

  #hides(tag: Token.TagToken): boolean {
    return isHidden(tag, { isAfterMath: this.#isAfterMath, isInCode: this.#open.has('pre', 'code') });
  }

  #push(tag: Token.TagToken, kind: ElementKind): void {
    const { tagName: name } = tag;
    const parts = this.#open.last?.parts;
    if (parts !== undefined && this.#hidden === 0 && parts.count++ > 0) this.#markdown.text(raisedMarks(name).nextPart);
    const isHiding = isNeverShown(tag) || this.#hides(tag);
    if (name === 'iframe' && this.#hidden === 0) this.#nameFrame(tag);
    if (isHiding) this.#hidden++;
    this.#isAfterMath &&= !isHiding;
    const begun = this.#hidden > 0 ? {} : this.#begin(tag, kind);
    this.#open.push({ name, kind, isHiding, isKeptOpen: isHiding && formatting.has(name), ...begun });
  }

  #addVoid(tag: Token.TagToken, kind: ElementKind): void {
    const markdown = this.#markdown;
    if (kind === 'break') markdown.breakLine();
    else if (kind === 'base') this.#addresses.setBase(attribute(tag, 'href'));
    else if (kind === 'frame') this.#nameFrame(tag);
    else if (kind === 'refresh') this.#refresh ??= this.#addresses.resolve(refreshOf(tag));
    else if (kind === 'image') markdown.text(attribute(tag, 'alt').trim().slice(0, maxAltChars));
    else if (kind === 'rule') {
      markdown.endBlock(2);
      if (!markdown.isPreformatted) markdown.block('---');
      markdown.endBlock(2);
    } else if (attribute(tag, 'type').toLowerCase() === 'checkbox' && !markdown.isPreformatted) {
      markdown.inline.add(hasAttribute(tag, 'checked') ? '[x]' : '[ ]', true);
      markdown.space(' ');
    }
  }

  #nameFrame(tag: Token.TagToken): void {
    const address = this.#addresses.resolve(attribute(tag, 'src'));
    if (address === undefined || this.#hides(tag) || this.#markdown.isPreformatted) return;
    this.#markdown.link(attribute(tag, 'title').trim().slice(0, maxAltChars) || 'Frame', address);
  }

  #begin(tag: Token.TagToken, kind: ElementKind): Begun {
    const markdown = this.#markdown;
    if (layoutKinds.has(kind) && markdown.table?.hasHeader === false) markdown.spillTable();
    switch (kind) {
      case 'code':
        if (markdown.isPreformatted) markdown.language = languageOf(tag) ?? markdown.language;
        return this.#mark('`');
      case 'raised': {
        const { open, close, hasParts } = raisedMarks(tag.tagName);
        markdown.text(open);
        return { close: () => markdown.text(close), ...(hasParts && { parts: { count: 0 } }) };
      }
      case 'math':
        if (/^(?:mspace|mtd)$/.test(tag.tagName)) markdown.space(' ');
        return {};
      case 'button':
        markdown.inline.buttons++;
        return { close: () => markdown.inline.buttons-- };
      case 'strong':
        return this.#mark('**');
      case 'emphasis':
        return this.#mark('*');
      case 'strike':
        return this.#mark('~~');
      case 'link': {
        const address = this.#addresses.resolve(attribute(tag, 'href'));
        return address === undefined ? {} : this.#mark('[', `](${address})`, true);
      }
      case 'block':
      case 'paragraph':
        return this.#beginBlock(tag);
      case 'heading':
        return this.#beginHeading(tag);
      case 'pre':
        if (markdown.isPreformatted) return this.#beginBlock(tag);
        markdown.beginCode(languageOf(tag) ?? this.#open.innermost('block')?.language);
        return { close: () => markdown.endCode() };
      case 'quote':
        markdown.endBlock(2);
        return { close: markdown.open('> ', '> ') };
      case 'list':
        if (this.#open.innermost('item', 'quote', 'definition', 'cell')?.kind === 'item') markdown.setGap(1);
        else markdown.endBlock(2);
        return { list: { next: numberOf(tag, 'start') ?? 1, hasItems: false }, close: this.#endBlock };
      case 'item':
        return this.#beginItem(tag);
      case 'term':
        markdown.endBlock(1);
        return { close: () => markdown.setGap(1) };
      case 'definition':
        markdown.endBlock(1);
        return { close: markdown.open(': ', '  ') };
      case 'table':
        return this.#beginTable(tag);
      case 'row':
        return this.#beginRow();
      case 'cell':
        return this.#beginCell(tag);
      default:
        return {};
    }
  }

  #mark(...mark: Parameters<MarkdownWriter['inline']['begin']>): Begun {
    const { isPreformatted, inline } = this.#markdown;
    return isPreformatted ? {} : { close: inline.begin(...mark) };
  }

  #beginBlock(tag: Token.TagToken): Begun {
    const markdown = this.#markdown;
    markdown.endBlock(2);
    const language = languageOf(tag) ?? this.#open.innermost('block')?.language;
    const landmark = landmarkOf(tag, () => this.#open.isInside(sections));
    if (landmark === undefined || markdown.table?.hasHeader === true) return { close: this.#endBlock, language };
    markdown.spillTable();
    const end = this.#main.begin(landmark, markdown.border());
    return { close: () => end(markdown.border()), language };
  }

  #beginHeading({ tagName }: Token.TagToken): Begun {
    const { inline } = this.#markdown;
    this.#endBlock();
    const close = this.#markdown.open(`${'#'.repeat(Number(tagName.slice(1)))} `, '');
    inline.isOneLine = true;
    return {
      close: () => {
        close();
        inline.isOneLine = false;
      },
    };
  }

  #beginItem(tag: Token.TagToken): Begun {
    const list = this.#open.innermost('list', 'cell');
    const items = list?.list ?? { next: 1, hasItems: false };
    if (items.hasItems) this.#markdown.setGap(1);
    else this.#markdown.endBlock(1);
    items.hasItems = true;
    items.next = numberOf(tag, 'value') ?? items.next;
    const marker = list?.name === 'ol' ? `${items.next++}. ` : '- ';
    return { close: this.#markdown.open(marker, ' '.repeat(marker.length), 1) };
  }

  /** A table inside a cell of a data table is written cell by cell, like a layout table. */
  #beginTable(tag: Token.TagToken): Begun {
    const markdown = this.#markdown;
    markdown.endBlock(2);
    const isInData = markdown.isPreformatted || markdown.table !== undefined;
    const table = new MarkdownTable(isInData || /^(?:presentation|none)$/.test(attribute(tag, 'role')));
    return { table, close: () => [markdown.endBlock(2), markdown.writeTable(table)] };
  }

  #beginRow(): Begun {
    const table = this.#open.innermost('table')?.table;
    if (table?.isLayout !== false) this.#endBlock();
    // The length of the buffered rows is limited; further rows start a new table.
    if (table !== undefined && table.chars > maxBlockChars) this.#markdown.writeTable(table);
    table?.startRow();
    return {};
  }

  #beginCell(tag: Token.TagToken): Begun {
    const markdown = this.#markdown;
    const table = this.#open.innermost('table')?.table;
    markdown.endBlock(2);
    // A table with this much text is treated as a layout table.
    if (table !== undefined && table.chars > maxBlockChars * 2) {
      table.isLayout = true;
      markdown.writeTable(table);
    }
    if (table?.isLayout !== false) return { close: this.#endBlock };
    const end = markdown.beginCell(table);
    return {
      close: () => {
        markdown.endBlock(2);
        if (markdown.table !== table) return;
        const isHeader = tag.tagName === 'th' || this.#open.innermost('rows', 'table')?.name === 'thead';
        table.addCell(end(), isHeader, numberOf(tag, 'colspan'), numberOf(tag, 'rowspan'));
      },
    };
  }
}
