import { HeadIndex } from './credential-heads.js';
import { credentialPlaces } from './credential-places.js';
import { RareTokens, rareTokenForm } from './credential-rare.js';
import { ScanRun } from './credential-scan-run.js';
import type { Marker, Scanned, ScanPiece, ScanState } from './credential-scan-state.js';
import type { CredentialFinding } from './credential-span.js';
import { startsWord } from './credential-token.js';

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
