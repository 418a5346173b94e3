import type { CallScope } from '../../core/context.js';

/** A canvas as an agent has given it. */
export interface CanvasContent {
  /** Letters, digits, `-` and `_`, at most 40. */
  readonly id: string;
  readonly html: string;
  /** Anything that JSON holds; undefined for none. */
  readonly data?: unknown;
}

/** What came back from a canvas: somebody clicked, or a script in it sent something. */
export interface CanvasEvent {
  readonly sessionId: string;
  /** The canvas that it comes from. */
  readonly id: string;
  /** Anything that JSON holds. */
  readonly event: unknown;
}

/** The canvases of a session, as they were given. */
export interface CanvasSnapshot {
  readonly canvases: readonly CanvasContent[];
  /** What came back since the last snapshot, oldest first. */
  readonly events: readonly CanvasEvent[];
}

/** Where canvases of a session are looked at, and by how many pages right now. */
export interface CanvasPlace {
  readonly url: string;
  readonly pages: number;
}

/**
 * Shows pages that agents write, and brings back what people do there. The session is that of the caller; no session
 * sees another one's canvases. What is not possible is a ToolError: `no_match` for a canvas that is not there.
 */
export interface CanvasServer extends AsyncDisposable {
  /** Where a person sees the canvases of every session. */
  readonly url: string;
  /** Where a person sees the canvases of one session, now and later. */
  urlOf(sessionId: string): string;
  /** Puts a canvas there, in the place of one with its id. */
  show(canvas: CanvasContent, scope: CallScope): Promise<CanvasPlace> | CanvasPlace;
  /** Gives the page of a canvas other data, without loading it again. */
  update(change: Pick<CanvasContent, 'id' | 'data'>, scope: CallScope): Promise<CanvasPlace> | CanvasPlace;
  /** Of one canvas, or of all without an id. */
  snapshot(request: { readonly id?: string | undefined }, scope: CallScope): Promise<CanvasSnapshot> | CanvasSnapshot;
  /** Takes a canvas away, or all without an id. */
  clear(request: { readonly id?: string | undefined }, scope: CallScope): Promise<void> | void;
  /** Tells of everything that comes back, until the answer is called. */
  subscribe(listener: (event: CanvasEvent) => void): () => void;
  /** Forgets a session: what it shows, and what came back from it. Its pages are told. */
  endSession(sessionId: string): Promise<void> | void;
  /** Frees the port. Resolves when nothing is left of it. */
  dispose(): Promise<void>;
}
