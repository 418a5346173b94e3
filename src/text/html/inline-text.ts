/** Something that goes on over a stretch of text. A link has an address. */
export interface Mark {
  readonly kind: 'link' | 'strong' | 'emphasis' | 'strike' | 'code';
  readonly address?: string;
  /** A link is shown once, in the first block of what it holds. */
  isDone?: boolean;
}

const signs = { strong: '**', emphasis: '*', strike: '~~' } as const;
const maxBlockChars = 200_000;

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
  #wanted: Mark[] = [];
  #open: Mark[] = [];
  #isStale = false;

  /** Does the next character begin another block: after an empty line, or in more text than any paragraph has? */
  get isOver(): boolean {
    return (this.breaks > 1 && !this.isOneLine) || (this.hasSpace && this.#text.length > maxBlockChars);
  }

  /** Starts a mark, which shows with the next character; inside another of its kind it changes nothing. */
  begin(mark: Mark): void {
    if (mark.kind !== 'link' && this.#wanted.some(({ kind }) => kind === mark.kind)) return;
    this.#wanted.push(mark);
    this.#isStale = true;
  }

  /** Ends a mark. */
  end(mark: Mark): void {
    this.#wanted = this.#wanted.filter((other) => other !== mark);
    this.#isStale = true;
  }

  /** Adds characters that are no white space; `isMarkup` are not escaped. */
  add(characters: string, isMarkup = false): void {
    const marks = this.#isStale ? this.#marks() : this.#open;
    if (this.#isStale) this.#closeUnlike(marks);
    const isInCode = this.#open.at(-1)?.kind === 'code';
    if ((this.hasSpace || this.breaks > 0) && (this.#text !== '' || this.#code !== '')) {
      if (isInCode) this.#code += ' ';
      else this.#text += this.breaks > 0 && !this.isOneLine ? '  \n' : ' ';
    }
    this.hasSpace = false;
    this.breaks = 0;
    if (this.#isStale) this.#openMarks(marks);
    if (this.#open.at(-1)?.kind === 'code') this.#code += characters;
    else this.#text += isMarkup || !special.test(characters) ? characters : characters.replace(escapedToo, '\\$&');
  }

  /** Ends the block and gives its Markdown; '' when it has no text. */
  take(): string {
    this.#closeUnlike([]);
    const markdown = this.#text.replace(lineStart, (match, number?: string) => (number ? `${number}\\` : `\\${match}`));
    this.#text = '';
    this.hasSpace = false;
    this.breaks = 0;
    this.#isStale = this.#wanted.length > 0;
    return markdown;
  }

  /** Inside code nothing else is markup. */
  #marks(): Mark[] {
    const shown = this.#wanted.filter((mark) => mark.isDone !== true || this.#open.includes(mark));
    const code = shown.findIndex(({ kind }) => kind === 'code');
    return code < 0 ? shown : shown.slice(0, code + 1);
  }

  #closeUnlike(marks: readonly Mark[]): void {
    let kept = 0;
    while (kept < this.#open.length && this.#open[kept] === marks[kept]) kept++;
    for (const mark of this.#open.splice(kept).reverse()) {
      if (mark.kind === 'link') this.#text += `](${mark.address})`;
      else if (mark.kind !== 'code') this.#text += signs[mark.kind];
      else {
        const fence = codeFence(this.#code, 1);
        const pad = /^`|`$/.test(this.#code) ? ' ' : '';
        this.#text += fence + pad + this.#code + pad + fence;
        this.#code = '';
      }
    }
  }

  #openMarks(marks: readonly Mark[]): void {
    for (const mark of marks.slice(this.#open.length)) {
      mark.isDone = mark.kind === 'link';
      this.#open.push(mark);
      if (mark.kind !== 'code') this.#text += mark.kind === 'link' ? '[' : signs[mark.kind];
    }
    this.#isStale = false;
  }
}

/** As many backticks as no run in the code has, and at least so many. */
export function codeFence(code: string, least: number): string {
  let longest = least - 1;
  if (code.includes('`')) for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

// What makes a heading, a quote, a list, a rule or a fence of a line that begins with it.
const lineStart = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|(?:-{3}|={3}|~{3})|(\d{1,9})(?=[.)](?:\s|$)))/gm;
const special = /[`<\\\]]/;
// What a reader would take for code, a tag or a link. Stars and underlines stay: escaped they are harder to read than
// what they could be taken for.
const escapedToo = /`|\](?=\()|<(?=[a-z/!?])|\\(?=[`<\\\]])/gi;
