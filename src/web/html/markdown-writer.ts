import { codeFence, InlineText, maxBlockChars } from './inline-text.js';
import type { MarkdownTable } from './markdown-table.js';
import { writeRaised } from './math-notation.js';

/** Line breaks before the next block: 1 for the next line, 2 for an empty line between. */
export type Gap = 1 | 2;

/** A quote or list item. `first` prefixes the first line, `rest` all others. */
interface Container {
  readonly first: string;
  readonly rest: string;
  isUsed: boolean;
}

// Deeper quotes and lists are flattened, because each line repeats the prefixes of all containers around it.
const maxContainers = 10;
const maxMergedChars = 4_000;

/** Writes Markdown block by block. */
export class MarkdownWriter {
  readonly inline = new InlineText();
  /** All finished blocks, each with its separator; short blocks are joined into one piece. */
  readonly pieces: string[] = [];
  table: MarkdownTable | undefined;
  language = '';
  #cell: string[] = [];
  #cellChars = 0;
  #gap: Gap = 2;
  #containers: Container[] = [];
  #code: string[] | undefined;
  #codeChars = 0;
  #borderAt = 0;
  #isAfterCode = false;

  get isPreformatted(): boolean {
    return this.#code !== undefined;
  }

  text(characters: string): void {
    if (this.#code !== undefined) {
      this.#addCode(characters);
      return;
    }
    if (this.inline.isOver) this.endBlock(2);
    const words = /\s/.test(characters) ? characters.split(/\s+/) : [characters];
    for (const [index, word] of words.entries()) {
      if (index > 0) this.inline.hasSpace = true;
      if (word !== '') this.inline.add(word);
    }
  }

  space(characters: string): void {
    if (this.#code !== undefined) this.#addCode(characters);
    else this.inline.hasSpace = true;
  }

  breakLine(): void {
    if (this.#code !== undefined) this.#addCode('\n');
    else this.inline.breaks++;
  }

  /** Ends the block in progress; at least `gap` line breaks follow. */
  endBlock(gap: Gap): void {
    if (this.#code !== undefined) {
      if (this.#code.at(-1)?.endsWith('\n') === false) this.#code.push('\n');
      return;
    }
    const isButtons = !this.inline.hasWords;
    const text = this.inline.take();
    // A block that consists of buttons directly after code is dropped; it is usually a copy button.
    if (text !== '' && !(isButtons && this.#isAfterCode)) this.block(text);
    // The gap before a container applies to its first block.
    if (gap > this.#gap && this.#containers.at(-1)?.isUsed !== false) this.#gap = gap;
  }

  /** Ends the block; exactly `gap` line breaks follow. */
  setGap(gap: Gap): void {
    this.endBlock(gap);
    this.#gap = gap;
  }

  link(text: string, address: string): void {
    this.endBlock(2);
    const end = this.inline.begin('[', `](${address})`, true);
    this.text(text);
    end();
    this.endBlock(2);
  }

  block(text: string): void {
    this.#isAfterCode = false;
    if (this.table !== undefined) {
      this.#cell.push(text);
      this.#cellChars += text.length + 1;
      // A table with a cell this long is treated as a layout table.
      if (this.#cellChars > maxBlockChars) this.spillTable();
      return;
    }
    let [blank, first, rest] = ['', '', ''];
    for (const container of this.#containers) {
      if (container.isUsed) blank += container.rest;
      first += container.isUsed ? container.rest : container.first;
      rest += container.rest;
      container.isUsed = true;
    }
    const separator = this.pieces.length === 0 ? '' : this.#gap === 2 ? `\n${blank.trimEnd()}\n` : '\n';
    const piece = separator + first + (rest === '' ? text : text.replaceAll('\n', `\n${rest}`));
    const before = this.pieces.length > this.#borderAt ? this.pieces.at(-1) : undefined;
    if (before !== undefined && before.length < maxMergedChars) this.pieces[this.pieces.length - 1] = before + piece;
    else this.pieces.push(piece);
    this.#gap = 1;
  }

  /** Ends the block and returns the index of the next piece. */
  border(): number {
    this.endBlock(2);
    this.#borderAt = this.pieces.length;
    return this.#borderAt;
  }

  /** Opens a container for the following blocks and returns the function that closes it. */
  open(first: string, rest: string, gapAfter: Gap = 2): () => void {
    const isShown = this.#containers.length < maxContainers;
    if (isShown) this.#containers.push({ first, rest, isUsed: false });
    return () => {
      this.endBlock(gapAfter);
      if (isShown) this.#containers.pop();
    };
  }

  beginCode(language = ''): void {
    // A block that consists of buttons directly before code is dropped too; it is usually a copy button.
    if (!this.inline.hasWords) this.inline.take();
    this.endBlock(2);
    this.#code = [];
    this.language = language;
  }

  endCode(): void {
    this.#writeCode();
    this.#code = undefined;
  }

  /** Collects the following blocks as a cell and returns a function that ends the cell and returns its blocks. */
  beginCell(table: MarkdownTable): () => readonly string[] {
    this.endBlock(2);
    this.table = table;
    return () => {
      this.endBlock(2);
      this.table = undefined;
      this.#gap = 2;
      return this.#takeCell();
    };
  }

  writeTable(table: MarkdownTable): void {
    for (const text of table.takeBlocks()) {
      this.#gap = 2;
      this.block(text);
    }
    this.#gap = 2;
  }

  /** Turns the current table into a layout table, writes its rows and continues with the cell. */
  spillTable(): void {
    this.endBlock(2);
    const { table } = this;
    if (table === undefined) return;
    this.table = undefined;
    table.isLayout = true;
    this.writeTable(table);
    for (const text of this.#takeCell()) {
      this.block(text);
      this.#gap = 2;
    }
  }

  #takeCell(): readonly string[] {
    this.#cellChars = 0;
    return this.#cell.splice(0);
  }

  /** Code beyond the maximum length continues in another block, on a new line unless the line is very long. */
  #addCode(characters: string): void {
    this.#codeChars += characters.length;
    const lineEnd = this.#codeChars > maxBlockChars ? characters.lastIndexOf('\n') + 1 : 0;
    const end = this.#codeChars > maxBlockChars * 5 ? characters.length : lineEnd;
    if (end > 0) {
      this.#code?.push(characters.slice(0, end));
      this.#writeCode();
    }
    if (end < characters.length) this.#code?.push(characters.slice(end));
  }

  #writeCode(): void {
    const code = writeRaised(this.#code?.splice(0).join('') ?? '').trimEnd();
    this.#codeChars = 0;
    if (code === '') return;
    const shown = code.slice(code.lastIndexOf('\n', code.search(/\S/)) + 1);
    const fence = codeFence(shown, 3);
    this.block(`${fence}${this.language}\n${shown}\n${fence}`);
    this.#isAfterCode = true;
    this.#gap = 2;
  }
}
