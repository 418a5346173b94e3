const maxStack = 40;

/**
 * The text without what surely is mere text in it: strings in single quotes and the bodies of here-documents with a
 * quoted end. One walk over the characters; from the first place on where it is not sure how a shell reads them,
 * everything is kept.
 */
export function withoutQuoted(text: string): string {
  const walk = new Walk(text);
  while (walk.step());
  return walk.kept;
}

interface Ending {
  readonly word: string;
  readonly quoted: boolean;
  readonly indented: boolean;
}

interface Level {
  readonly kind: 'line' | 'double' | 'substitution';
  readonly endings: Ending[];
}

const opener = /<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\\$`\n]*)"|\\?([\w.-]+))(?=[\s;&|)<>]|$)/y;
const plain = /[^\\'"$`<>()#\n]+/y;

class Walk {
  readonly #text: string;
  readonly #levels: Level[] = [{ kind: 'line', endings: [] }];
  #kept: string[] = [];
  #from = 0;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get kept(): string {
    return this.#kept.join('') + this.#text.slice(this.#from);
  }

  /** Goes on by one piece; false at the end, or where it is not sure. */
  step(): boolean {
    const level = this.#levels.at(-1);
    const character = this.#text[this.#at];
    if (level === undefined || character === undefined || this.#levels.length > maxStack) return false;
    if (character === '\\') return this.#skip(2);
    if (character === '$' || character === '`') return this.#dollar(character, level);
    return level.kind === 'double' ? this.#inString(character) : this.#inCode(character, level);
  }

  #skip(count: number): boolean {
    this.#at += count;
    return true;
  }

  #dollar(character: string, { kind }: Level): boolean {
    const next = this.#text[this.#at + 1];
    if (character === '`') return false;
    if (next === '(' && this.#text[this.#at + 2] !== '(') {
      this.#levels.push({ kind: 'substitution', endings: [] });
      return this.#skip(2);
    }
    if (next === '(' || next === '{' || next === '[') return false;
    return kind !== 'double' && (next === "'" || next === '"') ? false : this.#skip(1);
  }

  #inString(character: string): boolean {
    if (character === '"') this.#levels.pop();
    return this.#skip(1);
  }

  #inCode(character: string, level: Level): boolean {
    if (character === "'") return this.#cutTo(this.#text.indexOf("'", this.#at + 1));
    if (character === '\n') return this.#readBodies(level.endings.splice(0));
    if (character === '#' && /^[\s;&|()]?$/.test(this.#text[this.#at - 1] ?? '')) return this.#toLineEnd();
    if (character === '<') return this.#angle(level);
    if (character === '(') return false;
    if (character === ')') return this.#close(level);
    if (character === '"') this.#levels.push({ kind: 'double', endings: [] });
    plain.lastIndex = this.#at;
    const run = plain.exec(this.#text)?.[0] ?? character;
    if (this.#levels.length > 1 && /\bcase\b/.test(run)) return false;
    return this.#skip(run.length);
  }

  #close({ kind, endings }: Level): boolean {
    if (kind !== 'substitution' || endings.length > 0) return false;
    this.#levels.pop();
    return this.#skip(1);
  }

  #toLineEnd(): boolean {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
    return true;
  }

  #angle({ endings }: Level): boolean {
    if (this.#text.startsWith('<<<', this.#at)) return this.#skip(3);
    if (this.#text[this.#at + 1] !== '<') return this.#text[this.#at + 1] === '(' ? false : this.#skip(1);
    opener.lastIndex = this.#at;
    const [whole, dash, single, double, bare] = opener.exec(this.#text) ?? [];
    if (whole === undefined) return false;
    endings.push({
      word: single ?? double ?? bare ?? '',
      quoted: !/[\w.-]/.test(whole.replace(/^<<-?\s*/, '')[0] ?? ''),
      indented: dash === '-',
    });
    return this.#skip(whole.length);
  }

  #readBodies(endings: readonly Ending[]): boolean {
    return endings.length === 0 ? this.#skip(1) : endings.every((ending) => this.#readBody(ending));
  }

  #readBody({ word, quoted, indented }: Ending): boolean {
    const start = this.#at + 1;
    for (let line = start; line < this.#text.length; ) {
      const end = this.#text.indexOf('\n', line);
      const written = this.#text.slice(line, end === -1 ? undefined : end);
      if ((indented ? written.replace(/^\t+/, '') : written) === word) {
        if (quoted) this.#cut(start, line);
        this.#at = line + written.length;
        return true;
      }
      if (end === -1) return false;
      line = end + 1;
    }
    return false;
  }

  #cutTo(close: number): boolean {
    if (close === -1) return false;
    this.#cut(this.#at + 1, close);
    this.#at = close + 1;
    return true;
  }

  #cut(start: number, end: number): void {
    this.#kept.push(this.#text.slice(this.#from, start));
    this.#from = end;
  }
}
