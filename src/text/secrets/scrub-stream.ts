import { maxCutChars, startOfInlineKey, startOfKeyLines } from './scan/credential-key-end.js';
import type { CredentialScanner } from './scan/credential-scan.js';
import {
  lookaheadChars,
  lookbehindChars,
  type Marker,
  type ScanState,
  startOfText,
} from './scan/credential-scan-state.js';
import type { KnownValues } from './secret-known-values.js';

/** One stage of scrubbing text that arrives in pieces: what is decided comes out, the rest waits. */
export interface ScrubStage {
  /** Takes the next piece and gives what is decided by now. */
  push(chunk: string): string;
  /** Gives the rest. */
  end(): string;
}

/** The stage for known values: waits only where a value may have been cut. */
export class KnownValueStage implements ScrubStage {
  readonly #values: KnownValues;
  readonly #marker: Marker;
  #pending = '';

  constructor(values: KnownValues, marker: Marker) {
    this.#values = values;
    this.#marker = marker;
  }

  push(chunk: string): string {
    const text = this.#pending + chunk;
    return this.#release(text, this.#values.openAt(text));
  }

  end(): string {
    return this.#release(this.#pending, this.#pending.length);
  }

  #release(text: string, limit: number): string {
    const { output, end } = this.#values.replace(text, limit, this.#marker);
    this.#pending = text.slice(end);
    return output;
  }
}

/** What a line must hold for a credential with a blank inside to begin there. */
const spacedStart =
  /pass|pwd|secret|token|auth|bearer|basic|credential|jwt|key|sig|cookie|pat|psk|(?:^|[ \t])-[abpuw]|--user|mysql|mariadb|sshpass|value|default|identified|convertto|private-lines|-----/i;

/** As much as the next form takes, and more. */
const maxBehindChars = 32;

/** What may stand behind the letters of a key on their line, and the dashes that may be the first of its last line. */
const behindKeyLetters = /["'`]?[ \t]{0,8}[+,;\\)]{0,4}[ \t]{0,8}-{0,5}$/;

/**
 * The stage for credentials of known form. Whole lines are decided as they come, a line without anything suspicious
 * word by word; a suspicious one waits for its end, though never more than twice the scanner's look-ahead.
 */
export class PatternStage implements ScrubStage {
  readonly #scanner: CredentialScanner;
  readonly #marker: Marker;
  #state: ScanState = startOfText;
  /** Text that was given out but may be looked back at, then text that waits. */
  #text = '';
  #start = 0;
  /** The answer for the line that was asked about last. */
  #looked = { lineStart: 0, keyStart: 0 };

  constructor(scanner: CredentialScanner, marker: Marker) {
    this.#scanner = scanner;
    this.#marker = marker;
  }

  push(chunk: string): string {
    this.#text += chunk;
    const limit = this.#limit();
    return limit > this.#start || this.#state.tail !== undefined ? this.#release(limit, false) : '';
  }

  end(): string {
    return this.#release(this.#text.length, true);
  }

  #release(limit: number, isLast: boolean): string {
    const piece = { text: this.#text, start: this.#start, limit, isLast };
    const { output, end, state } = this.#scanner.scan(piece, this.#state, this.#marker);
    const kept = Math.max(0, end - lookbehindChars);
    this.#text = this.#text.slice(kept);
    this.#start = end - kept;
    const { lineStart, keyStart } = this.#looked;
    this.#looked = { lineStart: Math.max(0, lineStart - kept), keyStart: Math.max(0, keyStart - kept) };
    this.#state = state;
    return output;
  }

  #limit(): number {
    const { length } = this.#text;
    const lineStart = Math.max(this.#start, this.#text.lastIndexOf('\n') + 1);
    if (length - lineStart > 2 * lookaheadChars) return length - lookaheadChars;
    const linesStart = this.#keyLinesStart(lineStart);
    if (linesStart < lineStart) return linesStart;
    if (this.#state.mode.startsWith('key') || this.#text.includes('-----BEGIN', this.#start)) return lineStart;
    const line = this.#text.slice(lineStart);
    if (spacedStart.test(line)) return lineStart;
    const wordStart = lineStart + Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t')) + 1;
    const lettersEnd = length - (behindKeyLetters.exec(line.slice(-maxBehindChars))?.[0].length ?? 0);
    const keyStart = startOfInlineKey(this.#text, lettersEnd, lineStart);
    return keyStart < lettersEnd ? Math.min(wordStart, keyStart) : wordStart;
  }

  /** Where the lines begin that turn out to be the end of a key if its last line follows. */
  #keyLinesStart(lineStart: number): number {
    if (this.#state.mode.startsWith('key')) return lineStart;
    const before = this.#looked;
    if (before.lineStart !== lineStart) {
      // Where all that came since goes on with them, the lines before need no second look.
      const goesOn =
        before.keyStart < before.lineStart &&
        startOfKeyLines(this.#text, lineStart, before.lineStart) === before.lineStart;
      const keyStart = goesOn
        ? Math.max(before.keyStart, lineStart - maxCutChars)
        : startOfKeyLines(this.#text, lineStart, 0);
      this.#looked = { lineStart, keyStart };
    }
    return Math.max(this.#start, this.#looked.keyStart);
  }
}
