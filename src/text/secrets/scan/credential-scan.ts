import { ScanRun } from './credential-scan-run.js';
import { type Marker, type Scanned, type ScanPiece, type ScanState, startOfText } from './credential-scan-state.js';
import type { CredentialFinding } from './credential-span.js';
import { type CredentialPlace, credentialPlaces } from './credential-start-places.js';
import { startsWord } from './credential-token.js';
import { HeadIndex, type HeadSearch } from './literal-prefix-index.js';

/** A finding and the place it was found from. */
interface Located {
  readonly place: number;
  readonly finding: CredentialFinding;
}

type PlaceSearch = Pick<HeadSearch, 'next'>;

/** Finds where credentials may begin, and what may begin there. */
interface PlaceIndex {
  search(text: string, limit: number): PlaceSearch;
  itemsAt(text: string, at: number): readonly CredentialPlace[];
}

/** Finds credentials of all known forms. Its index is made once and it keeps nothing of a text, so one serves all. */
export class CredentialScanner {
  readonly #index: PlaceIndex;

  /** `index` finds the places at which something is judged. Default: by the heads of all rules. */
  constructor(index: PlaceIndex = new HeadIndex(credentialPlaces())) {
    this.#index = index;
  }

  /** Scrubs one piece, in time linear in its length. */
  scan(piece: ScanPiece, from: ScanState, marker: Marker): Scanned {
    return this.#scan(piece, this.#index.search(piece.text, piece.text.length), from, marker);
  }

  /** Scrubs a text that is all there is. */
  scrub(text: string, marker: Marker): string {
    const heads = this.#index.search(text, text.length);
    // Most short texts hold nothing that is worth a run.
    if (heads.next(0, text.length) < 0) return text;
    return this.#scan({ text, start: 0, limit: text.length, isLast: true }, heads, startOfText, marker).output;
  }

  #scan(piece: ScanPiece, heads: PlaceSearch, from: ScanState, marker: Marker): Scanned {
    const run = new ScanRun(piece, from, marker);
    while (run.goesOn()) {
      if (run.tail !== undefined) run.followTail(run.tail);
      else if (run.mode === 'key-line') run.judgeKeyLine();
      else if (run.mode === 'key-rest') run.passKeyLine();
      else if (run.announced !== undefined) this.#scanUpTo(run, heads, run.announced.start);
      else if (run.mode === 'cookies') this.#scanCookiePart(run, heads);
      else this.#scanUpTo(run, heads, piece.limit);
    }
    return run.finish();
  }

  #scanCookiePart(run: ScanRun, heads: PlaceSearch): void {
    const part = run.readCookiePart();
    if (part?.secret !== undefined) run.announce(part.secret, run.position);
    else if (part !== undefined) this.#scanUpTo(run, heads, part.end);
  }

  /** Takes what is found first before `limit`, or else what is announced there. */
  #scanUpTo(run: ScanRun, heads: PlaceSearch, limit: number): void {
    const found = this.#next(run, heads, limit);
    if (found === undefined) run.reach(limit);
    else if (found.finding.start > found.place && run.announced === undefined)
      run.announce(this.#named(run, found.finding), found.place + 1);
    else if (found.finding.start < limit || run.announced === undefined) run.take(found.finding);
    else run.reach(limit);
  }

  /** What a name or a header announced may have a form of its own, which says more about it. */
  #named(run: ScanRun, finding: CredentialFinding): CredentialFinding {
    for (const place of this.#index.itemsAt(run.text, finding.start)) {
      const found = place.find(run.text, finding.start, run);
      if (found?.start === finding.start) return { ...finding, kind: found.kind };
    }
    return finding;
  }

  /** The first place at the run's position or behind it, before `limit`, that a credential is found from. */
  #next(run: ScanRun, heads: PlaceSearch, limit: number): Located | undefined {
    const { text, position, lookbackStart } = run;
    for (let start = heads.next(position, limit); start >= 0; start = heads.next(start + 1, limit)) {
      for (const place of this.#index.itemsAt(text, start)) {
        if (place.startsWord === true && !startsWord(text, start, lookbackStart)) continue;
        const finding = place.find(text, start, run);
        if (finding !== undefined) return { place: start, finding };
      }
    }
    return undefined;
  }
}
