/** Something that goes on over a stretch of text, with what stands at both of its ends; that of code is a backtick. */
interface Mark {
  open: string;
  close: string;
  readonly isOnce: boolean;
}

const maxBlockChars = 200_000;
// What makes a heading, a quote, a list, a rule or a fence of a line that begins with it.
const lineStart = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|(?:-{3}|={3}|~{3})|(\d{1,9})(?=[.)](?:\s|$)))/gm;
const special = /[`<\\\]]/;
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
  #text = '';
  #code = '';
  readonly #marks: Mark[] = [];
  /** How many of them have opened. */
  #shown = 0;
  #isInCode = false;

  /** Does the next character begin another block: after an empty line, or in more text than any paragraph has? */
  get isOver(): boolean {
    return (this.breaks > 1 && !this.isOneLine) || (this.hasSpace && this.#text.length > maxBlockChars);
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
    while (this.#shown < this.#marks.length) {
      const { open } = this.#marks[this.#shown++] as Mark;
      this.#isInCode = open === '`';
      if (!this.#isInCode) this.#text += open;
    }
    if (this.#isInCode) this.#code += characters;
    else this.#text += isMarkup || !special.test(characters) ? characters : characters.replace(escapedToo, '\\$&');
  }

  /** Ends the block and gives its Markdown; '' when it has no text. */
  take(): string {
    while (this.#shown > 0) this.#close();
    const markdown = this.#text.replace(lineStart, (match, number?: string) => (number ? `${number}\\` : `\\${match}`));
    this.#text = '';
    this.hasSpace = false;
    this.breaks = 0;
    return markdown;
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
  if (code.includes('`')) for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}
