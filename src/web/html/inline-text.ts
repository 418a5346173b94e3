import { writeRaised } from './math-notation.js';

/** Markup around a part of the text. Code is marked by a single backtick here; the final fence is chosen later. */
interface Mark {
  open: string;
  close: string;
  readonly isOnce: boolean;
}

/** Longer blocks are split, because a block is processed in one piece. */
export const maxBlockChars = 200_000;
/** Characters that start a heading, quote, list, rule or fence at the beginning of a line. */
const lineStart = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|(?:-{3}|={3}|~{3})|(\d{1,9})(?=[.)](?:\s|$)))/gm;
const special = /[`<\\[\]]/;
// Signs that would be read as code, tags or links. Stars are not escaped: escapes would harm more than wrong emphasis.
const escapedToo = /`|\](?=\()|<(?=[a-z/!?])|\\(?=[`<\\\]])/gi;

/** The inline text of one block. It collapses white space, and writes opening markup with the next character. */
export class InlineText {
  breaks = 0;
  /** In a heading a line break is a space. */
  isOneLine = false;
  hasSpace = false;
  buttons = 0;
  hasWords = false;
  #text = '';
  #code = '';
  readonly #marks: Mark[] = [];
  /** The number of marks whose opening markup has been written. */
  #shown = 0;
  #isInCode = false;
  #brackets = 0;

  /** Whether the next character starts another block: after an empty line, or beyond the maximum length. */
  get isOver(): boolean {
    const chars = this.#text.length + this.#code.length;
    return (this.breaks > 1 && !this.isOneLine) || chars > (this.hasSpace ? maxBlockChars : maxBlockChars * 5);
  }

  /**
   * Starts markup. The opening markup is written before the next character, and again in each following block unless
   * `isOnce` is true. Returns the function that ends the markup. Markup inside its own kind or inside code is ignored.
   */
  begin(open: string, close = open, isOnce = false): () => void {
    const isInCode = this.#marks.at(-1)?.open === '`';
    if (isInCode || (!isOnce && this.#marks.some((mark) => mark.open === open))) return () => {};
    this.#marks.push({ open, close, isOnce });
    return () => {
      if (this.#shown === this.#marks.length) this.#close();
      this.#marks.pop();
    };
  }

  /** Adds characters other than white space; `isMarkup` characters are not escaped. */
  add(characters: string, isMarkup = false): void {
    if ((this.hasSpace || this.breaks > 0) && (this.#text !== '' || this.#code !== '')) {
      if (this.#isInCode) this.#code += ' ';
      else this.#text += this.breaks > 0 && !this.isOneLine ? '  \n' : ' ';
    }
    this.hasSpace = false;
    this.breaks = 0;
    if (this.buttons === 0) this.hasWords = true;
    while (this.#shown < this.#marks.length) {
      const { open } = this.#marks[this.#shown++] as Mark;
      this.#isInCode = open === '`';
      if (open === '[') this.#brackets = 0;
      if (!this.#isInCode) this.#text += open;
    }
    if (this.#isInCode) this.#code += characters;
    // Words of this length are data and not text, and escaping them would take long.
    else if (isMarkup || characters.length > maxBlockChars || !special.test(characters)) this.#text += characters;
    else this.#text += this.#escaped(characters);
  }

  /** Ends the block and returns its Markdown; '' for a block without text. */
  take(): string {
    while (this.#shown > 0) this.#close();
    const text = writeRaised(this.#text).trimStart();
    const markdown = text.replace(lineStart, (match, number?: string) => (number ? `${number}\\` : `\\${match}`));
    this.#text = '';
    this.hasWords = false;
    this.hasSpace = false;
    this.breaks = 0;
    return markdown;
  }

  #escaped(characters: string): string {
    const escaped = characters.replace(escapedToo, '\\$&');
    if (!this.#marks.some(({ open }) => open === '[')) return escaped;
    // An unbalanced closing bracket would end the text of a link.
    return escaped.replace(/\\.|[[\]]/gs, (part) => {
      if (part === ']' && this.#brackets === 0) return '\\]';
      if (part.length === 1) this.#brackets += part === '[' ? 1 : -1;
      return part;
    });
  }

  #close(): void {
    const mark = this.#marks[--this.#shown] as Mark;
    if (this.#isInCode) {
      this.#isInCode = false;
      const fence = codeFence(this.#code, 1);
      const pad = /^`|`$/.test(this.#code) ? ' ' : '';
      this.#text += fence + pad + this.#code + pad + fence;
      this.#code = '';
    } else this.#text += mark.close;
    if (mark.isOnce) mark.open = mark.close = '';
  }
}

/** A fence of at least `least` backticks, longer than any run of backticks in the code. */
export function codeFence(code: string, least: number): string {
  let longest = least - 1;
  for (let at = 0, run = 0; at < code.length; at++) {
    run = code[at] === '`' ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return '`'.repeat(longest + 1);
}
