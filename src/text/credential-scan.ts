import { HeadIndex } from './credential-heads.js';
import type { CredentialKind } from './credential-patterns.js';
import { credentialPlaces } from './credential-places.js';
import { RareTokens, rareTokenForm } from './credential-rare.js';
import { ScanRun } from './credential-scan-run.js';
import type { CredentialFinding, CredentialTail } from './credential-span.js';

/** Gives the text that stands for a secret of a kind. */
export type Marker = (kind: CredentialKind, secret: string) => string;

/** How far a decision about one place may look ahead. Beyond it a credential is only followed to its end. */
export const lookaheadChars = 5120;
/** How far a decision may look back. */
export const lookbehindChars = 256;

/** What a scan carries from one piece of text to the next. */
export interface ScanState {
  /** How the credential that is still open goes on. */
  readonly tail: CredentialTail | undefined;
  /** Where the text stands: anywhere, before a line of a private key, behind the judged part of such a line, or in a cookie header. */
  readonly mode: 'text' | 'key-line' | 'key-rest' | 'cookies';
}

/** A piece of text and how much of it may be decided. */
export interface ScanPiece {
  readonly text: string;
  /** Where the undecided text begins; what stands before was decided already and is only looked back at. */
  readonly start: number;
  /** Places before it are decided. Behind it the text goes on for `lookaheadChars`, or it follows a line break, or nothing more comes. */
  readonly limit: number;
  /** Whether nothing more comes. */
  readonly isLast: boolean;
}

/** The scrubbed text, how far into the piece it reaches, and the state there. */
export interface Scanned {
  readonly output: string;
  readonly end: number;
  readonly state: ScanState;
}

/** The state at the start of a text. */
export const startOfText: ScanState = { tail: undefined, mode: 'text' };

/** Finds credentials of all known forms. Its index is made once and it keeps nothing of a text, so one serves all. */
export class CredentialScanner {
  readonly #index = new HeadIndex(credentialPlaces());
  readonly #rareForm = rareTokenForm();

  /** Scrubs one piece, in time linear in its length. */
  scan(piece: ScanPiece, from: ScanState, marker: Marker): Scanned {
    const run = new ScanRun(piece, from, marker);
    const rare = new RareTokens(piece.text, this.#rareForm);
    while (run.goesOn()) {
      if (run.tail !== undefined) run.followTail(run.tail);
      else if (run.mode === 'key-line') run.judgeKeyLine();
      else if (run.mode === 'key-rest') run.passKeyLine();
      else if (run.mode === 'cookies') this.#scanCookie(run, rare);
      else run.take(this.#next(piece.text, run.position, piece.limit, rare), piece.limit);
    }
    return run.finish();
  }

  /** A part of a cookie header: other credentials before its value come first. */
  #scanCookie(run: ScanRun, rare: RareTokens): void {
    const part = run.readCookiePart();
    if (part === undefined) return;
    const until = part.secret?.start ?? part.end;
    run.take(this.#next(run.text, run.position, until, rare) ?? part.secret, until);
  }

  /** What is found next, at `from` or behind it, where it begins before `limit`. */
  #next(text: string, from: number, limit: number, rare: RareTokens): CredentialFinding | undefined {
    const rareStart = rare.next(from, limit);
    const end = rareStart ?? limit;
    for (let start = this.#index.next(text, from, end); start >= 0; start = this.#index.next(text, start + 1, end)) {
      for (const { form, judge } of this.#index.itemsAt(text, start)) {
        form.lastIndex = start;
        const finding = form.test(text) ? judge(text, start, form.lastIndex) : undefined;
        if (finding !== undefined) return finding;
      }
    }
    return rareStart === undefined ? undefined : rare.findingAt(rareStart);
  }
}
