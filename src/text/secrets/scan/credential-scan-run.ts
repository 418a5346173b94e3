import { type CookiePart, readCookiePart } from './credential-cookie.js';
import type { LinePrefix } from './credential-line-prefix.js';
import type { CredentialKind } from './credential-patterns.js';
import { readPemLine, startOfKey } from './credential-pem.js';
import type { Marker, OpenCredential, Scanned, ScanPiece, ScanState } from './credential-scan-state.js';
import type { CredentialFinding, CredentialTail } from './credential-span.js';
import { JudgementMemory } from './judgement-cache.js';

/** Longer credentials are withheld like others, but not remembered. */
const maxSecretChars = 65_536;

/** One pass over one piece of text: where it stands, and what it has written. */
export class ScanRun {
  readonly #piece: ScanPiece;
  readonly #marker: Marker;
  readonly #output: string[] = [];
  #memory: JudgementMemory | undefined;
  #copied: number;
  #lookbackStart: number;
  #waits = false;
  #open: OpenCredential | undefined;
  #linePrefix: LinePrefix | undefined;
  /** The first place that is not decided yet. */
  position: number;
  tail: CredentialTail | undefined;
  mode: ScanState['mode'];
  /** What is already found, a little ahead; other findings before it come first. */
  announced: CredentialFinding | undefined;

  constructor(piece: ScanPiece, from: ScanState, marker: Marker) {
    this.#piece = piece;
    this.#marker = marker;
    this.#copied = piece.start;
    this.#lookbackStart = piece.start - from.sinceLast;
    this.position = piece.start;
    this.tail = from.tail;
    this.#open = from.open;
    this.mode = from.mode;
    this.#linePrefix = from.linePrefix;
  }

  /**
   * Where the last credential ended. What is left of it is not looked back at, so scrubbed text is judged as its source
   * was.
   */
  get lookbackStart(): number {
    return this.#lookbackStart;
  }

  /** Judges names and values. */
  get memory(): JudgementMemory {
    this.#memory ??= new JudgementMemory();
    return this.#memory;
  }

  get text(): string {
    return this.#piece.text;
  }

  goesOn(): boolean {
    if (this.#waits) return false;
    if (this.announced !== undefined && this.announced.start < this.position) this.announced = undefined;
    return (
      this.position < this.#piece.limit ||
      this.announced !== undefined ||
      (this.tail !== undefined && this.position < this.text.length)
    );
  }

  /** Leaves a finding for later, to search from `position` up to it first. */
  announce(finding: CredentialFinding, position: number): void {
    this.announced = finding;
    this.position = position;
  }

  /** Nothing was found up to `limit`: goes there, and takes what is announced there. */
  reach(limit: number): void {
    this.position = limit;
    if (this.announced === undefined) return;
    const finding = this.announced;
    this.announced = undefined;
    this.take(finding);
  }

  /** Withholds what was found. */
  take(finding: CredentialFinding): void {
    const { kind, start, tail, opens, linePrefix, before = [] } = finding;
    const end = tail === undefined && opens === undefined ? startOfKey(this.text, start, finding.end) : finding.end;
    for (const span of before) this.#withhold(kind, span.start, span.end);
    if (tail !== undefined) this.#openAt(kind, start, end);
    else if (end > start) this.#withhold(kind, start, end);
    this.position = end;
    this.tail = tail;
    this.#linePrefix = linePrefix;
    if (opens !== undefined) this.mode = opens === 'key' ? 'key-rest' : 'cookies';
  }

  /** Goes to where the open credential ends, or to where that is not known yet. */
  followTail({ stop, hold }: CredentialTail): void {
    const { text, isLast } = this.#piece;
    stop.lastIndex = this.position;
    const end = stop.exec(text)?.index ?? text.length;
    const isDecided = isLast || end + hold < text.length;
    const from = this.position;
    this.position = isDecided ? end : Math.max(from, Math.min(end, text.length - hold));
    this.#continueOpen(text.slice(from, this.position));
    this.#copied = this.position;
    this.#lookbackStart = this.position;
    this.#waits = !isDecided;
    if (!isDecided) return;
    this.tail = undefined;
    this.#closeOpen();
    if (this.mode === 'key-rest' && !/[\r\n]/.test(text[end] ?? '\n')) this.mode = 'text';
  }

  /** Goes to the next line of a key block. */
  passKeyLine(): void {
    const { text, limit } = this.#piece;
    const lineBreak = text.indexOf('\n', this.position);
    const isReached = lineBreak >= 0 && lineBreak < limit;
    this.position = isReached ? lineBreak + 1 : limit;
    if (isReached) this.mode = 'key-line';
  }

  /** Withholds a line of a key block, or leaves the block. */
  judgeKeyLine(): void {
    const line = readPemLine(this.text, this.position, this.#linePrefix);
    if (line !== undefined && line.end > line.start) this.#withhold('private-key', line.start, line.end);
    this.position = line?.end ?? this.position;
    this.mode = line === undefined || line.closes ? 'text' : 'key-rest';
  }

  /** Reads a part of a cookie header, or leaves the header. */
  readCookiePart(): CookiePart | undefined {
    const part = readCookiePart(this.text, this.position);
    if (part === undefined) this.mode = 'text';
    return part;
  }

  finish(): Scanned {
    if (this.#piece.isLast) this.#closeOpen();
    const end = Math.max(this.#copied, this.position);
    this.#output.push(this.text.slice(this.#copied, end));
    return {
      output: this.#output.join(''),
      end,
      state: {
        tail: this.tail,
        open: this.#open,
        mode: this.mode,
        linePrefix: this.#linePrefix,
        sinceLast: end - this.#lookbackStart,
      },
    };
  }

  #openAt(kind: CredentialKind, start: number, end: number): void {
    this.#output.push(this.text.slice(this.#copied, start));
    this.#open = { kind, secret: this.text.slice(start, end) };
    this.#copied = end;
    this.#lookbackStart = end;
  }

  #continueOpen(more: string): void {
    if (this.#open === undefined || this.#open.secret === undefined || more === '') return;
    const isTooLong = this.#open.secret.length + more.length > maxSecretChars;
    this.#open = { kind: this.#open.kind, secret: isTooLong ? undefined : this.#open.secret + more };
  }

  #closeOpen(): void {
    if (this.#open !== undefined) this.#output.push(this.#marker(this.#open.kind, this.#open.secret));
    this.#open = undefined;
  }

  #withhold(kind: CredentialKind, start: number, end: number): void {
    this.#output.push(this.text.slice(this.#copied, start), this.#marker(kind, this.text.slice(start, end)));
    this.#copied = end;
    this.#lookbackStart = end;
  }
}
