import { writeRaised } from './raised-text.js';

/** Something that goes on over a stretch of text, with what stands at both of its ends; that of code is a backtick. */
interface Mark {
  open: string;
  close: string;
  readonly isOnce: boolean;
}

/** A block with more text than any paragraph has goes on in another one: each is worked on at one go. */
export const maxBlockChars = 200_000;
// What makes a heading, a quote, a list, a rule or a fence of a line that begins with it.
const lineStart = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|(?:-{3}|={3}|~{3})|(\d{1,9})(?=[.)](?:\s|$)))/gm;
const special = /[`<\\[\]]/;
// What a reader would take for code, a tag or a link. Stars and underlines stay: escaped they are harder to read than
// what they could be taken for.
const escapedToo = /`|\](?=\()|<(?=[a-z/!?])|\\(?=[`<\\\]])/gi;

/** The running text of one block: white space as a browser shows it, marks that open with their first character. */
export class InlineText {
  /** Line breaks since the last character. */
  breaks = 0;
  /** In a heading a line break is a space. */
  isOneLine = false;
  /** Is white space waiting for the next character? */
  hasSpace = false;
  /** Buttons that are open. */
  buttons = 0;
  /** Does the block hold text of anything but buttons? */
  hasWords = false;
  #text = '';
  #code = '';
  readonly #marks: Mark[] = [];
  /** How many of them have opened. */
  #shown = 0;
  #isInCode = false;
  /** Those open in the text of the link. */
  #brackets = 0;

  /** Does the next character begin another block: after an empty line, or in more text than any paragraph has? */
  get isOver(): boolean {
    const chars = this.#text.length + this.#code.length;
    return (this.breaks > 1 && !this.isOneLine) || chars > (this.hasSpace ? maxBlockChars : maxBlockChars * 5);
  }

  /**
   * Starts a mark, which shows with the next character, and again in the next block unless it `isOnce`. The function
   * ends it. In another of its kind it changes nothing, nor does any in code.
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

  /** Adds characters that are no white space; `isMarkup` are not escaped. */
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
    // Nobody reads a word of this length, and so many marks would take long.
    else if (isMarkup || characters.length > maxBlockChars || !special.test(characters)) this.#text += characters;
    else this.#text += this.#escaped(characters);
  }

  /** Ends the block and gives its Markdown; '' when it has no text. */
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
    // In the text of a link, a bracket that none of the text has opened would end it.
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

/** As many backticks as no run in the code has, and at least so many. */
export function codeFence(code: string, least: number): string {
  let longest = least - 1;
  for (let at = 0, run = 0; at < code.length; at++) {
    run = code[at] === '`' ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return '`'.repeat(longest + 1);
}
