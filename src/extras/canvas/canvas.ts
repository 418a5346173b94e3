import type { CallScope } from '../../core/context.js';

/** The content of a canvas. */
export interface CanvasContent {
  /** At most 40 letters, digits, `-` and `_`. */
  readonly id: string;
  readonly html: string;
  /** Any JSON value; undefined if there is no data. */
  readonly data?: unknown;
}

/** An event of a canvas: a click, or a message from its script. */
export interface CanvasEvent {
  readonly sessionId: string;
  /** The id of the canvas. */
  readonly id: string;
  /** Any JSON value. */
  readonly event: unknown;
}

/** The canvases of a session as the agent sent them, without changes made in the browser. */
export interface CanvasSnapshot {
  readonly canvases: readonly CanvasContent[];
  /** The events since the last snapshot, oldest first. */
  readonly events: readonly CanvasEvent[];
}

/** The address of the canvases of a session, and the number of browser pages open there. */
export interface CanvasPlace {
  readonly url: string;
  readonly pages: number;
}

/** Shows the canvases of each session to users. Methods reject with `no_match` for an unknown canvas. */
export interface CanvasServer extends AsyncDisposable {
  /** The address where users see the canvases of all sessions. */
  readonly url: string;
  /** The address where users see the canvases of a session. It never changes. */
  urlOf(sessionId: string): string;
  /** Shows a canvas. Replaces a canvas with the same id. */
  show(canvas: CanvasContent, scope: CallScope): Promise<CanvasPlace> | CanvasPlace;
  /** Sends new data to a canvas without reloading it. */
  update(change: Pick<CanvasContent, 'id' | 'data'>, scope: CallScope): Promise<CanvasPlace> | CanvasPlace;
  /** Returns one canvas, or all canvases if `id` is missing, with their events. */
  snapshot(request: { readonly id?: string | undefined }, scope: CallScope): Promise<CanvasSnapshot> | CanvasSnapshot;
  /** Removes one canvas, or all canvases if `id` is missing. */
  clear(request: { readonly id?: string | undefined }, scope: CallScope): Promise<void> | void;
  /** Calls the listener for each event; the returned function unsubscribes. */
  subscribe(listener: (event: CanvasEvent) => void): () => void;
  /** Removes the canvases and events of a session, and updates its open pages. */
  endSession(sessionId: string): Promise<void> | void;
  /** Closes the server and all connections. Resolves when the port is free. */
  dispose(): Promise<void>;
}
