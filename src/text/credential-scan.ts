import { HeadIndex } from './credential-heads.js';
import type { CredentialKind } from './credential-patterns.js';
import { credentialPlaces } from './credential-places.js';
import { RareTokens, rareTokenForm } from './credential-rare.js';
import { ScanRun } from './credential-scan-run.js';
import type { CredentialFinding, CredentialTail } from './credential-span.js';
import { startsWord } from './credential-token.js';

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
  /** How many characters came since the last credential, or since the start. */
  readonly sinceLast: number;
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
export const startOfText: ScanState = { tail: undefined, mode: 'text', sinceLast: 0 };

/** A finding and the place it was found from. */
interface Located {
  readonly place: number;
  readonly finding: CredentialFinding;
}

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
      else if (run.announced !== undefined) this.#scanUpTo(run, rare, run.announced.start);
      else if (run.mode === 'cookies') this.#scanCookiePart(run, rare);
      else this.#scanUpTo(run, rare, piece.limit);
    }
    return run.finish();
  }

  #scanCookiePart(run: ScanRun, rare: RareTokens): void {
    const part = run.readCookiePart();
    if (part?.secret !== undefined) run.announce(part.secret, run.position);
    else if (part !== undefined) this.#scanUpTo(run, rare, part.end);
  }

  /** Takes what is found first before `limit`, or else what is announced there. */
  #scanUpTo(run: ScanRun, rare: RareTokens, limit: number): void {
    const found = this.#next(run, limit, rare);
    if (found === undefined) run.reach(limit);
    else if (found.finding.start > found.place && run.announced === undefined) run.announce(found.finding, found.place + 1);
    else if (found.finding.start < limit || run.announced === undefined) run.take(found.finding);
    else run.reach(limit);
  }

  /** The first place at the run's position or behind it, before `limit`, that a credential is found from. */
  #next(run: ScanRun, limit: number, rare: RareTokens): Located | undefined {
    const { text, position, floor } = run;
    const rareStart = rare.next(position, floor, limit);
    const end = rareStart ?? limit;
    for (let start = this.#index.next(text, position, end); start >= 0; start = this.#index.next(text, start + 1, end)) {
      for (const { form, judge, startsWord: mustStartWord } of this.#index.itemsAt(text, start)) {
        if (mustStartWord === true && !startsWord(text, start, floor)) continue;
        form.lastIndex = start;
        const finding = form.test(text) ? judge(text, start, form.lastIndex, run) : undefined;
        if (finding !== undefined) return { place: start, finding };
      }
    }
    const finding = rareStart === undefined ? undefined : rare.findingAt(rareStart);
    return finding && { place: finding.start, finding };
  }
}
